"""The two that are asked: one vector index over passages, and Groundwork whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.collapse.judging import DEPTH
from bench.retrieval.scores import Place
from core.config.models import Settings
from core.domain.answer import Answer
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.encode.load import load_query_encoder
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench import Workbench

_AT_ONCE = 500  # documents


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """What is said first: its places, its words, and how the answer ended."""

    cited: tuple[Place, ...] = ()
    words: str = ""
    status: str = "answered"


class OneVectorIndex:
    """Exact cosine over the vectors of all passages as the home keeps them; the best one is the answer."""

    def __init__(self, home: Path) -> None:
        settings = Settings(home=home)
        self._encoder = load_query_encoder(settings)
        with Records.open(settings) as records:
            listed = [each.id for each in records.documents.list(Visibility.everything())]
            groups = [listed[at : at + _AT_ONCE] for at in range(0, len(listed), _AT_ONCE)]
            found = [each for group in groups for each in records.passages.of_documents(frozenset(group))]
        self._passages = [(each.stored.source, each.stored.passage) for each in found]
        self._matrix = np.array([each.vector for each in found], dtype=np.float32)

    def __len__(self) -> int:
        return len(self._passages)

    def answer(self, question: str) -> FirstAnswer:
        """The best passage."""
        best = self._best(question, 1)[0]
        return FirstAnswer(tuple(self._places(best)), self._passages[best][1].text)

    def search(self, question: str) -> list[Place]:
        """The best passages."""
        return [place for at in self._best(question, DEPTH) for place in self._places(at)]

    def _places(self, at: int) -> list[Place]:
        source, passage = self._passages[at]
        return [Place(source, part.start, part.end) for part in passage.parts]

    def _best(self, question: str, count: int) -> Sequence[int]:
        scores = self._matrix @ self._encoder.encode_queries([question])[0]
        best = np.argpartition(-scores, count)[:count]
        return [int(at) for at in best[np.argsort(-scores[best], kind="stable")]]


class Groundwork:
    """The product over a home, offline, as its local admin."""

    def __init__(self, bench: Workbench) -> None:
        self._session = bench.local
        self._source_of: Mapping[DocumentId, str] = {
            each.id: each.source for each in self._session.documents.list()
        }

    def answer(self, question: str) -> FirstAnswer:
        """Its first claim."""
        return first_claim(self._session.questions.ask(question, offline=True), self._source_of)

    def search(self, question: str) -> list[Place]:
        """The best passages."""
        hits = self._session.documents.search(SearchQuery(question, top_k=DEPTH)).hits
        return [Place(hit.source, hit.start, hit.end) for hit in hits]


def first_claim(answer: Answer, source_of: Mapping[DocumentId, str]) -> FirstAnswer:
    """The places of the first claim of an answer, or of its parts; its words are all that is claimed."""
    claims = [each for part in (answer, *answer.parts) for each in part.claims if each.citations]
    if not claims:
        return FirstAnswer(status=answer.status.value)
    cited = tuple(
        Place(source_of.get(DocumentId(each.document), ""), each.start, each.end)
        for each in claims[0].citations
    )
    value = answer.value.value if answer.value is not None else ""
    words = " ".join([value, *(each.text for each in claims)])
    return FirstAnswer(cited, words, answer.status.value)
