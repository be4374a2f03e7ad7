"""Records and the embedded engine together: what is published is found, what is removed is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import Settings
from core.index.base import Filter
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.store.store import Records
from tests.support.indexed import SIGNATURE, ask, toward
from tests.support.versions import new_version


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records.open(Settings(home=tmp_path)) as opened:
        yield opened


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    opened = EmbeddedEngine.open(tmp_path / "index", SIGNATURE)
    yield opened
    opened.close()


def test_an_index_follows_the_records(records: Records, engine: EmbeddedEngine) -> None:
    first = records.documents.publish(new_version("a.txt", passages=3))
    records.documents.publish(new_version("b.txt", "Other text.", passages=2, acl=("legal",)))
    assert catch_up(engine, records) == 2
    assert engine.status().sequence == records.changes.data_version()
    assert engine.status().passages == 5
    hits = engine.search(ask("sentenc", vector=toward(1)))
    rows = records.passages.of_documents({hit.document for hit in hits})
    assert {row.stored.id for row in rows} == {hit.passage for hit in hits}
    open_to_all = engine.search(ask("sentenc", within=Filter(groups=frozenset())))
    assert {hit.document for hit in open_to_all} == {first.document}
    records.documents.remove([first.document])
    assert catch_up(engine, records) == 1
    assert engine.status().passages == 2


def test_a_rebuild_from_records_holds_what_catching_up_holds(
    records: Records, engine: EmbeddedEngine
) -> None:
    for number in range(5):
        records.documents.publish(new_version(f"{number}.txt", f"Text {number}.", passages=number))
    records.documents.publish(new_version("4.txt", "Text anew.", passages=1))
    catch_up(engine, records)
    before, status = engine.search(ask("sentenc", vector=toward(1), top_k=50)), engine.status()
    engine.rebuild(records)
    assert {hit.passage for hit in engine.search(ask("sentenc", vector=toward(1), top_k=50))} == {
        hit.passage for hit in before
    }
    assert (engine.status().sequence, engine.status().passages) == (status.sequence, status.passages)
