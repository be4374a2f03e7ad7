"""Priors of links: what a trained reader makes of words, before their likeness to columns is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from core.plan.language.pieces import Token
from core.plan.reader.reading import Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.tables.header import ColumnKind, ColumnWords

_READ = 0.12  # likeness that a column counts more of which a reader is certain
_FITS = 0.04  # as above, for a kind of column that the part of the words asks for
_LEAST_COMPUTED = 0.6

_ORDERED = (ColumnKind.MEASURE, ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PLACE)
_GROUPS = (ColumnKind.CATEGORY, ColumnKind.NAME, ColumnKind.IDENTITY, ColumnKind.PERIOD, ColumnKind.FLAG)


class LinkPriors:
    """Priors of links of the words of one question."""

    def __init__(self, reading: QuestionReading, tokens: Sequence[Token]) -> None:
        self._reading = reading
        self._tokens = tokens
        shares = dict(reading.operations)
        self._computes = shares.get(Operation.COMPUTE, 0.0) >= _LEAST_COMPUTED

    def of(self, first: int, end: int, column: ColumnWords) -> float:
        """Likeness that a column counts more for the tokens from `first` to before `end`."""
        span = self._span(first, end)
        if span is None:
            return 0.0
        share = self.share(first, end, column)
        return _READ * share + span.probability * _FITS * self._fits(span, column)

    def share(self, first: int, end: int, column: ColumnWords) -> float:
        """Probability that the reader takes the tokens for the column; 0 outside its spans."""
        span = self._span(first, end)
        links = span.links if span is not None else ()
        share = next((each.probability for each in links if each.field == column.entry.name), 0.0)
        return span.probability * share if span is not None else 0.0

    def _span(self, first: int, end: int) -> ReadSpan | None:
        start, last = self._tokens[first].start, self._tokens[end - 1].end
        return next((each for each in self._reading.spans if each.start <= start and last <= each.end), None)

    def _fits(self, span: ReadSpan, column: ColumnWords) -> bool:
        if span.role is SpanRole.ORDER:
            return column.kind in _ORDERED
        if span.role is SpanRole.GROUP:
            return column.kind in _GROUPS
        return span.role is SpanRole.ASKED and self._computes and column.kind is ColumnKind.MEASURE
