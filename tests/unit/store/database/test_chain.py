from __future__ import annotations

import pytest
import sqlalchemy as sa

from core.domain.trust.deed import Deed
from core.store.database.chain import append, doing, is_doing, tell
from core.store.database.schema import meta
from core.store.store import Records

ANN = Deed("thing.change", "ann", subject="t1")


def keep(records: Records, key: str, *, is_upkeep: bool = False) -> None:
    with records.database.write_rows(is_upkeep=is_upkeep) as connection:
        connection.execute(sa.insert(meta).values(key=key, value={}))


def kept(records: Records) -> list[str]:
    with records.database.read() as connection:
        return list(connection.execute(sa.select(meta.c.key).where(meta.c.key.startswith("t."))).scalars())


def test_the_entry_is_written_with_the_first_transaction_of_a_deed_and_once(records: Records) -> None:
    with doing(ANN) as opened:
        keep(records, "t.upkeep", is_upkeep=True)
        assert records.audit_log.count() == 0
        keep(records, "t.1")
        assert records.audit_log.count() == 1
        keep(records, "t.2")

    assert opened.is_kept
    assert not is_doing()
    assert [each.deed for each in records.audit_log.entries()] == [ANN]


def test_neither_deed_nor_entry_is_there_where_the_transaction_fails(records: Records) -> None:
    def fail() -> None:
        with doing(ANN), records.database.write_rows() as connection:
            connection.execute(sa.insert(meta).values(key="t.1", value={}))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert kept(records) == []
    assert records.audit_log.count() == 0
    assert records.audit_log.verify().is_whole


def test_a_deed_that_cannot_be_written_down_is_not_done(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("core.store.database.chain.append", fail)
    with pytest.raises(ZeroDivisionError), doing(ANN):
        keep(records, "t.1")

    assert kept(records) == []


def test_a_deed_within_a_deed_is_part_of_it(records: Records) -> None:
    with doing(ANN), doing(Deed("other", "ann")):
        tell(job="j1")
        keep(records, "t.1")

    [entry] = records.audit_log.entries()
    assert entry.deed.name == "thing.change"
    assert entry.deed.detail == {"job": "j1"}


def test_text_that_no_database_takes_is_hashed_as_it_is_kept(records: Records) -> None:
    with records.database.write_rows() as connection:
        append(connection, Deed("d", "a\0n\ud800", subject="x\0", detail={"name": "\0\ud83d"}))

    assert records.audit_log.verify().is_whole
    assert records.audit_log.entries()[0].deed.account == "a\ufffdn\ufffd"
