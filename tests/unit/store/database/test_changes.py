from datetime import UTC, datetime
from pathlib import Path

from core.config.models import Settings
from core.domain.ids import DocumentId
from core.store.database.changes import append_changes
from core.store.store import Records
from tests.support.versions import new_version

NOW = datetime(2026, 11, 22, tzinfo=UTC)
LEASE, BILL = DocumentId("lease"), DocumentId("bill")


def append(records: Records, document: DocumentId, kind: str) -> None:
    with records.database.write() as connection:
        append_changes(connection, (document,), kind, NOW)


def test_facts_raise_the_data_version_and_leave_the_passages_as_they_are(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        append(records, LEASE, "published")
        seen = records.changes.data_version()

        append(records, LEASE, "extracted")
        append(records, LEASE, "reviewed")

        assert records.changes.data_version() == seen + 2
        assert records.changes.since(seen).documents == frozenset()
        assert records.changes.since(seen).sequence == seen + 2
        assert records.changes.of_facts_since(seen).documents == {LEASE}


def test_a_new_text_is_not_forgotten_because_its_fields_were_read_after_it(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        append(records, BILL, "published")
        append(records, LEASE, "extracted")
        append(records, LEASE, "published")
        append(records, LEASE, "extracted")

        assert records.changes.since(1).documents == {LEASE}
        assert records.changes.of_facts_since(0).documents == {LEASE, BILL}


def test_several_documents_change_and_are_removed_at_once(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        both = [records.documents.publish(new_version(f"{name}.txt")).document for name in ("a", "b")]
        seen = records.changes.data_version()

        assert sorted(records.documents.remove(both)) == sorted(both)

        assert records.changes.since(seen).documents == frozenset(both)
