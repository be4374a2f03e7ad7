"""A home whose scans are read by a job, in worker processes that a test kills while a page is in hand.

Run as a process: `python -m tests.support.reading_scans HOME READER READS HOLD_AT` is the worker of HOME. It
adds a line to the file READS before it reads a page; at its page number HOLD_AT, which it has read and not
yet kept, it prints a line and waits to be killed.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from core.domain.document import PageReading
from core.domain.ids import DocumentId, JobId
from core.ingest.job import IngestJob
from core.ingest.ocr_job import OcrJob, OcrPool
from core.jobs import queue, worker
from core.jobs.kinds import OCR
from tests.support.ingesting import Ingesting, opened

ROOT = Path(__file__).parents[2]
NEVER = 0


class HeldPages:
    """A PageSource that notes what it reads, and stops at one page."""

    def __init__(self, pool: OcrPool, reads: Path, hold_at: int) -> None:
        self._pool, self._reads, self._hold_at = pool, reads, hold_at
        self._count = 0

    def read(self, path: Path, page_no: int) -> PageReading:
        with self._reads.open("a") as out:
            out.write(f"{path.name} {page_no}\n")
        reading = self._pool.read(path, page_no)
        self._count += 1
        if self._count == self._hold_at:
            print("read", flush=True)  # noqa: T201
            sys.stdin.readline()
        return reading


class ScanWorkers:
    """Worker processes of one home, one after the other."""

    def __init__(self, home: Path, reader: str) -> None:
        self._home, self._reader = home, reader
        self._reads = home.with_name("reads.txt")
        self._all: list[subprocess.Popen[str]] = []

    def start(self, hold_at: int = NEVER) -> subprocess.Popen[str]:
        arguments = [str(self._home), self._reader, str(self._reads), str(hold_at)]
        command = [sys.executable, "-m", "tests.support.reading_scans", *arguments]
        self._all.append(
            subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        return self._all[-1]

    def kill_while_reading(self, page: int) -> None:
        """Start a worker, and kill it when it has read so many pages and not yet kept the last."""
        process = self.start(page)
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "read"
        process.send_signal(signal.SIGKILL)
        process.communicate()

    def reads(self) -> list[str]:
        """Every page that was read, in order: the name of its original and its number."""
        return self._reads.read_text().splitlines()

    def close(self) -> None:
        for process in self._all:
            if process.poll() is None:
                process.kill()
            process.communicate()


@contextlib.contextmanager
def scan_workers(home: Path, reader: str) -> Iterator[ScanWorkers]:
    with contextlib.closing(ScanWorkers(home, reader)) as workers:
        yield workers


def submit(place: Ingesting, documents: list[DocumentId]) -> JobId:
    return queue.submit(place.records, OCR, "test", {"documents": documents})


def main(home: Path, reader: str, reads: Path, hold_at: int) -> None:
    """Be the worker of `home` until SIGTERM."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with opened(home) as place, contextlib.closing(OcrPool(place.settings, reader)) as pool:
        ingest = IngestJob(place.records, place.settings, place.pipeline)
        handlers = {OCR: OcrJob(place.records, HeldPages(pool, reads, hold_at), ingest)}
        worker.run(place.records, home, lambda: handlers, stop)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
