"""Values of a reading."""

from __future__ import annotations

from core.plan.reader.reading import Operation, QuestionReading, ReadSpan, SpanRole

LACK = ReadSpan(21, 30, SpanRole.CONDITION, True, (), 0.9)
KIND = ReadSpan(6, 15, SpanRole.KIND, False, (), 0.9)
READING = QuestionReading(
    "Which contracts lack insurance", ((Operation.LIST, 0.8), (Operation.COUNT, 0.2)), (KIND, LACK), 0.7
)


def test_the_operation_is_the_most_probable_one() -> None:
    assert READING.operation is Operation.LIST


def test_spans_are_chosen_by_their_roles_and_tell_their_words() -> None:
    assert [READING.text(span) for span in READING.of(SpanRole.CONDITION)] == ["insurance"]
    assert READING.of(SpanRole.PARTY) == []
