"""Facts of a web page: what it declares about itself, else the author's name below its title."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.domain.document import PAGE_DETAILS
from core.domain.fields import CellStatus, Finding, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import TextReading, decide, decide_many
from core.extract.values.page_text import UNSURE, contacts_in, products_in
from core.fields.typed import text_value
from core.values.dates import parse_date

_METHOD = "rule"
_DECLARED, _SHOWN = 0.97, 0.9
_TOP_CHARS = 1_500
_NAME = r"[A-Z][\w.'\u2019-]+(?: (?:[A-Z][\w.'\u2019-]*|de|van|von|der|di|la)){1,4}"
_BYLINE = re.compile(
    rf"(?m)^(?:[Bb]y|BY|Written by|Author:) (?P<names>{_NAME}(?:(?:, | and | & ){_NAME}){{0,4}})$"
)
_EACH_NAME = re.compile(_NAME)
_PIECE = re.compile(r"[^;\s][^;]*")


def page_publisher(document: DocumentText) -> Finding:
    """Who publishes the page, or the name of its site."""
    return _one(document, "Publisher")


def page_published(document: DocumentText) -> Finding:
    """The day on which the page was published."""
    return _one(document, "Published", is_date=True)


def page_updated(document: DocumentText) -> Finding:
    """The day on which the page was last changed."""
    return _one(document, "Updated", is_date=True)


def page_contact(document: DocumentText) -> Finding:
    """Addresses and numbers to reach somebody: as the page declares, else as its text says."""
    return _declared_or_named(document, "Contact", contacts_in(document))


def page_authors(document: DocumentText) -> Finding:
    """Who wrote the page: as it declares, else by the line below its title."""
    readings = list(_pieces(document, "Author"))
    if readings:
        return decide_many(document, readings, _METHOD, confidence=_DECLARED)
    line = _BYLINE.search(document.text, 0, _TOP_CHARS)
    if line is not None:
        start = line.start("names")
        for match in _EACH_NAME.finditer(line["names"]):
            value = text_value(match[0])
            if value is not None:
                readings.append(TextReading.at(start + match.start(), start + match.end(), value, _SHOWN))
    return decide_many(document, readings, _METHOD, confidence=_SHOWN)


def page_products(document: DocumentText) -> Finding:
    """The products that the page marks as such, else those that its headings and tables name."""
    return _declared_or_named(document, "Products", products_in(document))


def _declared_or_named(
    document: DocumentText, name: str, named: Sequence[TextReading[TypedValue]]
) -> Finding:
    """What is declared with what the text surely says; else the doubtful as candidates."""
    declared = list(_pieces(document, name))
    sure = _distinct([*declared, *(each for each in named if each.confidence >= _SHOWN)])
    if sure:
        return decide_many(document, sure, _METHOD, confidence=_DECLARED if declared else _SHOWN)
    note = "The page does not declare it; its text may name it." if named else ""
    return decide_many(document, _distinct(named), _METHOD, confidence=UNSURE, note=note)


def _distinct(readings: Sequence[TextReading[TypedValue]]) -> list[TextReading[TypedValue]]:
    """The first reading of each value; telephone numbers are compared by their digits."""
    first: dict[str, TextReading[TypedValue]] = {}
    for reading in readings:
        text = reading.value.text.casefold()
        key = text if "@" in text else "".join(filter(str.isalnum, text))
        first.setdefault(key, reading)
    return list(first.values())


def _line(document: DocumentText, name: str) -> tuple[int, int] | None:
    """Span of what stands behind `name` on the page of details; None where there is no such line."""
    for page, begin in zip(document.pages, document.starts, strict=True):
        if page.label != PAGE_DETAILS:
            continue
        match = re.search(rf"(?m)^{name}: (?P<value>.+)$", page.text)
        return (begin + match.start("value"), begin + match.end("value")) if match else None
    return None


def _one(document: DocumentText, name: str, *, is_date: bool = False) -> Finding:
    place = _line(document, name)
    if place is None:
        return Finding(
            CellStatus.ABSENT, confidence=0.9, method=_METHOD, note="The page does not declare it."
        )
    said = document.text[place[0] : place[1]]
    value: TypedValue | None = parse_date(said) if is_date else text_value(said)
    return decide(document, [TextReading.at(*place, value, _DECLARED)] if value else [], _METHOD)


def _pieces(document: DocumentText, name: str) -> Iterator[TextReading[TypedValue]]:
    place = _line(document, name)
    if place is None:
        return
    for match in _PIECE.finditer(document.text, *place):
        value = text_value(match[0].strip())
        if value is not None:
            end = match.start() + len(match[0].rstrip())
            yield TextReading.at(match.start(), end, value, _DECLARED)
