"""What was read of a file, sheets as grids, Markdown as it reads, and names that are there already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.config.models import Settings
from core.domain.document import FilePart, Page, ParsedDocument, PartState
from core.domain.ids import DocumentId, content_hash
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
_EVERYTHING = Visibility.everything()
MANY = 50_000
RULES = (
    "# House rules\n\nThe hall **must be aired** at noon.\n\n| Room | Guests |\n|---|---|\n| Blue | 40 |\n"
)
PARTS = (
    FilePart("images without text", PartState.UNREAD, 2, "page 3", "They hold no text that can be read."),
    FilePart("hidden sheets", PartState.LEFT_OUT, 1, "<b>Reserve</b>"),
)


def _rows(first: int, last: int) -> str:
    return "\n".join(f"No: {n} | Meter: Meter {n} | Reading: {n * 3}" for n in range(first, last))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home, port = tmp_path_factory.mktemp("files") / "home", free_port()
    with Records.open(Settings(home=home)) as records:
        half = MANY // 2
        sheets = (f"No | Meter | Reading\n{_rows(0, half)}", _rows(half, MANY))
        _publish(records, "meters.csv", "text/csv", *sheets)
        _publish(records, "rules.md", "text/markdown", RULES)
        for name in ("gate.txt", "post/Gate (2).txt"):
            _publish(records, name, "text/plain", "The gate shuts at nine.")
        _publish(records, "yard.txt", "text/plain", "The yard opens at six.", parts=PARTS)
    command = ["-m", "core.cli", "up", "--no-worker", "--port", str(port), "--home", str(home)]
    yield from serve(command, port, home, lambda _health: True)


def _publish(
    records: Records, source: str, kind: str, *texts: str, parts: tuple[FilePart, ...] = ()
) -> DocumentId:
    pages = tuple(Page(at, text) for at, text in enumerate(texts, 1))
    parsed = ParsedDocument(source, kind, pages, "en", parts=parts)
    return records.documents.publish(
        NewVersion("default", source, parsed, content_hash(source.encode()), 10)
    ).document


def _address(server: Server, source: str, page: int = 0, words: str = "") -> str:
    with Records.open(Settings(home=server.home)) as records:
        document = records.documents.find("default", source)
        assert document is not None
        place = ""
        if words:
            text = records.documents.page(document.id, None, page, _EVERYTHING).text
            start = text.index(words)
            place = f"&page={page}&start={start}&end={start + len(words)}"
    return f"/documents?document={document.id}{place}"


def test_what_was_not_read_of_a_file_is_shown_by_part(visit: Start, server: Server) -> None:
    here = visit(server)
    here.open("/documents?status=With+gaps")
    expect(here.page.get_by_text("◐ With gaps").first).to_be_visible()
    expect(here.page.locator("tbody tr")).to_have_count(1)

    here.open(_address(server, "yard.txt"))
    expect(
        here.page.get_by_text("Not all of this file was read: 2 images without text (page 3).")
    ).to_be_visible()
    here.page.get_by_role("tab", name="Read of this file").click()
    rows = here.page.get_by_role("table", name="Read of this file").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Not read")
    expect(rows.nth(1)).to_contain_text("<b>Reserve</b>")
    assert violations_in_both_schemes(here) == {}


def test_copies_have_one_row_that_opens_to_the_others(visit: Start, server: Server) -> None:
    here = visit(server)
    here.open("/documents?status=Copies")
    expect(here.page.get_by_text("2 files, 1 of them copies, which count once")).to_be_visible()
    rows = here.page.locator("tbody tr")
    expect(rows).to_have_count(1)
    here.page.get_by_role("button", name="2 copies").click()
    expect(rows.nth(1)).to_contain_text("Gate (2).txt")
    expect(here.page.get_by_text("1 row", exact=True)).to_be_visible()
    assert violations_in_both_schemes(here) == {}

    here.open("/matrix")
    expect(here.page.get_by_text("4 documents", exact=True).first).to_be_visible()
    here.page.get_by_role("button", name="2 copies").click()
    expect(here.page.get_by_role("link", name="post/Gate (2).txt")).to_be_visible()
    assert violations_in_both_schemes(here) == {}


def test_a_long_sheet_is_a_grid_that_is_at_the_cited_cell_at_once(visit: Start, server: Server) -> None:
    here = visit(server)
    number = MANY - 700
    here.open(_address(server, "meters.csv", 2, str(number * 3)))
    cell = here.page.locator(".line.cited .focus")
    expect(cell).to_have_text(str(number * 3))
    expect(cell).to_be_in_viewport()
    head = here.page.locator(".head").get_by_role("columnheader")
    expect(head.nth(0)).to_have_text("Meter")
    expect(head.nth(0)).to_be_in_viewport()
    assert here.page.locator(".line").count() < 200  # of 25,000 rows

    here.page.get_by_role("button", name="Part 1 of 2").click()
    expect(here.page.get_by_role("rowheader", name="Meter 3", exact=True)).to_be_visible()
    assert violations_in_both_schemes(here) == {}


def test_markdown_is_drawn_with_its_words_marked_and_has_its_text_beside_it(
    visit: Start, server: Server
) -> None:
    here = visit(server)
    here.open(_address(server, "rules.md", 1, "**must be aired**"))
    frame = here.page.frame_locator("iframe.stored")
    expect(frame.locator("mark")).to_have_text("must be aired")
    expect(frame.locator("td", has_text="Blue")).to_be_visible()
    here.page.get_by_role("tab", name="Text", exact=True).click()
    expect(here.page.locator("mark.focus")).to_have_text("**must be aired**")


def test_a_name_that_is_there_with_other_contents_is_asked_about(
    visit: Start, memory_server: Server, tmp_path: Path
) -> None:
    here = visit(memory_server)
    for text in ("The yard opens at six.", "Cats like fish."):
        (tmp_path / "yard-hours.txt").write_text(text)
        here.open("/ingest")
        here.page.locator("input[type=file]").first.set_input_files(tmp_path / "yard-hours.txt")
        here.page.get_by_text("1 file ready").wait_for()
        here.idle()
        choice = here.page.get_by_role("radio", name="Another document")
        if text.startswith("The"):
            expect(choice).to_have_count(0)
        else:
            expect(choice).to_be_checked()
            expect(here.page.get_by_text("25 % of the text in common")).to_be_visible()
            assert violations_in_both_schemes(here) == {}
        here.page.get_by_role("button", name="Ingest 1 file").click()
        here.page.get_by_role("link", name="Ask about this document").wait_for()
