from __future__ import annotations

import pytest

from core.plan.ir.nodes import Plan
from core.plan.model.coverage import unsaid
from tests.support.known_collection import known_collection
from tests.support.model_plans import condition, planned, step

CATALOGUE = known_collection()


def select(*conditions: dict[str, object]) -> Plan:
    return planned(step("s1", "select", kind="contracts", conditions=list(conditions)))


@pytest.mark.parametrize(
    ("question", "plan", "left"),
    [
        ("Which contracts are under Delaware law?", select(condition("governing_law", "=", "Delaware")), ()),
        ("Which contracts are under Delaware law?", select(), ("Delaware",)),
        (
            "Which contracts have a cap over 100,000 USD?",
            select(condition("liability_cap_amount", ">", "100000 USD")),
            (),
        ),
        (
            "Which contracts end after 2031?",
            select(condition("expiration_date", ">", "2030-12-31")),
            ("2031",),
        ),
        (
            "Which contracts lack a governing law?",
            select(condition("governing_law", "is", "present")),
            ("lack",),
        ),
        ("Which contracts lack a governing law?", select(condition("governing_law", "is-missing")), ()),
        ("Which contracts do not name Texas?", select(condition("governing_law", "!=", "Texas")), ()),
    ],
)
def test_names_figures_and_negations_must_be_in_the_plan(
    question: str, plan: Plan, left: tuple[str, ...]
) -> None:
    assert unsaid(question, plan, CATALOGUE) == left
