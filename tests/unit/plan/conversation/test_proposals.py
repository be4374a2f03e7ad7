"""The trained reader's word on a turn: plans taken, fields meant, clauses of one document."""

from __future__ import annotations

from core.plan.conversation.field_question import plan_field_question
from core.plan.conversation.proposals import contrary_plan, field_mentions, likeliest_plan
from core.plan.reader.proposal import Proposal
from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from tests.support.conversations import CATALOGUE, plan_of

TEXT = "is there a liability cap"


def _reading(role: SpanRole, probability: float, *, is_negated: bool = False) -> QuestionReading:
    links = (FieldLink("contracts", "cap_on_liability", 0.9),)
    span = ReadSpan(11, len(TEXT), role, is_negated, links, 0.9)
    return QuestionReading(TEXT, ((Operation.CHECK, 0.9),), (span,), probability)


def test_the_likeliest_plan_of_some_forms_is_taken_from_a_bar_on() -> None:
    plan = plan_of("Which contracts have a liability cap?")
    likely = Proposal(_reading(SpanRole.CONDITION, 0.6), plan)
    unlikely = Proposal(_reading(SpanRole.CONDITION, 0.1), plan)
    found = likeliest_plan(("one", "other"), lambda text: likely if text == "other" else unlikely)
    assert found is not None
    assert found[0] == "other"
    assert likeliest_plan(("one",), lambda _text: unlikely) is None


def test_only_fields_in_hand_are_meant_where_they_are_given() -> None:
    reading = _reading(SpanRole.CONDITION, 0.6)
    roles = (SpanRole.CONDITION,)
    assert [each.name for each in field_mentions(reading, "contracts", roles)] == ["cap_on_liability"]
    assert not field_mentions(reading, "contracts", roles, among=("insurance",))


def test_a_sure_reader_turns_a_clause_round() -> None:
    has, lacks = plan_of("Which contracts have a liability cap?"), plan_of("Which contracts lack insurance?")
    negated = Proposal(_reading(SpanRole.CONDITION, 0.8, is_negated=True), lacks)
    assert contrary_plan(TEXT, has, lambda _text: negated) is not None
    assert contrary_plan(TEXT, lacks, lambda _text: negated) is None


def test_one_document_is_checked_for_a_clause_and_asked_who_is_in_it() -> None:
    schema = CATALOGUE.schema("contracts")
    assert schema is not None
    checked = plan_field_question(TEXT, _reading(SpanRole.CONDITION, 0.6), schema)
    assert checked is not None
    assert checked.decides == "there"
    who = plan_field_question("who is the contract with", None, schema)
    assert who is not None
    assert not who.decides
