"""Plans over the documents in hand."""

from __future__ import annotations

from core.domain.answer import Kind, Route
from core.plan.conversation.restriction import over_documents, own_clauses, restrict_to_set
from core.plan.conversation_state import SetInHand, base_of
from core.plan.ir.nodes import Plan, Scope, Search
from core.plan.ir.validate import validate
from tests.support.conversations import CATALOGUE, LISTED, plan_of
from tests.support.known_collection import in_a_line

TEXAN = plan_of("Which contracts are governed by Texas law?")
FIRST = plan_of("Which two contracts have the highest value?")


def test_conditions_of_the_set_say_what_is_asked_about() -> None:
    asked = plan_of("Which contracts lack force majeure?")
    made = restrict_to_set(asked, SetInHand(LISTED, plan=TEXAN), CATALOGUE)
    base = base_of(made)
    assert base is not None
    assert [clause.narrows for clause in base.conditions] == [True, True, False]  # type: ignore[union-attr]


def test_a_part_of_an_order_stays_a_step_of_its_own() -> None:
    made = restrict_to_set(
        plan_of("How many contracts lack force majeure?"), SetInHand(LISTED, plan=FIRST), CATALOGUE
    )
    assert made is not None
    assert in_a_line(made).count("->") == 2
    assert made.nodes[1].inputs == (made.nodes[0].id,)
    assert not validate(made, CATALOGUE)


def test_documents_without_a_plan_are_named() -> None:
    made = restrict_to_set(TEXAN, SetInHand(("d01", "d02")), CATALOGUE)
    base = base_of(made)
    assert base is not None
    assert base.scope.documents == ("d01", "d02")


def test_documents_that_are_not_in_hand_cannot_be_asked() -> None:
    named = plan_of("When does the Cleaning Contract expire?")
    assert over_documents(named, ("d01",)) is None
    assert (
        restrict_to_set(
            named, SetInHand(("d01",), plan=plan_of("When does the Supply Agreement expire?")), CATALOGUE
        )
        is None
    )


def test_a_search_is_kept_inside() -> None:
    search = Search(id="search-1", purpose="", text="notice", scope=Scope(buckets=("contracts",)))
    plan = Plan(
        question="notice", kind=Kind.LOOKUP, route=Route.HYBRID, nodes=(search,), answer_node="search-1"
    )
    made = restrict_to_set(plan, SetInHand(LISTED, plan=TEXAN), CATALOGUE)
    assert made is not None
    assert made.nodes[0].scope.documents == LISTED  # type: ignore[attr-defined]


def test_the_kind_of_document_is_no_condition_of_its_own() -> None:
    base = base_of(TEXAN)
    assert base is not None
    assert [clause.field for clause in own_clauses(base)] == ["governing_law"]  # type: ignore[union-attr]
