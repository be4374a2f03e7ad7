"""Text recognition that is killed at any page goes on: what was read stays, and little is read twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from core.domain.document import DocumentStatus
from core.domain.job import JobState
from core.jobs import queue
from core.store.database.visibility import Visibility
from tests.support.ingesting import opened
from tests.support.reading_scans import scan_workers, submit
from tests.support.scanned import WORDS, write_scan

ALL = Visibility.everything()
PAGES = (5, 4)
KILLED_AT = 7  # in the second document that is read


def test_a_killed_reading_goes_on_and_reads_only_the_page_in_hand_again(tmp_path: Path) -> None:
    files = [write_scan(tmp_path / f"scan{number}.pdf", pages) for number, pages in enumerate(PAGES)]
    home = tmp_path / "home"
    with opened(home) as place:
        place.ingest(*files)
    with opened(home) as place, scan_workers(home, "tests.support.scanned:ScriptedReader") as workers:
        scans = place.records.documents.list(ALL)
        assert {scan.status for scan in scans} == {DocumentStatus.UNREADABLE}
        readings = place.records.page_readings
        job = submit(place, [scan.id for scan in scans])
        workers.kill_while_reading(KILLED_AT)
        kept = {scan.content_hash: readings.pages(scan.content_hash) for scan in scans}
        assert sum(map(len, kept.values())) == KILLED_AT - 1
        assert place.records.jobs.get(job).state is JobState.RUNNING

        workers.start()
        ended = queue.follow(place.records, job)

        assert (ended.state, ended.done, ended.total) == (JobState.DONE, 2, 2), ended.error
        times = Counter(workers.reads())
        assert len(times) == sum(PAGES)
        assert sorted(times.values()) == [1] * (sum(PAGES) - 1) + [2]
        for scan in scans:
            read = place.records.documents.version(scan.id, None, ALL)
            assert (read.summary.status, read.summary.version) == (DocumentStatus.READY, 2)
            assert {page.text for page in read.pages} == {WORDS}
            assert readings.pages(scan.content_hash) >= kept[scan.content_hash]
