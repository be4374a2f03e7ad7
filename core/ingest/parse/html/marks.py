"""Markup that says something of its words: struck through, raised, filled in, drawn; as text in its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from core.domain.document import FilePart, PartState
from core.ingest.parse.html.main import drop, text_of
from core.text.marks import lookalikes, lowered, mark, plain, raised, tick

STRUCK_STYLE = re.compile(r"text-decoration(?:-line)?\s*:[^;{}]{0,80}\bline-through\b", re.IGNORECASE)
"""A style, of an element or of a rule, that strikes through what has it."""
_STRUCK = ("del", "s", "strike")
_WHOLE = (
    *("p", "div", "li", "ul", "ol", "table", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("section", "article", "blockquote", "pre", "br"),
)
"""Elements in one of which several blocks may be struck through at once."""
_TYPED = frozenset(
    ("", "text", "number", "date", "datetime-local", "month", "week", "time", "email", "tel", "url")
)
_TICKED = frozenset(["checkbox", "radio"])
_FRAMES = ("iframe", "frame", "object", "embed")
_ENDING = re.compile(r"\[\s*\Z")
_LEAST_SIDE = 10  # pixels of a frame that anybody sees
_NUMBER = re.compile(r"\s*(\d{1,5})")
_SHOWN_ELSEWHERE = {
    "frames": (_FRAMES, "What a frame shows stands in a file of its own. Add that."),
    "drawings by scripts": (("canvas",), "A script draws it in the browser."),
    "films and sounds": (("video", "audio"), "What is said in it is not read."),
}


def tell_typed(root: Any) -> None:
    """Let no words of the page look like a mark, wherever elements divide them."""
    if not lookalikes(text_of(root)):
        return
    for each in root.iter():
        if each.text:
            each.text = _ENDING.sub("[ ", plain(each.text))
        if each.tail:
            each.tail = _ENDING.sub("[ ", plain(each.tail))


def mark_struck(root: Any, struck: Iterable[Any]) -> int:
    """Write what is struck through as deleted, in place; gives how often. struck: by styles of the page."""
    elements = [*root.iter(*_STRUCK), *struck]
    outer = [each for each in dict.fromkeys(elements) if not _is_within(each, frozenset(elements))]
    for element in outer:
        if next(element.iter(*_WHOLE), None) is None:
            _replace(element, mark("deleted", text_of(element)))
        else:
            _mark_pieces(element)
    return len(outer)


def _is_within(element: Any, others: Collection[Any]) -> bool:
    return any(above in others for above in element.iterancestors())


def _replace(element: Any, text: str) -> None:
    """Give an element that text instead of its contents, with a blank where one stood at its ends."""
    was = text_of(element)
    for child in list(element):
        element.remove(child)
    element.text = _spaced(was, text)


def _spaced(was: str, text: str) -> str:
    return f"{' ' * was[:1].isspace()}{text}{' ' * was[-1:].isspace()}"


def _mark_pieces(element: Any) -> None:
    """As deleted, each run of text in an element that holds blocks."""
    for each in element.iter():
        if each.text and each.text.strip():
            each.text = _spaced(each.text, mark("deleted", each.text))
        if each is not element and each.tail and each.tail.strip():
            each.tail = _spaced(each.tail, mark("deleted", each.tail))


def set_apart(root: Any) -> None:
    """Write digits set above or below as such, so that none is glued to the number before it."""
    for tag, written in (("sup", raised), ("sub", lowered)):
        for element in list(root.iter(tag)):
            text = text_of(element).strip()
            if text and written(text) != text:
                _replace(element, written(text))


def fill_in(root: Any) -> int:
    """Write values and ticks of a form beside their labels, in place; gives how many."""
    count = 0
    for element in list(root.iter("input", "select")):
        text = _chosen(element) if element.tag == "select" else _value(element)
        if text:
            count += 1
            _put_before(element, f" {text} ")
    return count


def _value(element: Any) -> str:
    kind = element.get("type", "").strip().lower()
    if kind in _TICKED:  # what has no name is never sent: menus are opened by such boxes
        return tick("checked" in element.attrib) if element.get("name") else ""
    return element.get("value", "").strip() if kind in _TYPED else ""


def _chosen(element: Any) -> str:
    options = (each for each in element.iter("option") if "selected" in each.attrib)
    return ", ".join(" ".join(text_of(each).split()) for each in options)


def _put_before(element: Any, text: str) -> None:
    text = plain(text)
    before, parent = element.getprevious(), element.getparent()
    if before is not None:
        before.tail = (before.tail or "") + text
    elif parent is not None:
        parent.text = (parent.text or "") + text


def draw_out(root: Any) -> None:
    """Write the words of drawings and formulas in their place, and open dialogs that the page shows."""
    for drawing in list(root.iter("svg")):
        words = [" ".join(text_of(each).split()) for each in drawing.iter("{*}text", "text")]
        _put_before(drawing, f" {' '.join(words)} " if any(words) else "")
    for formula in list(root.iter("math")):
        notes = formula.xpath(".//*[local-name()='annotation']")
        for note in notes:
            drop(note)
        said = " ".join(text_of(formula).split()) or formula.get("alttext", "").strip()
        _put_before(formula, f" {said} ")
    for dialog in root.iter("dialog"):
        if "open" in dialog.attrib:
            dialog.tag = "div"


def unread_parts(root: Any) -> Iterator[FilePart]:
    """What the page shows and its text does not hold. root: without what is hidden."""
    for kind, (tags, reason) in _SHOWN_ELSEWHERE.items():
        shown = [each for each in root.iter(*tags) if _is_seen(each)]
        sources = [source for each in shown if (source := each.get("src") or each.get("data") or "")]
        if shown:
            place = ", ".join(dict.fromkeys(sources[:3]))[:300]
            yield FilePart(kind, PartState.UNREAD, len(shown), place, reason)


def _is_seen(element: Any) -> bool:
    """False for one that is too small to see, or that another one holds as its stand-in."""
    sides = (_NUMBER.match(element.get(name, "")) for name in ("width", "height"))
    is_small = any(side is not None and int(side[1]) < _LEAST_SIDE for side in sides)
    return not is_small and next(element.iterancestors("noscript", *_FRAMES), None) is None
