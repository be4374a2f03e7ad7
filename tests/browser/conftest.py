"""Real servers and a real Chromium. Each server lives for the whole test run, on a port of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("GROUNDWORK_CHROMIUM", "/usr/bin/chromium")
READY_WITHIN_S = 180.0
WAIT_MS = 60_000
"""How long a test waits for what it expects: two cores draw the pages of several servers at once."""
VIEWPORT: ViewportSize = {"width": 1440, "height": 900}
PAGES = pytest.StashKey[list[Page]]()
SHOWN_OF_A_PAGE = 3000
PERMISSIONS = ["clipboard-read", "clipboard-write"]
# What Streamlit itself brings along: the markup of its sectioned navigation, and the frame of its pages.
OF_STREAMLIT = {"list", "listitem", "region", "page-has-heading-one", "landmark-one-main", "heading-order"}
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}

IDLE = """ms => { const app = document.querySelector('[data-testid=stApp]'); if (!app) return false;
  const ok = app.dataset.testConnectionState === 'CONNECTED' && app.dataset.testScriptState === 'notRunning'
    && app.querySelector('[data-testid=stElementContainer]')  // nothing stands there before the first run
    && !document.querySelector('[data-stale=true]');
  if (!ok) { window.__ok = null; return false }
  const now = performance.now(); window.__ok ??= now; return now - window.__ok >= ms }"""
# The background of the page is dark, or not.
IS_DARK = """wanted => { const app = document.querySelector('[data-testid=stApp]');
  const parts = getComputedStyle(app).backgroundColor.match(/[0-9.]+/g).slice(0, 3);
  return parts.every((part) => part < 100) === wanted }"""


@dataclass
class Server:
    """A running application."""

    url: str
    home: Path


@dataclass
class Visit:
    """A browser page on a server, and what went wrong in it."""

    page: Page
    server: Server
    is_dark: bool = False
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def open(self, path: str = "/") -> None:
        self.page.goto(self.server.url + path)
        self.idle()

    def idle(self, settle_ms: int = 200) -> None:
        """Until the script has run and nothing on the page is stale."""
        self.page.get_by_test_id("stApp").wait_for()
        self.page.wait_for_timeout(60)  # lets a click reach the server
        self.page.evaluate("window.__ok = null")
        self.page.wait_for_function(IDLE, arg=settle_ms)

    def ask(self, question: str) -> None:
        """Put a question and wait for its answer."""
        before = self.page.get_by_text("Answered in").count()
        self.page.get_by_test_id("stChatInputTextArea").fill(question)
        self.page.keyboard.press("Enter")
        self.page.get_by_text("Answered in").nth(before).wait_for()
        self.idle()


def violations(visit: Visit, known: Collection[str] = OF_STREAMLIT) -> dict[str, list[str]]:
    """Barriers on the page as it is, by rule. known: rules that are not looked at."""
    return _violations(visit.page, known, {})


def violations_in_both_schemes(visit: Visit, known: Collection[str] = OF_STREAMLIT) -> dict[str, list[str]]:
    """Barriers in the scheme that the page is in, light or dark, and those that the other one adds.

    Only colours differ between the two. The page stays in the other: going back would draw it once more.
    """
    found = violations(visit, known)
    visit.is_dark = not visit.is_dark
    scheme: Literal["dark", "light"] = "dark" if visit.is_dark else "light"
    visit.page.emulate_media(color_scheme=scheme)
    visit.page.wait_for_function(IS_DARK, arg=visit.is_dark)
    visit.idle(500)  # colours fade
    of_colours = _violations(visit.page, known, {"runOnly": OF_COLOURS})
    return found | {f"{rule} in the {scheme} scheme": nodes for rule, nodes in of_colours.items()}


def _violations(page: Page, known: Collection[str], options: dict[str, object]) -> dict[str, list[str]]:
    rules = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return {
        rule["id"]: [node["html"][:160] for node in rule["nodes"]]
        for rule in rules
        if rule["id"] not in known
    }


def refusals(line: str) -> list[str]:
    """A line of the console, where it says that the page's policy forbids something that the page does."""
    return [line] if "Content Security Policy" in line else []


def _forget(chromium: BrowserContext, origins: Iterable[str]) -> None:
    """Close every page but the browser's first, and let go of all that they kept."""
    first, *others = chromium.pages
    for page in others:
        page.close()
    chromium.clear_cookies()
    for origin in origins:
        wanted = {"origin": origin, "storageTypes": "local_storage,indexeddb,service_workers,cache_storage"}
        chromium.new_cdp_session(first).send("Storage.clearDataForOrigin", wanted)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(
    command: list[str],
    port: int,
    home: Path,
    is_ready: Callable[[dict[str, object]], bool],
    environ: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    log = home.with_suffix(".log").open("w")
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            **os.environ,
            "GROUNDWORK_INGEST__OCR": "off",  # reading scans would fill a core
            **environ,
        },
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + READY_WITHIN_S
    try:
        while True:
            try:
                with urllib.request.urlopen(f"{url}/api/v1/healthz", timeout=5) as answer:
                    if is_ready(json.load(answer)):
                        break
            except (urllib.error.URLError, OSError):
                pass
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(
                    f"The server did not become ready: {home.with_suffix('.log').read_text()[-3000:]}"
                )
            signal.sigtimedwait([], 0.2)
        yield Server(url, home)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the sample collection: what `.ci/sample` left, or one that is made here. Copy it."""
    if "GROUNDWORK_SAMPLE_HOME" in os.environ:
        return Path(os.environ["GROUNDWORK_SAMPLE_HOME"])
    home = tmp_path_factory.mktemp("sample") / "home"
    command = [sys.executable, "-m", "core.cli", "ingest", "--sample", "--home", str(home)]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "GROUNDWORK_INGEST__OCR": "off"})
    return home


def serve_sample(original: Path, folder: Path) -> Iterator[Server]:
    """A server over a copy of the sample's home."""
    home, port = folder / "home", free_port()
    shutil.copytree(original, home)
    yield from serve(
        ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)], port, home, lambda _health: True
    )


@pytest.fixture(scope="session")
def sample_server(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The sample collection, served."""
    yield from serve_sample(sample_home, tmp_path_factory.mktemp("real"))


def _fake(folder: Path, *options: str) -> Iterator[Server]:
    home, port = folder / "home", free_port()
    command = ["-m", "tests.support.serve_fake", str(port), str(home), *options]
    yield from serve(command, port, home, lambda _health: True)


@pytest.fixture(scope="session")
def memory_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from _fake(tmp_path_factory.mktemp("memory"))


@pytest.fixture(scope="session")
def gated_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Answers wait until the test opens `home/gate`."""
    yield from _fake(tmp_path_factory.mktemp("gated"), "gate")


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the browser keeps compiled scripts for the next test: without, a visit takes twice the time."""
    return tmp_path_factory.mktemp("profile")


@pytest.fixture(scope="module")
def chromium(profile: Path) -> Iterator[BrowserContext]:
    """A browser. Not for the whole session: while it lives an event loop runs in this thread, and other tests
    that run jobs here need one of their own.
    """
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            args=["--no-sandbox"],
            viewport=VIEWPORT,
            permissions=PERMISSIONS,
        )
        yield context
        context.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Below a failed test stands what its pages said then: the machine that saw them may be gone."""
    report = yield
    if report.when == "call" and report.failed:
        pages: list[Page] = item.stash.get(PAGES, [])
        for page in pages:
            with suppress(PlaywrightError):  # it may be closed
                report.sections.append(
                    (page.url, page.locator("body").inner_text(timeout=5_000)[:SHOWN_OF_A_PAGE])
                )
    return report


@pytest.fixture
def visit(chromium: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Callable[..., Visit]]:
    """Opens pages; afterwards no request may have left its server, and no script may have failed.

    Each is that of somebody who was never here: the first of a test has compiled scripts at hand, but nothing
    that pages kept, the others are in browsers of their own.
    """
    visits: list[Visit] = []

    def start(server: Server, *, dark: bool = False) -> Visit:
        context = chromium
        if visits:
            assert chromium.browser is not None
            context = chromium.browser.new_context(viewport=VIEWPORT, permissions=PERMISSIONS)
        page = context.new_page()
        request.node.stash.setdefault(PAGES, []).append(page)
        page.set_default_timeout(WAIT_MS)
        page.emulate_media(color_scheme="dark" if dark else "light")
        found = Visit(page, server, dark)
        own = (server.url, server.url.replace("http", "ws"), "data:", f"blob:{server.url}")
        page.on("request", lambda r: None if r.url.startswith(own) else found.foreign.append(r.url))
        page.on("pageerror", lambda error: found.errors.append(str(error)))
        page.on("console", lambda message: found.errors.extend(refusals(message.text)))
        visits.append(found)
        return found

    yield start
    for found in visits[1:]:
        found.page.context.close()
    _forget(chromium, {found.server.url for found in visits[:1]})
    assert [address for found in visits for address in found.foreign] == []
    assert [error for found in visits for error in found.errors] == []
