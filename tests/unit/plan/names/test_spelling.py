"""Near words of a vocabulary."""

from __future__ import annotations

import pytest

from core.plan.names.spelling import NearWords

NEAR = NearWords(["energi", "sonos", "reynold", "distributor", "kb", "1999"])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("enregi", "energi"),
        ("bonos", "sonos"),
        ("sonso", "sonos"),
        ("eynold", "reynold"),
        ("distribtuer", "distributor"),
        ("dsitributor", "distributor"),
    ],
)
def test_one_edit_or_two_of_a_long_word_are_near(written: str, meant: str) -> None:
    assert NEAR.near(written)[0][0] == meant


@pytest.mark.parametrize("written", ["kb", "1998", "zorblatt", "sonos", ""])
def test_short_words_numbers_strangers_and_the_word_itself_are_not(written: str) -> None:
    assert NEAR.near(written) == []


def test_an_empty_vocabulary_knows_nothing() -> None:
    assert NearWords([]).near("sonos") == []
