"""The first candidates in the order of a reranker, with the scores of the search."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Passage, StoredPassage
from core.errors import RerankError
from core.rerank.base import Reranker
from core.search.rank import RankedPassage, ScoreParts
from core.search.reorder import Reordering


class Given:
    """Scores by text; an error where there is one."""

    def __init__(self, scores: dict[str, float], error: Exception | None = None) -> None:
        self._scores, self._error = scores, error

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if self._error is not None:
            raise self._error
        return [self._scores[text] for text in texts if text in self._scores]

    def close(self) -> None:
        pass


def candidate(text: str, score: float, named: float = 0.0) -> RankedPassage:
    passage = Passage(DocumentId("d"), 1, 0, (), text, (), 1, ())
    stored = StoredPassage(PassageId(len(text)), passage, "b", "t", "s", "text", ())
    parts = ScoreParts(score - named, 0.0, named)
    return RankedPassage(stored, score, None, None, None, np.zeros((0, 2), np.float32), parts)


FOUND = (candidate("a", 0.9, 0.5), candidate("bb", 0.4), candidate("ccc", 0.3), candidate("dddd", 0.2))


def texts(found: Sequence[RankedPassage]) -> list[str]:
    return [each.stored.passage.text for each in found]


def test_the_first_ones_change_places_and_keep_the_scores_of_the_search() -> None:
    reranker: Reranker = Given({"a": 0.0, "bb": 1.0, "ccc": 2.0})
    found, told = Reordering(lambda: reranker, top=3).apply("?", FOUND)
    assert (texts(found), told) == (["a", "ccc", "bb", "dddd"], ())
    assert [each.score for each in found] == [0.9, 0.4, 0.3, 0.2]
    assert sum((found[1].parts.keyword, found[1].parts.meaning, found[1].parts.named)) == pytest.approx(0.4)


@pytest.mark.parametrize(
    "reranker", [Given({}, RerankError("It is late.")), Given({"a": 1.0}), Given({"a": np.nan, "bb": 1.0})]
)
def test_without_a_score_for_each_the_order_stays_and_that_is_told(reranker: Given) -> None:
    found, told = Reordering(lambda: reranker, top=2).apply("?", FOUND)
    assert texts(found) == texts(FOUND)
    assert told[0].code == "E005"


def test_off_is_off() -> None:
    assert Reordering(lambda: None, top=2).apply("?", FOUND) == (FOUND, ())
