from __future__ import annotations

import pytest

from core.domain.search import SearchQuery
from core.search.evidence.pack import pack
from core.search.evidence.score import Features, features, find_gaps, logistic, missing_share
from core.store.database.visibility import Visibility
from tests.support.library import Library


def test_words_that_no_evidence_mentions_are_gaps_joined_where_they_stand_together() -> None:
    found = find_gaps("What is the parking fee at the Boston site?", ["The fee is due at the site."])
    assert found == ("parking", "Boston")


def test_neighbours_are_one_gap() -> None:
    assert find_gaps("the football world cup", ["nothing"]) == ("football world cup",)


def test_inflected_words_are_covered() -> None:
    assert find_gaps("When are payments due?", ["The payment is due in May."]) == ()


def test_words_that_say_how_to_answer_are_no_gaps() -> None:
    assert find_gaps("Explain and compare the fee", ["the fee"]) == ()


def test_at_most_the_limit_is_given() -> None:
    assert len(find_gaps("alpha is beta is gamma is delta is epsilon is zeta", [])) == 5


def test_a_slip_of_the_pen_and_a_word_that_the_value_settles_are_no_gaps() -> None:
    assert find_gaps("What is the waranty price?", ["The warranty costs $5."], answered=["price"]) == ()


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        ("Explain how the pump is maintained", "the water pump house", 0.5),
        ("What is the voltage of the motor?", "the water pump house", 1.0),
        ("What is the voltage of the motor?", "The motor has a voltage of 12 V.", 0.0),
        ("Explain it", "the pump", 0.0),
    ],
)
def test_share_of_the_words_that_no_evidence_has(question: str, text: str, share: float) -> None:
    assert missing_share(question, [text]) == share


def _features(question: str) -> Features:
    library = Library()
    library.add("a.txt", "The notice period is thirty days. The tenant pays for water.")
    library.add("b.txt", "The cabinet holds twelve batteries.")
    return features(pack(library.retrieve(SearchQuery(question), Visibility.everything())))


def test_a_question_in_the_words_of_the_text_is_covered() -> None:
    found = _features("notice period thirty days")
    assert found.best_coverage == pytest.approx(1.0)
    assert found.best_cosine > 0.5


def test_a_foreign_question_is_not_covered() -> None:
    assert _features("volcano eruption").top_coverage == 0


def test_nothing_found_gives_zeros() -> None:
    found = features(pack(Library().retrieve(SearchQuery("x"), Visibility.everything())))
    assert found.as_row() == (0.0, 0.0, 0.0)


def test_the_logistic_function_does_not_overflow() -> None:
    assert logistic((1.0,), 0.0, (10_000.0,)) == 1.0
    assert logistic((1.0,), 0.0, (-10_000.0,)) == 0.0
    assert logistic((1.0,), 0.0, (0.0,)) == 0.5
