"""A crawl whose worker and crawler are killed ends with the ledger and the index of a calm one."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.crawl.ledger import LedgerQuery, UrlState
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId
from core.domain.job import JobState
from core.jobs import queue
from core.workbench.work.crawl_runs import queue_run
from tests.support.crawl_worker_process import CrawlWorker
from tests.support.declared_site.expected import ExpectedRow, expected_ledger
from tests.support.declared_site.server import DeclaredServer
from tests.support.declared_site.site import MOST_OF_A_PATTERN
from tests.support.examples import IS_FULL
from tests.support.ingesting import Ingesting, opened

DEPTH = 2
KILLS = 5 if IS_FULL else 2
LEAST_BEFORE_A_KILL = 5  # requests of a crawler, so that it has taken up what the one before left
CONCURRENCY = 8
MOST_S = 120.0
MOST_SIGNS = 1_000  # of an address that are compared
Passages = list[tuple[str, int, int, str, bytes]]


@dataclass(frozen=True)
class Ended:
    """A crawl at its end: its rows, what the index holds, and addresses in flight at kills."""

    rows: dict[str, ExpectedRow]
    passages: Passages
    flying: Counter[str]


def test_kills_of_worker_and_crawler_change_neither_ledger_nor_index(tmp_path: Path) -> None:
    with DeclaredServer(is_calm=True, pause_s=0.02) as server:
        calm = crawled(tmp_path / "calm", server, [])
        usual = server.count()
        server.clear()
        moments = sorted(random.Random(4).sample(range(10, int(usual.total() * 0.9)), KILLS))

        killed = crawled(tmp_path / "killed", server, moments)

        expected = by_address(expected_ledger(server.site, DEPTH).values())
        again = {url: count for url, count in (server.count() - usual).items() if url in expected}
    assert calm.rows == expected
    assert killed.rows == expected
    assert killed.passages == calm.passages
    assert Counter(again) - killed.flying == Counter()


def crawled(home: Path, server: DeclaredServer, moments: list[int]) -> Ended:
    """A crawl by a worker that is killed when the site has got so many requests, and started again."""
    request = CrawlRequest.checked(
        urls=server.site.starts,
        depth=DEPTH,
        timeout_s=5.0,
        most_of_a_pattern=MOST_OF_A_PATTERN,
        pace=CrawlPace(concurrency=CONCURRENCY, per_host=CONCURRENCY, adapt=False),
    )
    flying: Counter[str] = Counter()
    with opened(home) as place:
        crawl = place.records.crawls.create(request, "The odd site")
        job = queue_run(place.records, place.records.crawls.get(crawl), "ann")
        for moment in moments:
            with CrawlWorker(home, server.allowed_hosts) as worker:
                begun = server.count().total()
                least = max(moment, begun + LEAST_BEFORE_A_KILL)
                wait_until(lambda least=least: server.count().total() >= least)  # type: ignore[misc]
                worker.kill()
            now = in_flight(place, crawl)
            assert len(now) <= CONCURRENCY
            flying.update(now)
        with CrawlWorker(home, server.allowed_hosts):
            ended = queue.follow(place.records, job, sleep=lambda _s: time.sleep(0.05))
        assert ended.state is JobState.DONE, ended.error
        rows = by_address(ExpectedRow.of(row) for row in place.records.crawl_ledger.rows(crawl))
        assert place.records.crawl_ledger.progress(crawl).repeats == flying.total()
        return Ended(rows, place.contents(), flying)


def by_address(rows: Iterable[ExpectedRow]) -> dict[str, ExpectedRow]:
    """Rows by address; a ledger may cut an address that is longer than it takes."""
    return {row.url[:MOST_SIGNS]: replace(row, url=row.url[:MOST_SIGNS]) for row in rows}


def in_flight(place: Ingesting, crawl: CrawlId) -> list[str]:
    """Addresses that were handed out and not settled."""
    rows = place.records.crawl_ledger.rows(crawl, LedgerQuery(states=(UrlState.FETCHING,)))
    return [row.url for row in rows]


def wait_until(is_true: Callable[[], bool]) -> None:
    """Look every few milliseconds."""
    until = time.monotonic() + MOST_S
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.005)
