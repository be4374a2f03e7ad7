"""The stored text of a page, the same for whoever stores it and whoever looks for its places again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from core.domain.document import PartState
from core.domain.span import Box
from core.ingest.pdf.columns import column_order
from core.ingest.pdf.glyphs import Glyphs
from core.ingest.pdf.notes import Inserts, is_contradiction, lines_through_words, place_notes, value_of
from core.ingest.pdf.pypdf_file import HiddenLayers
from core.ingest.pdf.right_to_left import turn_right_to_left
from core.ingest.pdf.small_print import mark_small_print
from core.ingest.pdf.stored_text import StoredText, store_text
from core.ingest.pdf.xfa import xfa_form
from core.ingest.pdfium.base import Bounds, NoteKind, PageNote, PdfDamagedError
from core.ingest.pdfium.document import PdfFile
from core.ingest.pdfium.page import PdfPage
from core.text.marks import plain

_FIELDS = frozenset({NoteKind.TEXT_FIELD, NoteKind.CHOICE, NoteKind.BOX})
_STAND_IN = 1_500  # characters at most of a page that asks for another viewer
_MOST_SHOWN = 1_000  # fields of a page whose appearance is compared with their value
_NOT_OPENED = "They are media, and no words can be read from them."
_READ = {
    NoteKind.BOX: "boxes to tick",
    NoteKind.TEXT_FIELD: "form fields",
    NoteKind.CHOICE: "form fields",
    NoteKind.SIGNATURE: "signature fields",
    NoteKind.FREE_TEXT: "text annotations",
    NoteKind.STAMP: "stamps",
    NoteKind.STRIKE_OUT: "words struck through",
}
Part = tuple[str, PartState, str]
"""Kind, state and reason of a part of the file."""


@dataclass(frozen=True, slots=True)
class PlacedText:
    """Stored text of a page. places: by `stored.origins`, PDFium's character, or -2 - index of a note's box.

    parts: how many of each were met. files: names of those that are pinned to the page.
    """

    stored: StoredText
    places: Sequence[int]
    boxes: tuple[Bounds, ...]
    parts: dict[Part, int]
    files: tuple[str, ...] = ()

    def character(self, offset: int) -> int:
        """PDFium's character at an offset of the stored text; -1 for words of notes."""
        return max(-1, self.places[self.stored.origins[offset]])

    def box(self, page: PdfPage, origin: int) -> Box | None:
        """Place of a character, by its origin, as fractions of the page."""
        place = self.places[origin] if origin < len(self.places) else -1
        if place <= -2:
            return page.fractions(self.boxes[-2 - place])
        return page.char_box(place) if place >= 0 else None


def read_page_text(file: PdfFile, page: PdfPage, page_no: int, *, joins_hyphens: bool) -> PlacedText:
    """The page's text in reading order, with the values of its fields and its notes where they stand."""
    parts: Counter[Part] = Counter()
    layers = _layers(file)
    if layers.names and (count := page.hide_layers(layers.names)):
        parts["texts on hidden layers", PartState.LEFT_OUT, "The layers are switched off."] += count
    if layers.is_partial and page_no == 1:
        reason = "Not all are told apart: their words may stand among the others."
        parts["hidden layers", PartState.UNREAD, reason] += 1
    glyphs = Glyphs(page)
    if _is_stand_in(file, glyphs):
        glyphs.turn((), "")
        parts["words that stand in for the form", PartState.LEFT_OUT, ""] += 1
    turn_right_to_left(glyphs)
    mark_small_print(glyphs)
    order = column_order(glyphs)
    notes = page.notes() + lines_through_words(glyphs, page.strokes())
    inserts = _notes(file, glyphs, page_no, notes, parts)
    if page_no == file.page_count:
        _add_xfa(file, glyphs, notes, inserts, parts)
    if order is None and not glyphs.is_changed and not inserts.at:
        written = _Written(glyphs.raw, glyphs.places)
    else:
        written = _written(glyphs, order, inserts)
    files = tuple(note.text for note in notes if note.kind is NoteKind.FILE)
    stored = store_text(written.text, joins_hyphens=joins_hyphens)
    return PlacedText(stored, written.places, written.boxes, dict(parts), files)


@lru_cache(maxsize=1)
def _layers(file: PdfFile) -> HiddenLayers:
    # Imported late: it costs more than a small file does.
    from core.ingest.pdf.pypdf_file import hidden_layers

    return hidden_layers(file.path)


def _notes(
    file: PdfFile, glyphs: Glyphs, page_no: int, notes: Sequence[PageNote], parts: Counter[Part]
) -> Inserts:
    visible = [note for note in notes if not note.is_hidden]
    compared = [at for at, note in enumerate(visible) if _has_appearance(note)][:_MOST_SHOWN]
    drawn = file.shown_texts(page_no, [visible[at] for at in compared]) if compared else []
    shown = {
        at: text
        for at, text in zip(compared, drawn, strict=True)
        if not glyphs.page.has_text_in(visible[at].box, 1)
    }
    for note in notes:
        if note.is_hidden:
            is_told = note.text or note.kind is NoteKind.BOX
            kind = "hidden form fields" if note.kind in _FIELDS else "hidden annotations"
            parts.update([(kind, PartState.LEFT_OUT, "They are not shown.")] if is_told else ())
    if glyphs.page.has_too_many_notes:
        parts["annotations", PartState.UNREAD, "There are too many on a page."] += 1
    for at, note in enumerate(visible):
        parts.update(_parts_of(note, shown.get(at, "")))
    return place_notes(glyphs, visible, shown)


def _has_appearance(note: PageNote) -> bool:
    if note.kind is NoteKind.TEXT_FIELD:
        return bool(note.text)
    return note.kind in (NoteKind.STAMP, NoteKind.SIGNATURE) or (
        note.kind is NoteKind.FREE_TEXT and not note.text
    )


def _parts_of(note: PageNote, shown: str) -> list[Part]:
    if note.kind is NoteKind.STAMP and not value_of(note, shown):
        return [("stamps", PartState.UNREAD, "They are images without text.")]
    if note.kind is NoteKind.MEDIA:
        return [("embedded media", PartState.UNREAD, _NOT_OPENED)]
    found = [_READ[note.kind]] if note.kind in _READ else []
    if note.kind in (NoteKind.TEXT_FIELD, NoteKind.CHOICE) and not value_of(note, shown):
        found = ["empty form fields"]
    if is_contradiction(note, shown):
        found.append("form fields that show other words than their value")
    if note.kind in (NoteKind.COMMENT, NoteKind.STRIKE_OUT) and note.text:
        found.append("comments")
    return [(kind, PartState.READ, "") for kind in found]


def _is_stand_in(file: PdfFile, glyphs: Glyphs) -> bool:
    """True of the page of a form that says only that a program has to make its pages."""
    if not file.is_dynamic or file.page_count > 1 or len(glyphs.raw) > _STAND_IN:
        return False
    form = xfa_form(file.xfa_packet("datasets"))
    return form is not None and bool(form.values) and not any(v in glyphs.raw for _, v in form.values)


def _add_xfa(
    file: PdfFile, glyphs: Glyphs, notes: Sequence[PageNote], inserts: Inserts, parts: Counter[Part]
) -> None:
    """Values of an XFA form that no field holds, at the end of the last page; of a dynamic one its words."""
    data = file.xfa_packet("datasets")
    if not data and not file.is_dynamic:
        return
    if file.is_dynamic:
        reason = "Its pages are made by a program of the file; only its words and values were read."
        parts["dynamic XFA forms", PartState.UNREAD, reason] += 1
    form = xfa_form(data, file.xfa_packet("template"))
    if form is None:
        parts["XFA values", PartState.UNREAD, "Their XML is damaged."] += 1
        return
    known = {note.text for note in notes} | _values_before(file)
    texts = form.texts if file.is_dynamic and not glyphs.raw else []
    lines = [plain(text) for text in texts]
    for label, value in form.values:
        if value not in known:
            lines.append(plain(f"{label}: {value}"))
            parts["XFA values", PartState.READ, ""] += 1
    gap = "\r\n" if glyphs.raw else "\r\n\r\n"  # where nothing else stands each line is read alone
    for line in lines:
        inserts.add(len(glyphs.raw), f"{gap}{line}" if glyphs.raw or inserts.at else line, Bounds(0, 0, 0, 0))


def _values_before(file: PdfFile) -> set[str]:
    """The values of all fields but those of the last page."""
    values: set[str] = set()
    for page_no in range(1, file.page_count):
        try:
            with file.page(page_no) as page:
                values.update(note.text for note in page.notes())
        except PdfDamagedError:
            continue
    return values


class _Written(NamedTuple):
    text: str
    places: Sequence[int]
    boxes: tuple[Bounds, ...] = ()


def _written(glyphs: Glyphs, order: Sequence[tuple[int, int]] | None, inserts: Inserts) -> _Written:
    """Text in the order given, with what is inserted, and the place of each of its characters."""
    raw, places = glyphs.raw, glyphs.places
    waiting = dict(inserts.at)
    pieces: list[str] = []
    found: list[int] = []
    boxes: list[Bounds] = []

    def insert(index: int) -> None:
        for text, box in waiting.pop(index, ()):
            pieces.append(text)
            found.extend([-2 - len(boxes)] * len(text))
            boxes.append(box)

    def copy(start: int, end: int) -> None:
        for at in range(start, end):
            if at in waiting:
                insert(at)
            if at not in glyphs.gone:
                pieces.append(glyphs.characters.get(at, raw[at]))
                found.append(places[at])

    if order is None:
        copy(0, len(raw))
    for number, (start, end) in enumerate(order or ()):
        following = order[number + 1][0] if order and number + 1 < len(order) else -1
        last = end - 1
        is_broken = glyphs.ends_in_hyphen(end) or (
            raw[last] == "-" and last > start and raw[last - 1].isalpha()
        )
        is_broken = is_broken and following >= 0 and raw[following].islower()
        copy(start, last if is_broken and raw[last] == "-" else end)
        insert(end)
        if following >= 0:
            pieces.append("\ufffe\r\n" if is_broken else "\r\n")
            found += [-1] * len(pieces[-1])
    for index in sorted(waiting):
        insert(index)
    return _Written("".join(pieces), found, tuple(boxes))
