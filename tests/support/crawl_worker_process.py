"""A worker of crawls with the real crawler and an encoder without a model, as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType

from bench.process_tree import kill_tree
from core.index.sync import catch_up
from core.ingest.crawl.intake import PageIntake
from core.ingest.crawl.job import CrawlJob
from core.ingest.crawl.process import CrawlerProcess
from core.jobs import worker
from core.jobs.kinds import CRAWL
from tests.support.ingesting import opened

ROOT = Path(__file__).parents[2]


class CrawlWorker:
    """The worker of a home as a process, with its crawler and parsers below it."""

    def __init__(self, home: Path, allowed_hosts: list[str]) -> None:
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), "GROUNDWORK_CRAWL__MAX_BODY_MB": "1"}
        self._environment["GROUNDWORK_CRAWL__ALLOWED_HOSTS"] = json.dumps(allowed_hosts)
        self._command = [sys.executable, "-m", "tests.support.crawl_worker_process", str(home)]
        self.start()

    def start(self) -> None:
        """Start it, also again after a kill."""
        self._process = subprocess.Popen(self._command, cwd=ROOT, env=self._environment)

    def kill(self) -> int:
        """SIGKILL for it and all below it; gives how many there were."""
        return kill_tree(self._process)

    def __enter__(self) -> CrawlWorker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


def main(home: Path) -> None:
    """Be the worker of `home` until SIGTERM."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with opened(home) as place:
        intake = PageIntake(place.records, place.pipeline)
        handler = CrawlJob(
            place.records, lambda crawl, runner: CrawlerProcess(home, crawl, runner), lambda: intake
        )
        try:
            worker.run(
                place.records,
                home,
                lambda: {CRAWL: handler},
                stop,
                background=lambda: (catch_up(place.engine, place.records), None)[1],
            )
        finally:
            handler.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
