"""Check of cells: a figure of a table stands in the row, and under the year, that the claim says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from core.answer.prose.checks.dates import years_of
from core.answer.prose.checks.quantities import quantities
from core.answer.prose.checks.tokens import plain_spaces, token_sentences
from core.answer.prose.table_heads import column_years
from core.domain.answer import Check
from core.text.analyse import text_terms
from core.values.scales import stated_scales

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
    faults = [fault for each in token_sentences(text) for fault in _faults(each.text, rows, scales)]
    return Check(name="cells", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _faults(text: str, rows: Sequence[_Row], scales: Sequence[Decimal]) -> Iterator[str]:
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
