"""A retry and a run again, killed before their pages are indexed and between, end as calm ones do.

Of the full gate alone: a usual one kills a first run, in test_crawl_kill.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.domain.crawl.ledger import LedgerQuery, UrlState
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.domain.job import JobState
from core.jobs import queue
from core.workbench.work.crawl_runs import queue_run
from tests.support.crawl_worker_process import CrawlWorker
from tests.support.examples import IS_FULL
from tests.support.ingesting import Ingesting, opened
from tests.support.odd_site import OddHandler, OddServer, words
from tests.support.waiting import wait_for

PAGES, REFUSED, CHANGED, GONE = 48, 16, 12, 5
CONCURRENCY = 4
ANSWER_S = 0.05
MOST_S = 90.0
_FETCHING = LedgerQuery(states=(UrlState.FETCHING,))


class Leases(OddServer):
    """A site whose pages refuse, change and go; `state` says how it stands."""

    def __init__(self) -> None:
        super().__init__({"*": self.give})
        self.state = ""

    def give(self, handler: OddHandler) -> None:
        time.sleep(ANSWER_S)
        path = handler.path
        number = int(path[2:]) if path[2:].isdigit() else -1
        if path == "/":
            links = "".join(f'<a href="/p{each}">Lease {each}</a> ' for each in range(PAGES))
            self.answer(handler, f"<p>The leases of the town.</p>{links}")
        elif number < 0 or (self.state == "changed" and number < GONE):
            handler.give("<p>No.</p>", status=404)
        elif self.state == "refusing" and number % (PAGES // REFUSED) == 0:
            handler.give("<p>No.</p>", status=403)
        else:
            is_other = self.state == "changed" and number >= PAGES - CHANGED
            age = "new" if is_other else "old"
            self.answer(handler, f"<p>{words(f'{age}{number}w')}</p>")

    @staticmethod
    def answer(handler: OddHandler, text: str) -> None:
        tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'
        if handler.headers.get("If-None-Match") == tag:
            handler.give("", status=304, ETag=tag)
            return
        handler.give(f"<html><body><main>{text}</main></body></html>", ETag=tag)


@dataclass(frozen=True)
class Ended:
    """A crawl after a run, a retry and a run again, without what no two of them share."""

    rows: dict[str, tuple[object, ...]]
    counts: list[dict[str, int]]
    passages: list[tuple[str, int, int, str, bytes]]
    sent: list[Counter[str]]
    flying: list[Counter[str]]


@pytest.fixture
def server() -> Iterator[Leases]:
    with Leases() as made:
        yield made


@pytest.mark.skipif(not IS_FULL, reason="a usual gate kills a first run, in test_crawl_kill")
def test_kills_in_a_retry_and_in_a_run_again_change_neither_ledger_nor_index(
    server: Leases, tmp_path: Path
) -> None:
    calm = crawled(tmp_path / "calm", server, is_killed=False)

    killed = crawled(tmp_path / "killed", server, is_killed=True)

    assert killed.rows == calm.rows
    assert killed.counts == calm.counts
    assert killed.passages == calm.passages
    assert sum(each.total() for each in killed.flying) > 0
    for usual, sent, flying in zip(calm.sent, killed.sent, killed.flying, strict=True):
        again = Counter({path: count for path, count in (sent - usual).items() if path != "/robots.txt"})
        assert again - flying == Counter()


def crawled(home: Path, server: Leases, *, is_killed: bool) -> Ended:
    """A run of which some pages refuse, a retry of those, and a run again over a site that changed."""
    request = CrawlRequest.checked(
        urls=[f"{server.url}/"],
        depth=1,
        use_sitemaps=False,
        pace=CrawlPace(concurrency=CONCURRENCY, per_host=CONCURRENCY, adapt=False),
    )
    sent, flying = [], []
    hosts = [f"127.0.0.1:{server.server_port}"]
    with opened(home) as place, CrawlWorker(home, hosts) as worker:
        records = place.records
        crawl = records.crawls.create(request, "Leases")

        def work(state: str, submit: Callable[[], JobId], kills: Sequence[Callable[[], bool]]) -> JobId:
            server.state = state
            server.requests.clear()
            job = submit()
            flying.append(carry(place, server, crawl, job, worker, kills if is_killed else ()))
            sent.append(Counter(server.requests))
            return job

        def run() -> JobId:
            return queue_run(records, records.crawls.get(crawl), "ann")

        def retry() -> JobId:
            assert records.crawls.retry_failed(crawl) == REFUSED
            records.jobs.resume(job)
            return job

        def is_asked(least: int) -> Callable[[], bool]:
            return lambda: sum(server.requests.values()) >= least

        def is_to_be_indexed() -> bool:
            return records.crawl_ledger.count_to_index(crawl) > 0

        job = work("refusing", run, ())
        work("", retry, (is_asked(REFUSED // 3), is_to_be_indexed))
        work("changed", run, (is_asked(PAGES // 3), is_to_be_indexed))
        base = server.url
        rows = {
            row.url.removeprefix(base): (
                row.state, row.reason, row.depth, row.found_on, row.status, row.content_hash, row.text_hash,
                row.indexed_hash, row.change, row.run, row.title, row.etag, row.document is None,
            )
            for row in records.crawl_ledger.rows(crawl)
        }  # fmt: skip
        counts = [dict(each.counts) for each in records.crawls.runs(crawl)]
        passages = [(source.removeprefix(base), *more) for source, *more in place.contents()]
        return Ended(rows, counts, passages, sent, flying)  # type: ignore[arg-type]


def carry(
    place: Ingesting,
    server: Leases,
    crawl: CrawlId,
    job: JobId,
    worker: CrawlWorker,
    kills: Sequence[Callable[[], bool]],
) -> Counter[str]:
    """Bring a job to its end, with a kill of the worker at each moment; gives what was in flight then."""
    flying: Counter[str] = Counter()
    for moment in kills:
        wait_for(moment, MOST_S)
        worker.kill()
        rows = place.records.crawl_ledger.rows(crawl, _FETCHING)
        assert len(rows) <= CONCURRENCY
        flying.update(row.url.removeprefix(server.url) for row in rows)
        worker.start()
    ended = queue.follow(place.records, job, sleep=lambda _s: time.sleep(0.05))
    assert ended.state is JobState.DONE, ended.error
    return flying
