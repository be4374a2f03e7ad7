import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.document import IngestOutcome
from core.domain.ids import DocumentId, JobId
from core.domain.job import CurrentItem, IngestItem, JobState
from core.errors import JobError, NotFoundError
from core.store.base import JobItem
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def item(source: str, outcome: IngestOutcome = IngestOutcome.READY) -> IngestItem:
    return IngestItem(DocumentId("d1"), source, "Title", "b", outcome, "", 3, 4)


def new_job(records: Records, count: int = 3, kind: str = "ingest") -> JobId:
    items = [JobItem(f"{number}.txt", "b", {"path": f"/{number}"}) for number in range(count)]
    return records.jobs.create(kind, "Some files", {"bucket": "b"}, items, user="ann", now=NOW)


def test_a_job_keeps_its_inputs_in_order_with_their_payload(records: Records) -> None:
    job = new_job(records)
    assert [(row.ordinal, row.source) for row in records.jobs.pending(job)] == [
        (0, "0.txt"),
        (1, "1.txt"),
        (2, "2.txt"),
    ]
    assert records.jobs.pending(job)[1].payload == {"path": "/1"}
    assert records.jobs.add_items(job, [JobItem("mail.eml/a.pdf")]) == [3]
    assert records.jobs.get(job).total == 4
    assert records.jobs.order(job).payload == {"bucket": "b"}


def test_a_running_job_says_what_it_works_on_and_counts_the_done_part(records: Records) -> None:
    job = new_job(records, count=2)
    assert records.jobs.get(job).share == 0.0
    records.jobs.claim("worker", now=at(1))
    records.jobs.set_current(job, CurrentItem("0.txt", 30, 120))
    running = records.jobs.get(job)
    assert (running.current, running.share) == (CurrentItem("0.txt", 30, 120), 0.125)
    records.jobs.finish(job, JobState.DONE)
    assert records.jobs.get(job).current is None


def test_a_queued_job_is_claimed_once_the_oldest_first(records: Records) -> None:
    first = new_job(records)
    second = records.jobs.create("crawl", "Site", {}, now=at(1))
    claimed = records.jobs.claim("worker", now=at(2))
    assert claimed is not None
    assert (claimed.id, claimed.owner, claimed.attempts, claimed.user) == (first, "worker", 1, "ann")
    other = records.jobs.claim("other", now=at(2))
    assert other is not None
    assert other.id == second
    assert records.jobs.claim("other", now=at(2)) is None


def test_an_input_counts_once_however_often_it_is_noted(records: Records) -> None:
    job = new_job(records)
    records.jobs.set_items(job, {1: item("1.txt")})
    records.jobs.set_items(job, {1: item("1.txt", IngestOutcome.UNCHANGED)})
    found = records.jobs.get(job)
    assert (found.done, found.total, found.last_item) == (1, 3, "1.txt")
    assert [row.outcome for row in records.jobs.items(job)] == [IngestOutcome.UNCHANGED]
    assert [row.ordinal for row in records.jobs.pending(job)] == [0, 2]
    records.jobs.set_items(job, {0: item("0.txt"), 1: item("1.txt"), 2: item("2.txt")})
    assert records.jobs.get(job).done == 3
    assert records.jobs.pending(job) == []


def test_rate_and_time_left_follow_recent_progress(records: Records) -> None:
    job = records.jobs.create("reindex", "All", {}, now=NOW)
    records.jobs.claim("worker", now=NOW)
    records.jobs.progress(job, 0, total=100, now=NOW)
    assert records.jobs.get(job).eta_s is None
    records.jobs.progress(job, 20, last_item="x", now=at(10))
    found = records.jobs.get(job)
    assert (found.rate, found.eta_s, found.last_item) == (2.0, 40.0, "x")
    records.jobs.progress(job, 30, now=at(20))
    assert 1.0 < (records.jobs.get(job).rate or 0) < 2.0
    records.jobs.finish(job, JobState.DONE, now=at(21))
    assert records.jobs.get(job).eta_s is None


def test_a_running_job_is_asked_to_stop_and_a_queued_one_stops_at_once(records: Records) -> None:
    running = new_job(records)
    records.jobs.claim("worker", now=NOW)
    queued = new_job(records)
    assert records.jobs.request_cancel(queued) is JobState.CANCELLED
    assert records.jobs.request_cancel(running) is JobState.RUNNING
    assert records.jobs.order(running).cancel_requested
    records.jobs.finish(running, JobState.CANCELLED)
    with pytest.raises(JobError, match="already ended"):
        records.jobs.request_cancel(running)


def test_a_job_of_a_dead_worker_resumes_where_it_was(records: Records) -> None:
    job = new_job(records)
    records.jobs.claim("dead", now=NOW)
    records.jobs.set_items(job, {0: item("0.txt")}, now=at(10))
    records.jobs.resume(job)
    claimed = records.jobs.claim("alive", now=at(31))
    assert claimed is not None
    assert (claimed.owner, claimed.attempts) == ("alive", 2)
    assert [row.ordinal for row in records.jobs.pending(job)] == [1, 2]


def test_failed_inputs_can_be_tried_again(records: Records) -> None:
    job = new_job(records)
    outcomes = (IngestOutcome.FAILED, IngestOutcome.READY, IngestOutcome.FAILED)
    records.jobs.set_items(job, {n: item(f"{n}.txt", outcome) for n, outcome in enumerate(outcomes)})
    records.jobs.finish(job, JobState.PARTIAL, "2 failed")
    records.jobs.resume(job, retry=[IngestOutcome.FAILED])
    found = records.jobs.get(job)
    assert (found.state, found.done, found.error) == (JobState.QUEUED, 1, None)
    assert [row.ordinal for row in records.jobs.pending(job)] == [0, 2]


def test_jobs_are_listed_newest_first_and_by_state(records: Records) -> None:
    first = new_job(records)
    second = records.jobs.create("crawl", "Site", {}, now=at(1))
    assert [job.id for job in records.jobs.list()] == [second, first]
    records.jobs.claim("worker")
    assert [job.id for job in records.jobs.list(states=[JobState.RUNNING])] == [first]
    assert len(records.jobs.list(limit=1)) == 1


def test_unknown_jobs_and_false_ends_are_refused(records: Records) -> None:
    with pytest.raises(NotFoundError, match="nope"):
        records.jobs.get(JobId("nope"))
    with pytest.raises(JobError, match="running"):
        records.jobs.finish(new_job(records), JobState.RUNNING)


def test_of_many_that_claim_at_once_each_gets_another_job(records: Records) -> None:
    made = {new_job(records, count=0) for _ in range(24)}
    claimed: list[JobId] = []

    def claim_all(owner: str) -> None:
        while (order := records.jobs.claim(owner)) is not None:
            claimed.append(order.id)

    threads = [threading.Thread(target=claim_all, args=(f"w{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A claim passes over rows that others are claiming: whoever saw only such rows asks again later.
    claim_all("last")
    assert sorted(claimed) == sorted(made)


def test_kinds_that_are_withheld_and_jobs_too_young_are_left(records: Records) -> None:
    reindex = records.jobs.create("reindex", "All", {}, now=NOW)
    young = records.jobs.create("ingest", "Files", {}, now=at(5))
    assert records.jobs.claim("w", withheld=["reindex"], waiting_s=2, now=at(6)) is None
    claimed = [records.jobs.claim("w", withheld=["reindex"], now=at(7)), records.jobs.claim("w", now=at(7))]
    assert [order.id for order in claimed if order] == [young, reindex]


def test_a_job_is_given_back_only_in_the_name_of_its_owner(records: Records) -> None:
    kept, stopped = new_job(records), new_job(records)
    records.jobs.claim("w", now=NOW)
    records.jobs.claim("w", now=NOW)
    records.jobs.request_cancel(stopped)
    assert [order.id for order in records.jobs.running()] == sorted([kept, stopped])
    assert records.jobs.give_back(kept, "another") is None
    assert records.jobs.give_back(kept, "w") is JobState.QUEUED
    assert records.jobs.give_back(kept, "w") is None
    assert records.jobs.give_back(stopped, "w") is JobState.CANCELLED


def test_a_job_is_ended_only_by_its_owner_where_one_is_named(records: Records) -> None:
    job = new_job(records)
    records.jobs.claim("w")
    records.jobs.finish(job, JobState.FAILED, owner="another")
    assert records.jobs.get(job).state is JobState.RUNNING
    records.jobs.finish(job, JobState.DONE, owner="w")
    assert records.jobs.get(job).state is JobState.DONE


def test_the_time_left_is_right_within_a_factor_of_two_from_the_first_minute_on(records: Records) -> None:
    """5,000 texts as an ingest notes them: it starts for 9 s, then 12 a second, 64 published at once."""
    total, start_s, at_once, per_s = 5_000, 9.0, 64, 12.0
    job = records.jobs.create("ingest", "Abstracts", {}, now=NOW)
    records.jobs.claim("me", now=NOW)
    ratios, done = [], 0
    for burst in range(1, 40):
        ends_at = start_s + burst * at_once / per_s
        for part in range(4):  # notes are written four times a second
            done += at_once // 4
            moment = ends_at + part * 0.25
            records.jobs.progress(job, done, total, now=at(moment))
            left = start_s + total / per_s - moment
            ratios.append((moment, (records.jobs.get(job).eta_s or 0.0) / left))

    assert [(moment, ratio) for moment, ratio in ratios if moment >= 60 and not 0.5 <= ratio <= 2.0] == []


def test_the_time_left_of_one_long_file_follows_from_its_own_progress(records: Records) -> None:
    job = new_job(records, count=1)
    records.jobs.claim("worker", now=at(0))
    records.jobs.set_current(job, CurrentItem("0.txt", 0, 1_000), at(1))
    assert records.jobs.get(job).eta_s is None
    records.jobs.set_current(job, CurrentItem("0.txt", 100, 1_000), at(11))
    running = records.jobs.get(job)
    assert running.current is not None
    assert running.current.left_s == pytest.approx(90)
    assert running.eta_s == pytest.approx(90)
    records.jobs.set_current(job, CurrentItem("0.txt", 500, 1_000), at(31))
    assert records.jobs.get(job).eta_s == pytest.approx(30)


def test_many_quick_files_say_nothing_of_a_long_one_after_them(records: Records) -> None:
    job = new_job(records, count=3)
    records.jobs.claim("worker", now=at(0))
    records.jobs.set_items(job, {0: item("0.txt"), 1: item("1.txt")}, at(2))
    records.jobs.set_current(job, CurrentItem("2.txt", 0, 1_000), at(3))
    records.jobs.set_current(job, CurrentItem("2.txt", 50, 1_000), at(13))
    assert records.jobs.get(job).eta_s == pytest.approx(190)
