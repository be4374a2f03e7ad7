"""Check of cells: a figure of a table stands in the row, and under the year, that the claim says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from core.answer.prose.checks.dates import years_of
from core.answer.prose.checks.quantities import quantities
from core.answer.prose.checks.tokens import token_sentences
from core.answer.prose.table_heads import column_years
from core.domain.answer import Check
from core.text.analyse import text_terms
from core.values.scales import stated_scales

_CALLED = 0.75  # share of a row's words from which on a claim is about it
_LEAST_CELLS = 2  # of a row


class Row(NamedTuple):
    """A line of a table: the words before its figures, and these, without sign."""

    terms: frozenset[str]
    cells: tuple[Decimal, ...]


def check_cells(text: str, sources: Sequence[str]) -> Check:
    """Figures of a claim that stand in another row than it speaks of, or under none of the years it says."""
    rows = [row for source in sources for row in _rows(source)]
    heads = [years for source in sources for line in source.splitlines() if (years := column_years(line))]
    scales = (Decimal(1), *(scale for source in sources for scale in stated_scales(source)))
    faults = [
        fault for sentence in token_sentences(text) for fault in _faults(sentence.text, rows, heads, scales)
    ]
    return Check(name="cells", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _faults(
    text: str, rows: Sequence[Row], heads: Sequence[tuple[int, ...]], scales: Sequence[Decimal]
) -> Iterator[str]:
    years, said = years_of(text), text_terms(text)
    for figure in quantities(text):
        if figure.value is None or figure.is_year:
            continue
        wanted = {abs(figure.value) / scale for scale in scales}
        places = [(row, at) for row in rows for at, cell in enumerate(row.cells) if cell in wanted]
        if not places:
            continue
        if _is_of_another_row(places, rows, said):
            yield f"{figure.written!r} stands in another row"
        under = {head[at] for row, at in places for head in heads if len(head) == len(row.cells)}
        known = {year for head in heads for year in head}
        if under and years & known and not under & years:
            yield f"{figure.written!r} stands under {', '.join(map(str, sorted(under)))}"


def _is_of_another_row(places: Sequence[tuple[Row, int]], rows: Sequence[Row], said: frozenset[str]) -> bool:
    own = {row for row, _ in places}
    if any(not row.terms or row.terms & said for row in own):
        return False
    return any(
        len(row.terms & said) >= _CALLED * len(row.terms) for row in rows if row.terms and row not in own
    )


@lru_cache(maxsize=512)
def _rows(source: str) -> tuple[Row, ...]:
    found = []
    for line in source.splitlines():
        figures = quantities(line)
        if len(figures) < _LEAST_CELLS or column_years(line):
            continue
        cells = tuple(abs(each.value) for each in figures if each.value is not None)
        found.append(Row(text_terms(line[: figures[0].start]), cells))
    return tuple(found)
