from __future__ import annotations

import pytest

from core.domain.llm.use import ModelOutcome
from core.llm.ending import Ending, cut_off, ending_of


@pytest.mark.parametrize(
    ("finish", "ending"),
    [
        ("stop", Ending.WHOLE),
        ("STOP", Ending.WHOLE),
        ("tool_calls", Ending.WHOLE),
        ("length", Ending.LENGTH),
        ("content_filter", Ending.FILTER),
        ("recitation", Ending.UNKNOWN),
    ],
)
def test_a_reason_is_read_as_what_it_means(finish: str, ending: Ending) -> None:
    assert ending_of(finish) is ending


@pytest.mark.parametrize(
    ("finish", "outcome", "words"),
    [
        ("length", ModelOutcome.CUT_SHORT, "longer than 1,500 tokens"),
        ("content_filter", ModelOutcome.FILTERED, "content filter"),
        ("recitation", ModelOutcome.CUT_SHORT, "'recitation'"),
    ],
)
def test_a_reply_that_is_not_whole_is_an_error_in_its_own_words(
    finish: str, outcome: ModelOutcome, words: str
) -> None:
    error = cut_off(finish, "m", 1_500)

    assert error is not None
    assert (error.outcome, error.is_lasting) == (outcome, True)
    assert words in error.message
    assert cut_off("stop", "m", 1_500) is None
