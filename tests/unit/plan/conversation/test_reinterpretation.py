"""Plans of a turn as they are meant behind others."""

from __future__ import annotations

from core.plan.conversation.reinterpretation import reinterpret
from core.plan.conversation_state import base_of
from tests.support.conversations import CATALOGUE, plan_of
from tests.support.known_collection import in_a_line


def test_values_of_one_field_are_alternatives_unless_both_are_wanted() -> None:
    plan = plan_of("contracts Texas's and New York's")
    line = in_a_line(reinterpret(plan, "only Texas's and New York's", CATALOGUE))
    assert "Texas .. New York" in line
    assert reinterpret(plan, "both Texas's and New York's", CATALOGUE) == plan


def test_an_order_takes_none_away() -> None:
    plan = plan_of("Which contract is the oldest?")
    base = base_of(reinterpret(plan, "oldest first", CATALOGUE))
    assert base is not None
    assert base.limit is None
