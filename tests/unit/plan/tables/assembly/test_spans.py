"""Columns that the words around a day or a number are of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.passage import Matrix
from core.plan.language.pieces import DayRange
from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.tables.assembly.spans import SpanColumns
from core.plan.tables.header import ColumnKind
from tests.support.table_catalogue import sequence, vocabulary

QUESTION = "orders that were finished in May 2024"


class Alike:
    """Likeness of all words to one text."""

    def __init__(self, text: str = "") -> None:
        self.text = text

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        return np.array([[float(text == self.text) for text in texts] for _ in phrases], dtype=np.float32)


def reading(role: SpanRole, words: str, *links: FieldLink) -> QuestionReading:
    start = QUESTION.index(words)
    span = ReadSpan(start, start + len(words), role, False, links, 0.9)
    return QuestionReading(QUESTION, ((Operation.LIST, 0.9),), (span,), 0.8)


def best(read: QuestionReading | None, meaning: Alike) -> str:
    pieces = sequence(QUESTION)
    at = next(pieces.places(DayRange))
    found = SpanColumns(pieces, read, meaning).best(at, vocabulary().of_kind(ColumnKind.DAY))
    return found.entry.name if found is not None else ""


def test_likeness_and_a_trained_reader_say_which_day_is_meant() -> None:
    plain = reading(SpanRole.VALUE, "finished in May 2024")
    read = reading(SpanRole.VALUE, "finished in May 2024", FieldLink("", "Closed", 0.8))
    assert best(plain, Alike("closed")) == "Closed"
    assert best(read, Alike()) == "Closed"


def test_where_nothing_is_ahead_no_column_is_told() -> None:
    assert best(reading(SpanRole.VALUE, "finished in May 2024"), Alike()) == ""
    assert best(None, Alike("closed")) == ""


def test_only_conditions_hold_a_place() -> None:
    pieces = sequence(QUESTION)
    at = next(pieces.places(DayRange))
    condition = SpanColumns(pieces, reading(SpanRole.VALUE, "finished in May 2024"), Alike())
    asked = SpanColumns(pieces, reading(SpanRole.ASKED, "finished in May 2024"), Alike())
    assert condition.span_at(at) is not None
    assert asked.span_at(at) is None
