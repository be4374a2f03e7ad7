"""Turns that stand on their own, and names of documents."""

from __future__ import annotations

import pytest

from core.plan.conversation.subject import (
    named_documents,
    noun_of,
    schema_of_documents,
    stands_alone,
    without_bound_pointers,
)
from core.plan.conversation.turn import SetNoun, read_turn
from tests.support.conversations import CATALOGUE, LEXICON, reading_of

NOUN = SetNoun("contracts", "contract")


def is_alone(said: str) -> bool:
    turn = read_turn(said, NOUN)
    reading = reading_of(turn.blanked)
    return stands_alone(without_bound_pointers(turn, reading), reading)


@pytest.mark.parametrize(
    "said",
    [
        "Which invoices are due in March?",
        "How many contracts expire in 2025?",
        "What is Halden's liability cap?",
        "When does the Cleaning Contract expire?",
        "Which contracts state their value?",
        "which invoices from Halden do we have?",
        "which contracts with Halden do we still have",
        "who insures us?",
        "who supplies the tyres to us?",
        "how heavy is the S-300?",
        "who is our insurer?",
        "who is the mayor of Lisbon?",
        "what does an adult ticket cost?",
        "is there anything about a safety stock level of spare parts in the warehouse of the northern depot",
    ],
)
def test_a_kind_or_a_name_of_its_own_stands_alone(said: str) -> None:
    assert is_alone(said)


@pytest.mark.parametrize(
    "said",
    [
        "which of those expire in 2025?",
        "their total value",
        "when do the contracts expire?",
        "what about the Cleaning Contract?",
        "only the amendments",
        "which are Halden's?",
        "which are S-300?",
        "who tells us more about the insurance of the contracts?",
        "which of the contracts have",
        "under Texas law",
        "how many?",
    ],
)
def test_what_points_or_names_no_kind_does_not(said: str) -> None:
    assert not is_alone(said)


def test_the_noun_of_a_schema() -> None:
    assert noun_of("contracts", LEXICON) == NOUN
    assert noun_of("invoices", LEXICON) == SetNoun("invoices", "invoice")
    assert noun_of("", LEXICON) == SetNoun()


def test_the_schema_that_documents_have_in_common() -> None:
    assert schema_of_documents(("d01", "d02"), CATALOGUE) == "contracts"
    assert schema_of_documents(("d01", "d11"), CATALOGUE) == ""


def test_a_name_means_a_document_in_hand_first() -> None:
    assert [each.id for each in named_documents("Castor", CATALOGUE, ("d04", "d01"))] == ["d04"]
    assert named_documents("Nobody", CATALOGUE, ("d04",)) == ()
