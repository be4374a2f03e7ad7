"""Runs the real crawler process over a site, and gives its ledger."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.config.load import load_settings
from core.domain.crawl.ledger import UrlRow
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.store.store import Records

ROOT = Path(__file__).parents[2]


@dataclass
class CrawlHome:
    """A home with one crawl, which may be run several times."""

    records: Records
    crawl: CrawlId
    home: Path
    base: str
    environ: Mapping[str, str]
    run_no: int = 0
    last_errors: str = ""

    @classmethod
    def make(
        cls,
        home: Path,
        base: str,
        *,
        environ: Mapping[str, str] | None = None,
        is_dry_run: bool = False,
        allowed: str = '["127.0.0.1"]',
        **request: object,
    ) -> CrawlHome:
        settings = load_settings(home, {})
        records = Records.open(settings)
        wanted = CrawlRequest.checked(**{"urls": [base], **request})
        crawl = records.crawls.create(wanted, "Site", is_dry_run=is_dry_run)
        given = {"GROUNDWORK_CRAWL__ALLOWED_HOSTS": allowed, **(environ or {})}
        return cls(records, crawl, home, base, given)

    def begin(self) -> None:
        self.run_no += 1
        self.records.crawls.begin_run(self.crawl, JobId(f"j{self.run_no}"))

    def start(self, runner: str, *, is_handed_over: bool = True) -> subprocess.Popen[str]:
        """The process, running; its input is a pipe that the caller closes."""
        if is_handed_over:
            self.records.crawls.hand_over(self.crawl, runner)
        command = [sys.executable, "-m", "crawler", "--home", str(self.home)]
        command += ["--crawl", self.crawl, "--runner", runner]
        environ = {**os.environ, "PYTHONPATH": str(ROOT), **self.environ}
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environ, cwd=self.home, text=True
        )

    def run(self, timeout_s: float = 120.0) -> int:
        """Do a whole run; gives the exit code."""
        self.begin()
        code = self.wait(self.start(f"r{self.run_no}"), timeout_s)
        if code == 0:
            self.records.crawls.end_run(self.crawl, self.run_no)
        return code

    def wait(self, process: subprocess.Popen[str], timeout_s: float = 120.0) -> int:
        """The exit code of a process, whose pipes are closed then."""
        with process:
            try:
                process.wait(timeout_s)
            finally:
                process.kill()
                assert process.stderr is not None
                self.last_errors = process.stderr.read()
        return process.returncode

    def rows(self) -> dict[str, UrlRow]:
        """The ledger by address, without the site's own."""
        return {row.url.removeprefix(self.base): row for row in self.records.crawl_ledger.rows(self.crawl)}

    def close(self) -> None:
        self.records.close()
