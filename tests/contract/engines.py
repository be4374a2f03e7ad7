"""How the suite comes to an engine, and the passages that it holds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.domain.ids import DocumentId
from core.index.base import IndexBatch, SearchEngine
from core.store.base import IndexedPassage
from tests.support.indexed import indexed, random_vector

WORDS = ("alpha", "beta", "gamma", "delta", "omega")
BUCKETS, TYPES, GROUPS = ("contracts", "invoices"), ("pdf", "text"), ("finance", "legal")


def batch(sequence: int, *passages: IndexedPassage, stale: tuple[str, ...] = ()) -> IndexBatch:
    documents = {one.stored.passage.document for one in passages} | {DocumentId(name) for name in stale}
    return IndexBatch(sequence, frozenset(documents), passages)


def corpus() -> list[IndexedPassage]:
    """Sixty passages of twenty documents with every mixture of filter values, some of them equal."""
    rng = np.random.default_rng(7)
    made = []
    for number in range(1, 61):
        words = [WORDS[min(int(w), 4)] for w in rng.exponential(1.2, size=int(rng.integers(3, 12)))]
        acl = tuple(group for bit, group in enumerate(GROUPS) if (number // 3) >> bit & 1)
        made.append(
            indexed(
                number,
                f"d{number // 3}",
                " ".join(words),
                vector=random_vector(number // 2),
                bucket=BUCKETS[number // 3 % 2],
                doc_type=TYPES[number // 6 % 2],
                acl=acl,
            )
        )
    return made


class EngineTests(ABC):
    """What a part of the suite asks of a subclass, and the engines that its tests are given."""

    @classmethod
    @abstractmethod
    def open(cls, place: Path) -> SearchEngine:
        """The engine that keeps its state at `place`, new or as it was left there."""

    @pytest.fixture
    def engine(self, tmp_path: Path) -> Iterator[SearchEngine]:
        engine = self.open(tmp_path)
        yield engine
        engine.close()

    @pytest.fixture(scope="class")
    @classmethod
    def filled(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
        """An engine that holds corpus(), put there in several batches, with deleted rows in between."""
        engine = cls.open(tmp_path_factory.mktemp("filled"))
        passages = corpus()
        engine.apply(batch(1, indexed(900, "gone", "alpha beta"), indexed(901, "d3", "alpha old version")))
        for at, start in enumerate(range(0, len(passages), 15)):
            group = {one.stored.passage.document for one in passages[start : start + 15]}
            whole = [one for one in passages if one.stored.passage.document in group]
            engine.apply(batch(2 + at, *whole))
        engine.apply(batch(9, stale=("gone",)))
        yield engine
        engine.close()
