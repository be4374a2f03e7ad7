"""A back-fill that is killed at any moment goes on, and what reviewers decided meanwhile stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.fields import CellStatus, ReviewAction
from core.domain.job import JobState
from core.jobs import queue
from core.jobs.kinds import EXTRACT
from core.store.database.visibility import Visibility
from tests.support.extracting import DOCUMENTS, ROOT, fill_home, opened

ALL = Visibility.everything()


class Worker:
    """A worker process that prints how many documents are done."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.extracting", str(home)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def wait_for(self, count: int) -> None:
        """Until it has extracted so many documents."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if int(line) >= count:
                return

    def kill(self) -> None:
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def workers() -> Iterator[list[Worker]]:
    started: list[Worker] = []
    yield started
    for one in started:
        one.kill()


def test_a_killed_back_fill_goes_on_and_keeps_what_people_decided(
    tmp_path: Path, workers: list[Worker]
) -> None:
    with opened(tmp_path / "home") as place:
        fill_home(place.records)
        job = queue.submit(place.records, EXTRACT, "test", {})
        workers.append(Worker(tmp_path / "home"))
        workers[0].wait_for(5)
        workers[0].kill()
        done = place.records.jobs.get(job).done
        lacking = place.extractions.lacking()
        known = next(row.id for row in place.records.documents.list(ALL) if row.id not in lacking)
        place.records.reviews.review(
            known, "rent", ReviewAction.ABSENT, "ann", datetime.now(UTC), visible=ALL
        )

        workers.append(Worker(tmp_path / "home"))
        ended = queue.follow(place.records, job)

        assert done < DOCUMENTS
        assert lacking
        assert (ended.state, ended.done, ended.total) == (JobState.DONE, DOCUMENTS, DOCUMENTS)
        assert place.extractions.lacking() == []
        cells = list(place.records.fields.cells(ALL, fields=["rent"]))
        assert len(cells) == DOCUMENTS
        assert {cell.document: cell.finding.status for cell in cells}.pop(known) is CellStatus.ABSENT
        assert all(
            cell.finding.values[0].text == f"${place.rent_of(cell.document)}"
            for cell in cells
            if cell.document != known
        )
