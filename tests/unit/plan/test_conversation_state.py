"""State of a conversation: what there is to go on from, and what the last plan was about."""

from __future__ import annotations

import pytest

from core.plan.conversation_state import (
    ConversationState,
    Focus,
    SetInHand,
    base_of,
    plan_read,
    source_of,
)
from core.plan.ir.nodes import Calculate, Combine, Node, Plan, Scope, Select
from tests.support.read_questions import planned

TEXAN = planned("Which contracts are governed by Texas law?")
COUNTED = planned("How many contracts are governed by Texas law?")


def test_a_state_is_empty_until_something_is_in_hand_or_was_planned() -> None:
    assert ConversationState().is_empty
    assert not ConversationState(in_hand=SetInHand(("a",))).is_empty
    assert not ConversationState(last_plan=TEXAN).is_empty
    assert ConversationState(focus=Focus(groups=("Texas",))).is_empty


@pytest.mark.parametrize(
    ("spoken_of", "in_hand", "one"),
    [
        (("a",), ("b", "c"), "a"),
        (("a", "b"), ("c",), "c"),
        ((), ("c",), "c"),
        ((), ("b", "c"), ""),
        ((), None, ""),
    ],
)
def test_it_means_the_one_document_spoken_of_or_in_hand(
    spoken_of: tuple[str, ...], in_hand: tuple[str, ...] | None, one: str
) -> None:
    held = SetInHand(in_hand) if in_hand is not None else None
    assert ConversationState(in_hand=held, focus=Focus(spoken_of)).one == one


def test_an_answer_is_about_the_documents_that_were_selected() -> None:
    node = base_of(TEXAN)
    assert node is not None
    assert node.id == TEXAN.answer_node == source_of(TEXAN)


def test_a_count_is_about_the_documents_that_it_counted() -> None:
    node = base_of(COUNTED)
    assert node is not None
    assert node.id != COUNTED.answer_node
    assert source_of(COUNTED) == node.id


def over_two_sets(last: Node) -> Plan:
    """A plan that selects documents of two schemas, and ends with this node."""
    one = Select(id="one", purpose="p", scope=Scope(schema_name="contracts"))
    other = Select(id="other", purpose="p", scope=Scope(schema_name="invoices"))
    return TEXAN.model_copy(update={"nodes": (one, other, last), "answer_node": last.id})


def test_a_union_of_sets_has_no_base() -> None:
    plan = over_two_sets(Combine(id="both", purpose="p", inputs=("one", "other"), how="union"))
    assert source_of(plan) == "both"
    assert base_of(plan) is None


def test_what_is_calculated_of_two_sides_is_about_no_one_set() -> None:
    plan = over_two_sets(Calculate(id="gap", purpose="p", inputs=("one", "other"), how="gap"))
    assert source_of(plan) == ""
    assert base_of(plan) is None


def test_no_plan_and_a_plan_without_an_answer_are_about_nothing() -> None:
    open_plan = TEXAN.model_copy(update={"answer_node": None})
    assert base_of(None) is base_of(open_plan) is None
    assert source_of(open_plan) == ""


def test_a_kept_plan_is_read_as_it_was() -> None:
    assert plan_read(TEXAN.model_dump(mode="json")) == TEXAN


def test_no_plan_and_one_of_another_version_are_none() -> None:
    assert plan_read(None) is None
    assert plan_read({"nodes": [{"type": "teleport"}]}) is None
    assert plan_read(TEXAN.model_dump(mode="json") | {"mood": "good"}) is None
    assert isinstance(plan_read(COUNTED.model_dump(mode="json")), Plan)
