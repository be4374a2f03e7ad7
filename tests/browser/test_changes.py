"""Pages that change after they were cited: the citation says so, and audits on them are run again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.workbench import Workbench
from tests.browser.conftest import ROOT, Server, Visit, free_port, serve

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]

LIMITS = "<h1>Limits of Harbor</h1><p>{}</p><p>Larger files are refused.</p>"
OLD = "The maximum upload size of the Harbor service is 40 megabytes per file."
NEW = "The maximum upload size of the Harbor service is 60 megabytes per file on all plans."
KEPT = "<h1>Retention in Harbor</h1><p>Deleted files of the Harbor service are kept for 30 days.</p>"
CONTRACT = (
    "SERVICES AGREEMENT\n\nThis Services Agreement is made on March 3, 2024 between {} and Harbor Holdings "
    "Ltd.\n\n1. Governing Law. This Agreement shall be governed by the laws of the State of {}.\n\n"
    "2. Term. This Agreement begins on April 1, 2024 and ends on March 31, 2027.\n"
)


def _write(folder: Path, limits: str, laws: dict[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "limits.html").write_text(LIMITS.format(limits))
    (folder / "retention.html").write_text(KEPT)
    for name, law in laws.items():
        (folder / f"{name}.txt").write_text(CONTRACT.format(f"{name} Corp", law))


def _ingest(folder: Path, home: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "core.cli",
        "ingest",
        str(folder),
        "--bucket",
        "site",
        "--home",
        str(home),
    ]
    environment = {**os.environ, "GROUNDWORK_INGEST__OCR": "off"}
    subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, timeout=170)


def _withdraw(home: Path, name: str) -> None:
    with Workbench.open(home=home) as bench:
        gone = [each.id for each in bench.local.documents.list() if name in each.source]
        assert bench.local._parts.records.documents.withdraw(gone, "404") == gone


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """A home with two pages and two contracts, and an audit that was run; and the folder it came from."""
    place = tmp_path_factory.mktemp("site")
    home, folder = place / "home", place / "pages"
    _write(folder, OLD, {"Acme": "Texas", "Bolt": "Delaware"})
    _ingest(folder, home)
    with Workbench.open(home=home) as bench:
        for name, law in (("Texan contracts", "Texas"), ("Contracts of Delaware", "Delaware")):
            plan = bench.plan(f"Which contracts are governed by the law of {law}?")
            audit = bench.local.audits.save(plan, name, acl=())  # type: ignore[arg-type]
            bench.local.audits.run(audit.id)
    port = free_port()
    command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
    for server in serve(command, port, home, lambda health: int(str(health["documents"])) == 4):
        yield server, folder


def test_a_citation_of_a_page_that_changed_says_so_with_both_texts(
    visit: Start, site: tuple[Server, Path]
) -> None:
    server, folder = site
    here = visit(server)
    here.open()
    here.ask("How long are deleted files kept?")
    here.ask("What is the maximum upload size per file?")
    expect(here.page.locator(".chip.stale")).to_have_count(0)
    _write(folder, NEW, {"Acme": "Texas", "Bolt": "Texas", "Cedar": "Texas"})
    _ingest(folder, server.home)
    _withdraw(server.home, "retention")

    here.page.reload()
    changed = here.page.locator(".standing", has_text="This page has changed since")
    expect(changed).to_contain_text("The quoted words no longer stand there.")
    expect(here.page.locator(".standing", has_text="Gone from the site since")).to_contain_text("404")
    here.page.locator(".chip.stale").nth(1).click()
    texts = here.page.get_by_role("group", name="Old and new text side by side")
    texts.wait_for()
    here.idle()
    expect(texts.locator("p.cited")).to_have_text([OLD, NEW])
    expect(texts.locator("del")).to_have_text(["40"])
    expect(texts.locator("ins")).to_have_text(["60", "on all plans"])

    here.page.get_by_role("link", name="Open document").click()  # at the version that was cited
    here.page.locator(".st-key-standing-document").wait_for()
    here.idle()
    expect(texts.locator("del")).to_have_count(1)
    here.page.get_by_role("link", name="Open the page as it is now").click()
    here.idle()
    expect(here.page.locator(".st-key-standing-document")).to_have_count(0)

    here.page.get_by_role("radio", name="Gone").click()
    here.idle()
    expect(here.page.get_by_text("document is gone")).to_be_visible()
    here.page.get_by_role("button", name="Retention in Harbor").click()
    here.idle()
    expect(here.page.locator(".st-key-document-panel")).to_contain_text("Gone from the site since")


def test_audits_whose_evidence_changed_are_listed_and_run_again(
    visit: Start, site: tuple[Server, Path]
) -> None:
    server, _ = site
    here = visit(server, dark=True)
    here.open("/inspector")
    listed = here.page.locator(".st-key-outdated-audits")
    listed.wait_for()
    expect(listed).to_contain_text("1 document with a newer version · 1 new document in its scope")
    here.page.get_by_text("What has changed under “Texan contracts”").click()
    expect(listed).to_contain_text("Version 2 of it was ingested; the first run saw version 1.")

    other = visit(server)  # stands open meanwhile, and follows by itself
    other.open("/inspector")
    expect(other.page.locator(".st-key-outdated-audits")).to_contain_text("2 saved audits rest on documents")
    here.page.get_by_role("button", name="Run all 2 again").click()
    here.page.get_by_text("2 of 2 audits run again").wait_for()
    here.idle()
    expect(listed).not_to_contain_text("saved audit")
    other.page.get_by_text("2 of 2 audits run again").wait_for()
    expect(other.page.locator(".st-key-outdated-audits")).not_to_contain_text("saved audit")
    here.page.get_by_text("Texan contracts · 2 new in the answer").click()
    table = here.page.get_by_role("table", name="Documents that are told otherwise").first
    table.wait_for()
    expect(table).to_contain_text("Delaware, now Texas")
    here.page.get_by_role("button", name="Put away").click()
    here.idle()
    expect(listed).to_have_count(0)
