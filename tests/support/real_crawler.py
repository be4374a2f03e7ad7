"""The crawler as a real process over a home: started, watched, killed; and what its ledger says then."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from core.config.models import Settings
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.store.store import Records

ROOT = Path(__file__).parents[2]
_WATCH_EVERY_S = 0.2


class WatchedCrawler:
    """`python -m crawler`, alive until it ends or is closed; Linux only, since it reads /proc.

    peak_mb: the most memory that it held (VmHWM).
    """

    def __init__(
        self, home: Path, crawl: CrawlId, runner: str, allowed_hosts: Sequence[str] = (), **more: str
    ) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
        environment["GROUNDWORK_CRAWL__ALLOWED_HOSTS"] = json.dumps(list(allowed_hosts))
        self._log = (home / f"crawler-{secrets.token_hex(4)}.log").open("w+b")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "crawler", "--home", str(home), "--crawl", crawl, "--runner", runner],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
        )
        self.peak_mb = 0.0
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    @property
    def is_alive(self) -> bool:
        """True while it runs."""
        return self._process.poll() is None

    def wait(self, timeout_s: float) -> int:
        """The exit code, once it has ended."""
        return self._process.wait(timeout_s)

    def kill(self) -> None:
        """SIGKILL."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def log(self) -> str:
        """What it wrote so far."""
        self._log.flush()
        return Path(self._log.name).read_text("utf-8", "replace")

    def close(self) -> None:
        """End it where it still runs."""
        if self.is_alive:
            self.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._watcher.join()
        self._log.close()

    def __enter__(self) -> WatchedCrawler:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _watch(self) -> None:
        while self.is_alive:
            self.peak_mb = max(self.peak_mb, peak_memory_mb(self._process.pid))
            time.sleep(_WATCH_EVERY_S)


def peak_memory_mb(process: int) -> float:
    """The most that a process held so far (VmHWM), in megabytes; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM:")), 0.0)


def begin_crawl(records: Records, request: CrawlRequest, *, is_dry_run: bool = False) -> tuple[CrawlId, str]:
    """A crawl whose first run has begun, and the token of the crawler that may do it."""
    crawl = records.crawls.create(request, "A crawl", is_dry_run=is_dry_run)
    return crawl, begin_run(records, crawl)


def begin_run(records: Records, crawl: CrawlId) -> str:
    """Begin another run of a crawl; gives the token of the crawler that may do it."""
    records.crawls.begin_run(crawl, JobId(f"j{secrets.token_hex(6)}"))
    return hand_over(records, crawl)


def hand_over(records: Records, crawl: CrawlId) -> str:
    """Give the ledger to a new crawler; gives its token."""
    runner = secrets.token_hex(8)
    records.crawls.hand_over(crawl, runner)
    return runner


def open_records(home: Path, **sections: Any) -> Records:
    """The records of a home."""
    return Records.open(Settings(home=home, **sections))
