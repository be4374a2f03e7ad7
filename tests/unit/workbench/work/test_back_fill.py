from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import Extraction
from core.domain.ids import ContentHash
from core.domain.job import JobState
from core.jobs.kinds import EXTRACT
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.workbench.wiring import Parts
from core.workbench.work.handlers import BackFill
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    made = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    parsed = ParsedDocument("Lease", "text/plain", (Page(1, "The rent is $900."),))
    made.records.documents.publish(NewVersion("leases", "lease.txt", parsed, ContentHash("a"), 10))
    yield made
    made.close()


def test_documents_that_lack_cells_are_filled_by_one_job_and_not_by_two(parts: Parts) -> None:
    clock = Clock()
    back_fill = BackFill(parts, clock=clock)

    at_once = back_fill.look()
    clock.now = 60.0
    job = back_fill.look()
    clock.now = 120.0
    while_it_waits = back_fill.look()

    assert at_once is None
    assert job is not None
    shown = parts.records.jobs.get(job)
    assert (shown.kind, shown.title) == (EXTRACT, "Fields of 1 document")
    assert while_it_waits is None


def test_a_back_fill_that_failed_or_was_cancelled_is_not_begun_again_at_once(parts: Parts) -> None:
    clock = Clock()
    back_fill = BackFill(parts, clock=clock)
    clock.now = 60.0
    job = back_fill.look()
    assert job is not None
    parts.records.jobs.finish(job, JobState.CANCELLED)
    clock.now = 120.0

    assert back_fill.look() is None


def test_a_home_without_documents_is_left_alone(parts: Parts) -> None:
    clock = Clock()
    parts.records.documents.remove([row.id for row in parts.records.documents.list(Visibility.everything())])
    back_fill = BackFill(parts, clock=clock)
    clock.now = 60.0

    assert back_fill.look() is None
    assert parts.records.jobs.list() == []


def test_where_a_question_waits_the_back_fill_begins_within_a_second(parts: Parts) -> None:
    clock = Clock()
    back_fill = BackFill(parts, clock=clock)
    assert back_fill.look() is None
    [document] = parts.records.documents.list(Visibility.everything())
    parts.records.reading_queue.add({document.id})
    clock.now = 1.0
    job = back_fill.look()
    assert job is not None
    assert parts.records.jobs.get(job).kind == EXTRACT


def test_what_was_read_in_the_very_moment_waits_no_more(parts: Parts) -> None:
    clock = Clock()
    back_fill = BackFill(parts, clock=clock)
    [document] = parts.records.documents.list(Visibility.everything())
    fingerprint = parts.definitions().fingerprint("leases")
    parts.records.fields.put(document.id, 1, Extraction("generic", {}), fingerprint)
    parts.records.reading_queue.add({document.id})
    clock.now = 1.0
    assert back_fill.look() is None
    assert parts.records.reading_queue.list() == []
