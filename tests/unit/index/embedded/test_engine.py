"""What the embedded engine adds to the contract: processes, crashes, encoders, generations."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import EncoderError, HomeBusyError, IndexUnavailableError
from core.index.base import Filter, IndexBatch
from core.index.embedded import EmbeddedEngine, rebuild
from core.index.version import Generations
from tests.support.feed import MemoryFeed
from tests.support.index_process import DOCUMENTS, EACH, nth_batch
from tests.support.indexed import SIGNATURE, ask, indexed, random_vector, toward

ROOT = Path(__file__).resolve().parents[4]


def start(place: Path, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.index_process", str(place), *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def assert_consistent(engine: EmbeddedEngine, sequence: int) -> None:
    """The engine holds exactly what batches 1..sequence leave."""
    newest = {n % DOCUMENTS: n for n in range(1, sequence + 1)}
    expected = {n * EACH + i for n in newest.values() for i in range(EACH)}
    assert engine.status().sequence == sequence
    assert engine.status().passages == len(expected)
    assert {hit.passage for hit in engine.search(ask("word", top_k=100))} == expected
    nearest = engine.search(ask(vector=random_vector(3), top_k=100))
    assert {hit.passage for hit in nearest} == expected
    for hit in nearest:
        assert hit.cosine == pytest.approx(float(random_vector(hit.passage) @ random_vector(3)), abs=1e-5)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    engine = EmbeddedEngine.open(tmp_path, SIGNATURE)
    yield engine
    engine.close()


@pytest.mark.parametrize(("done", "fsync"), [(1, 1), (1, 3), (1, 5), (7, 1), (7, 2), (7, 3), (7, 4), (7, 5)])
def test_a_process_killed_while_it_applies_leaves_the_state_before(
    tmp_path: Path, done: int, fsync: int
) -> None:
    with start(tmp_path, "die", done, fsync) as process:
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == -9
    assert len(printed.split()) == done - 1
    engine = EmbeddedEngine.open(tmp_path, SIGNATURE)
    try:
        assert_consistent(engine, done - 1)
        for n in range(done, done + 3):
            engine.apply(nth_batch(n))
        assert_consistent(engine, done + 2)
    finally:
        engine.close()


def test_a_process_killed_at_any_moment_leaves_at_least_what_it_reported(tmp_path: Path) -> None:
    reached = 0
    for more in (2, 5, 9):
        with start(tmp_path, "count", 500) as process:
            assert process.stdout is not None
            lines = [int(process.stdout.readline()) for _ in range(more)]
            process.kill()
            lines += [int(line) for line in process.stdout.read().split()]
        reached = max(reached, lines[-1])
        engine = EmbeddedEngine.open(tmp_path, SIGNATURE)
        sequence = engine.status().sequence
        assert sequence >= reached
        engine.close()
        reached = sequence
    engine = EmbeddedEngine.open(tmp_path, SIGNATURE)
    try:
        for n in range(reached - DOCUMENTS, reached + 2):
            engine.apply(nth_batch(max(n, 1)))
        assert_consistent(engine, reached + 1)
    finally:
        engine.close()


def test_another_process_sees_a_batch_as_soon_as_it_is_applied(
    engine: EmbeddedEngine, tmp_path: Path
) -> None:
    with start(tmp_path, "read") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        seen = []
        for n in range(1, 9):
            engine.apply(nth_batch(n))
            process.stdin.write("\n")
            process.stdin.flush()
            seen.append(process.stdout.readline().split())
        process.stdin.close()
    assert seen == [[str(n), str(min(n, DOCUMENTS) * EACH)] for n in range(1, 9)]


def test_a_second_writing_process_is_refused_and_told_what_to_do(
    engine: EmbeddedEngine, tmp_path: Path
) -> None:
    engine.apply(nth_batch(1))
    with start(tmp_path, "write") as process:
        printed, _ = process.communicate(timeout=60)
    assert printed.startswith("busy: Wait")


def test_a_second_writer_in_this_process_is_refused_until_the_first_closes(tmp_path: Path) -> None:
    first, second = (EmbeddedEngine.open(tmp_path, SIGNATURE) for _ in range(2))
    first.apply(nth_batch(1))
    with pytest.raises(HomeBusyError):
        second.apply(nth_batch(2))
    first.close()
    second.apply(nth_batch(2))
    assert_consistent(second, 2)
    second.close()


def test_a_reader_takes_no_lock_from_a_writer(engine: EmbeddedEngine, tmp_path: Path) -> None:
    reader = EmbeddedEngine.open(tmp_path, SIGNATURE)
    for n in range(1, 6):
        engine.apply(nth_batch(n))
        assert_consistent(reader, n)
    reader.close()


def test_another_encoder_is_refused_with_both_names_and_both_ways_out(tmp_path: Path) -> None:
    EmbeddedEngine.open(tmp_path, SIGNATURE).close()
    with pytest.raises(EncoderError) as caught:
        EmbeddedEngine.open(tmp_path, replace(SIGNATURE, name="bigger", dimension=16))
    told = f"{caught.value.message} {caught.value.next_step}"
    assert "'toy'" in told
    assert "'bigger'" in told
    assert "groundwork reindex" in told
    assert "encode.model" in told


def test_other_weights_under_the_same_name_are_refused(tmp_path: Path) -> None:
    EmbeddedEngine.open(tmp_path, SIGNATURE).close()
    with pytest.raises(EncoderError):
        EmbeddedEngine.open(tmp_path, replace(SIGNATURE, sha256="1" * 64))


def test_an_index_of_another_version_is_refused(tmp_path: Path) -> None:
    EmbeddedEngine.open(tmp_path, SIGNATURE).close()
    (facts,) = tmp_path.glob("embedded/*/facts.json")
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {"analyser": 0}))
    with pytest.raises(IndexUnavailableError) as caught:
        EmbeddedEngine.open(tmp_path, SIGNATURE)
    assert "groundwork reindex" in caught.value.next_step


@pytest.mark.parametrize("pattern", ["rows/rows.bin", "keyword/meta.json", "facts.json", "keyword/*.term"])
def test_a_damaged_index_is_unavailable_and_says_what_to_do(tmp_path: Path, pattern: str) -> None:
    engine = EmbeddedEngine.open(tmp_path, SIGNATURE)
    engine.apply(nth_batch(1))
    engine.close()
    for path in tmp_path.glob(f"embedded/g000001/{pattern}"):
        path.write_bytes(b"")
    with (
        pytest.raises(IndexUnavailableError) as caught,
        closing(EmbeddedEngine.open(tmp_path, SIGNATURE)) as one,
    ):
        one.search(ask("word", vector=toward(1)))
    assert "groundwork reindex" in caught.value.next_step


def test_a_damaged_index_can_be_built_again(tmp_path: Path) -> None:
    feed = MemoryFeed()
    feed.publish(indexed(1, "a", "alpha"), indexed(2, "b", "alpha"))
    EmbeddedEngine.open(tmp_path, SIGNATURE).close()
    (tmp_path / "embedded/g000001/facts.json").unlink()
    rebuild(tmp_path, SIGNATURE, feed)
    engine = EmbeddedEngine.open(tmp_path, SIGNATURE)
    assert [hit.passage for hit in engine.search(ask("alpha"))] == [1, 2]
    engine.close()


def test_a_rebuild_for_another_encoder_makes_the_index_usable_again(tmp_path: Path) -> None:
    EmbeddedEngine.open(tmp_path, SIGNATURE).close()
    wider, feed = replace(SIGNATURE, name="wide", dimension=9), MemoryFeed()
    feed.publish(indexed(1, "a", "alpha", vector=np.eye(9, dtype=np.float32)[0]))
    rebuild(tmp_path, wider, feed)
    engine = EmbeddedEngine.open(tmp_path, wider)
    assert engine.status().encoder == wider
    assert engine.search(ask(vector=np.eye(9, dtype=np.float32)[0]))[0].cosine == 1.0
    engine.close()


def test_an_open_reader_follows_a_rebuild_and_the_old_generation_goes(tmp_path: Path) -> None:
    feed = MemoryFeed()
    feed.publish(*(indexed(i, f"d{i}", "alpha") for i in range(1, 251)))
    writer, reader = (EmbeddedEngine.open(tmp_path, SIGNATURE) for _ in range(2))
    writer.apply(IndexBatch(1, frozenset(), ()))
    assert reader.search(ask("alpha")) == []
    seen: list[tuple[int, int]] = []
    name = writer.rebuild(feed, on_progress=lambda done, total: seen.append((done, total)))
    assert name == reader.status().generation == writer.status().generation
    assert len(reader.search(ask("alpha", top_k=500))) == 250
    assert seen[-1] == (250, 250)
    writer.rebuild(feed)
    assert reader.status().passages == 250
    writer.close()
    reader.close()
    again = EmbeddedEngine.open(tmp_path, SIGNATURE)
    again.rebuild(feed)
    assert len(list(tmp_path.glob("embedded/g*"))) == 1
    again.close()


def test_a_generation_that_is_open_elsewhere_is_not_deleted(tmp_path: Path) -> None:
    feed = MemoryFeed()
    feed.publish(indexed(1, "a", "alpha"))
    writer, reader = (EmbeddedEngine.open(tmp_path, SIGNATURE) for _ in range(2))
    writer.rebuild(feed)
    assert (tmp_path / "embedded/g000001").is_dir()
    assert len(reader.search(ask("alpha"))) == 1
    writer.rebuild(feed)
    assert not (tmp_path / "embedded/g000001").exists()
    writer.close()
    reader.close()


def test_a_generation_that_was_open_elsewhere_is_deleted_at_a_later_look(tmp_path: Path) -> None:
    feed, now = MemoryFeed(), [0.0]
    feed.publish(indexed(1, "a", "alpha"))
    reader = EmbeddedEngine.open(tmp_path, SIGNATURE)
    writer = EmbeddedEngine(Generations(tmp_path / "embedded"), SIGNATURE, clock=lambda: now[0])
    old = tmp_path / "embedded/g000001"
    with closing(reader), closing(writer):
        writer.rebuild(feed)
        writer.status()
        assert old.is_dir()
        assert reader.status().passages == 1  # follows, and lets the old one go
        reader.status()
        writer.status()
        assert old.is_dir()
        now[0] += 60
        reader.status()
        assert old.is_dir()
        writer.status()
        assert not old.exists()
        assert len(writer.search(ask("alpha"))) == len(reader.search(ask("alpha"))) == 1


def test_batches_applied_after_a_rebuild_go_to_the_new_generation(tmp_path: Path) -> None:
    feed, engine = MemoryFeed(), EmbeddedEngine.open(tmp_path, SIGNATURE)
    feed.publish(indexed(1, "a", "alpha"))
    engine.rebuild(feed)
    engine.apply(IndexBatch(2, frozenset(), (indexed(2, "b", "alpha"),)))
    engine.close()
    again = EmbeddedEngine.open(tmp_path, SIGNATURE)
    assert [hit.passage for hit in again.search(ask("alpha"))] == [1, 2]
    again.close()


def test_an_index_of_mostly_replaced_passages_asks_for_a_rebuild(tmp_path: Path) -> None:
    feed, engine = MemoryFeed(), EmbeddedEngine.open(tmp_path, SIGNATURE)
    feed.publish(*(indexed(i, "a", "w") for i in range(1, 3001)))
    for version in range(1, 6):
        assert not engine.is_mostly_dead()
        passages = tuple(indexed(version * 3000 + i, "a", "w") for i in range(3000))
        engine.apply(IndexBatch(version, frozenset(), passages))
    assert engine.is_mostly_dead()
    engine.rebuild(feed)
    assert not engine.is_mostly_dead()
    assert engine.status().passages == 3000
    engine.close()


def test_a_failed_write_leaves_an_engine_that_writes_on(engine: EmbeddedEngine, tmp_path: Path) -> None:
    engine.apply(nth_batch(1))
    names = tmp_path / "embedded/g000001/rows/vectors.f32"
    names.rename(names.with_suffix(".away"))
    with pytest.raises(IndexUnavailableError):
        engine.apply(nth_batch(2))
    names.with_suffix(".away").rename(names)
    assert_consistent(engine, 1)
    engine.apply(nth_batch(2))
    assert_consistent(engine, 2)


def test_a_batch_applied_again_leaves_no_dead_rows_and_no_other_scores(tmp_path: Path) -> None:
    engine = EmbeddedEngine.open(tmp_path, SIGNATURE)
    change = IndexBatch(
        1, frozenset(), tuple(indexed(i, f"d{i}", "alpha beta", acl=("b", "a")) for i in range(1, 9))
    )
    engine.apply(change)
    before = engine.search(ask("alpha"))
    for _ in range(3):
        engine.apply(change)
    assert engine.search(ask("alpha")) == before
    other = indexed(1, "d1", "alpha beta", bucket="elsewhere")
    engine.apply(IndexBatch(2, frozenset(), (other,)))
    assert [
        hit.passage for hit in engine.search(ask("alpha", within=Filter(buckets=frozenset({"elsewhere"}))))
    ] == [1]
    engine.close()


def test_scores_do_not_tell_in_how_many_batches_the_passages_came(tmp_path: Path) -> None:
    words = ["alpha", "beta gamma", "gamma delta delta", "alpha beta gamma delta epsilon"]
    passages = [indexed(n, f"d{n}", words[n % 4] + " word" * (n % 7)) for n in range(30)]
    found = []
    for size in (30, 7, 1):
        with closing(EmbeddedEngine.open(tmp_path / str(size), SIGNATURE)) as engine:
            for start in range(0, 30, size):
                group = tuple(passages[start : start + size])
                documents = frozenset(one.stored.passage.document for one in group)
                engine.apply(IndexBatch(start + size, documents, group))
            found.append(
                [(hit.passage, hit.score) for hit in engine.search(ask("alpha", "delta", "word", top_k=30))]
            )
    assert len(found[0]) > 20
    assert found[0] == found[1] == found[2]
