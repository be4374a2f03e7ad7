from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.domain.ids import document_id
from core.store.store import Records
from tests.support.versions import new_version


def test_a_moved_document_is_found_at_its_new_source_alone(records: Records) -> None:
    published = records.documents.publish(new_version("in/a.txt", passages=0))
    records.documents.move(published.document, "in/b.txt")
    assert records.documents.find("b", "in/a.txt") is None
    moved = records.documents.find("b", "in/b.txt")
    assert moved is not None
    assert moved.id == published.document == document_id("b", "in/a.txt")
    again = records.documents.publish(new_version("in/a.txt", "Other text.", passages=0))
    assert again.document != published.document
    found = records.documents.find("b", "in/a.txt")
    assert found is not None
    assert found.id == again.document


def test_documents_below_a_folder_and_beside_a_source_are_listed(records: Records) -> None:
    for source in ("in/a.txt", "in/a.txt (2)", "in/sub/c.txt", "inside/d.txt"):
        records.documents.publish(new_version(source, source, passages=0))
    later = datetime.now(UTC) + timedelta(days=1)
    below = [each.source for each in records.documents.below("b", "in", later)]
    assert sorted(below) == ["in/a.txt", "in/a.txt (2)", "in/sub/c.txt"]
    assert [each.source for each in records.documents.numbered("b", "in/a.txt")] == ["in/a.txt (2)"]
    [known] = records.documents.below("b", "inside", later)
    assert [each.id for each in records.documents.of_bytes("b", known.content_hash)] == [known.id]
