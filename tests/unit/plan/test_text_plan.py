from __future__ import annotations

import time

import pytest

from core.domain.answer import Kind, Route
from core.plan.ir.hashing import node_hashes
from core.plan.ir.nodes import Hop, Plan, Reference, Search
from core.plan.text_plan import looks_like_a_bridge, searches, text_plan, with_hop, with_wordings
from core.search.classify import classify

BRIDGES = [
    "What is the law of the country where Orion Labs is registered?",
    "When was the director of Silver Lantern born?",
    "Who leads the company that makes the B-120?",
    "What is Orion's supplier's address?",
    "Brightwater leases its warehouse from a firm that is seated in what town?",
    "Where is the vendor of Castor Freight based?",
]
PLAIN = [
    "What is the governing law of the Orion Supply Agreement?",
    "When does the Brightwater lease expire?",
    "How long must records be kept?",
    "What is the maximum voltage of the B-120?",
    "Who signed the contract?",
]


@pytest.mark.parametrize("question", BRIDGES)
def test_a_thing_that_is_told_by_another_makes_a_bridge(question: str) -> None:
    assert looks_like_a_bridge(question)


@pytest.mark.parametrize("question", PLAIN)
def test_a_thing_that_is_named_makes_none(question: str) -> None:
    assert not looks_like_a_bridge(question)


def planned(question: str) -> Plan:
    return text_plan(classify(question), question, ("deals",))


def test_a_bridge_is_planned_as_search_hop_search() -> None:
    plan = planned(BRIDGES[1])
    first, hop, second = plan.nodes
    assert isinstance(first, Search)
    assert isinstance(hop, Hop)
    assert isinstance(second, Search)
    assert (hop.follow, hop.inputs) == ("titles", (first.id,))
    assert second.inputs == (first.id, hop.id)
    assert second.pairs_with == Reference(node=first.id)
    assert plan.answer_node == second.id
    assert second.scope.buckets == ("deals",)
    assert any(note.node == hop.id for note in plan.notes)
    assert Plan.model_validate_json(plan.model_dump_json(by_alias=True)) == plan


def test_a_plain_question_keeps_its_one_search() -> None:
    plan = planned(PLAIN[0])
    assert [node.type for node in plan.nodes] == ["search"]
    assert (plan.kind, plan.route) == (Kind.LOOKUP, Route.HYBRID)


def test_a_further_hop_goes_on_from_the_last_search() -> None:
    nodes = with_hop(planned(BRIDGES[0]).nodes)
    assert [node.id for node in nodes] == ["search-1", "hop-1", "search-2", "hop-2", "search-3"]
    assert nodes[-1].inputs == ("search-2", "hop-2")


def test_a_hop_is_the_same_whatever_its_search_is_called() -> None:
    plan = planned(BRIDGES[0])
    renamed = Plan.model_validate_json(plan.model_dump_json(by_alias=True).replace('"search-1"', '"first"'))
    assert list(node_hashes(plan).values()) == list(node_hashes(renamed).values())


def test_searches_get_further_wordings_but_for_sides_of_a_comparison() -> None:
    plan = text_plan(classify("What is the notice period?"), "What is the notice period?", ())

    found = with_wordings(plan, ("cancellation term",))

    assert [node.wordings for node in searches(found.nodes)] == [("cancellation term",)]
    compared = plan.model_copy(update={"kind": Kind.COMPARISON})
    assert with_wordings(compared, ("cancellation term",)) is compared
    assert with_wordings(plan, ()) is plan


@pytest.mark.parametrize(
    "question",
    [
        "What is the purpose of 9F86D081884C7D659A2FEAA0C55AD015 cabinets here?",
        "the purpose of " + "A1" * 2_000 + " cabinets here",
        '"A' * 2_000,
        "the agent of " + "Aa Bb of the " * 300 + "x",
    ],
)
def test_no_name_is_so_long_that_a_question_hangs(question: str) -> None:
    began = time.process_time()
    looks_like_a_bridge(question)

    assert time.process_time() - began < 1.0
