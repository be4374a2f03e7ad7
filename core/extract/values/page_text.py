"""Contacts and products that the text of a web page names, where its markup declares none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.document import PAGE_DETAILS, Page
from core.domain.fields import TypedValue
from core.extract.base import DocumentText
from core.extract.decision import TextReading
from core.fields.typed import text_value

SURE, UNSURE = 0.9, 0.5
MOST = 20

_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_SAMPLE = re.compile(r"@(?:\w+\.)*(?:example\.(?:com|org|net)|localhost|test|tld)$|@\d", re.IGNORECASE)
_PHONE = re.compile(
    r"\b(?:tel(?:ephone)?|(?:tele)?phone|mobile|hotline|fax|call(?: us)?(?: (?:on|at))?)\b\.?"
    r"(?: (?:number|no\.?))?[ :|]{1,4}(?P<value>\+?[\d(][\d ()./-]{5,24}\d)",
    re.IGNORECASE,
)
_POSTAL = re.compile(
    r"(?im)^\W{0,3}(?:postal |mailing |street |our )?address *[:|] *(?P<value>[^\n]{8,200})$"
)
_TO_CONTACT = re.compile(
    r"\b(?:contact|reach|write to|e-?mail|send|mail|get in touch|feedback|questions?|comments?|support|sales"
    r"|report|address)\b",
    re.IGNORECASE,
)
_CONTACT_TITLE = re.compile(r"\b(?:contacts?|imprint|impressum|get in touch)\b", re.IGNORECASE)

_CODE = re.compile(
    r"(?<![\w.@/#-])[A-Z][A-Za-z]{0,9}-?\d{1,5}[A-Z0-9]{0,4}(?:-[A-Z0-9]{1,6}){0,2}(?![\w.(/-])"
)
_NO_PRODUCT = re.compile(
    r"(?:RFC|ISO|IEC|EN|DIN|UTF|SHA|MD|AES|HTTP|IPv|CVE|PEP|BUG|Chapter|Section|Table|Figure|Fig|Appendix|Part"
    r"|Step|FY|CP|KOI|Latin|Base|Win|Python|PG|Version)-?\d|(?:Q[1-4]|H[1-6]|V\d+)$",
    re.IGNORECASE,
)
_OF_PRODUCTS = re.compile(
    r"\b(?:specifications?|technical data|data ?sheet|dimensions|weight|order(?:ing)? (?:code|number|now)"
    r"|part (?:number|no)|add to (?:cart|basket)|in stock|price|warranty|accessories|models?|sku|product)\b",
    re.IGNORECASE,
)
_LEAST_WORDS, _LEAST_WITHOUT_CODE = 2, 3
_COLUMN = re.compile(r"(?:product|model)s?(?: (?:name|number|no\.?|code))?|article|sku", re.IGNORECASE)
_LABEL = re.compile(r"(?im)^\W{0,3}(?:product|model)(?: name)? *: *(?P<value>[^\n|]{2,80})$")
_LONGEST_NAME = 80
_CELLS = " | "
_OUTSIDE, _UNNAMED = -1, -2  # no table; a table without such a column

_Readings = Iterator[TextReading[TypedValue]]


def contacts_in(document: DocumentText) -> list[TextReading[TypedValue]]:
    """Addresses and numbers in the text; surely a contact where the line or the page's title says so."""
    return list(_contacts(document))[:MOST]


def products_in(document: DocumentText) -> list[TextReading[TypedValue]]:
    """Products of labels, of columns that name them, and of headings with a model's code."""
    return list(_products(document))[:MOST]


def _contacts(document: DocumentText) -> _Readings:
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


def _products(document: DocumentText) -> _Readings:
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


def _reading(begin: int, span: tuple[int, int], said: str, confidence: float) -> _Readings:
    value = text_value(said)
    if value is not None:
        yield TextReading.at(begin + span[0], begin + span[1], value, confidence)


def _is_contact_page(document: DocumentText, page: Page) -> bool:
    first = [heading.text for heading in page.headings[:1]]
    return any(_CONTACT_TITLE.search(each) for each in (document.title, *first))


def _pages(document: DocumentText) -> Iterator[tuple[Page, int]]:
    pages = zip(document.pages, document.starts, strict=True)
    return ((page, begin) for page, begin in pages if page.label != PAGE_DETAILS)
