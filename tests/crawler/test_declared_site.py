"""The declared site crawled by the real process: the ledger is the one that the site's declaration gives."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from core.domain.crawl.ledger import Change, LedgerQuery, UrlReason, UrlRow, UrlState
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId, DocumentId
from core.store.store import Records
from tests.support.declared_site.expected import ExpectedRow, expected_ledger
from tests.support.declared_site.page import Link, Page, Tag, Validator
from tests.support.declared_site.server import DeclaredServer
from tests.support.declared_site.site import MOST_OF_A_PATTERN
from tests.support.examples import IS_FULL
from tests.support.real_crawler import WatchedCrawler, begin_crawl, begin_run, hand_over, open_records

MOST_S = 120.0
KILLS = 5
LEAST_BEFORE_A_KILL = 5  # requests of a crawler, so that it has taken up what the one before left
CONCURRENCY = 8
TITLES = {"wrong-charset": "Käse für Brötchen", "meta-charset": "Äpfel über Öfen", "wide": "Große Übersicht"}


@pytest.fixture(scope="module")
def server() -> Iterator[DeclaredServer]:
    with DeclaredServer() as serving:
        yield serving


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with open_records(tmp_path) as opened:
        yield opened


def request_for(server: DeclaredServer, depth: int, **more: object) -> CrawlRequest:
    """The crawl of the whole site to a depth, as fast as it goes."""
    given: dict[str, object] = {
        "urls": server.site.starts,
        "depth": depth,
        "timeout_s": 1.0,
        "most_of_a_pattern": MOST_OF_A_PATTERN,
        "pace": CrawlPace(concurrency=CONCURRENCY, per_host=CONCURRENCY, adapt=False),
    }
    return CrawlRequest.checked(**(given | more))


def crawled(
    records: Records, home: Path, server: DeclaredServer, request: CrawlRequest, *, is_dry_run: bool = False
) -> dict[str, UrlRow]:
    """The rows by address after a crawl that nothing disturbs."""
    crawl, runner = begin_crawl(records, request, is_dry_run=is_dry_run)
    run_to_end(home, server, crawl, runner)
    return rows_of(records, crawl)


def crawler(home: Path, server: DeclaredServer, crawl: CrawlId, runner: str) -> WatchedCrawler:
    """The crawler over a home, which takes pages of a megabyte at most."""
    return WatchedCrawler(home, crawl, runner, server.allowed_hosts, GROUNDWORK_CRAWL__MAX_BODY_MB="1")


def run_to_end(home: Path, server: DeclaredServer, crawl: CrawlId, runner: str) -> None:
    """Let the crawler end by itself."""
    with crawler(home, server, crawl, runner) as process:
        code = process.wait(MOST_S)
        assert code == 0, process.log()[-4000:]


def rows_of(records: Records, crawl: CrawlId) -> dict[str, UrlRow]:
    """The rows of a ledger by address."""
    return {row.url: row for row in records.crawl_ledger.rows(crawl)}


def differences(
    rows: Mapping[str, UrlRow], expected: Mapping[str, ExpectedRow], server: DeclaredServer
) -> list[str]:
    """A line for each address of which the ledger says something else."""
    ours = {_short(url): _shown(row, server) for url, row in expected.items()}
    theirs = {_short(url): _shown(ExpectedRow.of(row), server) for url, row in rows.items()}
    return [
        f"{url.replace(server.site.hosts.main, '')}: expected {ours.get(url)}, but is {theirs.get(url)}"
        for url in sorted({*ours, *theirs})
        if ours.get(url) != theirs.get(url)
    ]


def _short(url: str) -> str:
    """A ledger may cut an address that is longer than it takes."""
    return url[:1000]


def _shown(row: ExpectedRow, server: DeclaredServer) -> str:
    leads = f" -> {row.leads_to}" if row.leads_to else ""
    shown = f"{row.depth} {row.state.value} {row.reason.value} <- {row.found_on}{leads}"
    return shown.replace(server.site.hosts.main, "")


@pytest.mark.parametrize("depth", [0, 2, 4] if IS_FULL else [0, 4])
def test_the_ledger_is_the_expected_one(
    server: DeclaredServer, records: Records, tmp_path: Path, depth: int
) -> None:
    rows = crawled(records, tmp_path, server, request_for(server, depth))

    assert differences(rows, expected_ledger(server.site, depth), server) == []
    assert not any(url.startswith(server.site.hosts.private) for url in server.count())


@pytest.mark.parametrize("depth", [1, 3] if IS_FULL else [1])
def test_the_ledger_of_a_calm_site_is_the_expected_one(records: Records, tmp_path: Path, depth: int) -> None:
    with DeclaredServer(is_calm=True) as server:
        rows = crawled(records, tmp_path, server, request_for(server, depth))

        assert differences(rows, expected_ledger(server.site, depth), server) == []


def test_pages_of_any_charset_have_the_title_that_people_see(
    server: DeclaredServer, records: Records, tmp_path: Path
) -> None:
    start = f"{server.site.hosts.main}/odd/bodies.html"

    rows = crawled(records, tmp_path, server, request_for(server, 1, urls=(start,), use_sitemaps=False))

    titles = {name: rows[f"{server.site.hosts.main}/body/{name}.html"].title for name in TITLES}
    assert {name: title.removesuffix(" – Odd Press") for name, title in titles.items()} == TITLES


def test_a_dry_run_discovers_what_a_real_run_does_and_keeps_no_bytes(
    records: Records, tmp_path: Path
) -> None:
    with DeclaredServer(is_calm=True) as server:
        dry = crawled(records, tmp_path, server, request_for(server, 3), is_dry_run=True)

        assert differences(dry, expected_ledger(server.site, 3), server) == []
    assert list(records.blobs.all_hashes()) == []


@pytest.mark.skipif(not IS_FULL, reason="a usual gate kills worker and crawler, in tests/durability")
def test_a_crawler_that_is_killed_again_and_again_ends_with_the_same_ledger(
    records: Records, tmp_path: Path
) -> None:
    rng = random.Random(16)
    with DeclaredServer(is_calm=True, pause_s=0.02) as server:
        crawl, runner = begin_crawl(records, request_for(server, 4))
        expected = expected_ledger(server.site, 4)
        fetched = [row for row in expected.values() if row.state is not UrlState.SKIPPED]
        flying: list[str] = []
        for moment in sorted(rng.sample(range(10, int(len(fetched) * 0.9)), KILLS)):
            with crawler(tmp_path, server, crawl, runner) as process:
                wait_for_requests(server, process, max(moment, server.count().total() + LEAST_BEFORE_A_KILL))
                process.kill()
            at_once = records.crawl_ledger.rows(crawl, LedgerQuery(states=(UrlState.FETCHING,)))
            assert len(at_once) <= CONCURRENCY
            flying += [row.url for row in at_once]
            runner = hand_over(records, crawl)
        run_to_end(tmp_path, server, crawl, runner)

        assert differences(rows_of(records, crawl), expected, server) == []
        assert records.crawl_ledger.progress(crawl).repeats == len(flying)
        twice = Counter(
            {url: count - 1 for url, count in server.count().items() if url in expected and count > 1}
        )
        assert twice - Counter(flying) == Counter()


def wait_for_requests(server: DeclaredServer, process: WatchedCrawler, number: int) -> None:
    """Until the site got so many requests."""
    until = time.monotonic() + MOST_S
    while server.count().total() < number:
        assert process.is_alive, process.log()[-4000:]
        assert time.monotonic() < until, f"The site got {server.count().total()} requests of {number}."
        time.sleep(0.005)


@dataclass(frozen=True, slots=True)
class SiteChange:
    """What is done to the site between two runs. linking: names the new page; unlinking: loses a link."""

    changed: frozenset[str]
    gone: frozenset[str]
    new: str
    linking: str
    unlinked: str
    unlinking: str


def plan_change(server: DeclaredServer) -> SiteChange:
    """Choose 5 % of the pages to change, four to remove, one to add, and one that loses its only link."""
    site = server.site
    articles = [
        page.url for page in site.pages if re.search(r"/(casting|milling)/(?!brass)\w+/\w+\.html$", page.url)
    ]
    linking, unlinking, *chosen = random.Random(5).sample(articles, 2 + 4 + len(site.pages) // 20)
    new, unlinked = f"{site.hosts.main}/mapped/zelkova.html", f"{site.hosts.main}/mapped/yew.html"
    site.put(Page(unlinked))
    link(server, unlinking, unlinked)
    return SiteChange(frozenset(chosen[4:]), frozenset(chosen[:4]), new, linking, unlinked, unlinking)


def carry_out(server: DeclaredServer, change: SiteChange) -> None:
    """Do it. Links change in the head of their pages, so that the text of those stays as it was."""
    for url in change.changed:
        server.change(url)
    for url in change.gone:
        server.site.drop(url)
    server.site.put(Page(change.new))
    link(server, change.linking, change.new)
    link(server, change.unlinking, "")


def link(server: DeclaredServer, url: str, target: str) -> None:
    """Let a page have one link to a target in its head, or none for ""."""
    page = server.site.find(url)
    assert page is not None
    links = (Link(target, target, tag=Tag.NEXT),) if target else ()
    server.site.put(replace(page, links=links, validator=Validator.ETAG))


def test_a_run_again_asks_for_each_page_once_and_counts_what_changed(
    records: Records, tmp_path: Path
) -> None:
    with DeclaredServer(is_calm=True) as server:
        change = plan_change(server)
        crawl, runner = begin_crawl(records, request_for(server, 4))
        run_to_end(tmp_path, server, crawl, runner)
        note_all_indexed(records, crawl)
        first = rows_of(records, crawl)
        assert differences(first, expected_ledger(server.site, 4), server) == []
        carry_out(server, change)
        server.clear()

        run_to_end(tmp_path, server, crawl, begin_run(records, crawl))

        rows = rows_of(records, crawl)
        assert {url for url, row in rows.items() if row.change is Change.NEW} == {change.new}
        assert {url for url, row in rows.items() if row.change is Change.CHANGED} == change.changed
        assert {url for url, row in rows.items() if row.state is UrlState.GONE} == change.gone
        assert {row.url for row in records.crawl_ledger.to_index(crawl, 1_000)} == {
            change.new,
            *change.changed,
        }
        expected = expected_ledger(server.site, 4)
        gone = {
            url: replace(expected[url], state=UrlState.GONE, reason=UrlReason.HTTP_ERROR)
            for url in change.gone
        }
        unlinked = {change.unlinked: ExpectedRow.of(first[change.unlinked])}
        assert differences(rows, expected | gone | unlinked, server) == []
        assert_asked_once(server, first, change)


def note_all_indexed(records: Records, crawl: CrawlId) -> None:
    """Stand in for the ingest: every kept page has a document."""
    rows = records.crawl_ledger.to_index(crawl, 10_000)
    taken = {row.url: (DocumentId(f"d{number}"), row.content_hash) for number, row in enumerate(rows)}
    records.crawl_ledger.note_indexed(crawl, taken)


def assert_asked_once(server: DeclaredServer, first: Mapping[str, UrlRow], change: SiteChange) -> None:
    """No page is asked for twice, and those that can say "not modified" are asked whether they are."""
    kept = {url for url, row in first.items() if row.state is UrlState.KEPT}
    counts = server.count()
    assert {url: counts[url] for url in kept if counts[url] != 1} == {}
    validators = {page.url: page.validator for page in server.site.pages}
    unchanged = kept - change.changed - change.gone - {change.linking, change.unlinking}
    statuses = {
        request.url: request.status
        for request in server.requests
        if request.url in unchanged and validators.get(request.url, Validator.ETAG) is not Validator.NONE
    }
    assert {url: status for url, status in statuses.items() if status != 304} == {}
