"""Checks of a claim's numbers: each in what it rests on, with its sign and unit, in the row that it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from core.answer.prose.checks.dates import years_of
from core.answer.prose.checks.quantities import ORDINAL, StatedQuantity, quantities, unit_kind, unit_stem
from core.answer.prose.checks.rates import points
from core.answer.prose.checks.tokens import plain_spaces, token_sentences
from core.answer.prose.table_heads import column_years, is_row
from core.domain.answer import Check
from core.text.analyse import text_terms
from core.text.words import word_list
from core.values.scales import stated_scales

_EXACT = (
    {"month": Decimal(1), "quarter": Decimal(3), "year": Decimal(12)},
    {
        "second": Decimal(1),
        "minute": Decimal(60),
        "hour": Decimal(3600),
        "day": Decimal(86400),
        "week": Decimal(604800),
    },
    {"mm": Decimal(1), "cm": Decimal(10), "m": Decimal(1000), "km": Decimal(1_000_000)},
    {"mg": Decimal(1), "g": Decimal(1000), "kg": Decimal(1_000_000)},
)
_FEW = 12
_REACH = 24  # characters before a number in which "about" stands
_WORD = re.compile(r"[A-Za-z%$\u20ac\u00a3\u00a5]+")


NAMES = ("numbers", "amounts", "signs", "counts")


class _Fault(NamedTuple):
    """A number that no source has as it is said. check: the one that it fails."""

    reason: str
    check: str


def check_numbers(text: str, sources: Sequence[str]) -> tuple[Check, ...]:
    """Four checks of the numbers of a claim against those of the sources.

    numbers: that name no currency. amounts: of money, with their currency. signs: that a source has in
    brackets: a cost, which is right without, or a loss, which is not. counts: places and small counts in
    words: "the second quarter", "two of them" may be so without being said.
    """
    faults = [each for number in quantities(text) if (each := _fault(number, text, sources)) is not None]
    reasons = {name: dict.fromkeys(each.reason for each in faults if each.check == name) for name in NAMES}
    return tuple(Check(name=name, ok=not said, detail="; ".join(said)) for name, said in reasons.items())


def _fault(number: StatedQuantity, text: str, sources: Sequence[str]) -> _Fault | None:
    """What is wrong with one number; None where a source has it, itself or in the scale it states."""
    nearest, check = "", _kind(number, sources)
    scales = (Decimal(1), *sorted({each for source in sources for each in stated_scales(source)}))
    for source in sources:
        for other in quantities(source):
            if number.value is None or other.value is None:
                if number.written.lower() == other.written.lower():
                    return None
                continue
            if number.is_money and other.is_year and not _is_cell(source, other):
                continue
            if is_equal_length(number, other) or is_rounded(text, number, other):
                return None
            scale = next((each for each in scales if abs(number.value) == abs(other.value * each)), None)
            if scale is None:
                continue
            if not _same_unit(number, other, source) and not (
                number.is_money and not other.unit and _is_of_cells(number.unit, sources, scale)
            ):
                nearest = (
                    nearest
                    or f"{number.written!r} has another unit than {_shown(other, source)!r} of the source"
                )
            elif number.value != other.value * scale and not _says_fall(
                text, _around(source, other), number.value
            ):
                if _is_bracketed(source, other):
                    nearest, check = f"{number.written!r} stands in brackets in the source", "signs"
                nearest = (
                    nearest or f"{number.written!r} has another sign than {other.written!r} of the source"
                )
            elif number.unit and unit_kind(text, number) != unit_kind(source, other):
                nearest = nearest or f"{number.written!r} has another unit than {_shown(other, source)!r}"
            else:
                return None
    if number.is_year and any(int(number.value or 0) in years_of(source) for source in sources):
        return None
    if number.unit == "%" and points(number.written) & {
        each for source in sources for each in points(source)
    }:
        return None
    return _Fault(nearest or f"{number.written!r} is in none of the cited places", check)


def _kind(number: StatedQuantity, sources: Sequence[str]) -> str:
    """The check that a number fails which no source has: "counts" where none has another of its sort."""
    if number.is_money:
        return "amounts"
    if not _is_count(number):
        return "numbers"
    others = (each for source in sources for each in quantities(source))
    return "numbers" if any(each.unit == number.unit and _is_count(each) for each in others) else "counts"


def _is_count(number: StatedQuantity) -> bool:
    """True of a place in an order, and of a number in words that is small and has no unit."""
    is_small = number.value is not None and 0 <= number.value <= _FEW and number.written.isalpha()
    return number.unit == ORDINAL or (is_small and not number.unit)


def _is_bracketed(source: str, other: StatedQuantity) -> bool:
    return (
        "(" in source[max(0, other.start - 3) : other.start + 1] and source[other.end : other.end + 1] == ")"
    )


def _is_of_cells(unit: str, sources: Sequence[str], scale: Decimal) -> bool:
    """True where the sources name a currency, as tables do beside cells, or state a scale and no other."""
    if any(unit in map(unit_stem, _WORD.findall(each)) or _has_mark(unit, each) for each in sources):
        return True
    return scale != 1 and not any(other.is_money for each in sources for other in quantities(each))


def is_equal_length(number: StatedQuantity, other: StatedQuantity) -> bool:
    """True for one length in two units that convert exactly: two years and 24 months."""
    for scale in _EXACT:
        if number.unit in scale and other.unit in scale and number.unit != other.unit:
            mine, yours = number.value or Decimal(0), other.value or Decimal(0)
            return mine * scale[number.unit] == yours * scale[other.unit]
    return False


def is_rounded(text: str, number: StatedQuantity, other: StatedQuantity) -> bool:
    """True where the text says "about" of a round number, and the other rounds to it within a twentieth."""
    value, exact = number.value, other.value
    before = _WORD.findall(text[max(0, number.start - _REACH) : number.start].lower())
    is_near = bool(word_list("claims", "near") & set(before[-2:]))
    if not value or not exact or number.unit != other.unit or not is_near:
        return False
    step = Decimal(1).scaleb(value.normalize().as_tuple().exponent)  # type: ignore[arg-type]
    return abs(value - exact) <= step / 2 and abs(value - exact) * 20 <= abs(exact)


def _shown(other: StatedQuantity, source: str) -> str:
    return " ".join(source[other.start : min(len(source), other.end + 12)].split())


def _same_unit(number: StatedQuantity, other: StatedQuantity, source: str) -> bool:
    if number.unit == other.unit or not number.unit:
        return not (number.unit == "" and other.unit in (ORDINAL, "%") and not number.is_year)
    if number.unit == ORDINAL or other.unit:
        return False
    return number.unit in {unit_stem(word) for word in _WORD.findall(source)} or _has_mark(
        number.unit, source
    )


def _has_mark(unit: str, source: str) -> bool:
    return any(other.unit == unit for other in quantities(source))


def _around(source: str, other: StatedQuantity) -> str:
    """The line of a number, or its sentence where that is shorter."""
    start = max(source.rfind(mark, 0, other.start) for mark in ("\n", ". ")) + 1
    ends = [at for mark in ("\n", ". ") if (at := source.find(mark, other.end)) >= 0]
    return source[start : min(ends, default=len(source))]


def _is_cell(source: str, other: StatedQuantity) -> bool:
    """True where a bare year stands in a row of figures, which years over columns are not."""
    line = source[source.rfind("\n", 0, other.start) + 1 :].split("\n", 1)[0]
    return is_row(line) and not column_years(line)


def _says_fall(text: str, source: str, value: Decimal) -> bool:
    """True where the other side of a change of sign says in words that it fell."""
    words = (source if value < 0 else text).lower()
    return bool(word_list("claims", "falling") & set(re.findall(r"[a-z]+", words)))


_CALLED = 0.75  # share of a row's words from which on a claim is about it
_LEAST_CELLS = 2  # of a row


class _Row(NamedTuple):
    """A line of a table: the words before its figures, these without sign, and the years above them."""

    terms: frozenset[str]
    cells: tuple[Decimal, ...]
    years: tuple[int, ...]

    def is_called(self, said: frozenset[str]) -> bool:
        """True where words say so many of the row's that they are about it."""
        return bool(self.terms) and len(self.terms & said) >= _CALLED * len(self.terms)


def check_cells(text: str, sources: Sequence[str]) -> Check:
    """Figures of a claim that stand in another row than it speaks of, or under none of the years it says."""
    text, sources = plain_spaces(text), tuple(map(plain_spaces, sources))
    rows = _rows(sources)
    scales = (Decimal(1), *(scale for source in sources for scale in stated_scales(source)))
    faults = [fault for each in token_sentences(text) for fault in _cell_faults(each.text, rows, scales)]
    return Check(name="cells", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _cell_faults(text: str, rows: Sequence[_Row], scales: Sequence[Decimal]) -> Iterator[str]:
    said, known = text_terms(text), {year for row in rows for year in row.years}
    years = years_of(text) & known
    for figure in quantities(text):
        if figure.value is None or figure.is_year:
            continue
        wanted = {abs(figure.value) / scale for scale in scales}
        having = [row for row in rows if not wanted.isdisjoint(row.cells)]
        called = [row for row in having if row.is_called(said)]
        most = max((len(row.terms & said) for row in having), default=0)
        if (
            having
            and not called
            and any(row.is_called(said) and len(row.terms & said) > most for row in rows)
        ):
            yield f"{figure.written!r} stands in another row"
        cells = (pair for row in called or having for pair in zip(row.years, row.cells, strict=False))
        under = {year for year, cell in cells if cell in wanted}
        if under and years and not under & years:
            yield f"{figure.written!r} stands under {', '.join(map(str, sorted(under)))}"


@lru_cache(maxsize=128)
def _rows(sources: tuple[str, ...]) -> tuple[_Row, ...]:
    """The rows of the sources in their order, each under the nearest years above it that are as many."""
    found: list[_Row] = []
    head: tuple[int, ...] = ()
    for line in (line for source in sources for line in source.splitlines()):
        figures = quantities(line)
        if years := column_years(line):
            head = years
        elif len(figures) >= _LEAST_CELLS:
            cells = tuple(abs(each.value) for each in figures if each.value is not None)
            years = head if len(head) == len(cells) else ()
            found.append(_Row(text_terms(line[: figures[0].start]), cells, years))
    return tuple(found)
