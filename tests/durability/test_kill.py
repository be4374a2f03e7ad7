"""A worker that is killed at any moment loses nothing and doubles nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.document import IngestOutcome
from core.domain.job import JobState
from core.errors import HomeBusyError
from core.ingest.job import MOST_DEATHS
from core.jobs import queue, worker
from core.jobs.base import WORKER_LEASE
from tests.support.ingesting import DEADLY, opened, write_files

FILES = 24
ROOT = Path(__file__).parents[2]


class Worker:
    """A worker process; a test ends it, or the fixture does."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.ingesting", str(home)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def wait_for_documents(self, count: int) -> None:
        """Until it has published so many, or has nothing more to say."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if int(line) >= count:
                return

    def end(self, number: signal.Signals) -> int:
        if self.process.poll() is None:
            os.kill(self.process.pid, number)
        code = self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def workers() -> Iterator[list[Worker]]:
    started: list[Worker] = []
    yield started
    for one in started:
        one.end(signal.SIGKILL)


def test_three_kills_leave_every_document_once_and_the_same_passages(
    tmp_path: Path, workers: list[Worker]
) -> None:
    write_files(tmp_path / "files", FILES, words=400)
    with opened(tmp_path / "calm") as calm:
        calm.ingest(*sorted((tmp_path / "files").iterdir()))
        expected = calm.contents()
    home = tmp_path / "home"
    with opened(home) as place:
        job = place.submit(tmp_path / "files")
        for count in (1, 3, 9):
            workers.append(Worker(home))
            workers[-1].wait_for_documents(count)
            workers[-1].end(signal.SIGKILL)
        workers.append(Worker(home))
        ended = queue.follow(place.records, job)
        workers[-1].end(signal.SIGTERM)

        items = place.records.jobs.items(job)
        assert (ended.state, ended.done, ended.total) == (JobState.DONE, FILES, FILES)
        assert {item.outcome for item in items} == {IngestOutcome.READY}
        assert len({item.document for item in items}) == FILES
        assert place.contents() == expected
        assert place.engine.status().passages == len(expected)
        assert place.engine.status().sequence == place.records.changes.data_version()


def test_a_terminated_worker_lets_go_of_its_job_and_the_next_one_ends_it(
    tmp_path: Path, workers: list[Worker]
) -> None:
    write_files(tmp_path / "files", FILES, words=400)
    with opened(tmp_path / "home") as place:
        job = place.submit(tmp_path / "files")
        workers.append(Worker(tmp_path / "home"))
        workers[0].wait_for_documents(1)

        assert workers[0].end(signal.SIGTERM) == 0

        assert place.records.leases.holder(WORKER_LEASE) is None
        assert place.records.jobs.get(job).state in (JobState.QUEUED, JobState.DONE)
        ended = worker.complete(place.records, tmp_path / "home", job, place.handlers)
        assert (ended.state, ended.done) == (JobState.DONE, FILES)


def test_a_second_worker_is_refused_while_the_first_lives_and_told_who_it_is(
    tmp_path: Path, workers: list[Worker]
) -> None:
    [path] = write_files(tmp_path / "files", 1)
    with opened(tmp_path / "home") as place:
        place.submit(path)
        workers.append(Worker(tmp_path / "home"))
        workers[0].wait_for_documents(1)

        with pytest.raises(HomeBusyError, match=str(workers[0].process.pid)):
            worker.run(place.records, tmp_path / "home", place.handlers, threading.Event())


def test_an_interrupted_job_is_finished_before_the_next_command_runs_its_own(
    tmp_path: Path, workers: list[Worker]
) -> None:
    write_files(tmp_path / "files", FILES, words=400)
    [later] = write_files(tmp_path / "later", 1)
    with opened(tmp_path / "home") as place:
        interrupted = place.submit(tmp_path / "files")
        workers.append(Worker(tmp_path / "home"))
        workers[0].wait_for_documents(2)
        workers[0].end(signal.SIGKILL)

        own = worker.complete(place.records, tmp_path / "home", place.submit(later), place.handlers)

        assert own.state is JobState.DONE
        assert place.records.jobs.get(interrupted).state is JobState.DONE
        assert len(place.records.jobs.items(interrupted)) == FILES


def test_a_file_that_kills_every_worker_is_given_up_and_the_rest_is_done(
    tmp_path: Path, workers: list[Worker]
) -> None:
    write_files(tmp_path / "files", 3)
    (tmp_path / "files" / DEADLY).write_text("The tenant pays the rent.")
    with opened(tmp_path / "home") as place:
        job = place.submit(tmp_path / "files")
        # At its first death several files were in hand, which counts against none of them.
        for _ in range(MOST_DEATHS + 1):
            workers.append(Worker(tmp_path / "home"))
            workers[-1].wait_for_documents(FILES)
            assert workers[-1].process.wait() == -signal.SIGKILL

        ended = worker.complete(place.records, tmp_path / "home", job, place.handlers)

        failed = [item for item in place.records.jobs.items(job) if item.outcome is IngestOutcome.FAILED]
        assert (ended.state, ended.done) == (JobState.PARTIAL, 4)
        assert [item.source for item in failed] == [f"files/{DEADLY}"]
        assert failed[0].reason.startswith(f"The worker died {MOST_DEATHS} times while it read this file.")
