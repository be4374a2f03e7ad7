from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.domain.job import JobState
from core.jobs import queue
from core.store.store import Records


def test_work_is_due_where_no_job_of_it_ever_was(records: Records) -> None:
    assert queue.is_due(records, "read")


@pytest.mark.parametrize("kind", ["read", "ingest"])
def test_work_is_not_due_while_a_job_is_at_it(records: Records, kind: str) -> None:
    queue.submit(records, kind, "Reading", {})

    assert not queue.is_due(records, "read", done_by=("ingest",))
    assert queue.is_due(records, "other")


@pytest.mark.parametrize(
    ("state", "minutes", "is_due"),
    [
        (JobState.DONE, 0, True),
        (JobState.PARTIAL, 0, True),
        (JobState.FAILED, 50, False),
        (JobState.CANCELLED, 50, False),
        (JobState.FAILED, 61, True),
    ],
)
def test_work_that_ended_in_vain_waits_an_hour(
    records: Records, state: JobState, minutes: int, is_due: bool
) -> None:
    job = queue.submit(records, "read", "Reading", {})
    records.jobs.finish(job, state, now=datetime.now(UTC) - timedelta(minutes=minutes))

    assert queue.is_due(records, "read") is is_due
