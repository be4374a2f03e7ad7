"""What batches do to an engine, also while others read it."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from core.errors import EncoderError, GroundworkError, IndexUnavailableError
from core.index.base import Mode, SearchEngine
from tests.contract.engines import EngineTests, batch
from tests.support.indexed import DIMENSION, ask, indexed, toward


class Changes(EngineTests):
    """The part of the suite about batches."""

    def test_status_and_frequencies_follow_every_batch(self, engine: SearchEngine) -> None:
        engine.apply(batch(4, indexed(1, "a", "alpha beta"), indexed(2, "b", "alpha")))
        assert (engine.status().sequence, engine.status().passages) == (4, 2)
        assert engine.document_frequencies(["alpha", "beta", "zzz"]).of_terms == {
            "alpha": 2,
            "beta": 1,
            "zzz": 0,
        }
        engine.apply(batch(6, stale=("b",)))
        assert (engine.status().sequence, engine.status().passages) == (6, 1)
        assert engine.document_frequencies(["alpha", "beta"]).of_terms == {"alpha": 1, "beta": 1}

    def test_a_removed_document_is_found_no_more(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "alpha"), indexed(2, "a", "alpha"), indexed(3, "b", "alpha")))
        engine.apply(batch(2, stale=("a", "never-there")))
        for mode in Mode:
            hits = engine.search(ask("alpha", vector=toward(1), mode=mode))
            assert [hit.passage for hit in hits] == [3]

    def test_a_new_version_replaces_the_old_one(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "alpha"), indexed(2, "a", "beta")))
        engine.apply(batch(2, indexed(3, "a", "gamma")))
        assert engine.search(ask("alpha", "beta")) == []
        assert [hit.passage for hit in engine.search(ask("gamma", vector=toward(1)))] == [3]

    def test_a_batch_applied_twice_leaves_the_state_of_applying_it_once(self, engine: SearchEngine) -> None:
        change = batch(2, indexed(1, "a", "alpha beta"), indexed(2, "b", "beta"), stale=("c",))
        engine.apply(batch(1, indexed(7, "c", "alpha")))
        engine.apply(change)
        before = engine.search(ask("alpha", "beta", vector=toward(1)))
        engine.apply(change)
        assert [hit.passage for hit in engine.search(ask("alpha", "beta", vector=toward(1)))] == [
            hit.passage for hit in before
        ]
        assert (engine.status().sequence, engine.status().passages) == (2, 2)
        assert engine.document_frequencies(["alpha", "beta"]).of_terms == {"alpha": 1, "beta": 2}

    def test_a_batch_without_documents_moves_the_sequence(self, engine: SearchEngine) -> None:
        engine.apply(batch(12))
        assert engine.status().sequence == 12

    def test_the_sequence_never_falls(self, engine: SearchEngine) -> None:
        engine.apply(batch(5, indexed(1, "a", "alpha")))
        engine.apply(batch(3, indexed(1, "a", "alpha")))
        assert (engine.status().sequence, engine.status().passages) == (5, 1)

    def test_a_vector_that_does_not_fit_leaves_everything_as_it_was(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "alpha")))
        for vector in (np.ones(3, np.float32), np.full(DIMENSION, np.inf, np.float32)):
            with pytest.raises(EncoderError):
                engine.apply(batch(2, indexed(2, "b", "beta"), indexed(3, "a", "gamma", vector=vector)))
        assert (engine.status().sequence, engine.status().passages) == (1, 1)
        assert [hit.passage for hit in engine.search(ask("alpha", "beta", "gamma"))] == [1]

    def test_the_state_outlives_the_engine(self, tmp_path: Path) -> None:
        engine = self.open(tmp_path)
        engine.apply(batch(1, indexed(1, "a", "alpha"), indexed(2, "b", "alpha beta")))
        engine.apply(batch(2, stale=("a",)))
        before = engine.search(ask("alpha", vector=toward(1)))
        engine.close()
        again = self.open(tmp_path)
        try:
            assert again.search(ask("alpha", vector=toward(1))) == before
            assert (again.status().sequence, again.status().passages) == (2, 1)
            again.apply(batch(3, indexed(3, "c", "alpha")))
            assert sorted(hit.passage for hit in again.search(ask("alpha"))) == [2, 3]
        finally:
            again.close()

    def test_a_closed_engine_says_so(self, tmp_path: Path) -> None:
        engine = self.open(tmp_path)
        engine.close()
        engine.close()
        with pytest.raises(IndexUnavailableError):
            engine.search(ask("alpha"))

    def test_readers_see_whole_batches_while_another_thread_writes(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, *(indexed(i, "doc", "shared first") for i in range(1, 6))))
        faults: list[str] = []
        over = threading.Event()

        def read() -> None:
            while not over.is_set():
                try:
                    for mode in Mode:
                        found = [
                            hit.passage for hit in engine.search(ask("share", vector=toward(1), mode=mode))
                        ]
                        if len({(passage - 1) // 5 for passage in found}) != 1 or len(found) != 5:
                            faults.append(f"{mode}: {found}")
                except GroundworkError as error:
                    faults.append(str(error))

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        for turn in range(1, 13):
            engine.apply(batch(turn + 1, *(indexed(turn * 5 + i, "doc", "shared next") for i in range(1, 6))))
            assert len(engine.search(ask("next"))) == 5
        over.set()
        for reader in readers:
            reader.join()
        assert faults == []
