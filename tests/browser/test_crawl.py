"""A site crawled from the page: dry run, start, watch, pause, ledger, retry, schedule, and a question."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, Visit, free_port, serve

pytestmark = pytest.mark.browser

GUIDES = 24
SUBJECTS = ("anchors", "buoys", "compasses", "davits", "engines", "fenders")


@dataclass
class SmallSite:
    """A handbook of some thirty pages; one of them is broken until somebody mends it."""

    url: str = ""
    is_mended: bool = False
    delay_s: float = 0.0
    requests: list[str] = field(default_factory=list)

    def page(self, path: str) -> tuple[int, str]:
        """Status and body of an address."""
        guides = "".join(
            f'<li><a href="/handbook/guide-{n:02}.html">Guide {n}</a></li>' for n in range(GUIDES)
        )
        if path == "/handbook/":
            links = '<a href="/handbook/broken.html">Log</a> <a href="/handbook/old/1.html">Old</a>'
            return 200, _html("Harbour handbook", f"All guides of the harbour.<ul>{guides}</ul>{links}")
        if path == "/handbook/broken.html":
            return (200, _html("Log", "The log of the harbour.")) if self.is_mended else (500, "Broken")
        found = re.fullmatch(r"/handbook/guide-(\d\d)\.html", path)
        if found and int(found[1]) < GUIDES:
            number = int(found[1])
            subject = SUBJECTS[number % len(SUBJECTS)]
            return 200, _html(
                f"Guide {number}: care of {subject}",
                f"The {subject} of berth {number} are inspected every {number + 3} weeks by the master. "
                f"Reports about {subject} go to desk {number + 100}.",
            )
        return 404, "Not found"


def _html(title: str, text: str) -> str:
    filler = " ".join(["The harbour office keeps this page up to date for skippers and crews."] * 4)
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title></head><body><main><h1>{title}</h1>"
        f"<p>{text}</p><p>{title}. {filler}</p></main></body></html>"
    )


@pytest.fixture(scope="module")
def site() -> Iterator[SmallSite]:
    """The handbook, on loopback."""
    small = SmallSite()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            small.requests.append(self.path)
            time.sleep(small.delay_s)
            status, body = small.page(self.path)
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a pause ends the crawler
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    small.url = f"http://127.0.0.1:{server.server_port}/handbook/"
    yield small
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def harbour(site: SmallSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An empty home that may reach that site."""
    home, port = tmp_path_factory.mktemp("crawl") / "home", free_port()
    host = site.url.split("/")[2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_CRAWL__ALLOWED_HOSTS", f'["{host}"]')
        command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
        yield from serve(command, port, home, lambda health: True)


def write(visit: Visit, label: str, text: str) -> None:
    """Type into a field of the form and leave it."""
    visit.page.get_by_role("textbox", name=label).fill(text)
    visit.page.get_by_role("heading", name="4 · Manners").click()
    visit.idle()


def button(visit: Visit, name: str | re.Pattern[str]) -> None:
    """Press a button."""
    visit.page.get_by_role("button", name=name).click()


def test_a_site_is_crawled_from_a_dry_run_to_a_question(
    visit: Callable[..., Visit], harbour: Server, site: SmallSite
) -> None:
    found = visit(harbour)
    found.open("/crawl")
    _dry_run(found, site)
    _start_and_pause(found, site)
    _read_the_ledger(found, site)
    _schedule(found)
    _ask(found)


def _dry_run(found: Visit, site: SmallSite) -> None:
    page = found.page
    expect(page.get_by_text("No site was crawled yet")).to_be_visible()
    addresses = page.get_by_role("textbox", name="Start addresses")
    addresses.fill(f"ftp://example.com/\n{site.url}")
    page.get_by_role("textbox", name="Leave out addresses").fill("*/old/*")  # typed while the page runs again
    page.get_by_role("heading", name="4 · Manners").click()
    found.idle()
    expect(page.get_by_text("has the scheme 'ftp'")).to_be_visible()
    expect(page.get_by_role("textbox", name="Leave out addresses")).to_have_value("*/old/*")
    write(found, "Start addresses", site.url)
    expect(page.get_by_text("has the scheme 'ftp'")).to_have_count(0)
    page.get_by_role("textbox", name="Try an address").fill(f"{site.url}old/1.html")
    expect(page.get_by_text("It would be left out.")).to_be_visible()
    page.locator(".st-key-crawl-bucket input").fill("harbour")
    page.keyboard.press("Enter")
    found.idle()
    button(found, "Dry run")
    page.get_by_role("button", name="Start this crawl").wait_for(timeout=120_000)
    found.idle()
    expect(page.get_by_text(f"would keep {GUIDES + 1} pages")).to_be_visible()
    expect(page.get_by_role("img", name="Bar chart: addresses at each depth")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Failed: The server answered with an error · 1"))).to_be_visible()
    expect(page.get_by_text("old/1.html").first).to_be_visible()


def _start_and_pause(found: Visit, site: SmallSite) -> None:
    page = found.page
    site.delay_s = 2.0  # so that there is something to watch
    button(found, "Start this crawl")
    page.get_by_role("button", name="Pause").wait_for()
    button(found, "Pace")
    page.get_by_role("spinbutton", name="Seconds between requests").fill("1")
    page.get_by_role("spinbutton", name="of these, to one host").fill("1")
    button(found, "Change the pace")
    expect(page.get_by_text("The pace is changed")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text(re.compile(r"of \d\d addresses known so far"))).to_be_visible(timeout=60_000)
    button(found, "Pause")
    page.get_by_role("button", name="Go on").wait_for(timeout=60_000)
    found.idle()
    expect(page.get_by_text("◆ Paused")).to_be_visible()
    queued = page.get_by_test_id("stMetric").filter(has_text="Queued").get_by_test_id("stMetricValue")
    assert int(queued.inner_text()) > 0
    button(found, "Pace")
    page.get_by_role("spinbutton", name="Seconds between requests").fill("0")
    page.get_by_role("spinbutton", name="of these, to one host").fill("8")
    button(found, "Change the pace")
    page.keyboard.press("Escape")
    found.idle()
    site.delay_s = 0.0
    button(found, "Go on")
    page.get_by_role("link", name=f"Ask about these {GUIDES + 1} pages").wait_for(timeout=180_000)
    found.idle()
    expect(page.get_by_role("img", name="Tree map")).to_be_visible()


def _read_the_ledger(found: Visit, site: SmallSite) -> None:
    page = found.page
    page.get_by_role("button", name="The server answered with an error").click()
    found.idle()
    expect(page.get_by_text(f"1 of {GUIDES + 3} addresses")).to_be_visible()
    address = page.url
    assert "state=" in address
    assert "view=Addresses" in address
    page.get_by_role("button", name=re.compile("broken.html")).first.click()
    expect(page.get_by_text("after 5xx or 429 try again later").last).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    text = download.value.path().read_text("utf-8-sig")
    assert "broken.html" in text
    assert len(text.splitlines()) == 2
    found.open(address.removeprefix(found.server.url))
    expect(page.get_by_text(f"1 of {GUIDES + 3} addresses")).to_be_visible()
    site.is_mended = True
    before = len(site.requests)
    button(found, "Try 1 failed address again")
    page.get_by_role("link", name=f"Ask about these {GUIDES + 2} pages").wait_for(timeout=120_000)
    asked = [path for path in site.requests[before:] if site.page(path)[0] == 200]
    assert asked == ["/handbook/broken.html"]  # besides robots.txt and a page that no site has


def _schedule(found: Visit) -> None:
    page = found.page
    page.get_by_role("tab", name="Runs and schedule").click()
    found.idle()
    page.locator("[class*=st-key-again-]").get_by_role("combobox").click()
    page.get_by_role("option", name="Daily").click()
    found.idle()
    button(found, "Save the schedule")
    expect(page.get_by_text(re.compile(r"Daily\. Next run"))).to_be_visible()
    page.get_by_role("button", name="All crawls").click()
    found.idle()
    expect(page.get_by_role("cell", name="Daily")).to_be_visible()
    page.get_by_role("button", name=re.compile("handbook$")).first.click()
    found.idle()


def _ask(found: Visit) -> None:
    page = found.page
    page.get_by_role("link", name=re.compile("Ask about these")).click()
    page.get_by_test_id("stChatInputTextArea").wait_for()
    found.idle()
    found.ask("Who inspects the davits of berth 15?")
    page.get_by_role("button", name=re.compile("^Citation 1:")).first.click()
    expect(page.locator(".st-key-evidence-panel").get_by_text("18 weeks").first).to_be_visible(timeout=20_000)


def test_a_page_at_work_reacts_at_once_and_keeps_what_is_typed(
    visit: Callable[..., Visit], harbour: Server, site: SmallSite
) -> None:
    found = visit(harbour)
    found.open("/crawl?new=1")
    page = found.page
    write(found, "Start addresses", site.url)
    button(found, re.compile("^Start$"))
    page.wait_for_url("**/crawl?crawl=*")
    page.get_by_role("tab", name="Addresses").click()
    found.idle()
    page.get_by_role("searchbox", name="Address").fill("guide-1")
    time.sleep(6)  # longer than the ledger waits before it looks again
    assert page.get_by_role("searchbox", name="Address").input_value() == "guide-1"
    page.keyboard.press("Enter")
    found.idle()
    expect(page.get_by_text(re.compile(r"\d+ of \d+ addresses"))).to_be_visible()
