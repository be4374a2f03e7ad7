"""Whole questions that a turn may stand for."""

from __future__ import annotations

import pytest

from core.plan.conversation.completion import Antecedents, asks, forms, is_negation_alone
from core.plan.conversation.turn import SetNoun, read_turn
from tests.support.conversations import reading_of

NOUN = SetNoun("contracts", "contract")


def first(said: str, *, of_one: bool = False, known: Antecedents | None = None) -> str:
    return forms(read_turn(said, NOUN), NOUN, known or Antecedents(), reading_of, of_one=of_one)[0]


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("which of those lack force majeure?", "which contracts lack force majeure"),
        ("of those, which expire in 2025?", "which contracts expire in 2025"),
        ("how many of them are under Texas law?", "how many contracts are under Texas law"),
        ("what is their total value?", "what is the contracts' total value"),
        ("when do they expire?", "when do the contracts expire"),
        ("only Halden's", "Halden's contracts"),
        ("under Texas law", "contracts under Texas law"),
        ("sort them by value", "contracts sorted by value"),
        ("split them by law", "contracts by law"),
        ("by customer", "contracts by customer"),
        ("newest first", "contracts newest first"),
        ("the first five by value", "the first five contracts by value"),
        ("who are the vendors?", "who are the vendors of the contracts"),
        ("any in Germany?", "any contracts in Germany"),
        ("and the Texas ones", "the Texas contracts"),
    ],
)
def test_a_turn_about_the_set_becomes_a_question_with_its_noun(said: str, question: str) -> None:
    assert first(said).removeprefix("the ") == question.removeprefix("the ")


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("when does it expire?", "when does the contract expire"),
        ("its governing law?", "the contract's governing law"),
        ("do they have a cap?", "does the contract have a cap"),
        ("governing law?", "the contract's governing law"),
    ],
)
def test_a_turn_about_one_document_becomes_a_question_about_it(said: str, question: str) -> None:
    assert first(said, of_one=True) == question


def test_a_value_and_a_thing_are_put_where_they_are_pointed_at() -> None:
    known = Antecedents(value="USD 5,000", thing="force majeure")
    assert first("which of them are above that amount", known=known) == "which contracts are above USD 5,000"
    assert first("which contracts have one", known=known) == "which contracts have force majeure"


def test_what_asks_and_what_only_negates() -> None:
    assert asks(reading_of("how many"))
    assert asks(reading_of("which have a cap"))
    assert not asks(reading_of("under Texas law"))
    assert is_negation_alone(reading_of("which don't"))
    assert not is_negation_alone(reading_of("which don't expire"))
