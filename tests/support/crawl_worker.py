"""A home with a worker of crawls, whose crawler is the scripted one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.domain.crawl.ledger import UrlRow
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.domain.job import Job
from core.ingest.crawl.intake import PageIntake
from core.ingest.crawl.job import CrawlJob
from core.ingest.crawl.process import CrawlerProcess
from core.jobs import queue, worker
from core.jobs.kinds import CRAWL
from core.store.database.visibility import Visibility
from core.workbench.work.crawl_runs import queue_run
from tests.support.ingesting import Ingesting, opened
from tests.support.scripted_crawler import HOST, PROGRAM, Site, url
from tests.support.waiting import wait_for


@dataclass
class Crawling:
    """A home, opened."""

    place: Ingesting
    home: Path
    handler: CrawlJob

    def begin(self, site: Site, *, is_dry_run: bool = False, **options: object) -> tuple[CrawlId, JobId]:
        """A crawl of the site, with its first run queued."""
        site.write(self.home)
        request = CrawlRequest.checked(urls=[url("")], bucket="web", **options)
        crawls = self.place.records.crawls
        crawl = crawls.create(request, HOST, user="ann", is_dry_run=is_dry_run)
        return crawl, queue_run(self.place.records, crawls.get(crawl), "ann")

    def again(self, crawl: CrawlId, site: Site) -> JobId:
        site.write(self.home)
        return queue_run(self.place.records, self.place.records.crawls.get(crawl), "ann")

    @contextlib.contextmanager
    def worker(self) -> Iterator[None]:
        """A worker in a thread, for the block."""
        stop = threading.Event()
        arguments = (self.place.records, self.home, lambda: {CRAWL: self.handler}, stop)
        thread = threading.Thread(target=worker.run, args=arguments, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def end(self, job: JobId) -> Job:
        """The job once a worker has brought it to its end."""
        with self.worker():
            return queue.follow(self.place.records, job, sleep=lambda _s: threading.Event().wait(0.02))

    def rows(self, crawl: CrawlId) -> dict[str, UrlRow]:
        return {row.url.removeprefix(url("")): row for row in self.place.records.crawl_ledger.rows(crawl)}

    def documents(self) -> dict[str, str]:
        """Statuses of the documents by path."""
        listed = self.place.records.documents.list(Visibility.everything())
        return {each.source.removeprefix(url("")): each.status.value for each in listed}

    def starts(self) -> list[int]:
        """Ids of the processes that were started as crawlers."""
        path = self.home / "starts.txt"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def wait_for_start(self) -> int:
        wait_for(lambda: bool(self.starts()), 20)
        return self.starts()[-1]


@contextlib.contextmanager
def crawling(home: Path) -> Iterator[Crawling]:
    with opened(home) as place:
        intake = PageIntake(place.records, place.pipeline)
        handler = CrawlJob(
            place.records,
            lambda crawl, runner: CrawlerProcess(home, crawl, runner, ("hunter2",), PROGRAM),
            lambda: intake,
        )
        try:
            yield Crawling(place, home, handler)
        finally:
            handler.close()
