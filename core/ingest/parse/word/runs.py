"""The words of a paragraph as they show, and what hangs on them: notes, comments, boxes, drawings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.ingest.parse.base import PartTally
from core.ingest.parse.word.drawings import DGM, A, C
from core.ingest.parse.word.elements import R, W, is_placeholder, value
from core.ingest.parse.word.equations import M, linear
from core.ingest.parse.word.forms import WordField, control_text
from core.ingest.parse.word.notes import NoteMark, Notes
from core.ingest.parse.word.styles import RunLook, Styles
from core.ingest.parse.word.symbols import has_signs, sign, signs, ticks
from core.ingest.parse.word.tables import DELETED
from core.text.marks import BLANK, lowered, mark, plain, raised

PAGE_BREAK = "\f"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_V = "{urn:schemas-microsoft-com:vml}"
_O = "{urn:schemas-microsoft-com:office:office}"
_CHART_EX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart"
_EMU_PER_PX = 9_525
_MOST_OPEN = 50  # fields that reach over paragraphs
_LEAST_PX = 100  # smaller pictures are logos, icons, lines
_POINTS = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*([\d.]+)pt")
_PAGE_FIELDS = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES"})
_HIDDEN = "Hidden text does not show in Word."
_PICTURE = "Words in pictures are not read."
_SKIPPED = frozenset(
    W + name for name in ("instrText", "delText", "delInstrText", "rPr", "pPr", "sdtPr", "pgNum")
)


@dataclass(slots=True)
class Inline:
    """A paragraph's words. boxes: elements whose blocks follow it; drawings: (kind, relation)."""

    text: str = ""
    notes: list[NoteMark] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    drawings: list[tuple[str, str]] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)


class RunReader:
    """Reads paragraphs one after another; fields may reach over several of them."""

    def __init__(self, styles: Styles, notes: Notes, tally: PartTally) -> None:
        self._styles = styles
        self._notes = notes
        self._tally = tally
        self._fields: list[WordField] = []
        self._codes = 0  # fields of them whose results have not begun
        self._unsaid: list[tuple[int, tuple[str, str]]] = []
        self._pieces: list[tuple[str, str]] = []
        self._inline = Inline()
        self._style = ""
        self._look = RunLook()
        self._is_margin = False

    def read(self, paragraph: Any, *, is_margin: bool = False) -> Inline:
        """The words of a paragraph. is_margin: of a header or footer, where numbers of pages are left out."""
        self._style = value(paragraph, "pPr/pStyle") or self._styles.default
        self._inline, self._pieces, self._look = Inline(), [], RunLook()
        self._is_margin = is_margin
        for each in self._fields:
            each.start = 0
        self._children(paragraph)
        for at, piece in reversed(self._unsaid):  # of fields that neither show a result nor end
            self._pieces.insert(at, piece)
        self._fields = [each for each in self._fields if each.is_result][-_MOST_OPEN:]
        self._codes, self._unsaid = 0, []
        self._inline.text = _joined(self._pieces)
        return self._inline

    def _children(self, node: Any) -> None:
        for child in node:
            handler = _HANDLERS.get(child.tag)
            if handler is not None:
                handler(self, child)
            elif child.tag not in _SKIPPED and isinstance(child.tag, str):
                self._children(child)

    def _say(self, text: str) -> None:
        if not text:
            return
        if self._look.align == "superscript":
            text = raised(text)
        elif self._look.align == "subscript":
            text = lowered(text)
        piece = "deleted" if self._look.is_struck else "", text
        if self._codes > (bool(self._fields) and not self._fields[-1].is_result):
            self._unsaid.append((len(self._pieces), piece))
        else:
            self._pieces.append(piece)

    def _run(self, run: Any) -> None:
        look = self._styles.look(run.find(f"{W}rPr"), self._style)
        if look.is_hidden:
            self._tally.left_out("hidden text", _HIDDEN)
            return
        outer, self._look = self._look, look
        self._children(run)
        self._look = outer

    def _words(self, node: Any) -> None:
        text = node.text or ""
        self._say(signs(text, self._look.font) if has_signs(self._look.font) else ticks(text))

    def _symbol(self, node: Any) -> None:
        font = node.get(f"{W}font", "")
        try:
            shown = sign(int(node.get(f"{W}char", ""), 16), font.lower())
        except (ValueError, OverflowError):
            shown = None
        if shown is None and not has_signs(font.lower()):
            self._tally.unread("symbols", "Their font draws signs that have no characters.", font)
        self._say(shown or "")

    def _break(self, node: Any) -> None:
        self._say(PAGE_BREAK if node.get(f"{W}type") == "page" else "\n")

    def _gone(self, node: Any) -> None:
        if next(node.iter(f"{W}r"), None) is not None:
            self._tally.left_out("tracked deletions", DELETED)

    def _field_char(self, node: Any) -> None:
        kind = node.get(f"{W}fldCharType")
        if kind == "begin":
            self._fields.append(WordField(len(self._pieces), node.find(f"{W}ffData")))
            self._codes += 1
        elif self._fields and kind == "separate":
            self._codes -= not self._fields[-1].is_result
            self._fields[-1].is_result = True
            self._fields[-1].start = len(self._pieces)
        elif self._fields and kind == "end":
            done = self._fields.pop()
            self._codes -= not done.is_result
            if not self._codes:
                self._unsaid = []
            if self._is_margin and done.name in _PAGE_FIELDS:
                del self._pieces[done.start :]
            if not done.is_form:
                return
            shown = done.form_text("".join(text for _, text in self._pieces[done.start :]))
            self._tally.read("empty form fields" if shown == "" else "form fields")
            if shown is not None:
                del self._pieces[done.start :]
                self._say(shown or f" {BLANK} ")

    def _instruction(self, node: Any) -> None:
        if self._fields and not self._fields[-1].is_result:
            self._fields[-1].code += node.text or ""

    def _simple_field(self, node: Any) -> None:
        name = (node.get(f"{W}instr", "").split() or [""])[0].upper()
        if not (self._is_margin and name in _PAGE_FIELDS):
            self._children(node)

    def _note(self, node: Any) -> None:
        kind = "endnote" if node.tag == f"{W}endnoteReference" else "footnote"
        is_custom = bool(node.get(f"{W}customMarkFollows") in ("1", "true", "on"))
        found = self._notes.refer(kind, node.get(f"{W}id", ""), is_custom=is_custom)
        if found is not None:
            self._inline.notes.append(found)
            if not is_custom:
                self._look = RunLook(False, self._look.is_struck, "superscript")
                shown = raised(found.label)
                self._say(f"[{shown}]" if shown.isalpha() else shown)  # a letter would be glued to the word

    def _comment(self, node: Any) -> None:
        self._inline.notes.append(NoteMark("comment", node.get(f"{W}id", ""), ""))

    def _control(self, node: Any) -> None:
        if is_placeholder(node):
            self._tally.read("empty form fields")
            self._say(f" {BLANK} ")
            return
        shown = control_text(node)
        if shown is not None:
            self._tally.read("form fields")
        if shown:
            self._say(shown)
        else:
            self._children(node)

    def _alternatives(self, node: Any) -> None:
        """The first choice that says anything; the others repeat it for older programs."""
        for choice in node:
            before = self._amount()
            self._children(choice)
            if self._amount() != before:
                return

    def _amount(self) -> tuple[int, ...]:
        inline = self._inline
        return (len(self._pieces), len(inline.boxes), len(inline.drawings), len(inline.images))

    def _drawing(self, node: Any) -> None:
        told = node.find(f"{_WP}docPr")
        extent = node.find(f"{_WP}extent")
        if told is not None and told.get("hidden") in ("1", "true"):
            self._tally.left_out("hidden drawings", "They do not show in Word.")
            return
        images = len(self._inline.images)
        self._children(node)
        if len(self._inline.images) > images:
            sides = (
                [_pixels(extent.get(side)) for side in ("cx", "cy")] if extent is not None else [_LEAST_PX]
            )
            self._picture("" if told is None else told.get("descr") or "", min(sides))

    def _shape(self, node: Any) -> None:
        images = len(self._inline.images)
        self._children(node)
        path = node.find(f"{_V}textpath")
        if path is not None:
            self._say(f" {path.get('string', '')} ")
        if len(self._inline.images) > images:
            sides = [float(size) for _, size in _POINTS.findall(node.get("style") or "")]
            self._picture(node.get("alt") or "", int(min(sides) * 4 / 3) if sides else _LEAST_PX)

    def _picture(self, alternative: str, size_px: int) -> None:
        words = " ".join(alternative.split())
        if len(words) > 3:
            self._inline.captions.append(words)
            self._tally.read("descriptions of images")
        elif size_px >= _LEAST_PX:
            self._tally.unread("images without text", _PICTURE)

    def _image(self, node: Any) -> None:
        self._inline.images.append(node.get(f"{R}embed") or node.get(f"{R}link") or node.get(f"{R}id") or "")

    def _object(self, node: Any) -> None:
        """An embedded file, of which Word shows a picture, or a control of ActiveX."""
        embedded, control = next(node.iter(f"{_O}OLEObject"), None), next(node.iter(f"{W}control"), None)
        if embedded is not None:
            kind = embedded.get("ProgID") or "unknown"
            self._tally.unread("embedded objects", "Files within the file are not opened.", kind)
        elif control is not None:
            name = control.get(f"{W}name") or "unnamed"
            self._tally.unread("ActiveX controls", "Their states are not read.", name)
        else:
            self._children(node)

    def _hyperlink(self, node: Any) -> None:
        self._inline.links.append(node.get(f"{R}id") or "")
        self._children(node)

    def _equation(self, node: Any) -> None:
        self._tally.read("equations")
        self._say(linear(node))

    def _ruby(self, node: Any) -> None:
        """Letters with their reading above them: 東京(とうきょう)."""
        self._children(node.find(f"{W}rubyBase") if node.find(f"{W}rubyBase") is not None else ())
        if node.find(f"{W}rt") is not None:
            self._say("(")
            self._children(node.find(f"{W}rt"))
            self._say(")")


def _pixels(emu: str | None) -> int:
    return (int(emu) if emu and emu.isdigit() else 0) // _EMU_PER_PX


def _joined(pieces: list[tuple[str, str]]) -> str:
    """Pieces as one text; neighbours that are struck out are one deletion."""
    out: list[str] = []
    struck: list[str] = []
    said: list[str] = []
    for kind, text in [*pieces, ("", "")]:
        if kind and text != PAGE_BREAK:
            struck.append(text)
            continue
        if struck:
            out.append(plain("".join(said)))
            said = []
            words = "".join(struck)
            lead, tail = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
            out.append(f"{lead}{mark('deleted', words)}{tail}" if words.strip() else words)
            struck = []
        said.append(text)
    return "".join([*out, plain("".join(said))])


def _fixed(text: str) -> Callable[[RunReader, Any], None]:
    return lambda reader, _: reader._say(text)


def _kept(kind: str) -> Callable[[RunReader, Any], None]:
    return lambda reader, node: reader._inline.drawings.append(
        (kind, node.get(f"{R}id") or node.get(f"{R}dm") or "")
    )


_HANDLERS: dict[str, Callable[[RunReader, Any], None]] = {
    f"{W}r": RunReader._run,
    f"{W}t": RunReader._words,
    f"{W}tab": _fixed("\t"),
    f"{W}ptab": _fixed("\t"),
    f"{W}br": RunReader._break,
    f"{W}cr": _fixed("\n"),
    f"{W}noBreakHyphen": _fixed("-"),
    f"{W}softHyphen": _fixed(""),
    f"{W}sym": RunReader._symbol,
    f"{W}del": RunReader._gone,
    f"{W}moveFrom": RunReader._gone,
    f"{W}fldChar": RunReader._field_char,
    f"{W}instrText": RunReader._instruction,
    f"{W}fldSimple": RunReader._simple_field,
    f"{W}footnoteReference": RunReader._note,
    f"{W}endnoteReference": RunReader._note,
    f"{W}commentReference": RunReader._comment,
    f"{W}sdt": RunReader._control,
    f"{W}hyperlink": RunReader._hyperlink,
    f"{W}object": RunReader._object,
    f"{W}ruby": RunReader._ruby,
    f"{W}txbxContent": lambda reader, node: reader._inline.boxes.append(node),
    f"{_MC}AlternateContent": RunReader._alternatives,
    f"{_WP}inline": RunReader._drawing,
    f"{_WP}anchor": RunReader._drawing,
    f"{_V}shape": RunReader._shape,
    f"{_V}imagedata": RunReader._image,
    f"{A}blip": RunReader._image,
    f"{M}oMath": RunReader._equation,
    f"{C}chart": _kept("chart"),
    f"{DGM}relIds": _kept("diagram"),
    _CHART_EX: _kept("new chart"),
}
