"""A second planner, which reads its plans from a file: guards catch what they are for, right plans pass."""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.plan.clarify import Clarify
from core.plan.guards.check import GuardFinding, check
from core.plan.ir.nodes import Plan
from core.plan.planner import RulePlanner
from tests.support.known_collection import known_collection

TODAY = date(2024, 11, 22)
ROOT = Path(__file__).parents[4]
CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "plans.json").read_text("utf-8"))


class PlannerFromFile:
    """Plans that somebody else made, by their questions; it knows nothing of how questions are read."""

    def __init__(self, cases: list[dict[str, Any]]) -> None:
        self._plans = {case["name"]: Plan.model_validate(case["plan"]) for case in cases}

    def plan(self, name: str) -> Plan:
        return self._plans[name]


@cache
def second_planner() -> PlannerFromFile:
    return PlannerFromFile(CASES)


def findings(case: dict[str, Any]) -> tuple[GuardFinding, ...]:
    return check(case["question"], second_planner().plan(case["name"]), known_collection(), today=TODAY)


@pytest.mark.parametrize("case", [c for c in CASES if c["guard"] is None], ids=lambda c: c["name"])
def test_a_right_plan_passes(case: dict[str, Any]) -> None:
    assert findings(case) == ()


@pytest.mark.parametrize("case", [c for c in CASES if c["guard"]], ids=lambda c: c["name"])
def test_a_guard_catches_what_it_is_for(case: dict[str, Any]) -> None:
    assert (case["guard"], case["phrase"]) in [(each.guard, each.phrase) for each in findings(case)]


def test_what_is_not_there_is_asked_about_or_abstained_from() -> None:
    case = next(each for each in CASES if each["name"] == "a name that does not exist: in the question")
    (found,) = [each for each in findings(case) if each.guard == "names"]
    assert isinstance(found.clarify, Clarify)
    assert found.clarify.type == "absent"


@pytest.mark.parametrize(
    "table", ["lists_and_conditions", "negation", "computing", "lookups", "comparing", "dates"]
)
def test_every_plan_of_the_rules_passes_by_its_question_alone(table: str) -> None:
    planner = RulePlanner(known_collection(), None, TODAY)
    lines = (ROOT / "tests/unit/plan/planned" / f"{table}.txt").read_text("utf-8").splitlines()
    plans = {question: planner.plan(question) for question in lines[::2]}
    found = {
        question: check(question, plan, known_collection(), today=TODAY)
        for question, plan in plans.items()
        if isinstance(plan, Plan)
    }
    assert {question: each for question, each in found.items() if each} == {}
