"""The crawler as a process: how it begins, goes on, and ends, whoever ends it."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable

import pytest

from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.request import CrawlPace
from core.domain.ids import CrawlId, DocumentId
from tests.support.crawling import CrawlHome
from tests.support.odd_site import OddHandler, OddServer, Page, page, words

Make = Callable[..., CrawlHome]
SLOW_PAGES = 40


def _site(delay_s: float = 0.0) -> dict[str, Page]:
    def slow(name: str) -> Page:
        give = page(words(name))

        def answer(handler: OddHandler) -> None:
            if not handler.server.ending.wait(delay_s):
                give(handler)

        return answer

    links = tuple(f"/p{number:02}" for number in range(SLOW_PAGES))
    return {"/": page(words("home"), links=links), **{link: slow(link[1:]) for link in links}}


def _wait_for(is_so: Callable[[], bool], longest_s: float = 30.0) -> None:
    limit = time.monotonic() + longest_s
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.05)


def _wait_for_some(home: CrawlHome, process: subprocess.Popen[str], number: int = 3) -> None:
    ledger = home.records.crawl_ledger
    _wait_for(lambda: process.poll() is not None or ledger.progress(home.crawl).fetched >= number)


def _brief(home: CrawlHome) -> list[tuple[object, ...]]:
    return [
        (row.url, row.depth, row.state, row.reason, row.found_on, row.leads_to, row.content_hash)
        for row in home.records.crawl_ledger.rows(home.crawl)
    ]


def test_a_killed_crawl_goes_on_and_fetches_again_only_what_was_in_flight(make_home: Make) -> None:
    with OddServer(_site(0.05)) as site:
        whole = make_home(site.url)
        assert whole.run() == 0, whole.last_errors
        site.requests.clear()
        home = make_home(site.url)
        home.begin()
        process = home.start("first")
        _wait_for_some(home, process, 8)
        process.kill()
        home.wait(process)
        assert home.wait(home.start("second")) == 0, home.last_errors
        twice = sum(number - 1 for path, number in site.requests.items() if path != "/robots.txt")
        repeats = home.records.crawl_ledger.progress(home.crawl).repeats

    assert _brief(home) == _brief(whole)
    assert twice <= repeats <= CrawlPace().concurrency


@pytest.mark.parametrize("way", ["input", "signal"])
def test_it_ends_soon_when_asked_and_gives_back_what_it_did_not_send(make_home: Make, way: str) -> None:
    with OddServer(_site(0.3)) as site:
        home = make_home(site.url, pace={"per_host": 2, "concurrency": 8})
        home.begin()
        process = home.start("first")
        _wait_for_some(home, process)
        begun = time.monotonic()
        if way == "input":
            assert process.stdin is not None
            process.stdin.close()
        else:
            process.send_signal(signal.SIGTERM)
        code = home.wait(process, 20)
        took_s = time.monotonic() - begun
        left = home.records.crawl_ledger.progress(home.crawl).counts
        assert home.wait(home.start("second")) == 0, home.last_errors

    assert (code, home.last_errors) == (CrawlerExit.INTERRUPTED, "")
    assert took_s < 5
    assert left.get(UrlState.FETCHING, 0) <= 2
    assert {row.requests for row in home.rows().values() if not row.repeats} == {1}


def test_it_ends_at_once_when_another_crawler_was_given_the_ledger(make_home: Make) -> None:
    with OddServer(_site(0.2)) as site:
        home = make_home(site.url)
        home.begin()
        process = home.start("first")
        _wait_for_some(home, process)
        home.records.crawls.hand_over(home.crawl, "other")
        assert home.wait(process, 20) == CrawlerExit.LOST
    assert "another crawler" in home.last_errors


def test_a_stop_ends_the_run_with_what_it_has(make_home: Make) -> None:
    with OddServer(_site(0.3)) as site:
        home = make_home(site.url, pace={"per_host": 1, "concurrency": 2})
        home.begin()
        process = home.start("first")
        _wait_for_some(home, process)
        home.records.crawls.stop(home.crawl)
        assert home.wait(process, 30) == CrawlerExit.FINISHED, home.last_errors
        home.records.crawls.end_run(home.crawl, 1)
        rows = home.rows().values()

    assert sum(row.state is UrlState.KEPT for row in rows) >= 2
    assert any(row.reason is UrlReason.STOPPED for row in rows)


def test_a_new_pace_holds_while_it_runs(make_home: Make) -> None:
    with OddServer(_site()) as site:
        home = make_home(site.url, pace={"delay_s": 5.0})
        home.begin()
        process = home.start("first")
        _wait_for(lambda: site.requests["/"] > 0)
        home.records.crawls.set_pace(home.crawl, CrawlPace())
        assert home.wait(process, 40) == 0, home.last_errors
    assert len(home.rows()) == SLOW_PAGES + 1


def test_a_dry_run_finds_the_same_and_keeps_no_bytes(make_home: Make) -> None:
    with OddServer(_site()) as site:
        real, dry = make_home(site.url), make_home(site.url, is_dry_run=True)
        assert (real.run(), dry.run()) == (0, 0)
    assert _brief(real) == _brief(dry)
    assert list(dry.records.blobs.all_hashes()) == []
    assert len(list(real.records.blobs.all_hashes())) == SLOW_PAGES + 1


def test_bytes_that_cannot_be_stored_end_the_process_and_lose_nothing(make_home: Make) -> None:
    with OddServer(_site()) as site:
        home = make_home(site.url)
        home.begin()
        home.records.blobs.folder.write_text("in the way")
        code = home.wait(home.start("first"))
        errors = home.last_errors
        home.records.blobs.folder.unlink()
        assert home.wait(home.start("second")) == 0, home.last_errors
    assert code == CrawlerExit.STORE
    assert errors.startswith("crawler: ") and errors.count("\n") == 1
    assert sum(row.state is UrlState.KEPT for row in home.rows().values()) == SLOW_PAGES + 1


def test_a_page_that_nothing_links_to_any_more_is_asked_for_last(make_home: Make) -> None:
    with OddServer(
        {"/": page(words("home"), links=("/a", "/b")), "/a": page(words("a")), "/b": page("b")}
    ) as site:
        home = make_home(site.url)
        assert home.run() == 0, home.last_errors
        ledger, rows = home.records.crawl_ledger, home.rows()
        ledger.note_indexed(
            home.crawl,
            {rows[path].url: (DocumentId(f"d{path}"), rows[path].content_hash) for path in ("/a", "/b")},
        )
        site.pages = {"/": page(words("new")), "/b": page("b")}
        assert home.run() == 0, home.last_errors
        rows = home.rows()
    assert (rows["/a"].state, rows["/a"].change.value) == (UrlState.GONE, "gone")
    assert (rows["/b"].state, rows["/b"].change.value) == (UrlState.KEPT, "unchanged")
    assert (rows["/"].state, rows["/"].change.value) == (UrlState.KEPT, "changed")


def test_private_hosts_are_refused_before_anything_is_sent(make_home: Make) -> None:
    with OddServer(_site()) as site:
        home = make_home(site.url, allowed='["intranet.example"]')
        named = make_home(site.url.replace("127.0.0.1", "localhost"), allowed='["intranet.example"]')
        assert (home.run(), named.run()) == (0, 0)
        (row,), (by_name,) = home.rows().values(), named.rows().values()
        assert site.requests == {}
    for each in (row, by_name):
        assert (each.state, each.reason) == (UrlState.FAILED, UrlReason.PRIVATE_ADDRESS)
        assert "loopback" in each.detail
        assert each.requests == 0


def test_credentials_go_to_their_host_alone(make_home: Make) -> None:
    with OddServer({"/": page(words("other"))}) as other, OddServer({}) as site:
        site.pages = {"/": page(words("home"), links=(other.url,))}
        environ = {
            "GROUNDWORK_CRAWL__CREDENTIALS": f'{{"127.0.0.1:{site.server_port}" = "ann:secret"}}',
        }
        home = make_home(site.url, urls=[site.url, other.url], environ=environ)
        assert home.run() == 0, home.last_errors
        assert site.headers_of["/"]["Authorization"] == "Basic YW5uOnNlY3JldA=="
        assert "Authorization" not in other.headers_of["/"]
        assert home.last_errors == ""


def test_a_crawl_that_is_not_there_is_said_in_a_sentence(make_home: Make) -> None:
    home = make_home("http://site.example/")
    home.begin()
    home.crawl, known = CrawlId("c-none"), home.crawl
    with pytest.raises(Exception, match="c-none"):
        home.records.crawls.get(home.crawl)
    home.records.crawls.hand_over(known, "r")
    home.records.crawls.hand_over = lambda *_: None  # type: ignore[method-assign]
    assert home.wait(home.start("r")) == CrawlerExit.USAGE
    assert "There is no crawl 'c-none'" in home.last_errors
