"""Names of documents: read, given by hand, and kept."""

from __future__ import annotations

import pytest

from core.domain.fields import Extraction, Identity, IdentityPart
from core.domain.ids import DocumentId
from core.errors import NotFoundError, UsageError
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.store.documents.names import LONGEST
from core.store.store import Records
from tests.support.versions import new_version

EVERYTHING = Visibility.everything()


def _named(records: Records, document: DocumentId, name: str, version: int = 1) -> None:
    identity = Identity(name, IdentityPart("Lease", 0.9))
    records.fields.put(document, version, Extraction("contracts", {}, identity=identity), "f")


def test_a_document_is_called_by_its_title_until_its_names_are_read(records: Records) -> None:
    document = records.documents.publish(new_version("a.txt", "Text.")).document
    summary = records.documents.get(document, EVERYTHING)
    assert summary.name == summary.title

    _named(records, document, "Lease · ACME · Mar 2024")

    summary = records.documents.get(document, EVERYTHING)
    assert (summary.name, summary.title != summary.name) == ("Lease · ACME · Mar 2024", True)
    found = records.documents.identity(document, EVERYTHING)
    assert found is not None
    assert found.kind.text == "Lease"
    assert [each.id for each in records.documents.list(EVERYTHING, DocumentQuery(text="acme"))] == [document]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("/in_box/site_visit.eml/crane.png", "crane.png · Site visit"),
        ("/in_box/crane_2.png", "crane_2.png"),
        ("C:\\in_box\\crane.png", "crane.png"),
    ],
)
def test_a_file_of_which_nothing_was_read_is_called_by_its_own_name(
    records: Records, source: str, name: str
) -> None:
    failed = records.documents.record_failure("default", source, "It is an image.")
    assert failed.document is not None
    assert records.documents.get(failed.document, EVERYTHING).name == name


def test_a_name_by_hand_stays_when_the_document_is_read_again(records: Records) -> None:
    document = records.documents.publish(new_version("a.txt", "Text.")).document
    assert records.documents.rename(document, "  Our  lease ", EVERYTHING) == "Our lease"

    _named(records, document, "Lease · ACME")
    records.documents.publish(new_version("a.txt", "Other text."))

    assert records.documents.get(document, EVERYTHING).name == "Our lease"
    assert records.documents.rename(document, "", EVERYTHING) == "Lease · ACME"


def test_a_new_version_of_the_same_title_keeps_the_name(records: Records) -> None:
    document = records.documents.publish(new_version("a.txt", "Text.")).document
    _named(records, document, "Lease · ACME")

    records.documents.publish(new_version("a.txt", "Other text."))

    assert records.documents.get(document, EVERYTHING).name == "Lease · ACME"


def test_a_name_is_not_endless_and_a_stranger_names_nothing(records: Records) -> None:
    document = records.documents.publish(new_version("a.txt", "Text.", acl=("hr",))).document

    with pytest.raises(UsageError, match="201 characters"):
        records.documents.rename(document, "x" * (LONGEST + 1), EVERYTHING)
    with pytest.raises(NotFoundError):
        records.documents.rename(document, "Mine", Visibility(frozenset()))
    with pytest.raises(NotFoundError):
        records.documents.identity(document, Visibility(frozenset()))


def test_characters_that_cannot_be_seen_are_no_part_of_a_name(records: Records) -> None:
    document = records.documents.publish(new_version("a.txt", "Text.")).document

    name = records.documents.rename(document, "Our\0 le\x1bas\ud800e \u202e\u200b", EVERYTHING)

    assert name == "Our le as e"
    assert records.documents.rename(document, "\u200b", EVERYTHING) == "Title of a.txt"


def test_names_that_collide_in_a_bucket_are_told_apart_by_file_or_folder(records: Records) -> None:
    def called(source: str, name: str = "Lease · ACME", bucket: str = "b") -> str:
        version = new_version(source, f"Text of {source} in {bucket}.", bucket=bucket)
        document = records.documents.publish(version).document
        _named(records, document, name)
        return records.documents.get(document, EVERYTHING).name

    assert called("2024/lease.pdf") == "Lease · ACME"
    assert called("2025/lease.pdf") == "Lease · ACME (2025/lease.pdf)"
    assert called("other.pdf") == "Lease · ACME (other.pdf)"
    assert called("2024/lease.pdf", bucket="c") == "Lease · ACME"
    assert called("2024/lease.pdf") == "Lease · ACME"  # read again, it is told apart from none
