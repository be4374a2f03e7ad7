"""Scans in a home: which wait, when they are read by themselves, and where their words stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.config.models import Settings
from core.domain.document import CONFIDENCE, READ_BY, Page, PageReading, ParsedDocument, ReadLine
from core.domain.ids import ContentHash, DocumentId
from core.domain.job import JobState
from core.domain.principal import Principal
from core.domain.span import Box
from core.errors import RefusedError, UsageError
from core.ingest import ocr
from core.jobs.kinds import OCR
from core.processes.extra import Extra
from core.store.base import NewVersion
from core.workbench.facade import Workbench
from core.workbench.wiring import Parts
from core.workbench.work.scan_jobs import ScanReading, scans
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK

_HASH = ContentHash("c" * 64)
_READING = PageReading(1, "The rent is $900.", (ReadLine(0, 17, Box(0.1, 0.2, 0.78, 0.22), 0.9),))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def _publish(parts: Parts, text: str = "", **metadata: str) -> DocumentId:
    reason = "" if text else "No page holds text."
    parsed = ParsedDocument(
        "Lease", "application/pdf", (Page(1, text),), metadata=metadata, unreadable_reason=reason
    )
    return parts.records.documents.publish(
        NewVersion("leases", "lease.pdf", parsed, _HASH, 10, force=True)
    ).document


def _made(tmp_path: Path, **ingest: str) -> PartsWith:
    settings = load_settings(tmp_path / "home")
    changed = settings.ingest.model_copy(update=ingest)
    return PartsWith(Settings(home=settings.home, ingest=changed), HashedEncoder())


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    made = _made(tmp_path)
    _publish(made)
    yield made
    made.close()


def _look(parts: Parts, *, can_read: bool = True) -> list[str]:
    """Titles of the jobs that two looks, a minute apart, submit."""
    clock = Clock()
    reading = ScanReading(parts, clock=clock, can_read=lambda: can_read)
    found = []
    for clock.now in (60.0, 120.0):
        job = reading.look()
        found += [] if job is None else [parts.records.jobs.get(job).title]
    return found


def test_a_scan_that_came_in_is_read_by_one_job(parts: Parts) -> None:
    assert _look(parts) == ["Reading 1 scan"]
    [job] = parts.records.jobs.list()
    assert job.kind == OCR


def test_nothing_is_begun_where_recognition_is_not_installed(parts: Parts) -> None:
    assert _look(parts, can_read=False) == []


def test_nothing_is_begun_where_the_setting_is_off(tmp_path: Path) -> None:
    made = _made(tmp_path, ocr="off")
    _publish(made)
    assert _look(made) == []
    made.close()


def test_a_scan_that_was_read_in_vain_is_left_to_people(parts: Parts) -> None:
    parts.records.page_readings.put(_HASH, PageReading(1, ""))
    assert _look(parts) == []
    assert len(scans(parts.records, again=True)) == 1


def test_a_reading_that_was_cancelled_is_not_begun_again_at_once(parts: Parts) -> None:
    _look(parts)
    [job] = parts.records.jobs.list()
    parts.records.jobs.finish(job.id, JobState.CANCELLED)
    assert _look(parts) == []


def test_a_span_of_a_page_that_was_read_is_marked_where_its_line_stands(parts: Parts) -> None:
    document = _publish(parts, _READING.text, **{READ_BY: "ocr", CONFIDENCE: "0.90"})
    parts.records.page_readings.put(_HASH, _READING)
    original = parts.settings.home / "blobs" / _HASH[:2] / _HASH
    original.parent.mkdir(parents=True, exist_ok=True)
    original.write_bytes(b"%PDF-1.4")
    bench = Workbench(parts)

    [[box]] = bench.local.documents.boxes(document, None, 1, [(12, 17)])
    words = bench.local.documents.words(document, None, 1)

    assert (round(box.x0, 2), round(box.x1, 2), box.y0) == (0.58, 0.78, 0.2)
    assert [word for word, _ in words] == ["The", "rent", "is", "$900."]


def test_reading_is_refused_to_who_may_not_change_the_collection(parts: Parts) -> None:
    with pytest.raises(RefusedError):
        Workbench(parts).for_principal(Principal("ann", MAY_ASK)).documents.submit_ocr([_publish(parts)])


def test_without_the_extra_a_request_says_how_to_get_it(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "EXTRA", Extra("ocr", "no_such_package_of_ours"))
    with pytest.raises(UsageError, match="not installed"):
        Workbench(parts).local.documents.submit_ocr([_publish(parts)])
