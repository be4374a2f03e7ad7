"""Plans of questions over the known collection, whose readings are looked at and changed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from core.plan.ir.nodes import Plan
from core.plan.planner import RulePlanner
from tests.support.known_collection import known_collection

CATALOGUE = known_collection()
PLANNER = RulePlanner(CATALOGUE, today=date(2024, 10, 1))
TABLES = Path(__file__).parents[1] / "unit" / "plan" / "planned"
QUESTIONS = [
    line
    for table in sorted(TABLES.glob("*.txt"))
    for line in table.read_text("utf-8").splitlines()
    if line.strip() and not line.startswith(" ")
]


def plan_of(question: str) -> Plan:
    """The plan of a question that the rules can plan."""
    planned = PLANNER.plan(question)
    assert isinstance(planned, Plan)
    return planned
