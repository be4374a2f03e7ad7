from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.domain.document import Page, ParsedDocument
from core.domain.fields import Extraction
from core.domain.ids import ContentHash, DocumentId
from core.store.base import NewVersion
from core.store.jobs import jobs
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def publish(records: Records, name: str) -> DocumentId:
    parsed = ParsedDocument(name, "text/plain", (Page(1, name),))
    return records.documents.publish(NewVersion("b", name, parsed, ContentHash(name), 1)).document


def test_documents_wait_in_the_order_of_being_asked_for_until_all_of_them_is_read(records: Records) -> None:
    one, other, gone = (publish(records, name) for name in ("1", "2", "3"))
    records.reading_queue.add({other, DocumentId("unknown")}, NOW)
    records.reading_queue.add({one, other, gone}, NOW + timedelta(seconds=1))
    assert set(records.reading_queue.list()) == {one, other, gone}
    assert records.reading_queue.list()[0] == other

    records.fields.put(one, 1, Extraction("s", {}), "now", is_opening=True)
    records.documents.remove([gone])
    assert set(records.reading_queue.list()) == {one, other}
    records.fields.put(one, 1, Extraction("s", {}), "now")
    assert records.reading_queue.list() == [other]
    records.reading_queue.remove({other})
    assert records.reading_queue.list() == []


def test_no_more_wait_than_order_can_help(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_WAITING", 2)
    records.reading_queue.add({publish(records, str(number)) for number in range(4)})
    assert len(records.reading_queue.list()) == 2
