from __future__ import annotations

import pytest

from core.plan.readers.model.nearness import NearTexts, nearest, stems_of


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which contracts can be terminated?", "termination for convenience"),
        ("invoices by supplier", "Suppliers"),
        ("What does the AS-330 weigh?", "AlphaSolar AS 330"),
        ("fees per year", "annual fee"),
        ("Fatalities of 85_99", "fatalities_85_99"),
    ],
)
def test_words_that_begin_alike_are_near(question: str, text: str) -> None:
    assert NearTexts([text]).scores(stems_of(question)) > [0.0]


def test_words_that_tell_nothing_are_near_nothing() -> None:
    assert NearTexts(["what is in the"]).scores(stems_of("What is in the?")) == [0.0]


def test_rarer_words_count_more() -> None:
    scores = NearTexts(["contract law", "contract fee", "contract end"]).scores(stems_of("contract fee"))

    assert nearest(scores, 2) == [1, 0]


def test_a_word_that_many_share_names_none_of_them() -> None:
    assert NearTexts(["lease a", "lease b", "lease c"]).scores(stems_of("lease"), most=2) == [0.0] * 3


def test_no_question_and_no_texts_are_near_nothing() -> None:
    assert stems_of("") == ()
    assert NearTexts([]).scores(stems_of("contracts")) == []
