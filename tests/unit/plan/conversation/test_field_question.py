"""Fields that a turn asks one document for."""

from __future__ import annotations

from core.plan.conversation.field_question import asks_who, parties_of, plan_field_question, show_fields
from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from tests.support.conversations import CATALOGUE
from tests.support.known_collection import in_a_line

SCHEMA = CATALOGUE.schema("contracts")
assert SCHEMA is not None
TEXT = "when does it end and what does it cost"


def _reading(*fields: tuple[str, SpanRole], operation: Operation = Operation.LOOKUP) -> QuestionReading:
    spans = tuple(
        ReadSpan(at, at + 4, role, False, (FieldLink("contracts", name, 0.95),), 0.95)
        for at, (name, role) in enumerate(fields)
    )
    return QuestionReading(TEXT, ((operation, 0.9),), spans, 0.8)


def test_who_is_asked_for_by_words_of_persons_alone() -> None:
    assert asks_who("and who is it with?", None)
    assert not asks_who("and when does it end?", None)
    assert not asks_who("who owns it", _reading(("ip_ownership_assignment", SpanRole.CONDITION)))


def test_the_parties_are_the_field_that_most_documents_state() -> None:
    assert len(parties_of(SCHEMA)) == 1


def test_values_are_shown_side_by_side() -> None:
    reading = _reading(("expiration_date", SpanRole.ASKED), ("contract_value", SpanRole.ASKED))

    plan = plan_field_question(TEXT, reading, SCHEMA)

    assert plan is not None
    assert in_a_line(plan) == "contracts[] show expiration_date, contract_value"


def test_a_clause_is_checked() -> None:
    plan = plan_field_question(TEXT, _reading(("insurance", SpanRole.CONDITION)), SCHEMA)

    assert plan is not None
    assert plan.decides == "there"


def test_nothing_is_shown_of_no_field() -> None:
    assert show_fields(TEXT, (), SCHEMA) is None
    assert plan_field_question(TEXT, None, SCHEMA) is None
