"""Maps in the background: the last one meanwhile, only for who may still see all of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from core.config.models import Settings
from core.errors import DeadlineError, RecordsError
from core.graph.maps import Maps, MapWork
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.mapped import PAPERS, papers
from tests.support.versions import new_version

ALL = Visibility.everything()


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records.open(Settings(home=tmp_path)) as opened:
        yield opened


@pytest.fixture
def maps(records: Records) -> Iterator[Maps]:
    papers(records)
    made = Maps(records, lambda: ())
    yield made
    made.close()


@pytest.fixture
def gate(maps: Maps, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Holds what is being made until it is set."""
    opened, read = threading.Event(), maps.records.connections.read

    def held(*given: object) -> object:
        assert opened.wait(10)
        return read(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(maps.records.connections, "read", held)
    return opened


def _work(maps: Maps, seen: Visibility = ALL) -> MapWork:
    work = maps.state(seen).work
    assert work is not None
    return work


def test_the_last_map_is_shown_while_the_next_is_made(
    records: Records, maps: Maps, gate: threading.Event
) -> None:
    gate.set()
    before = maps.find(ALL)
    assert maps.state(ALL).work is None
    gate.clear()
    records.documents.publish(new_version("new.txt", "Another paper", passages=0))
    state = maps.state(ALL)

    assert state.map is not None
    assert state.map.walks is before
    assert state.work is maps.state(ALL).work
    with pytest.raises(DeadlineError, match="being made: 0 of"):
        maps.find(ALL, 0.01)
    gate.set()
    assert len(maps.find(ALL).documents) == len(before.documents) + 1
    assert maps.state(ALL).work is None


def test_a_map_is_shown_no_more_once_a_document_of_it_is_hidden(
    records: Records, maps: Maps, gate: threading.Event
) -> None:
    seen = Visibility(frozenset())
    gate.set()
    assert len(maps.find(seen).documents) == 6
    gate.clear()
    page = PAPERS["alone.txt"][1]
    records.documents.publish(new_version("alone.txt", page, bucket="papers", acl=("board",), passages=0))

    assert maps.state(seen).map is None
    gate.set()
    assert len(maps.find(seen).documents) == 5


def test_what_failed_is_told_once_and_made_again(maps: Maps, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object) -> None:
        raise RecordsError("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(maps.records.connections, "read", broken)
        with pytest.raises(RecordsError, match="full"):
            _work(maps).made.result(10)
        with pytest.raises(RecordsError, match="full"):
            maps.state(ALL)
    assert maps.find(ALL).documents


def test_progress_counts_the_documents_that_are_looked_through(maps: Maps) -> None:
    work = _work(maps)
    made = work.made.result(10)

    assert work.total == len(made.walks.documents)
    assert work.done == work.total


def test_who_waits_for_a_map_that_was_never_begun_is_told_at_the_close(
    maps: Maps, gate: threading.Event
) -> None:
    sights = [ALL, Visibility(frozenset()), Visibility(frozenset({"board"}))]  # of which two are made at once
    works = [_work(maps, seen) for seen in sights]
    threading.Timer(0.2, gate.set).start()
    maps.close()

    assert all(each.made.done() for each in works)
    with pytest.raises(CancelledError):
        works[-1].made.result(0)
