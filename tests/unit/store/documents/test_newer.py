"""Newest versions of documents, and texts of any version."""

from datetime import UTC, datetime

from core.store.database.visibility import Visibility
from core.store.documents.newer import NewerVersions, NewestVersion
from core.store.store import Records
from tests.support.versions import new_version

ALL = Visibility.everything()
FIRST, SECOND = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 10, 12, tzinfo=UTC)


def test_the_newest_version_came_on_its_own_day_whatever_was_renamed_since(records: Records) -> None:
    document = records.documents.publish(new_version(text="One."), FIRST).document
    records.documents.publish(new_version(text="Two."), SECOND)
    records.documents.rename(document, "Another name", ALL)
    found = NewerVersions(records.database).newest([document], ALL)
    assert found == {document: NewestVersion(2, SECOND, False, "")}


def test_what_is_gone_is_there_with_its_reason_and_what_may_not_be_seen_is_not(records: Records) -> None:
    gone = records.documents.publish(new_version("a.html"), FIRST).document
    closed = records.documents.publish(new_version("b.html", acl=("legal",)), FIRST).document
    records.documents.withdraw([gone], "404", SECOND)
    found = NewerVersions(records.database).newest([gone, closed], Visibility(frozenset()))
    assert found == {gone: NewestVersion(1, SECOND, True, "404")}


def test_texts_are_of_the_versions_asked_for(records: Records) -> None:
    one = records.documents.publish(new_version(text="One.")).document
    records.documents.publish(new_version(text="Two."))
    other = records.documents.publish(new_version("b.txt", "Other.")).document
    found = NewerVersions(records.database).texts({(one, 2), (other, 1)})
    assert found == {(one, 2): {1: "Two."}, (other, 1): {1: "Other."}}
