"""The real models over pages that are drawn here; the extra `ocr` must be installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.job import JobState
from core.ingest.ocr import require_ocr
from core.ingest.ocr_job import RAPID, OcrPool
from core.jobs import queue
from core.store.database.visibility import Visibility
from tests.support.ingesting import opened
from tests.support.reading_scans import scan_workers, submit
from tests.support.scanned import write_typed_scan

pytestmark = pytest.mark.live
ALL = Visibility.everything()
LINES = ("This Agreement shall be governed by the laws of Delaware.", "The annual fee is $12,500.00.")


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[OcrPool]:
    require_ocr()
    made = OcrPool(Settings(home=tmp_path / "home"))
    yield made
    made.close()


def test_lines_are_read_word_by_word_where_they_stand(pool: OcrPool, tmp_path: Path) -> None:
    reading = pool.read(write_typed_scan(tmp_path / "scan.pdf", [LINES]), 1)

    assert reading.text.split("\n\n") == list(LINES)
    assert [round(line.box.y0 * 2200, -2) for line in reading.lines] == [400, 600]


def test_a_reading_that_is_killed_loses_no_page_and_reads_one_again(tmp_path: Path) -> None:
    require_ocr()
    pages = [(line,) for line in (*LINES, "The term begins on 1 October 2024.")]
    home, scan = tmp_path / "home", write_typed_scan(tmp_path / "scan.pdf", pages)
    with opened(home) as place:
        place.ingest(scan)
    with opened(home) as place, scan_workers(home, RAPID) as workers:
        [found] = place.records.documents.list(ALL)
        job = submit(place, [found.id])
        workers.kill_while_reading(2)
        workers.start()
        ended = queue.follow(place.records, job)

        assert ended.state is JobState.DONE, ended.error
        assert sorted(Counter(workers.reads()).values()) == [1, 1, 2]
        read = place.records.documents.version(found.id, None, ALL)
        assert [page.text for page in read.pages] == [line for (line,) in pages]
