"""Text recognition that is killed at any page goes on: what was read stays, and little is read twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from core.domain.document import DocumentStatus
from core.domain.job import JobState
from core.jobs import queue
from core.records.visibility import Visibility
from tests.support.ingesting import opened
from tests.support.reading_scans import scan_workers, submit
from tests.support.scanned import WORDS, write_scan

ALL = Visibility.everything()
PAGES = (5, 4)


def test_a_killed_reading_goes_on_and_reads_only_the_page_in_hand_again(tmp_path: Path) -> None:
    files = [write_scan(tmp_path / f"scan{number}.pdf", pages) for number, pages in enumerate(PAGES)]
    home = tmp_path / "home"
    with opened(home) as place, scan_workers(home, "tests.support.scanned:ScriptedReader") as workers:
        place.ingest(*files)
        scans = place.records.documents.list(ALL)
        job = submit(place, [scan.id for scan in scans])
        for page in (3, 4):  # of the first document; then of the second, after two that are left of the first
            workers.kill_while_reading(page)
        kept = {scan.content_hash: place.records.page_readings.pages(scan.content_hash) for scan in scans}
        workers.start()
        ended = queue.follow(place.records, job)

        assert {scan.status for scan in scans} == {DocumentStatus.UNREADABLE}
        assert (ended.state, ended.done, ended.total) == (JobState.DONE, 2, 2), ended.error
        assert sum(len(numbers) for numbers in kept.values()) == 2 + 3
        times = Counter(workers.reads())
        assert len(times) == sum(PAGES)
        assert Counter(times.values()) == {1: sum(PAGES) - 2, 2: 2}
        for scan in scans:
            read = place.records.documents.version(scan.id, None, ALL)
            assert (read.summary.status, read.summary.version) == (DocumentStatus.READY, 2)
            assert {page.text for page in read.pages} == {WORDS}
            assert place.records.page_readings.pages(scan.content_hash) >= kept[scan.content_hash]
