"""Names in the openings of documents, kept up to the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.ids import DocumentId
from core.domain.passage import EncodedPassage
from core.store.store import Records
from core.workbench.catalogue import KnownOpenings
from tests.support.versions import encoded, new_version


@pytest.fixture(name="records")
def _records(tmp_path: Path) -> Iterator[Records]:
    with Records.open(Settings(home=tmp_path)) as opened:
        yield opened


def put(records: Records, source: str, text: str) -> DocumentId:
    passages: list[EncodedPassage] = [
        replace(each, passage=replace(each.passage, text=text)) for each in encoded(1)
    ]
    return records.documents.publish(replace(new_version(source, text), passages=passages)).document


def test_every_document_has_the_names_of_its_opening(records: Records) -> None:
    lease = put(records, "a.txt", 'LEASE AGREEMENT between Sonos, Inc. ("Sonos") and Target LLC')

    names = KnownOpenings(records).names()

    assert names[lease].heading == "LEASE AGREEMENT"
    assert ("Sonos, Inc", "Sonos") in names[lease].names


def test_a_changed_document_is_read_again_and_no_other(records: Records) -> None:
    one, other = put(records, "a.txt", "LEASE AGREEMENT"), put(records, "b.txt", "SUPPLY AGREEMENT")
    openings = KnownOpenings(records)
    before = openings.names()
    put(records, "b.txt", "HOSTING AGREEMENT")

    names = openings.names()

    assert names[other].heading == "HOSTING AGREEMENT"
    assert names[one] is before[one]


def test_nothing_is_read_while_nothing_changes(records: Records) -> None:
    put(records, "a.txt", "LEASE AGREEMENT")
    openings = KnownOpenings(records)

    assert openings.names() is openings.names()
