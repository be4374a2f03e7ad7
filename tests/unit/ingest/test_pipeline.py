from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from core.domain.document import DocumentStatus, IngestOutcome
from core.domain.job import CurrentItem, JobState
from core.encode.base import TextToEncode
from core.errors import EncoderError, RecordsError
from core.ingest import pipeline
from core.ingest.intake import IngestInput
from core.ingest.pipeline import Pace
from core.jobs import queue, worker
from core.jobs.base import JobInterrupted
from core.store.base import NewVersion, Published
from core.store.database.visibility import Visibility
from tests.support.hashed_encoder import HashedEncoder
from tests.support.ingesting import Calm, Ingesting, opened, text, write_files

EVERYTHING = Visibility.everything()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ingesting]:
    """One home for the module: its tests use files of their own names."""
    with opened(tmp_path_factory.mktemp("home")) as opened_place:
        yield opened_place


def outcomes(place: Ingesting, *paths: Path, **options: object) -> list[IngestOutcome]:
    found = place.ingest(*paths, **options)  # type: ignore[arg-type]
    return [found[number].outcome for number in range(len(paths))]


@contextmanager
def paced(place: Ingesting, encoder: HashedEncoder | None = None) -> Iterator[pipeline.Pipeline]:
    """A pipeline over the same home that encodes two passages at a time, which it uses meanwhile."""
    usual = place.pipeline
    encoder = encoder or HashedEncoder()
    place.pipeline = pipeline.Pipeline(place.records, encoder, place.engine, place.settings, pace=Pace(2, 2))
    with closing(place.pipeline) as used:
        yield used
    place.pipeline = usual


def test_files_become_searchable_documents(place: Ingesting, tmp_path: Path) -> None:
    paths = write_files(tmp_path / "a", 3, words=500)

    assert outcomes(place, *paths) == [IngestOutcome.READY] * 3
    summary = place.records.documents.find("default", paths[0].name)
    assert summary is not None
    assert summary.passages > 1
    assert place.engine.status().sequence == place.records.changes.data_version()


def test_the_same_bytes_are_unchanged_and_other_bytes_a_new_version(place: Ingesting, tmp_path: Path) -> None:
    path = tmp_path / "changing.txt"
    path.write_text("The rent is 100 dollars.")
    first = outcomes(place, path)
    second = outcomes(place, path)
    path.write_text("The rent is 200 dollars.")
    third = outcomes(place, path)

    assert [*first, *second, *third] == [IngestOutcome.READY, IngestOutcome.UNCHANGED, IngestOutcome.UPDATED]
    summary = place.records.documents.find("default", path.name)
    assert summary is not None
    assert summary.version == 2


def test_forced_files_are_read_anew(place: Ingesting, tmp_path: Path) -> None:
    path = tmp_path / "again.txt"
    path.write_text("The term is ten years.")
    outcomes(place, path)

    assert outcomes(place, path, force=True) == [IngestOutcome.UPDATED]


def test_a_file_that_disappeared_fails_alone(place: Ingesting, tmp_path: Path) -> None:
    here, gone = tmp_path / "here.txt", tmp_path / "gone.txt"
    here.write_text("The tenant pays the rent.")

    assert outcomes(place, gone, here) == [IngestOutcome.FAILED, IngestOutcome.READY]
    failed = place.records.documents.find("default", "gone.txt")
    assert failed is not None
    assert failed.status is DocumentStatus.FAILED
    assert failed.reason.startswith("The file is no longer there.")


def test_a_failed_file_that_is_mended_is_ready(place: Ingesting, tmp_path: Path) -> None:
    path = tmp_path / "mended.txt"
    before = outcomes(place, path)
    path.write_text("The premises are let.")

    assert [*before, *outcomes(place, path)] == [IngestOutcome.FAILED, IngestOutcome.READY]


def test_an_interrupted_run_keeps_what_it_published(place: Ingesting, tmp_path: Path) -> None:
    paths = write_files(tmp_path / "interrupted", 12, words=400)
    paths = [path.rename(path.with_name(f"interrupted-{path.name}")) for path in paths]

    class Impatient(Calm):
        def check(self) -> None:
            if place.records.documents.find("default", paths[0].name):
                raise JobInterrupted

    with pytest.raises(JobInterrupted):
        place.ingest(*paths, control=Impatient())

    known = [path for path in paths if place.records.documents.find("default", path.name)]
    assert paths[0] in known
    after = outcomes(place, *paths)
    assert {IngestOutcome.READY, IngestOutcome.UNCHANGED} >= set(after)


def test_yielding_finishes_what_was_begun(place: Ingesting, tmp_path: Path) -> None:
    paths = write_files(tmp_path / "yield", 30)
    paths = [path.rename(path.with_name(f"yield-{path.name}")) for path in paths]

    class Polite(Calm):
        def should_yield(self) -> bool:
            return True

    place.noted.clear()
    noted = place.ingest(*paths, control=Polite())

    assert len(noted) < len(paths)
    for number in noted:
        assert place.records.documents.find("default", paths[number].name) is not None


def test_a_long_document_tells_how_far_it_is(
    place: Ingesting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "TOLD_EVERY_S", 0.0)
    [path] = write_files(tmp_path / "long", 1, words=4_000)
    told: list[CurrentItem] = []

    inputs = [IngestInput(0, path, path.name, "default")]
    with paced(place) as used:
        used.run(inputs, place.noted.update, Calm(), reached=told.append)

    assert {item.source for item in told} == {path.name}
    assert told[0].total == 0
    counts = [item.done for item in told if item.total]
    assert len(set(counts)) > 2
    assert counts == sorted(counts)


def test_a_document_larger_than_one_batch_has_all_passages_in_order(place: Ingesting, tmp_path: Path) -> None:
    [path] = write_files(tmp_path / "large", 1, words=4_000)
    path = path.rename(path.with_name("large.txt"))

    with paced(place):
        place.ingest(path)

    summary = place.records.documents.find("default", "large.txt")
    assert summary is not None
    rows = place.records.passages.of_documents([summary.id])
    assert [row.stored.passage.ordinal for row in rows] == list(range(summary.passages))
    assert summary.passages > 4


def test_an_encoder_that_fails_ends_the_run_and_publishes_nothing_of_the_file(tmp_path: Path) -> None:
    class Broken(HashedEncoder):
        def encode_passages(self, texts: object) -> list[object]:  # type: ignore[override]
            raise EncoderError("The encoder is broken.")

    [path] = write_files(tmp_path / "files", 1)
    with opened(tmp_path / "home") as place:
        with paced(place, Broken()), pytest.raises(EncoderError):
            place.ingest(path)

        assert place.records.documents.find("default", path.name) is None


def test_a_disk_that_fails_while_publishing_ends_the_run_with_its_words(tmp_path: Path) -> None:
    paths = write_files(tmp_path / "files", 12)
    with opened(tmp_path / "home") as place:
        publish = place.records.documents.publish

        def full(new: NewVersion) -> Published:
            if new.source == paths[1].name:
                raise RecordsError("The disk is full.", next_step="Free some space.")
            return publish(new)

        place.records.documents.publish = full  # type: ignore[method-assign]

        with pytest.raises(RecordsError, match="The disk is full"):
            place.ingest(*paths)

        assert place.records.documents.find("default", paths[1].name) is None
        place.records.documents.publish = publish  # type: ignore[method-assign]
        assert {IngestOutcome.READY, IngestOutcome.UNCHANGED} == set(outcomes(place, *paths))


def test_passages_of_many_lengths_keep_their_order_and_their_own_vectors(tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text("\f".join(text(seed, 210 + 37 * (seed % 5)) for seed in range(40)))
    with opened(tmp_path / "home") as place:
        place.ingest(path)

        rows = place.records.passages.of_documents(
            [row.id for row in place.records.documents.list(EVERYTHING)]
        )
        encoder = HashedEncoder()
        assert [row.stored.passage.ordinal for row in rows] == list(range(len(rows)))
        assert len({row.stored.passage.tokens for row in rows}) > 3
        for row in rows:
            passage = row.stored.passage
            [expected] = encoder.encode_passages([TextToEncode(passage.text, passage.sentences)])
            assert (row.vector == expected.vector).all()


def test_a_job_lists_every_input_with_its_outcome(tmp_path: Path) -> None:
    write_files(tmp_path / "files", 3)
    (tmp_path / "files" / "empty.txt").touch()
    with opened(tmp_path / "home") as place:
        job = place.submit(tmp_path / "files", tmp_path / "missing.pdf")

        ended = worker.complete(place.records, tmp_path / "home", job, place.handlers)

        items = {item.source: item for item in place.records.jobs.items(job)}
        assert ended.state is JobState.PARTIAL
        assert items["files/file-000.txt"].outcome is IngestOutcome.READY
        assert items["missing.pdf"].outcome is IngestOutcome.FAILED
        assert items["missing.pdf"].document is None
        assert place.records.documents.find("default", "missing.pdf") is None


def test_a_resumed_job_tries_failed_inputs_again(tmp_path: Path) -> None:
    path = tmp_path / "late.txt"
    path.write_text("The tenant pays.")
    with opened(tmp_path / "home") as place:
        job = place.submit(path, tmp_path / "other.txt")
        assert (
            worker.complete(place.records, tmp_path / "home", job, place.handlers).state is JobState.PARTIAL
        )
        queue.resume(place.records, job)
        records = place.records

        again = worker.complete(records, tmp_path / "home", job, place.handlers)

        assert again.state is JobState.PARTIAL
        assert [item.outcome for item in records.jobs.items(job)] == [
            IngestOutcome.READY,
            IngestOutcome.FAILED,
        ]


def test_a_faster_encoder_gets_more_at_once_in_full_batches_up_to_a_bound() -> None:
    pace = Pace()
    first = (pace.size, pace.window)
    for _ in range(50):
        pace.note(100, 2.0)
    steady = (pace.size, pace.window)
    for _ in range(50):
        pace.note(100, 0.001)

    assert (first, steady, (pace.size, pace.window)) == ((32, 64), (48, 288), (512, 512))
    assert steady[0] % 16 == 0


def test_a_slow_encoder_still_gets_a_batch() -> None:
    pace = Pace()
    pace.note(1, 60.0)

    assert (pace.size, pace.window) == (32, 64)
