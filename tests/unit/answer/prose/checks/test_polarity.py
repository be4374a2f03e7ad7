"""What a sentence denies, by the reach of its denials."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import token_sentences
from core.answer.prose.checks.polarity import PolarSentence, cues, polar


def read(text: str) -> PolarSentence:
    return polar(token_sentences(text)[0])


@pytest.mark.parametrize(
    ("text", "word", "says"),
    [
        ("The tenant pays the rent.", "pays", {0}),
        ("The tenant never pays the rent.", "pays", {1}),
        ("The tenant no longer pays the rent.", "pay", {1}),
        ("The tenant shan't pay the rent.", "pay", {1}),
        ("The tenant fails to pay the rent.", "pay", {1}),
        ("Payment is ruled out.", "payment", {1}),
        ("The tenant pays without delay.", "delay", {1}),
        ("The tenant pays all days other than Sundays.", "sundays", {1}),
        ("The lease is unlimited.", "limited", {1}),
        ("Neither the tenant nor the owner pays.", "owner", {1}),
        ("The tenant shall not pay, and shall repair.", "repair", {None}),
        ("The tenant shall not pay unless billed.", "billed", {0}),
    ],
)
def test_parity_of_a_word(text: str, word: str, says: set[int | None]) -> None:
    assert read(text).says(word) == says


@pytest.mark.parametrize(
    "text",
    ["Notice is due no later than May.", "Goods including but not limited to tools.", "The rent is paid."],
)
def test_bounds_and_plain_sentences_deny_nothing(text: str) -> None:
    assert read(text).denials == ()


def test_a_denial_has_the_words_it_reaches_and_those_before_it() -> None:
    sentence = read("The tenant shall not assign the lease.")
    (denial,) = sentence.denials
    assert [sentence.tokens[at].word for at in denial.focus] == ["assign", "lease"]
    assert [sentence.tokens[at].word for at in denial.before] == ["tenant"]


def test_a_cue_of_several_words_is_one() -> None:
    assert [cue[0] for cue in cues(token_sentences("It is free from the duty.")[0].tokens)] == ["free from"]
