"""Scans that a job makes readable, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.document import CONFIDENCE, READ_BY, DocumentStatus, DocumentSummary, DocumentVersion
from core.domain.ids import DocumentId, JobId
from core.errors import InputError
from core.ingest.job import IngestJob
from core.ingest.ocr_job import OcrJob, OcrPool
from core.jobs import queue
from core.jobs.base import JobInterrupted
from core.jobs.kinds import OCR
from core.store.database.visibility import Visibility
from tests.support.ingesting import Ingesting, opened
from tests.support.scanned import WORDS, ScriptedPages, Turn, write_scan

_ALL = Visibility.everything()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Ingesting]:
    with opened(tmp_path / "home") as found:
        yield found


@pytest.fixture
def scan(place: Ingesting, tmp_path: Path) -> DocumentSummary:
    [item] = place.ingest(write_scan(tmp_path / "scan.pdf")).values()
    assert item.document is not None
    return place.records.documents.get(item.document, _ALL)


def _submit(place: Ingesting, *documents: DocumentId) -> JobId:
    return queue.submit(place.records, OCR, "test", {"documents": list(documents)})


def _job(place: Ingesting, pages: ScriptedPages) -> OcrJob:
    return OcrJob(place.records, pages, IngestJob(place.records, place.settings, place.pipeline))


def _run(place: Ingesting, job: JobId, pages: ScriptedPages) -> None:
    handler, order = _job(place, pages), place.records.jobs.order(job)
    handler.prepare(Turn(order))
    while handler.work(Turn(order)):
        pass


def _read(place: Ingesting, document: DocumentId) -> DocumentVersion:
    return place.records.documents.version(document, None, _ALL)


def test_a_scan_is_unreadable_and_says_how_it_could_be_read(scan: DocumentSummary) -> None:
    assert scan.status is DocumentStatus.UNREADABLE
    assert "pip install -e '.[ocr]'" in scan.reason


def test_a_scan_that_was_read_is_ready_with_text_passages_and_its_confidence(
    place: Ingesting, scan: DocumentSummary
) -> None:
    _run(place, _submit(place, scan.id), ScriptedPages())

    found = _read(place, scan.id)
    assert (found.summary.status, found.summary.version, found.summary.reason) == ("ready", 2, "")
    assert [page.text for page in found.pages] == [f"Page {number}. {WORDS}" for number in (1, 2, 3)]
    assert found.summary.passages > 0
    assert (found.metadata[READ_BY], found.metadata[CONFIDENCE]) == ("ocr", "0.80")


def test_the_boxes_of_its_lines_are_kept_with_the_original(place: Ingesting, scan: DocumentSummary) -> None:
    _run(place, _submit(place, scan.id), ScriptedPages())

    reading = place.records.page_readings.page(scan.content_hash, 2)
    assert reading is not None
    [box] = reading.boxes(reading.text.index("rent"), len(reading.text))
    assert (box.y0, box.y1) == (0.1, 0.12)
    assert box.x0 > 0.1


def test_a_job_that_was_cut_short_reads_only_the_pages_that_are_left(
    place: Ingesting, scan: DocumentSummary
) -> None:
    job, first, second = _submit(place, scan.id), ScriptedPages(), ScriptedPages()
    order = place.records.jobs.order(job)
    handler = _job(place, first)
    handler.prepare(Turn(order))
    with pytest.raises(JobInterrupted):
        handler.work(Turn(order, ends_after=2))

    _run(place, job, second)

    assert (first.read_pages, second.read_pages) == ([1, 2], [3])
    assert _read(place, scan.id).summary.status is DocumentStatus.READY


def test_a_slice_ends_after_a_page_where_others_wait_and_says_how_far_it_is(
    place: Ingesting, scan: DocumentSummary
) -> None:
    pages = ScriptedPages()
    _submit(place, scan.id)
    order = place.records.jobs.claim("worker")
    assert order is not None
    handler = _job(place, pages)
    handler.prepare(Turn(order))

    assert handler.work(Turn(order, yields_after=1))
    assert pages.read_pages == [1]
    current = place.records.jobs.get(order.id).current
    assert current is not None
    assert (current.source, current.done, current.total) == (scan.source, 0, 3)


def test_a_page_that_cannot_be_read_stays_empty_and_the_others_count(
    place: Ingesting, scan: DocumentSummary
) -> None:
    _run(place, _submit(place, scan.id), ScriptedPages(broken=[2]))

    found = _read(place, scan.id)
    assert found.summary.status is DocumentStatus.READY
    assert found.pages[1].text == ""


def test_the_same_file_in_another_place_is_readable_at_once(
    place: Ingesting, scan: DocumentSummary, tmp_path: Path
) -> None:
    _run(place, _submit(place, scan.id), ScriptedPages())

    copy = tmp_path / "copy.pdf"
    copy.write_bytes((tmp_path / "scan.pdf").read_bytes())
    [item] = place.ingest(copy).values()
    assert item.outcome == "ready"


def test_readings_go_with_the_last_document_of_their_original(
    place: Ingesting, scan: DocumentSummary
) -> None:
    _run(place, _submit(place, scan.id), ScriptedPages())
    assert place.records.page_readings.originals() == {scan.content_hash}

    place.records.documents.remove([scan.id])

    assert place.records.page_readings.originals() == frozenset()


def test_a_page_is_read_in_a_process_of_its_own(place: Ingesting, tmp_path: Path) -> None:
    pool = OcrPool(place.settings, "tests.support.scanned:ScriptedReader")
    try:
        reading = pool.read(write_scan(tmp_path / "scan.pdf"), 2)
    finally:
        pool.close()
    assert (reading.page_no, reading.text, len(reading.lines)) == (2, WORDS, 1)


def test_a_reader_that_crashes_costs_its_page_and_not_the_worker(place: Ingesting, tmp_path: Path) -> None:
    pool = OcrPool(place.settings, "tests.support.scanned:DeadlyReader")
    try:
        with pytest.raises(InputError, match="crashed"):
            pool.read(write_scan(tmp_path / "scan.pdf"), 1)
    finally:
        pool.close()
