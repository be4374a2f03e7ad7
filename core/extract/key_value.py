"""Values beside a key: `Key: value`, `Key | value`, `Key ..... value`, or the line below the key."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

import Stemmer

from core.config.fields import FieldDefinition, KeyValueExtractor
from core.domain.fields import (
    MAX_CANDIDATES,
    ORDERED,
    AnnotationRow,
    FieldType,
    Finding,
    RowCell,
    Special,
)
from core.extract.base import DocumentText, uncertain
from core.extract.decision import LEFT_OPEN, MaybeReading, TextReading, agree, candidates_of
from core.extract.pairs import Pair, find_pairs, without_tail
from core.fields.typed import (
    ValueSpan,
    currency_in,
    doubts_of,
    inferred,
    order_for,
    text_value,
    value_of,
)
from core.text.patterns import any_case
from core.values.dates import Order

PAIRS_TABLE = -1
_MAX_CHARS = 2_000_000
_SHEET_ROWS = 1_000
_MAX_SHEET_CHARS = 100_000  # in a long table every line has the same keys: they are columns
_MAX_PAIRS = 200  # in the row of a document's pairs
_STATED = 0.95
_BESIDE = 0.85  # no mark between key and value but a blank, or a sentence around them
_UNSURE = 0.5
_LONGEST_BELOW = 60
_REACH = 160  # behind a key in a sentence: far enough that no value is cut at its end

_BRACKETS = re.compile(r"\([^)]*\)?|\[[^\]]*\]?")
_OTHER_KEY = re.compile(r"excl|incl|before|after|without|w/o|net|gross|gst|vat|tax|qty|quantity|item")
_WORD = re.compile(r"[^\W_]+")
_IDENTIFIER = any_case(r"\b(?:number|no|id|code|ref|reference|order|account|phone|fax|serial|zip)\b\.?")
_NUMBERED = any_case(
    r"(?:num(?:ber|mer|ero)|n[u\u00fa\u00e9]m[e\u00e9]ro|nr\.?|\bn[o\u00b0\u00ba]\.?|\bid|#)$"
)
_NUMBER = (
    r"[ ]?[.:#]?[ ]{0,3}[\"\u201c]?"
    r"(?P<number>(?=[A-Z/_.-]{0,12}\d)[A-Z\d](?:[A-Z\d/_.-]{0,28}[A-Z\d])?)(?![\w%])"
)
_FIRST = re.compile(r"\S*\d\S*")
_HEADS = frozenset([("valu",), ("amount",), ("data",), ("price",), ("descript",), ("total",)])
_NEXT_ITEM, _COMMA = re.compile(r"(?:^|\n)[ \t]*[-*\u2022][ ]+"), re.compile(r"[;,]")
_PART_OF_LIST = FieldDefinition(name="part", title="Part", type=FieldType.TEXT)


def find_beside_keys(
    document: DocumentText, definition: FieldDefinition, extractor: KeyValueExtractor
) -> Finding | None:
    """Method `key_value`: the values beside the first key that stands there; None where none has one.

    Keys are compared by their stems.
    """
    pairs = document.once(_pairs_by_key)
    order = order_for(definition, document.text, document.language)
    doubts: list[MaybeReading] = []
    for key in extractor.keys:
        is_number = definition.type is FieldType.TEXT and bool(_NUMBERED.search(key))
        readings: list[MaybeReading] = []
        known = pairs.get(stems(key), ())
        for pair in sorted(known, key=lambda each: each.is_below):
            if pair.is_below and readings:
                break
            asked = _with_currency(definition, document.text[pair.key_start : pair.key_end])
            said = document.text[pair.start : pair.end]
            if is_number and ":" in said and (first := _FIRST.match(said)):
                said = first[0]  # "CS00012 DATE: 28/12/2017": another key follows
            found = value_of(said, asked, order)
            if found is None and not pair.is_below and len(doubts) < MAX_CANDIDATES:
                doubts += [
                    TextReading.at(pair.start + each.start, pair.start + each.end, each.value, _UNSURE)
                    for each in doubts_of(said, asked, order)
                ]
            if definition.many and definition.type is FieldType.TEXT:
                readings += _listed(document.text, pair)
            elif found is not None and _fills(pair, found, definition, is_number=is_number):
                start = pair.start + found.start
                readings.append(TextReading.at(start, pair.start + found.end, found.value, _STATED))
        # Most keys have no word in the document, and cost no search.
        if definition.type in ORDERED and document.once(_words) >= {*_WORD.findall(key.lower())}:
            readings += _beside(document.text, key, definition, order)
        if is_number and not readings:
            readings += _numbers(document.text, key)
        finding = agree(document, definition, readings, extractor.method)
        if finding is not None:
            return finding
    return in_doubt(document, doubts, extractor.method) if doubts else None


def _words(document: DocumentText) -> frozenset[str]:
    return frozenset(_WORD.findall(document.text[:_MAX_CHARS].lower()))


def _pairs_by_key(document: DocumentText) -> dict[tuple[str, ...], list[Pair]]:
    found: dict[tuple[str, ...], list[Pair]] = defaultdict(list)
    limit = _MAX_SHEET_CHARS if len(document.rows) >= _SHEET_ROWS else _MAX_CHARS
    for pair in find_pairs(document.text[:limit]):
        found[stems(document.text[pair.key_start : pair.key_end])].append(pair)
    return found


def _listed(text: str, pair: Pair) -> Iterator[MaybeReading]:
    """The parts of a value that is a list: its items, or what commas and semicolons divide."""
    said = text[pair.start : pair.end]
    marks = _NEXT_ITEM if "\n" in said else _COMMA
    at = 0
    for match in [*marks.finditer(said), None]:
        stop = match.start() if match else len(said)
        found = value_of(said[at:stop], _PART_OF_LIST)
        if found is not None:
            yield TextReading.at(
                pair.start + at + found.start, pair.start + at + found.end, found.value, _STATED
            )
        at = match.end() if match else stop


def pairs_row(document: DocumentText) -> AnnotationRow | None:
    """The document's `Key: value` lines as one row, typed by what they are; None where there are none.

    What is a row of one of `document.rows` already is no pair again: it would count twice.
    """
    cells: list[RowCell] = []
    seen: set[tuple[str, ...]] = set()
    tables = _TableCells(document)
    for pair in find_pairs(document.text[:_MAX_CHARS]):
        if tables.hold(pair):
            continue
        key = document.text[pair.key_start : pair.key_end].strip()
        gap = document.text[pair.key_end : pair.start]
        if stems(key) in seen or not _names_something(key) or not re.search(r"[:=|.\t\u2026]", gap):
            continue
        start, end = without_tail(document.text, pair.start, min(pair.end, pair.start + 300))
        said = document.text[start:end]
        value = text_value(said) if _IDENTIFIER.search(key) else inferred(said)
        if value is None or (stems(said) in _HEADS and gap.strip() == "|"):
            continue
        seen.add(stems(key))
        cells.append(RowCell(" ".join(key.split()), value, document.quote(start, end)))
        if len(cells) == _MAX_PAIRS:
            break
    return AnnotationRow(PAIRS_TABLE, 0, tuple(cells)) if cells else None


def in_doubt(document: DocumentText, doubts: Sequence[MaybeReading], method: str) -> Finding:
    """Uncertain finding: the key stands in the document, and nobody knows for sure what it says there."""
    special = {each.value.special if each.value is not None else None for each in doubts}
    only = special.pop() if len(special) == 1 else None
    is_left = only in (Special.BLANK, Special.REDACTED)
    note = LEFT_OPEN[only] if only and is_left else "What stands there could not be read with certainty."
    candidates = candidates_of(document, doubts, method)
    return uncertain(_UNSURE, method, candidates, note)


def _with_currency(definition: FieldDefinition, key: str) -> FieldDefinition:
    """The field with the currency that the key names, for amounts that name none: "Total (EUR): 500"."""
    currency = currency_in(key) if definition.type is FieldType.MONEY else ""
    return definition.model_copy(update={"unit": currency}) if currency else definition


def _fills(pair: Pair, found: ValueSpan, definition: FieldDefinition, *, is_number: bool) -> bool:
    """True where a value below its key is what that line is about, and no word of a sentence."""
    is_typed = definition.type in ORDERED
    value = found.value
    if pair.is_below and value.type is FieldType.MONEY and not value.unit and "." not in value.original:
        return False  # "Total:" above a column of counts
    if is_number and not any(each.isdigit() for each in value.text):
        return False
    if value.type is FieldType.PARTY and ":" in value.text:
        return False  # the next key of a line that holds several
    if pair.is_below and value.type is FieldType.TEXT and found.end - found.start > _LONGEST_BELOW:
        return False  # a sentence under its heading
    return not (pair.is_below and is_typed) or found.end - found.start >= 0.5 * (pair.end - pair.start)


def _names_something(key: str) -> bool:
    return key[:1].isupper() and len(_WORD.findall(key)) <= 5 and not key.startswith(("The ", "This ", "A "))


@lru_cache(maxsize=10_000)
def stems(words: str) -> tuple[str, ...]:
    """The stems of a key's words, without what is in brackets: "Invoice Dates (issued):" is invoic, date."""
    kept = _BRACKETS.sub(_telling, re.sub(r"#|\bn[\u00b0\u00ba]", " number ", words.lower()))
    found = _WORD.findall(kept.replace("\u2019", "").replace("'", ""))
    found = ["number" if word in ("no", "nr", "num") else word for word in found]
    return tuple(_stemmer().stemWords([word for word in found if word not in ("the", "of", "a")]))


def _telling(brackets: re.Match[str]) -> str:
    """Bracketed words that make another key of it: "Total (excl. GST)" is no total."""
    return brackets[0] if _OTHER_KEY.search(brackets[0]) else " "


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


class _TableCells:
    """The cells of a document's table rows, and the heads of its tables of two columns."""

    def __init__(self, document: DocumentText) -> None:
        self._text = document.text
        begins = {page.page_no: start for page, start in zip(document.pages, document.starts, strict=True)}
        cells = [cell for row in document.rows for cell in row.cells]
        places = [(begins[cell.quote.span.page_no], cell.quote.span) for cell in cells]
        self._spans = sorted((begin + span.start, begin + span.end) for begin, span in places)
        self._heads = {
            (row.cells[0].column, row.cells[1].column) for row in document.rows if len(row.cells) == 2
        }

    def hold(self, pair: Pair) -> bool:
        """True where a pair is a cell behind the name of its column, or the head of a table.

        A first cell and the second beside it are a key and its value as well as a row: that is kept.
        """
        key, value = self._text[pair.key_start : pair.key_end], self._text[pair.start : pair.end]
        if (" ".join(key.split()), " ".join(value.split())) in self._heads:
            return True
        return self._covers(pair.start, pair.end) and not self._covers(pair.key_start, pair.key_end)

    def _covers(self, start: int, end: int) -> bool:
        """True where a cell has a character of [start, end)."""
        at = bisect_left(self._spans, (end, 0)) - 1
        return at >= 0 and self._spans[at][1] > start


def _beside(text: str, key: str, definition: FieldDefinition, order: Order) -> Iterator[MaybeReading]:
    """Values right behind the key, in a line of a table that lost its columns or in a sentence."""
    pattern = _prose(key)
    for match in pattern.finditer(text, 0, _MAX_CHARS):
        begin = text.rfind("\n", 0, match.start()) + 1
        if not match["link"] and text[begin : match.start()].strip(" \t:>*`-"):
            continue
        stop = text.find("\n\n", match.end(), match.end() + _REACH)
        end = stop if stop >= 0 else min(len(text), match.end() + _REACH)
        if not match["link"]:
            stop = text.find("\n", match.end(), end)
            end = stop if stop >= 0 else end
        found = value_of(text[match.end() : end], definition, order)
        if found is None or text[match.end() : match.end() + found.start].count("\n") > 1:
            continue
        if not match["link"] and any(each.isdigit() for each in text[match.end() + found.end : end]):
            continue  # a row of several figures: which one is meant, the table reader knows
        yield TextReading.at(match.end() + found.start, match.end() + found.end, found.value, _BESIDE)


def _numbers(text: str, key: str) -> Iterator[MaybeReading]:
    """Numbers right behind a key that asks for one: "Facture n\u00b0 2022089083"."""
    words = r"[\s-]+".join(re.escape(word) for word in key.split())
    for match in any_case(rf"(?<![\w-]){words}{_NUMBER}").finditer(text, 0, _MAX_CHARS):
        yield TextReading.at(*match.span("number"), text_value(match["number"]), _BESIDE)


@lru_cache(maxsize=5_000)
def _prose(key: str) -> re.Pattern[str]:
    words = r"[\s-]+".join(re.escape(word) for word in key.split())
    of_what = r"(?:\s+(?:for|of)\s+(?:the\s+)?[\w-]+(?:\s+[\w-]+){0,3}?)?"
    return any_case(
        rf"(?<![\w-]){words}(?![\w-])(?:\s\([^)\n]{{1,20}}\))?"
        rf"(?P<link>{of_what}\s+(?:is|was|are|equals|amounts\s+to)(?=\s)|\s+of(?=\s)|(?=[ ]))[ \n]"
    )
