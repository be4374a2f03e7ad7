"""Nouns and names that mean one document where nothing says which."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of as marked
from core.plan.clarify import Clarify
from core.plan.reading_planner import ReadingPlanner
from tests.support.compact_readings import COLLECTION, TODAY
from tests.support.marked_reader import MarkedReader


def phrase_asked(said: str) -> str:
    """The words that are asked about; "" where a marked question has an answer."""
    planner = ReadingPlanner(COLLECTION, MarkedReader([f"lookup\t{said}"]), today=TODAY)
    found = planner.plan(marked("lookup", said, "contracts").question)
    return found.phrase if isinstance(found, Clarify) else ""


@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("What about the contract?", "the contract"),
        ("When does the [Halden]{doc} [expire]{?expiration_date}?", "Halden"),
    ],
)
def test_words_that_mean_one_of_several_are_asked_about(said: str, phrase: str) -> None:
    assert phrase_asked(said) == phrase


@pytest.mark.parametrize(
    "said",
    [
        "What about the contracts?",
        "When do the contracts [expire]{?expiration_date}?",
        "When does the [Supply Agreement]{doc} [expire]{?expiration_date}?",
        "When does the contract [under Texas law]{=governing_law} [expire]{?expiration_date}?",
    ],
)
def test_where_something_says_which_nothing_is_asked(said: str) -> None:
    assert phrase_asked(said) == ""
