"""A crawl of many small pages: its pace, and the memory of the crawler and of the worker.

    python -m bench.crawl_load [--pages 10000] [--home DIR] [--crawler-only]

A generated site (see bench.crawl_server) is crawled by the job `crawl`, as the crawl of a user is, in a
worker of its own: `groundwork worker`. Printed are pages a second, from the request to the last page in the
index, and the peaks of memory (VmHWM) of the crawler and of the worker, against 600 MB and 1 GB. With
--crawler-only the crawler goes alone, without ingest. Ends with 1 where a page is missing or a peak is over.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.crawl_server import SiteProcess
from bench.process_tree import descendants
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId
from core.domain.principal import LOCAL_ADMIN
from core.store.store import Records
from core.workbench import Workbench
from tests.support.real_crawler import WatchedCrawler, begin_crawl, open_records, peak_memory_mb

ROOT = Path(__file__).parents[1]
MOST_CRAWLER_MB = 600
MOST_WORKER_MB = 1_000
_LOOK_EVERY_S = 0.5
_MOST_S = 7_200


@dataclass(slots=True)
class Figures:
    """Measures of one crawl."""

    seconds: float = 0.0
    crawler_mb: float = 0.0
    worker_mb: float = 0.0


def request_for(site: SiteProcess, pages: int) -> CrawlRequest:
    """The crawl: all pages, as fast as it goes."""
    return CrawlRequest.checked(
        urls=(f"http://{site.address}/",),
        depth=4,
        max_pages=pages * 2,
        most_of_a_pattern=1_000_000,
        pace=CrawlPace(concurrency=16, per_host=16, adapt=False),
    )


def crawl_alone(home: Path, site: SiteProcess, pages: int) -> tuple[Figures, CrawlId]:
    """Crawl without ingest."""
    with open_records(home) as records:
        crawl, runner = begin_crawl(records, request_for(site, pages))
        begun = time.monotonic()
        with WatchedCrawler(home, crawl, runner, [site.address]) as crawler:
            code = crawler.wait(_MOST_S)
            if code:
                sys.exit(f"The crawler ended with {code}:\n{crawler.log()[-4000:]}")
            return Figures(time.monotonic() - begun, crawler.peak_mb), crawl


def crawl_as_a_job(home: Path, site: SiteProcess, pages: int) -> tuple[Figures, CrawlId]:
    """Crawl through the job, in a worker of its own."""
    environment = {**os.environ, "GROUNDWORK_CRAWL__ALLOWED_HOSTS": json.dumps([site.address])}
    os.environ.update(environment)
    figures, begun = Figures(), time.monotonic()
    with Workbench.open(home) as workbench, open_records(home) as records:
        crawl = workbench.for_principal(LOCAL_ADMIN).crawls.start(request_for(site, pages), title="Load")
        worker = subprocess.Popen(
            [sys.executable, "-m", "core.cli", "worker", "--home", str(home)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        try:
            while records.crawls.runs(crawl)[0].ended_at is None:
                note_memory(figures, worker.pid)
                if worker.poll() is not None or time.monotonic() - begun > _MOST_S:
                    sys.exit(f"The worker ended with {worker.poll()} before the crawl did.")
                time.sleep(_LOOK_EVERY_S)
            figures.seconds = time.monotonic() - begun
        finally:
            worker.terminate()
            worker.wait()
    return figures, crawl


def note_memory(figures: Figures, worker: int) -> None:
    """Raise the peaks to what the worker and the crawler below it held so far."""
    figures.worker_mb = max(figures.worker_mb, peak_memory_mb(worker))
    for process in descendants(worker)[1:]:
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"crawler" in command:
            figures.crawler_mb = max(figures.crawler_mb, peak_memory_mb(process))


def report(figures: Figures, records: Records, crawl: CrawlId, pages: int) -> bool:
    """Print the figures; True where all is as it must be."""
    rows = records.crawl_ledger.rows(crawl)
    counts = Counter(f"{row.state.value} {row.reason.value}".strip() for row in rows)
    indexed = sum(1 for row in rows if row.indexed_hash)
    print(f"{len(rows):,} addresses in {figures.seconds:.0f} s: {len(rows) / figures.seconds:.1f} pages/s")
    print(f"crawler {figures.crawler_mb:.0f} MB of {MOST_CRAWLER_MB}, {indexed:,} pages in the index")
    print(f"worker {figures.worker_mb:.0f} MB of {MOST_WORKER_MB}; {dict(counts)}")
    is_within = figures.crawler_mb < MOST_CRAWLER_MB and figures.worker_mb < MOST_WORKER_MB
    return is_within and counts["kept"] == pages


def main() -> None:
    """Crawl and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--home", type=Path, help="an empty folder; default: a temporary one")
    parser.add_argument("--crawler-only", action="store_true", help="without the job and its ingest")
    options = parser.parse_args()
    run = crawl_alone if options.crawler_only else crawl_as_a_job
    with SiteProcess("--pages", str(options.pages)) as site, tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder)
        figures, crawl = run(home, site, options.pages)
        with open_records(home) as records:
            is_well = report(figures, records, crawl, options.pages)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
