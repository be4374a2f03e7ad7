"""Letters of another script in a claim."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.letters import check_letters

SOURCE = "The tenant shall not pay 5 kΩ. Müller wrote «Москва»."


@pytest.mark.parametrize(
    "claim",
    [
        "The tenant shall n\u043et pay.",  # Cyrillic o
        "The t\u03b5nant shall pay.",  # Greek epsilon
        "The tenant shall \u0440\u0430\u0443.",  # a whole word of Cyrillic letters
    ],
)
def test_a_look_alike_fails(claim: str) -> None:
    assert not check_letters(claim, [SOURCE]).ok


@pytest.mark.parametrize(
    "claim",
    ["The tenant shall not pay.", "Müller wrote of it.", "It has 5 kΩ.", "Москва is named.", "ﬁve", ""],
)
def test_words_of_one_script_and_words_of_the_source_stand(claim: str) -> None:
    assert check_letters(claim, [SOURCE]).ok
