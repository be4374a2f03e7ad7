from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, Visit, violations_in_both_schemes

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]


@pytest.mark.parametrize(
    "path", ["/", "/documents", "/search?q=liability+of+ACME", "/ingest", "/jobs", "/settings"]
)
def test_pages_are_accessible(visit: Start, memory_server: Server, path: str) -> None:
    here = visit(memory_server)
    here.open(path)

    expect(here.page.get_by_test_id("stAlertContentError")).to_have_count(0)
    assert violations_in_both_schemes(here) == {}


def test_an_answer_with_its_evidence_is_accessible(visit: Start, memory_server: Server) -> None:
    here = visit(memory_server)
    here.open()
    here.ask("What is the total liability of ACME per incident?")
    here.page.get_by_role("button", name="Citation 1:").first.click()
    here.page.locator(".st-key-evidence-panel .focus").first.wait_for(state="attached")
    here.idle()

    assert violations_in_both_schemes(here) == {}


def test_files_of_a_folder_are_uploaded_and_ingested(
    visit: Start, memory_server: Server, tmp_path: Path
) -> None:
    for name in ("notes/first.txt", "notes/deep/second.txt", "notes/.DS_Store"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("The gate valve opens at 7 bar.")
    here = visit(memory_server)
    here.open("/ingest")

    here.page.locator("input[webkitdirectory]").set_input_files(tmp_path / "notes")
    here.page.get_by_role("button", name="Ingest 2 files").click()

    here.page.get_by_role("link", name="Ask about these 2 documents").wait_for()
    expect(here.page).to_have_url(re.compile("job="))
    expect(here.page.get_by_text("Done: 2 files into")).to_be_visible()


def test_two_different_files_of_one_name_both_arrive(
    visit: Start, memory_server: Server, tmp_path: Path
) -> None:
    for number, folder in enumerate(("a", "b")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "report.txt").write_text("x" * (10 + number))
    here = visit(memory_server)
    here.open("/ingest")
    chooser = here.page.locator("input[type=file]:not([webkitdirectory])").first

    chooser.set_input_files(tmp_path / "a" / "report.txt")
    here.page.get_by_role("button", name="Ingest 1 file").wait_for()
    chooser.set_input_files(tmp_path / "b" / "report.txt")
    here.page.get_by_role("button", name="Ingest 2 files").wait_for()
    chooser.set_input_files(tmp_path / "b" / "report.txt")
    here.idle()

    expect(here.page.get_by_text("2 files ready")).to_be_visible()
    here.page.get_by_role("button", name="Clear").click()
    here.page.get_by_role("button", name="Ingest", exact=True).wait_for()


def test_a_row_opens_the_document_and_its_text_is_searched(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open("/documents?text=maintenance-agreement")
    here.page.get_by_text("1 of 47 documents").wait_for()

    here.page.locator("tbody .title").click()
    here.page.get_by_role("tab", name="Text", exact=True).click()
    find = here.page.get_by_placeholder("Find in this document")
    find.fill("preventive")
    here.page.keyboard.press("Enter")
    here.page.locator("mark.focus").first.wait_for()

    expect(here.page).to_have_url(re.compile("document="))
    assert str(here.page.locator("mark.focus").first.text_content()).lower() == "preventive"
    with here.page.expect_download() as download:
        here.page.get_by_role("link", name="Download original").click()
    assert download.value.suggested_filename.endswith(".md")


def test_the_table_is_walked_by_keys_sorted_and_ticked(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open("/documents?text=battery")
    titles = here.page.locator("tbody .title")
    titles.first.focus()

    here.page.keyboard.press("ArrowDown")
    here.page.keyboard.press("Enter")
    second = str(titles.nth(1).text_content())
    here.page.get_by_role("heading", name=second).wait_for()
    here.page.get_by_role("button", name="Passages").click()
    here.page.locator("th[aria-sort=descending]").wait_for()
    here.page.get_by_role("checkbox", name="Choose all rows shown").click()
    here.page.get_by_text("documents chosen").wait_for()

    counts = [int(text) for text in here.page.locator("tbody td:nth-child(6)").all_text_contents()]
    assert counts == sorted(counts, reverse=True)
    expect(here.page).to_have_url(re.compile("order=falling"))
    assert titles.first.evaluate("e => getComputedStyle(e).textOverflow") == "ellipsis"


def test_a_reingest_says_so_and_leads_to_its_job_which_a_row_opens(
    visit: Start, memory_server: Server
) -> None:
    here = visit(memory_server)
    here.open("/documents?text=Master")
    here.page.locator("tbody .title").first.click()

    here.page.get_by_role("button", name="Re-ingest").click()
    here.page.get_by_text("1 document will be read again.").wait_for()
    address = here.page.get_by_role("link", name="Follow the job").get_attribute("href")
    here.open("/jobs")
    here.page.locator("tbody .title").first.click()
    here.page.wait_for_url("**job=*")

    assert address is not None
    expect(here.page).to_have_url(re.compile(re.escape(address) + "$"))


def test_removing_a_document_asks_once_and_says_what_goes(visit: Start, memory_server: Server) -> None:
    here = visit(memory_server)
    here.open("/documents?text=old-scan")
    here.page.get_by_role("button", name="old-scan").click()

    here.page.get_by_role("button", name="Remove", exact=True).click()
    here.page.get_by_text("go for good").wait_for()
    here.page.get_by_role("button", name="Remove 1 document").click()

    here.page.get_by_text("1 document removed").wait_for()
    here.page.get_by_text("No document fits these filters.").wait_for()
    expect(here.page.locator("tbody .title")).to_have_count(0)


def test_the_first_page_is_usable_soon_on_a_busy_machine_too(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.page.goto(sample_server.url)
    here.page.get_by_test_id("stChatInputTextArea").wait_for()

    assert here.page.evaluate("performance.now()") < 10_000  # from the browser on; the whole: bench.startup
