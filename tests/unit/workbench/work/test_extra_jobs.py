"""Installing text recognition as a job: followed, cancelled, failing honestly; then the scans are read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import ContentHash
from core.domain.job import Job, JobState
from core.errors import JobError
from core.ingest.ocr import EXTRA
from core.jobs import queue
from core.jobs.kinds import INSTALL, OCR
from core.jobs.worker import run
from core.processes.extra import Extra
from core.store.base import NewVersion
from core.workbench.wiring import Parts
from core.workbench.work.handlers import Install, InstallJob, log_of
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

Step = Callable[[str], None]


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    made = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    yield made
    made.close()


def _add_scan(parts: Parts) -> None:
    parsed = ParsedDocument(
        "Lease", "application/pdf", (Page(1, ""),), unreadable_reason="No page holds text."
    )
    parts.records.documents.publish(
        NewVersion("leases", "lease.pdf", parsed, ContentHash("c" * 64), 10, force=True)
    )


def _run(parts: Parts, install: Install) -> Job:
    """The job as the worker leaves it, with this in place of the installation."""
    job = queue.submit(parts.records, INSTALL, "Text recognition", {}, user="ann")
    handler = InstallJob(parts.records, parts.settings.home, install)
    run(
        parts.records,
        parts.settings.home,
        lambda: {INSTALL: handler},
        threading.Event(),
        withheld=lambda: (OCR,),
        is_wanted=lambda: not parts.records.jobs.get(job).state.is_ended,
    )
    return parts.records.jobs.get(job)


def _installed(extra: Extra, check: Callable[[], None], tell: Step, log: Path) -> None:
    tell("Downloading a wheel")


def test_after_it_the_scans_that_wait_are_read_for_the_one_who_asked(parts: Parts) -> None:
    _add_scan(parts)

    job = _run(parts, _installed)

    assert job.state is JobState.DONE
    [reading] = [each for each in parts.records.jobs.list() if each.kind == OCR]
    assert (reading.title, reading.state) == ("Reading 1 scan", JobState.QUEUED)


def test_no_reading_begins_where_nothing_waits(parts: Parts) -> None:
    job = _run(parts, _installed)

    assert [each.id for each in parts.records.jobs.list()] == [job.id]


def test_it_is_told_what_to_install_and_its_step_is_shown(parts: Parts) -> None:
    seen: list[object] = []

    def install(extra: Extra, check: Callable[[], None], tell: Step, log: Path) -> None:
        tell("Downloading a wheel")
        [running] = parts.records.jobs.list()
        assert running.current is not None
        seen.extend((extra, log, running.current.source))

    job = _run(parts, install)

    assert seen == [EXTRA, log_of(parts.settings.home, job.id), "Downloading a wheel"]


def test_a_failure_is_said_and_no_scan_is_read(parts: Parts) -> None:
    _add_scan(parts)

    def install(extra: Extra, check: Callable[[], None], tell: Step, log: Path) -> None:
        raise JobError("The disk is full.", next_step="Free some space.")

    job = _run(parts, install)

    assert job.state is JobState.FAILED
    assert "The disk is full." in job.error
    assert [each.kind for each in parts.records.jobs.list()] == [INSTALL]


def test_a_cancelled_one_ends_and_reads_nothing(parts: Parts) -> None:
    _add_scan(parts)

    def install(extra: Extra, check: Callable[[], None], tell: Step, log: Path) -> None:
        [running] = parts.records.jobs.list()
        queue.cancel(parts.records, running.id)
        for _ in range(100):  # ten seconds: the worker takes note within two
            check()
            threading.Event().wait(0.1)

    job = _run(parts, install)

    assert job.state is JobState.CANCELLED
    assert [each.kind for each in parts.records.jobs.list()] == [INSTALL]
