"""Turns of speech in the words that planners know."""

import pytest

from core.plan.language.rewriting.rewording import in_plain_words, in_written_words
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


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Yes or no: is there any lease?", "is there any lease?"),
        ("Is there any lease, yes or no?", "Is there any lease?"),
        ("I don't know which contracts have insurance", "which contracts have insurance"),
        ("Are there no contracts under Ohio law?", "how many contracts under Ohio law?"),
        ("Is no contract governed by Ohio law?", "how many contracts are governed by Ohio law?"),
        ("all contracts but the lease", "all contracts that are not lease"),
        ("agreements other than the consulting agreements", "agreements that are not consulting agreements"),
        ("contracts but not under Ohio law", "contracts but not under Ohio law"),
        ("How many parties are there in total?", "How many parties are there?"),
        ("Which law is most common?", "Which governing law is most common?"),
        ("Until when does the lease run?", "when does the lease expire?"),
        ("until when is it valid?", "when does it expire?"),
        ("Does it run until June?", "Does it run until June?"),
    ],
)
def test_frames_that_turn_or_widen_a_question_are_put_plainly(said: str, plain: str) -> None:
    assert in_plain_words(in_written_words(said)) == plain
