"""Turns that change the set in hand."""

from __future__ import annotations

import pytest

from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.set_changes import SetChange
from tests.support.conversations import at
from tests.support.known_collection import in_a_line

COMPARED = "Compare the liability caps of Halden and Brightwater"


def said(found: FollowUpPlan | None) -> str:
    assert found is not None
    return in_a_line(found.plan)


def test_a_side_of_what_was_compared() -> None:
    found = SetChange(at("only the second party's", COMPARED)).choose_side()
    assert "brightwater" in said(found)
    assert SetChange(at("only the fifth party's", COMPARED)).choose_side() is None
    assert SetChange(at("only the second party's")).choose_side() is None


@pytest.mark.parametrize("turn", ["and the others?", "which don't?", "how many don't?"])
def test_the_others_turn_the_last_condition_round(turn: str) -> None:
    found = SetChange(at(turn)).take_others()
    assert "governing_law != Texas | governing_law is-missing" in said(found)


def test_something_is_asked_of_the_others() -> None:
    found = SetChange(at("which of the others lack insurance?")).take_others()
    assert said(found).endswith("insurance is-missing]")


def test_a_condition_is_taken_back() -> None:
    assert said(SetChange(at("regardless of the governing law")).release_condition()) == (
        "contracts[document_kind = agreement]"
    )
    assert SetChange(at("regardless of the weather")).release_condition() is None


@pytest.mark.parametrize(
    ("turn", "end"),
    [
        ("exclude those that expire in 2025", "expiration_date < 2025-01-01 | expiration_date > 2025-12-31]"),
        ("without the ones with insurance", "insurance is-missing]"),
        ("hide the ones with insurance", "insurance is-missing]"),
        ("don't show those with insurance", "insurance is-missing]"),
        ("leave out the amendments", "governing_law = Texas]"),
    ],
)
def test_some_are_left_out(turn: str, end: str) -> None:
    assert said(SetChange(at(turn)).exclude()).endswith(end)


def test_a_document_is_left_out_by_its_name() -> None:
    assert said(SetChange(at("without the Consulting Agreement")).exclude()).startswith(
        "contracts in d01,d04"
    )


@pytest.mark.parametrize("turn", ["without a termination clause", "which of them?", "under Texas law"])
def test_a_clause_that_is_lacking_leaves_nothing_out(turn: str) -> None:
    assert SetChange(at(turn)).exclude() is None


@pytest.mark.parametrize(
    ("turn", "end"), [("how many?", "count()"), ("list them", "]"), ("which ones?", "]")]
)
def test_the_set_is_counted_or_listed(turn: str, end: str) -> None:
    found = SetChange(at(turn, "What is the total value of the contracts with Halden?")).list_or_count()
    assert found is not None
    assert (found.edit, said(found)[-len(end) :]) == (Edit.WITHIN, end)


def test_a_turn_that_says_more_is_not_bare() -> None:
    assert SetChange(at("how many expire in 2025?")).list_or_count() is None
    assert SetChange(at("their value?")).list_or_count() is None
