from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from core.domain.ids import JobId
from core.domain.job import JobState
from core.errors import NotFoundError, RecordsError
from core.jobs import queue
from core.jobs.base import SliceLimits
from core.jobs.runner import JobRunner
from core.store.store import Records
from tests.support.toy_jobs import CountingJob
from tests.support.waiting import wait_for


def claimed(records: Records, count: int = 3, owner: str = "me") -> JobId:
    job = queue.submit(records, "count", "Counting", {"count": count})
    assert records.jobs.claim(owner) is not None
    return job


def runner_of(
    records: Records, handler: CountingJob, owner: str = "me", may_run: Callable[[], bool] = lambda: True
) -> JobRunner:
    return JobRunner(records, {"count": handler}, may_run, SliceLimits(), owner)


def wait_until_idle(runner: JobRunner) -> None:
    wait_for(lambda: not runner.running(), 10)


def test_a_job_that_was_adopted_by_another_is_left_to_him_as_it_is(records: Records) -> None:
    job = claimed(records)

    def lose(ordinal: int) -> None:
        if ordinal == 1:
            records.jobs.give_back(job, "me")
            records.jobs.claim("adopter")
            handler.is_held_up = True

    handler = CountingJob(records, lose)
    runner = runner_of(records, handler)
    runner.start(job)
    wait_until_idle(runner)

    order = records.jobs.order(job)
    assert (order.owner, records.jobs.get(job).state) == ("adopter", JobState.RUNNING)
    assert len(records.jobs.items(job)) == 1


def test_two_that_hold_one_job_in_turn_note_each_item_once(records: Records) -> None:
    job, did = claimed(records), []
    adopting = CountingJob(records, lambda ordinal: did.append(("adopter", ordinal)))
    second = runner_of(records, adopting, "adopter")

    def lose(ordinal: int) -> None:
        did.append(("me", ordinal))
        if ordinal == 1:
            records.jobs.give_back(job, "me")
            records.jobs.claim("adopter")
            second.start(job)
            wait_until_idle(second)

    first = runner_of(records, CountingJob(records, lose))
    first.start(job)
    wait_until_idle(first)

    found = records.jobs.get(job)
    assert (found.state, found.done) == (JobState.DONE, 3)
    assert did == [("me", 0), ("me", 1), ("adopter", 1), ("adopter", 2)]


def test_a_lease_that_comes_back_while_a_slice_ends_does_not_cancel_its_job(records: Records) -> None:
    job, answers = claimed(records), iter([True, True, False])  # prepare and one slice may go on, no more
    runner = runner_of(records, CountingJob(records), may_run=lambda: next(answers, True))
    runner.start(job)
    wait_until_idle(runner)

    assert records.jobs.get(job).state is JobState.RUNNING


def test_a_job_that_is_started_again_waits_for_its_thread_of_before(records: Records) -> None:
    job, gate, did = claimed(records), threading.Event(), []

    def wait(ordinal: int) -> None:
        did.append(ordinal)
        gate.wait(10)

    runner = runner_of(records, CountingJob(records, wait))
    runner.start(job)
    wait_for(lambda: did, 10)
    records.jobs.give_back(job, "me")
    records.jobs.claim("me")
    runner.start(job)
    threading.Event().wait(0.1)
    assert did == [0]
    gate.set()
    wait_until_idle(runner)

    assert did == [0, 1, 2]
    assert records.jobs.get(job).state is JobState.DONE


def test_a_job_that_is_cancelled_in_its_last_slice_ends_as_cancelled(records: Records) -> None:
    job = claimed(records, count=1)
    handler = CountingJob(records, lambda ordinal: (records.jobs.request_cancel(job), None)[1])
    runner = runner_of(records, handler)
    runner.start(job)
    wait_until_idle(runner)

    found = records.jobs.get(job)
    assert (found.state, found.done) == (JobState.CANCELLED, 1)


def test_an_end_that_cannot_be_written_leaves_the_job_running_and_is_told(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecordsError("The disk is full.")

    job = claimed(records)
    monkeypatch.setattr(records.jobs, "finish", fail)
    runner = runner_of(records, CountingJob(records))
    runner.start(job)
    wait_until_idle(runner)

    assert isinstance(runner.hindrance, RecordsError)
    assert records.jobs.get(job).state is JobState.RUNNING


def test_closing_ends_what_runs_and_leaves_it_for_the_next(records: Records) -> None:
    job, begun = claimed(records), threading.Event()
    handler = CountingJob(records, lambda ordinal: begun.set())
    handler.is_held_up = True
    runner = runner_of(records, handler)
    runner.start(job)
    assert begun.wait(10)

    runner.close()
    runner.close()

    assert runner.running() == frozenset()
    assert records.jobs.get(job).state is JobState.RUNNING


def test_a_job_that_is_gone_is_let_go_of(records: Records) -> None:
    runner = runner_of(records, CountingJob(records))
    runner.start(JobId("jgone"))
    wait_until_idle(runner)

    assert isinstance(runner.hindrance, NotFoundError)


def test_what_has_ended_is_not_ended_again(records: Records) -> None:
    job = claimed(records)
    records.jobs.finish(job, JobState.CANCELLED)

    records.jobs.finish(job, JobState.DONE, owner="me")

    assert records.jobs.get(job).state is JobState.CANCELLED
