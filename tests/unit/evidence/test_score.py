from __future__ import annotations

import pytest

from core.domain.search import SearchQuery
from core.evidence.pack import pack
from core.evidence.score import Features, features, logistic
from core.records.database.visibility import Visibility
from tests.support.library import Library


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
