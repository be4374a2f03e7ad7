"""Rows of documents and versions as value types."""

from datetime import UTC, datetime

from core.domain.document import DocumentStatus
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.versions import new_version

ALL = Visibility.everything()
DAY = datetime(2026, 11, 25, 9, tzinfo=UTC)


def test_an_older_version_has_its_own_title_and_day(records: Records) -> None:
    document = records.documents.publish(new_version(text="One."), DAY).document
    records.documents.publish(new_version(text="Second text."))
    found = records.documents.version(document, 1, ALL).summary
    assert (found.status, found.updated_at, found.size_bytes, found.version) == (
        DocumentStatus.READY,
        DAY,
        len("One."),
        2,
    )


def test_a_document_that_is_gone_is_so_in_every_version(records: Records) -> None:
    document = records.documents.publish(new_version(text="One.")).document
    records.documents.publish(new_version(text="Second text."))
    records.documents.withdraw([document], "404", DAY)
    for version in (1, 2):
        found = records.documents.version(document, version, ALL.including_gone()).summary
        assert (found.is_gone, found.reason, found.updated_at) == (True, "404", DAY)
