"""Questions and the plans that they become, in tables: `planned/*.txt`, a question and its plan in turns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.plan.clarify import Clarify
from core.plan.ir.nodes import Hop, Plan, Select
from core.plan.ir.validate import validate
from core.plan.planner import RulePlanner
from tests.support.known_collection import in_a_line, known_collection

TODAY = date(2024, 11, 22)
TABLES = Path(__file__).parent / "planned"


def planned(question: str) -> Plan | Clarify:
    return RulePlanner(known_collection(), None, TODAY).plan(question)


def cases() -> Iterator[tuple[str, str]]:
    for table in sorted(TABLES.glob("*.txt")):
        lines = table.read_text(encoding="utf-8").splitlines()
        yield from zip(lines[::2], (line.strip() for line in lines[1::2]), strict=True)


@pytest.mark.parametrize(("question", "expected"), list(cases()))
def test_a_question_becomes_the_plan_beside_it(question: str, expected: str) -> None:
    assert in_a_line(planned(question)) == expected


@pytest.mark.parametrize("question", [question for question, _ in cases()])
def test_a_plan_can_run_as_it_is(question: str) -> None:
    plan = planned(question)
    assert isinstance(plan, Clarify) or validate(plan, known_collection()) == ()


def test_the_same_question_gives_the_same_plan() -> None:
    question = "Which Halden contracts have liability caps exceeding our policy?"
    assert planned(question) == planned(question)


def test_a_policy_is_found_read_and_compared_in_three_nodes() -> None:
    plan = planned("Which contracts exceed our liability policy?")
    assert isinstance(plan, Plan)
    policy, limit, contracts = plan.nodes
    assert isinstance(policy, Select)
    assert isinstance(limit, Hop)
    assert isinstance(contracts, Select)
    assert (policy.id, limit.id, contracts.id, plan.answer_node) == (
        "select-1",
        "hop-1",
        "select-2",
        "select-2",
    )
    assert limit.inputs == (policy.id,)
    assert contracts.inputs == (limit.id,)


def test_buckets_narrow_every_select() -> None:
    plan = RulePlanner(known_collection(), None, TODAY).plan(
        "Which contracts exceed our liability policy?", ("b",)
    )
    assert isinstance(plan, Plan)
    assert {node.scope.buckets for node in plan.nodes if isinstance(node, Select)} == {("b",)}


def test_what_no_piece_took_is_named_as_not_covered() -> None:
    plan = planned("contracts governed by Texas law that glimmer")
    assert isinstance(plan, Plan)
    assert plan.uncovered == ("glimmer",)


def test_every_condition_says_which_words_it_came_from() -> None:
    plan = planned("contracts worth more than $100K expiring in 2025 without insurance")
    assert isinstance(plan, Plan)
    assert {"worth more than $100K", "expiring in 2025", "insurance"} <= {note.phrase for note in plan.notes}


def test_a_correction_is_told() -> None:
    plan = planned("Which contrats lack force majeure?")
    assert isinstance(plan, Plan)
    assert ("contrats", "read as “contracts”") in {(note.phrase, note.reading) for note in plan.notes}


def test_a_chosen_option_is_a_question_that_can_be_planned() -> None:
    asked = planned("Orion contracts")
    assert isinstance(asked, Clarify)
    assert [option.documents for option in asked.options] == [1, 2]
    assert in_a_line(planned(asked.options[1].question)).startswith(
        "contracts[document_kind = agreement; parties = orion log"
    )


def test_today_is_part_of_the_plan() -> None:
    plan = planned("Which contracts expire within 90 days?")
    assert isinstance(plan, Plan)
    assert plan.today == "2024-11-22"


def test_eleven_conditions_are_one_plan() -> None:
    clauses = "insurance, arbitration, severability, notices, warranties, indemnification"
    plan = planned(
        f"contracts with {clauses} and force majeure, governed by Texas law, "
        "confidentiality, worth over $10K, expiring in 2025"
    )
    assert isinstance(plan, Plan)
    assert plan.uncovered == ()
    assert isinstance(plan.nodes[0], Select)
    assert len(plan.nodes[0].conditions) == 12
