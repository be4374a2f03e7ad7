"""Names in the openings of documents, kept up to the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.document import OpeningNames
from core.domain.ids import DocumentId
from core.domain.passage import EncodedPassage
from core.store.store import Records
from core.workbench import openings as module
from core.workbench.openings import FILE, KnownOpenings
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


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose names are kept, however few documents it has."""
    monkeypatch.setattr(module, "WORTH_KEEPING", 1)
    return tmp_path


def refuse(_text: str) -> OpeningNames:
    raise AssertionError("read again")


def test_the_next_start_reads_no_text_that_is_known(
    records: Records, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(records, "a.txt", 'LEASE AGREEMENT between Sonos, Inc. ("Sonos") and Target LLC, 4 May 2020')
    before = KnownOpenings(records, home).names()
    monkeypatch.setattr(module, "opening_names", refuse)

    assert KnownOpenings(records, home).names() == before
    assert (home / FILE).stat().st_mode & 0o077 == 0  # names of documents that not everybody may see


def test_what_is_kept_grows_with_new_documents_and_forgets_those_that_go(
    records: Records, home: Path
) -> None:
    openings = KnownOpenings(records, home)
    lease = put(records, "a.txt", "LEASE AGREEMENT between Halden and Porto")
    openings.names()
    put(records, "b.txt", "SUPPLY AGREEMENT between Quentin and Rui")
    openings.names()
    kept = (home / FILE).read_text("utf-8")
    assert all(name in kept for name in ("halden", "quentin"))

    records.documents.remove([lease])
    openings.names()

    assert "halden" not in (home / FILE).read_text("utf-8")
    assert "quentin" in (home / FILE).read_text("utf-8")


@pytest.mark.parametrize("damage", ["", "other rules\n", "{"])
def test_a_file_that_is_damaged_or_of_other_rules_is_made_again(
    records: Records, home: Path, damage: str
) -> None:
    put(records, "a.txt", "LEASE AGREEMENT")
    before = KnownOpenings(records, home).names()
    whole = (home / FILE).read_text("utf-8")
    (home / FILE).write_text(damage, "utf-8")

    assert KnownOpenings(records, home).names() == before
    assert (home / FILE).read_text("utf-8") == whole


def test_a_line_that_was_cut_short_is_read_again(records: Records, home: Path) -> None:
    put(records, "a.txt", "LEASE AGREEMENT")
    before = KnownOpenings(records, home).names()
    file = home / FILE
    file.write_text(file.read_text("utf-8")[:-9], "utf-8")

    assert KnownOpenings(records, home).names() == before
