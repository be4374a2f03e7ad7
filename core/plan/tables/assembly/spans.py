"""Spans of a trained reader as evidence: the column that the words around a day or a number are of."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.plan.language.pieces import Comparator, DayRange, Quantity
from core.plan.reader.reading import QuestionReading, ReadSpan, SpanRole
from core.plan.tables.abbreviation import expansions
from core.plan.tables.header import ColumnWords
from core.plan.tables.links import WordLikeness, column_texts
from core.plan.tables.sequence import PieceSequence
from core.text.analyse import STOP_WORDS

_WINDOW = 4  # words before a day or a number that may say whose it is, where no span holds it
_LEAST_SHARE = 0.01
_LIKE = 0.1  # likeness that counts as much as e times the probability
_AHEAD = 0.5  # by which the best column is before the next one
_CONDITIONS = (SpanRole.VALUE, SpanRole.CONDITION)


class SpanColumns:
    """Columns that the words around a place are of, by a trained reader and by likeness of meaning."""

    def __init__(
        self, sequence: PieceSequence, reading: QuestionReading | None, meaning: WordLikeness | None
    ) -> None:
        self._pieces = sequence
        self._reading = reading
        self._meaning = meaning

    def best(self, at: int, columns: Sequence[ColumnWords]) -> ColumnWords | None:
        """The one of some columns that is clearly ahead for the words around a place; None for none."""
        if self._reading is None or self._meaning is None or len(columns) < 2:
            return None
        span = self.span_at(at)
        words = self._words(at, span)
        if not words:
            return None
        texts = [(n, t) for n, c in enumerate(columns) for t in (*column_texts(c), *expansions(c.entry.name))]
        likeness = self._meaning.likeness([" ".join(words)], [text for _, text in texts])[0]
        scores = []
        for number, column in enumerate(columns):
            like = max(float(v) for (n, _), v in zip(texts, likeness, strict=True) if n == number)
            share = _share(span, column) if span is not None else 0.0
            scores.append((like / _LIKE + 0.5 * math.log(_LEAST_SHARE + share), number))
        scores.sort(reverse=True)
        return columns[scores[0][1]] if scores[0][0] >= scores[1][0] + _AHEAD else None

    def span_at(self, at: int) -> ReadSpan | None:
        """The condition in which a piece stands; of several the one that has most of it."""
        if self._reading is None:
            return None
        piece, tokens = self._pieces.pieces[at], self._pieces.tokens
        start, end = tokens[piece.first].start, tokens[piece.end - 1].end
        conditions = [span for span in self._reading.spans if span.role in _CONDITIONS]
        shared = [min(end, span.end) - max(start, span.start) for span in conditions]
        most = max(shared, default=0)
        return conditions[shared.index(most)] if most > 0 else None

    def _words(self, at: int, span: ReadSpan | None) -> list[str]:
        """The words of the span, or of those before the place, that are no day, number or comparison."""
        tokens = self._pieces.tokens
        found: list[str] = []
        first = self._pieces.pieces[at].first
        for place, piece in enumerate(self._pieces.pieces):
            if isinstance(piece.mention, DayRange | Quantity | Comparator) or place == at:
                continue
            for number in range(piece.first, piece.end):
                token = tokens[number]
                is_inside = (
                    span.start <= token.start and token.end <= span.end
                    if span is not None
                    else first - _WINDOW <= number < first
                )
                if is_inside and token.is_word:
                    found.append(token.word)
        if not found and span is not None:
            return self._words(at, None)
        return [word for word in found if word not in STOP_WORDS]


def _share(span: ReadSpan, column: ColumnWords) -> float:
    return next((each.probability for each in span.links if each.field == column.entry.name), 0.0)
