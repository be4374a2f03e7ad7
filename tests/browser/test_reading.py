"""What is still being read, in a real browser: answers that follow up, ingests found again, scans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.config.models import Settings
from core.config.schema_store import SchemaStore
from core.domain.document import Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, TypedValue
from core.domain.ids import DocumentId, content_hash
from core.domain.job import JobState
from core.extract.base import Definitions
from core.ingest.job import IngestGroup, IngestPayload
from core.ingest.ocr import is_installed
from core.jobs import queue
from core.jobs.kinds import EXTRACT, INGEST
from core.store.base import NewVersion
from core.store.store import Records
from core.workbench.definitions import shipped_model
from tests.browser.conftest import Server, Visit, free_port, serve
from tests.support.filled_matrix import BUCKET, fill

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
TEXAN = "Which documents are governed by Texas law?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Ten contracts, one more that nobody read, a scan, and a back-fill that somebody cancelled just now."""
    home, port = tmp_path_factory.mktemp("reading") / "home", free_port()
    fill(home)
    with Records.open(Settings(home=home)) as records:
        publish(records, "Kestrel agreement", "It is governed by the law of Texas.")
        publish(records, "Scan", "")
        records.jobs.finish(queue.submit(records, EXTRACT, "Fields", {}), JobState.CANCELLED)
    command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
    yield from serve(command, port, home, lambda health: int(str(health["documents"])) >= 12)


def publish(records: Records, title: str, text: str) -> DocumentId:
    kind = "text/plain" if text else "application/pdf"
    parsed = ParsedDocument(
        title, kind, (Page(1, text),), "en", unreadable_reason="" if text else "It holds no text."
    )
    new = NewVersion(BUCKET, title, parsed, content_hash(title.encode()), 10)
    return records.documents.publish(new).document


def read(home: Path) -> None:
    """Read the contract to the end that was not."""
    value = TypedValue(FieldType.TEXT, "Texas", None, "", "Texas", "texas")
    law = Finding(CellStatus.PRESENT, (value,), (), 0.97, "pattern")
    fingerprint = Definitions(tuple(SchemaStore(home).schemas()), model=shipped_model()).fingerprint(BUCKET)
    with Records.open(Settings(home=home)) as records:
        document = records.documents.find(BUCKET, "Kestrel agreement")
        assert document is not None
        records.fields.put(document.id, 1, Extraction(BUCKET, {"governing_law": law}), fingerprint)


def test_an_answer_says_what_is_still_being_read_and_follows_up_by_itself(
    visit: Start, server: Server
) -> None:
    at = visit(server)
    at.open("/")
    at.ask(TEXAN)
    expect(at.page.get_by_role("button", name="1 still to be read")).to_be_visible()
    expect(at.page.get_by_text("It follows up by itself.")).to_be_visible()
    expect(at.page.get_by_text("not sure enough")).to_have_count(0)

    read(server.home)

    note = at.page.get_by_text("3 instead of 2")
    note.wait_for()
    expect(at.page.get_by_text("It follows up by itself.")).to_have_count(0)
    expect(at.page.get_by_role("button", name="3 fulfil it")).to_be_visible()
    note.click()
    expect(at.page.get_by_text("2 of ").first).to_be_visible()  # what stood here before
    at.page.reload()
    at.idle()
    expect(at.page.get_by_text("3 instead of 2")).to_be_visible()
    assert not at.errors


def test_a_running_ingest_is_found_again_after_a_reload_and_from_another_tab(
    visit: Start, server: Server, tmp_path: Path
) -> None:
    long = tmp_path / "long.txt"
    long.write_text(
        "\n\n".join(f"{n}. The panel of shed {n} is {n} mm wide and grey." * 4 for n in range(6_000))
    )
    at, other = visit(server), visit(server)
    at.open("/ingest")
    with Records.open(Settings(home=server.home)) as records:
        payload = IngestPayload(groups=(IngestGroup(paths=(str(long),), bucket="sheds"),))
        job = queue.submit(records, INGEST, "long.txt into sheds", payload.model_dump())

        expect(at.page.get_by_text("long.txt into sheds")).to_be_visible()
        at.page.reload()
        expect(at.page.get_by_text("long.txt into sheds")).to_be_visible()
        other.open("/ingest")
        expect(other.page.get_by_text("long.txt into sheds")).to_be_visible()
        expect(other.page.get_by_text("passage ")).to_be_visible(timeout=60_000)
        other.page.get_by_role("button", name="Show its files").click()
        other.page.wait_for_url(f"**job={job}*")
        queue.cancel(records, job)
        queue.follow(records, job)


@pytest.mark.skipif(is_installed(), reason="text recognition is installed here")
@pytest.mark.parametrize("page", ["/ingest", "/documents", "/settings"])
def test_reading_scans_says_what_it_costs_and_begins_nothing_before_it_is_confirmed(
    visit: Start, server: Server, page: str
) -> None:
    at = visit(server)
    at.open(page)
    at.page.get_by_role("button", name="Read scans").click()
    dialog = at.page.get_by_role("dialog")
    expect(dialog.get_by_text("120 MB")).to_be_visible()
    expect(dialog.get_by_role("button", name="Install and read")).to_be_visible()
    dialog.get_by_role("button", name="Not now").click()
    expect(dialog).to_have_count(0)
    with Records.open(Settings(home=server.home)) as records:
        assert not [each for each in records.jobs.list() if each.kind == "install"]
