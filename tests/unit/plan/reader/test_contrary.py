"""Readings that have one thing the other way round."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.ir.nodes import Plan
from core.plan.planner import RulePlanner
from core.plan.reader.contrary import contrary_fields, is_told
from tests.support.known_readings import COLLECTION, TODAY

RULES = RulePlanner(COLLECTION, None, TODAY)


def plan(question: str) -> Plan:
    found = RULES.plan(question)
    assert isinstance(found, Plan)
    return found


def test_a_field_that_one_has_and_the_other_lacks_is_contrary() -> None:
    one, other = plan("contracts with insurance"), plan("contracts without insurance")
    assert contrary_fields(one, other) == {"insurance"}
    assert contrary_fields(one, one) == set()
    assert contrary_fields(one, plan("contracts without force majeure")) == set()


@pytest.mark.parametrize(
    ("marked", "told"),
    [
        ("contracts that have [insurance]{+insurance}", True),
        ("contracts that have [insurance]{-insurance}", False),
        ("contracts but not [insurance]{-insurance}", True),
        ("contracts that don't have [insurance]{-insurance}", True),
        ("contracts that do not have [insurance]{+insurance}", False),
        ("contracts: [insurance]{+insurance}", None),
    ],
)
def test_the_nearest_word_tells(marked: str, told: bool | None) -> None:
    assert is_told(reading_of("list", marked, "contracts"), frozenset({"insurance"})) is told
