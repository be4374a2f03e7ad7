"""Facts of a web page: what it declares about itself, else what its text names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from core.domain.document import PAGE_DETAILS, Page
from core.domain.fields import CellStatus, Finding, TypedValue
from core.extract.base import DocumentText, Rule
from core.extract.decision import Reading, TextReading, decide, decide_many
from core.fields.typed import text_value
from core.text.patterns import any_case
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


def _declared_or_named(document: DocumentText, name: str, named: Sequence[Reading]) -> Finding:
    """What is declared with what the text surely says; else the doubtful as candidates."""
    declared = list(_pieces(document, name))
    sure = _distinct([*declared, *(each for each in named if each.confidence >= _SHOWN)])
    if sure:
        return decide_many(document, sure, _METHOD, confidence=_DECLARED if declared else _SHOWN)
    note = "The page does not declare it; its text may name it." if named else ""
    return decide_many(document, _distinct(named), _METHOD, confidence=UNSURE, note=note)


def _distinct(readings: Sequence[Reading]) -> list[Reading]:
    """The first reading of each value; telephone numbers are compared by their digits."""
    first: dict[str, Reading] = {}
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


def _pieces(document: DocumentText, name: str) -> Iterator[Reading]:
    place = _line(document, name)
    if place is None:
        return
    for match in _PIECE.finditer(document.text, *place):
        value = text_value(match[0].strip())
        if value is not None:
            end = match.start() + len(match[0].rstrip())
            yield TextReading.at(match.start(), end, value, _DECLARED)


SURE, UNSURE = _SHOWN, 0.5
MOST = 20

_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_SAMPLE = any_case(r"@(?:\w+\.)*(?:example\.(?:com|org|net)|localhost|test|tld)$|@\d")
_PHONE = any_case(
    r"\b(?:tel(?:ephone)?|(?:tele)?phone|mobile|hotline|fax|call(?: us)?(?: (?:on|at))?)\b\.?"
    r"(?: (?:number|no\.?))?[ :|]{1,4}(?P<value>\+?[\d(][\d ()./-]{5,24}\d)"
)
_POSTAL = re.compile(
    r"(?im)^\W{0,3}(?:postal |mailing |street |our )?address *[:|] *(?P<value>[^\n]{8,200})$"
)
_TO_CONTACT = any_case(
    r"\b(?:contact|reach|write to|e-?mail|send|mail|get in touch|feedback|questions?|comments?|support|sales"
    r"|report|address)\b"
)
_CONTACT_TITLE = any_case(r"\b(?:contacts?|imprint|impressum|get in touch)\b")

_CODE = re.compile(
    r"(?<![\w.@/#-])[A-Z][A-Za-z]{0,9}-?\d{1,5}[A-Z0-9]{0,4}(?:-[A-Z0-9]{1,6}){0,2}(?![\w.(/-])"
)
_NO_PRODUCT = any_case(
    r"(?:RFC|ISO|IEC|EN|DIN|UTF|SHA|MD|AES|HTTP|IPv|CVE|PEP|BUG|Chapter|Section|Table|Figure|Fig|Appendix|Part"
    r"|Step|FY|CP|KOI|Latin|Base|Win|Python|PG|Version)-?\d|(?:Q[1-4]|H[1-6]|V\d+)$"
)
_OF_PRODUCTS = any_case(
    r"\b(?:specifications?|technical data|data ?sheet|dimensions|weight|order(?:ing)? (?:code|number|now)"
    r"|part (?:number|no)|add to (?:cart|basket)|in stock|price|warranty|accessories|models?|sku|product)\b"
)
_LEAST_WORDS, _LEAST_WITHOUT_CODE = 2, 3
_COLUMN = any_case(r"(?:product|model)s?(?: (?:name|number|no\.?|code))?|article|sku")
_LABEL = re.compile(r"(?im)^\W{0,3}(?:product|model)(?: name)? *: *(?P<value>[^\n|]{2,80})$")
_LONGEST_NAME = 80
_CELLS = " | "
_OUTSIDE, _UNNAMED = -1, -2  # no table; a table without such a column


def contacts_in(document: DocumentText) -> list[Reading]:
    """Addresses and numbers in the text; surely a contact where the line or the page's title says so."""
    return list(_contacts(document))[:MOST]


def products_in(document: DocumentText) -> list[Reading]:
    """Products of labels, of columns that name them, and of headings with a model's code."""
    return list(_products(document))[:MOST]


def _contacts(document: DocumentText) -> Iterator[Reading]:
    for page, begin in _pages(document):
        is_titled = _is_contact_page(document, page)
        for match in _EMAIL.finditer(page.text):
            if _SAMPLE.search(match[0]):
                continue
            before = page.text[page.text.rfind("\n", 0, match.start()) + 1 : match.start()][-150:]
            is_sure = is_titled or bool(_TO_CONTACT.search(before))
            yield from _reading(begin, match.span(), match[0], SURE if is_sure else UNSURE)
        for pattern in (_PHONE, _POSTAL):
            for match in pattern.finditer(page.text):
                is_sure = is_titled or pattern is _PHONE
                yield from _reading(begin, match.span("value"), match["value"], SURE if is_sure else UNSURE)


def _products(document: DocumentText) -> Iterator[Reading]:
    for page, begin in _pages(document):
        for match in _LABEL.finditer(page.text):
            yield from _reading(begin, match.span("value"), match["value"], SURE)
        for start, end in _named_cells(page.text):
            yield from _reading(begin, (start, end), page.text[start:end], SURE)
        words = {match[0].casefold() for match in _OF_PRODUCTS.finditer(page.text)}
        if len(words) < _LEAST_WORDS:
            continue
        for number, heading in enumerate(page.headings):
            code = _CODE.search(heading.text)
            has_code = code is not None and not _NO_PRODUCT.match(code[0])
            is_title = not number and len(words) >= _LEAST_WITHOUT_CODE
            if (has_code or is_title) and len(heading.text) <= _LONGEST_NAME:
                sure = SURE if has_code else UNSURE
                yield from _reading(begin, (heading.start, heading.end), heading.text, sure)


def _named_cells(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the cells below a head that says product or model, and beside such a key of two columns."""
    at, column = 0, _OUTSIDE
    for line in text.split("\n"):
        cells = line.split(_CELLS)
        is_pair = len(cells) == 2 and bool(_COLUMN.fullmatch(cells[0].strip()))
        if len(cells) < 2:
            column = _OUTSIDE
        elif is_pair and column < 0 and any(map(str.isdigit, cells[1])):
            column = _UNNAMED
            yield at + len(line) - len(cells[1]), at + len(line)
        elif column == _OUTSIDE:
            named = (number for number, cell in enumerate(cells) if _COLUMN.fullmatch(cell.strip()))
            column = next(named, _UNNAMED)
        elif 0 <= column < len(cells):
            cell = cells[column]
            start = at + sum(len(each) + len(_CELLS) for each in cells[:column])
            if any(map(str.isalpha, cell)) and len(cell) <= _LONGEST_NAME:
                yield start, start + len(cell)
        at += len(line) + 1


def _reading(begin: int, span: tuple[int, int], said: str, confidence: float) -> Iterator[Reading]:
    value = text_value(said)
    if value is not None:
        yield TextReading.at(begin + span[0], begin + span[1], value, confidence)


def _is_contact_page(document: DocumentText, page: Page) -> bool:
    first = [heading.text for heading in page.headings[:1]]
    return any(_CONTACT_TITLE.search(each) for each in (document.title, *first))


def _pages(document: DocumentText) -> Iterator[tuple[Page, int]]:
    pages = zip(document.pages, document.starts, strict=True)
    return ((page, begin) for page, begin in pages if page.label != PAGE_DETAILS)


RULES: Mapping[str, Rule] = {
    "page_publisher": lambda document: _one(document, "Publisher"),
    "page_published": lambda document: _one(document, "Published", is_date=True),
    "page_updated": lambda document: _one(document, "Updated", is_date=True),
    "page_authors": page_authors,
    "page_contact": lambda document: _declared_or_named(document, "Contact", contacts_in(document)),
    "page_products": lambda document: _declared_or_named(document, "Products", products_in(document)),
}
"""By the name that a schema uses."""
