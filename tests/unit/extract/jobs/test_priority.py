from __future__ import annotations

from pathlib import Path

from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import ContentHash, DocumentId
from core.extract.jobs.job import Priority
from core.records.base import NewVersion
from core.records.store import Records


def test_what_questions_wait_for_is_taken_first_also_where_it_is_asked_for_meanwhile(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        ids = [publish(records, str(number)) for number in range(5)]
        now = 0.0
        records.reading_queue.add({ids[3]})
        order = Priority(records, lambda: now).order(ids)

        first, second = next(order), next(order)
        records.reading_queue.add({ids[4]})
        now = 1.0
        rest = list(order)

    assert (first, second) == (ids[3], ids[0])
    assert rest == [ids[4], ids[1], ids[2]]


def publish(records: Records, name: str) -> DocumentId:
    parsed = ParsedDocument(name, "text/plain", (Page(1, name),))
    return records.documents.publish(NewVersion("b", name, parsed, ContentHash(name), 1)).document
