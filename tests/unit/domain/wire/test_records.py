"""Shapes of the interface: made of a domain value, and read of the JSON that it became."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.document import DocumentStatus, DocumentSummary, DocumentVersion, Link, Page
from core.domain.ids import ContentHash, DocumentId, JobId
from core.domain.job import CurrentItem, Job, JobState
from core.domain.wire.records import DocumentRow, JobRow, WholeDocument
from core.domain.wire.shapes import envelope

AT = datetime(2026, 11, 25, 9, 30, tzinfo=UTC)
SUMMARY = DocumentSummary(
    DocumentId("d"), "b", "b/lease.pdf", "Lease", DocumentStatus.READY, "", 2, "pdf", "application/pdf", "en",
    ("legal",), 1, 3, 10, ContentHash("0"), AT,
)  # fmt: skip
JOB = Job(JobId("j"), "ingest", "Files", JobState.RUNNING, 1, 2, None, None, "", None, AT, AT)


def test_a_row_becomes_json_with_plain_words_and_is_read_of_it_again() -> None:
    row = DocumentRow.of(SUMMARY)
    data = json.loads(json.dumps(row.json_ready()))

    assert (data["status"], data["acl"], data["updated_at"]) == (
        "ready",
        ["legal"],
        "2026-11-25T09:30:00+00:00",
    )
    assert DocumentRow.model_validate(data | {"key_of_a_later_server": 1}).name == "Lease"


def test_the_reason_of_what_is_gone_says_since_when() -> None:
    gone = replace(SUMMARY, status=DocumentStatus.GONE, reason="404")

    assert DocumentRow.of(gone).reason == "Gone from the site since 25 Nov 2026: 404"


def test_a_document_has_its_pages_links_and_how_it_was_read() -> None:
    link = Link("image", "a.png", 1)
    found = WholeDocument.of(DocumentVersion(SUMMARY, 1, (Page(1, "Text."),), (link,), {"read_by": "ocr"}))

    assert (found.version, found.images, found.pdfs) == (1, ("a.png",), ())
    assert found.read_by == {"method": "ocr", "confidence": 0.0}
    assert (found.text_of(1), found.text_of(2)) == ("Text.", "")
    assert list(found.json_ready())[:3] == ["schema", "id", "title"]


def test_a_job_says_what_it_works_on_within_a_document() -> None:
    data = envelope(job=JobRow.of(replace(JOB, current=CurrentItem("a.pdf", 1, 4))))

    assert data["job"]["current"] == {"source": "a.pdf", "done": 1, "total": 4, "left_s": None}
    assert not JobRow.of(JOB).is_ended
    assert JobRow.of(replace(JOB, state=JobState.PARTIAL)).is_ended
