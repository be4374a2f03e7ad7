"""The crawler as a process: how it begins, goes on, and ends, whoever ends it."""

from __future__ import annotations

import signal
import ssl
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.request import CrawlPace
from core.domain.ids import CrawlId, DocumentId
from tests.support.crawling import CrawlHome
from tests.support.odd_site import OddHandler, OddServer, Page, page, words

Make = Callable[..., CrawlHome]
SLOW_PAGES = 40


def _site(delay_s: float = 0.0, pages: int = SLOW_PAGES) -> dict[str, Page]:
    def slow(name: str) -> Page:
        give = page(words(name))

        def answer(handler: OddHandler) -> None:
            if not handler.server.ending.wait(delay_s):
                give(handler)

        return answer

    links = tuple(f"/p{number:02}" for number in range(pages))
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
    with OddServer(_site(0.3, 20)) as site:
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
    rows = home.rows()
    assert {row.requests for row in rows.values() if not row.repeats} == {1}
    assert {site.requests[path] for path, row in rows.items() if not row.repeats} == {1}


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
    assert errors.startswith("crawler: ")
    assert errors.count("\n") == 1
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
    home.crawl = CrawlId("c-none")
    assert home.wait(home.start("r", is_handed_over=False)) == CrawlerExit.USAGE
    assert home.last_errors.startswith("crawler: There is no crawl 'c-none'.")


def test_a_start_that_redirects_to_a_private_address_ends_there(make_home: Make) -> None:
    def away(handler: OddHandler) -> None:
        handler.give("", status=302, Location="http://0x0a.1/x")

    with OddServer({"/": away}) as site:
        home = make_home(site.url, allowed=f'["127.0.0.1:{site.server_port}"]')
        assert home.run() == 0, home.last_errors
    rows = home.rows()
    assert rows["/"].state is UrlState.REDIRECTED
    (target,) = [row for path, row in rows.items() if path != "/"]
    assert (target.state, target.reason) == (UrlState.FAILED, UrlReason.PRIVATE_ADDRESS)
    assert target.requests == 0


def _own_certificate(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    begin = datetime.now(UTC) - timedelta(days=1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    certificate = (
        builder.not_valid_before(begin).not_valid_after(begin + timedelta(days=9)).sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    file.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain) + certificate.public_bytes(pem)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def test_hosts_that_cannot_be_asked_fail_with_the_reason_and_the_crawl_goes_on(
    make_home: Make, tmp_path: Path
) -> None:
    with OddServer({}) as closed:
        nobody = closed.url
    secure = OddServer({"/": page(words("secure"))}, _own_certificate(tmp_path))
    with secure, OddServer({"/": page(words("home"))}) as site:
        starts = [f"{site.url}/", f"{nobody}/", "http://no-such-host.invalid/", f"{secure.url}/"]
        home = make_home(starts[0], urls=starts, timeout_s=5)
        assert home.run() == 0, home.last_errors
        assert sum(secure.requests.values()) == 0
    rows = {row.url: (row.state.value, row.reason) for row in home.rows().values()}
    assert rows == {
        starts[0]: ("kept", UrlReason.NONE),
        starts[1]: ("failed", UrlReason.UNREACHABLE),
        starts[2]: ("failed", UrlReason.UNKNOWN_HOST),
        starts[3]: ("failed", UrlReason.CERTIFICATE),
    }
    assert home.last_errors == ""


def test_a_robots_txt_that_forbids_all_is_said_at_once(make_home: Make) -> None:
    def forbid(handler: OddHandler) -> None:
        handler.give("User-agent: *\nDisallow: /", "text/plain")

    with OddServer({"/robots.txt": forbid, "/": page(words("home"))}) as site:
        home = make_home(site.url)
        assert home.run() == 0, home.last_errors
        assert site.requests == {"/robots.txt": 1}
        ours = make_home(site.url, ignore_robots_because="It is our own site.", use_sitemaps=False)
        assert ours.run() == 0, ours.last_errors
        assert site.requests == {"/robots.txt": 1, "/": 1}
    (row,) = home.rows().values()
    assert (row.state, row.reason) == (UrlState.SKIPPED, UrlReason.ROBOTS)
    assert "forbids its start page" in row.detail


def test_a_site_that_answers_anything_is_not_taken_for_pages(make_home: Make) -> None:
    def anything(handler: OddHandler) -> None:
        handler.give(f"<p>Here is {handler.path} for you. <a href='{handler.path.rstrip('/')}/more'>more</a>")

    with OddServer({"*": anything, "/robots.txt": lambda handler: handler.give("", status=404)}) as site:
        home = make_home(site.url, depth=4)
        assert home.run() == 0, home.last_errors
    rows = home.rows()
    assert (rows["/"].state, rows["/more"].reason) == (UrlState.KEPT, UrlReason.SOFT_404)
    assert len(rows) == 2
