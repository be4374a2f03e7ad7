"""Turns that ask something of the documents in hand, or add a condition."""

from __future__ import annotations

import pytest

from core.plan.clarify import Clarify
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.set_question import SetQuestion
from tests.support.conversations import at
from tests.support.known_collection import in_a_line


@pytest.mark.parametrize(
    ("before", "turn", "edit", "end"),
    [
        ("Which contracts have insurance?", "under Texas law", Edit.ADD, "governing_law = Texas]"),
        ("How many contracts have insurance?", "and with a force majeure clause?", Edit.REPLACE,
         "contracts[document_kind = agreement; force_majeure = true] -> count()"),
        ("How many contracts have insurance?", "and with a force majeure clause, too?", Edit.ADD,
         "insurance = true; force_majeure = true] -> count()"),
        ("Which contracts have insurance?", "what about force majeure?", Edit.REPLACE,
         "contracts[document_kind = agreement; force_majeure = true]"),
        ("Which contracts are under Texas law?", "which are under German law?", Edit.REPLACE,
         "contracts[document_kind = agreement; governing_law = Germany]"),
        ("Which contracts are under Texas law?", "of those, which are under German law?", Edit.WITHIN,
         "governing_law = Texas; governing_law = Germany]"),
        ("Which contracts have insurance?", "their expiration dates?", Edit.WITHIN,
         "insurance = true] show expiration_date"),
        ("Which contracts have insurance?", "who are the vendors?", Edit.WITHIN, "count() per vendor"),
        ("What is the total value of the contracts?", "per vendor", Edit.WITHIN,
         "sum(contract_value) per vendor"),
    ],
)  # fmt: skip
def test_how_a_turn_goes_on(before: str, turn: str, edit: Edit, end: str) -> None:
    found = SetQuestion(at(turn, before)).plan()
    assert isinstance(found, FollowUpPlan)
    assert found.edit is edit
    assert in_a_line(found.plan).endswith(end)


def test_whether_any_of_them_has_a_thing_is_a_yes_or_no() -> None:
    found = SetQuestion(at("do any of them have insurance?")).plan()
    assert isinstance(found, FollowUpPlan)
    assert (found.plan.decides, found.plan.fallbacks) == ("any", ())


def test_what_no_field_says_is_searched_for_in_these_documents() -> None:
    found = SetQuestion(at("what do they say about penguins?")).plan()
    assert isinstance(found, FollowUpPlan)
    assert found.plan.nodes[0].scope.documents == ("d03", "d01", "d04")  # type: ignore[attr-defined]


def test_a_choice_is_offered_in_the_words_of_the_turn() -> None:
    found = SetQuestion(at("sort them by date")).plan()
    assert isinstance(found, Clarify)
    assert found.options[0].question == "sort them by agreement date"


def test_nothing_is_asked_within_nothing() -> None:
    assert SetQuestion(at("gibberish")).plan() is None
