"""Turns of speech in the words that planners know."""

import pytest

from tests.support.conversations import plan_of
from tests.support.known_collection import in_a_line


@pytest.mark.parametrize(
    "said",
    ["What are the contracts with Halden worth together?", "How much are our contracts worth all together?"],
)
def test_worth_together_is_a_sum(said: str) -> None:
    assert in_a_line(plan_of(said)).endswith("-> sum(contract_value)")


def test_together_in_front_of_a_condition_is_no_sum() -> None:
    assert "sum" not in in_a_line(plan_of("Which contracts are worth together more than 10000 dollars?"))
