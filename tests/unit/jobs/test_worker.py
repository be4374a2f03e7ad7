from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.errors import GroundworkError, HomeBusyError, RecordsError
from core.jobs import queue, worker
from core.jobs.base import WORKER_LEASE
from core.jobs.ownership import Ownership
from core.jobs.worker import adopt
from core.store.base import JobItem
from core.store.store import Records
from tests.support.databases import records_on_sqlite
from tests.support.toy_jobs import CountingJob, done


def submit(records: Records, count: int = 3, kind: str = "count") -> JobId:
    return queue.submit(records, kind, "Counting", {"count": count}, user="ann")


def run(records: Records, home: Path, job: JobId, handler: CountingJob | None = None) -> Job:
    """Run a worker until the job has ended."""
    chosen = handler or CountingJob(records)
    worker.run(
        records,
        home,
        lambda: {"count": chosen},
        threading.Event(),
        is_wanted=lambda: not records.jobs.get(job).state.is_ended,
    )
    return records.jobs.get(job)


def test_a_queued_job_is_run_to_its_end(records: Records, tmp_path: Path) -> None:
    ended = run(records, tmp_path, submit(records))

    assert (ended.state, ended.done, ended.total) == (JobState.DONE, 3, 3)


def test_a_job_of_an_unknown_kind_fails_and_names_the_known_ones(records: Records, tmp_path: Path) -> None:
    ended = run(records, tmp_path, submit(records, kind="cuont"))

    assert ended.state is JobState.FAILED
    assert ended.error == "Unknown kind of job 'cuont'. Expected one of: count."


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RecordsError("The disk is full.", next_step="Free some."), "The disk is full. Free some."),
        (ZeroDivisionError("by zero"), "Unexpected ZeroDivisionError: by zero"),
    ],
)
def test_what_a_job_raises_becomes_its_plain_words(
    records: Records, tmp_path: Path, error: Exception, words: str
) -> None:
    def fail(ordinal: int) -> None:
        if ordinal == 1:
            raise error

    ended = run(records, tmp_path, submit(records), CountingJob(records, fail))

    assert (ended.state, ended.error, ended.done) == (JobState.FAILED, words, 1)


def test_a_failed_job_is_resumed_where_it_stopped(records: Records, tmp_path: Path) -> None:
    begun: list[int] = []

    def fail_once(ordinal: int) -> None:
        begun.append(ordinal)
        if begun == [0, 1]:
            raise RecordsError("The disk is full.")

    handler, job = CountingJob(records, fail_once), submit(records)
    run(records, tmp_path, job, handler)
    queue.resume(records, job)

    ended = run(records, tmp_path, job, handler)

    assert (ended.state, ended.error, begun) == (JobState.DONE, None, [0, 1, 1, 2])


def test_a_cancelled_job_keeps_what_it_has_done(records: Records, tmp_path: Path) -> None:
    job = submit(records)

    def cancel(ordinal: int) -> None:
        if ordinal == 1:
            queue.cancel(records, job)
            handler.is_held_up = True

    handler = CountingJob(records, cancel)
    ended = run(records, tmp_path, job, handler)

    assert (ended.state, ended.done) == (JobState.CANCELLED, 1)


def test_a_job_that_waits_is_cancelled_at_once(records: Records) -> None:
    job = submit(records)

    assert queue.cancel(records, job) is JobState.CANCELLED


def test_a_job_whose_worker_died_is_cancelled_at_once(records: Records) -> None:
    job = submit(records)
    records.jobs.claim("dead")

    assert queue.cancel(records, job) is JobState.CANCELLED


@pytest.mark.parametrize("state", [JobState.DONE, JobState.QUEUED])
def test_only_an_ended_job_that_left_something_to_do_is_resumed(records: Records, state: JobState) -> None:
    job = submit(records)
    if state.is_ended:
        records.jobs.finish(job, state)

    with pytest.raises(GroundworkError, match=state.value):
        queue.resume(records, job)


def test_a_stopped_worker_leaves_its_job_queued_for_the_next(records: Records, tmp_path: Path) -> None:
    job, stop = submit(records), threading.Event()

    worker.run(
        records,
        tmp_path,
        lambda: {"count": CountingJob(records, lambda ordinal: stop.set())},
        stop,
    )

    assert records.jobs.get(job).state is JobState.QUEUED
    assert run(records, tmp_path, job).done == 3


def test_jobs_of_a_dead_worker_are_queued_again_but_those_asked_to_stop_are_cancelled(
    records: Records,
) -> None:
    first, second, mine = submit(records), submit(records), submit(records)
    for _ in range(3):
        records.jobs.claim("dead")
    records.jobs.request_cancel(second)

    assert adopt(records, frozenset({mine})) == [first]
    assert [records.jobs.get(job).state for job in (first, second, mine)] == [
        JobState.QUEUED,
        JobState.CANCELLED,
        JobState.RUNNING,
    ]


def test_an_old_job_is_run_before_a_new_one_and_shown(records: Records, tmp_path: Path) -> None:
    old, new, shown = submit(records), submit(records), []

    ended = worker.complete(
        records, tmp_path, new, lambda: {"count": CountingJob(records)}, on_progress=shown.append
    )

    assert ended.state is JobState.DONE
    assert records.jobs.get(old).state is JobState.DONE
    assert shown[-1].id == new


def test_an_interrupt_from_the_keyboard_cancels_the_job(records: Records, tmp_path: Path) -> None:
    job = submit(records)

    def press(_: Job) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worker.complete(records, tmp_path, job, dict, on_progress=press)

    assert records.jobs.get(job).state is JobState.CANCELLED


def test_upkeep_that_fails_does_not_end_the_worker(records: Records, tmp_path: Path) -> None:
    job = submit(records)

    def fail() -> None:
        raise RecordsError("The index is broken.")

    worker.run(
        records,
        tmp_path,
        lambda: {"count": CountingJob(records)},
        threading.Event(),
        background=fail,
        is_wanted=lambda: not records.jobs.get(job).state.is_ended,
    )

    assert records.jobs.get(job).state is JobState.DONE


@records_on_sqlite
def test_the_home_is_owned_once_and_let_go_of(records: Records, tmp_path: Path) -> None:
    with Ownership(records, tmp_path) as first:
        assert first.is_held
        assert queue.is_worker_alive(records)
        with pytest.raises(HomeBusyError), Ownership(records, tmp_path):
            pass

    assert not queue.is_worker_alive(records)


@records_on_sqlite
def test_the_lease_of_a_dead_worker_on_this_machine_is_not_waited_for(
    records: Records, tmp_path: Path
) -> None:
    with Ownership(records, tmp_path) as first:
        host = first.owner.split(":")[0]
    records.leases.acquire(WORKER_LEASE, f"{host}:1:dead", 60)

    with Ownership(records, tmp_path) as second:
        assert second.is_held


@records_on_sqlite
def test_the_lease_of_a_worker_on_another_machine_is_respected(records: Records, tmp_path: Path) -> None:
    records.leases.acquire(WORKER_LEASE, "elsewhere:1:alive", 60)

    with pytest.raises(HomeBusyError, match="elsewhere"), Ownership(records, tmp_path):
        pass


def test_a_worker_that_died_is_not_followed(records: Records) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True
    )
    records.leases.acquire(WORKER_LEASE, f"{socket.gethostname()}:{ended.stdout.strip()}:x", 60)

    assert not queue.is_worker_alive(records)


@records_on_sqlite
def test_a_home_of_the_version_before_goes_on_where_it_stopped_and_its_log_is_left_alone(
    records: Records, tmp_path: Path
) -> None:
    log = tmp_path / "jobs.sqlite"
    log.write_text("This is no database. " * 50)
    begun: list[int] = []
    handler = CountingJob(records, begun.append)
    job, cancelled, waiting = submit(records), submit(records), submit(records)
    for _ in range(2):
        records.jobs.claim(f"{socket.gethostname()}:1:dead")
    records.jobs.add_items(job, [JobItem(f"item {number}") for number in range(3)])
    records.jobs.set_items(job, {0: done("item 0")})
    records.jobs.request_cancel(cancelled)
    records.leases.acquire(WORKER_LEASE, f"{socket.gethostname()}:1:dead", 60)

    ended = run(records, tmp_path, waiting, handler)

    assert (ended.state, ended.done) == (JobState.DONE, 3)
    assert (records.jobs.get(job).state, records.jobs.get(job).done) == (JobState.DONE, 3)
    assert records.jobs.order(job).attempts == 2
    assert sorted(begun) == [0, 1, 1, 2, 2]
    assert records.jobs.get(cancelled).state is JobState.CANCELLED
    assert log.read_text() == "This is no database. " * 50
