from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.domain.trust.deed import REDACTION, AuditQuery, ChainHead, Deed, Fault
from core.errors import NotFoundError, RecordsError, UsageError
from core.store.database.chain import append, content_hash, entry_hash
from core.store.database.trust_tables import audit_entries, audit_head
from core.store.people.audit_log import heads_in
from core.store.store import Records

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
MANY = 1000
BY = Deed("", "root", detail={"reason": "asked to"})


def fill(records: Records, count: int = 10) -> None:
    with records.database.write_rows() as connection:
        for number in range(1, count + 1):
            deed = Deed("thing.change", f"user{number % 3}", "cli", f"t{number}", detail={"n": number})
            append(connection, deed, NOW + timedelta(minutes=number))


def by_hand(records: Records, *statements: sa.Executable) -> None:
    with records.database.write_rows(is_upkeep=True) as connection:
        for statement in statements:
            connection.execute(statement)


def at(sequence: int) -> sa.ColumnElement[bool]:
    return audit_entries.c.sequence == sequence


def edit(records: Records) -> None:
    by_hand(records, sa.update(audit_entries).where(at(617)).values(subject="another"))


def edit_with_its_hash(records: Records) -> None:
    with records.database.write_rows(is_upkeep=True) as connection:
        row = dict(connection.execute(sa.select(audit_entries).where(at(616))).mappings().one())
        row["account"] = "somebody"
        row["content"] = content_hash(row)
        row["hash"] = entry_hash(row)
        connection.execute(sa.update(audit_entries).where(at(616)).values(row))


def edit_time(records: Records) -> None:
    by_hand(records, sa.update(audit_entries).where(at(617)).values(at=NOW))


def delete(records: Records) -> None:
    by_hand(records, sa.delete(audit_entries).where(at(617)))


def delete_and_close_up(records: Records) -> None:
    by_hand(records, sa.delete(audit_entries).where(at(617)))
    for number in range(618, MANY + 1):
        by_hand(records, sa.update(audit_entries).where(at(number)).values(sequence=number - 1))


def reorder(records: Records) -> None:
    for before, after in ((617, -1), (618, 617), (-1, 618)):
        by_hand(records, sa.update(audit_entries).where(at(before)).values(sequence=after))


def insert(records: Records) -> None:
    for number in range(MANY, 616, -1):
        by_hand(records, sa.update(audit_entries).where(at(number)).values(sequence=number + 1))
    with records.database.write_rows(is_upkeep=True) as connection:
        row = dict(connection.execute(sa.select(audit_entries).where(at(618))).mappings().one())
        connection.execute(sa.insert(audit_entries).values({**row, "sequence": 617, "subject": "new"}))


def empty(records: Records) -> None:
    values = dict.fromkeys(("account", "origin", "subject", "trace", "detail", "nonce"), "")
    by_hand(records, sa.update(audit_entries).where(at(617)).values(values))


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (edit, Fault.CHANGED),
        (edit_time, Fault.CHANGED),
        (edit_with_its_hash, Fault.ORDER),  # 616 fits itself now, and 617 no longer follows it
        (delete, Fault.MISSING),
        (delete_and_close_up, Fault.CHANGED),
        (reorder, Fault.CHANGED),
        (insert, Fault.CHANGED),
        (empty, Fault.REDACTION),
    ],
)
def test_whoever_tampers_with_one_of_a_thousand_is_found(
    records: Records, tamper: Callable[[Records], None], fault: Fault
) -> None:
    fill(records, MANY)
    assert records.audit_log.verify().is_whole

    tamper(records)

    report = records.audit_log.verify()
    assert (report.sequence, report.fault) == (617, fault)


@pytest.mark.parametrize(
    "change",
    [
        "at = 'no time'",
        "at = 9000000000000000000",
        "detail = '{{{'",
        "detail = '[1]'",
        "detail = x'ff'",
        "account = cast(x'ff' as text)",
        "nonce = 5",
        "sequence = 'six'",
        "sequence = 6.5",
        "deed = 'audit.redact', detail = '{\"entries\":[[1,9000000000000]]}'",
        f"deed = 'audit.redact', detail = '{'[' * 5000}'",
        "deed = 'audit.redact', detail = cast(x'ff' as text)",
    ],
)
def test_an_entry_that_is_edited_to_what_none_can_hold_is_found(records: Records, change: str) -> None:
    if records.database.is_shared:
        pytest.skip("Postgres takes no such values")
    fill(records)
    by_hand(records, sa.text(f"UPDATE audit_entries SET {change} WHERE sequence = 6"))

    assert records.audit_log.verify().sequence == 6


@pytest.mark.parametrize(
    "change", ["at = 'no time'", "detail = '{{{'", "detail = '[1]'", "account = cast(x'ff' as text)"]
)
def test_an_entry_that_cannot_be_read_hides_no_other(records: Records, change: str) -> None:
    if records.database.is_shared:
        pytest.skip("Postgres takes no such values")
    fill(records)
    by_hand(records, sa.text(f"UPDATE audit_entries SET {change} WHERE sequence = 6"))

    assert [each.sequence for each in records.audit_log.entries()] == list(range(10, 0, -1))


@pytest.mark.parametrize(
    "change",
    ["DELETE FROM audit_head", "UPDATE audit_head SET sequence = 'ten'", "DELETE FROM audit_entries"],
)
def test_a_head_without_its_chain_and_a_chain_without_its_head_are_found(
    records: Records, change: str
) -> None:
    if records.database.is_shared and "'ten'" in change:
        pytest.skip("Postgres takes no such values")
    fill(records)
    with records.database.write_rows(is_upkeep=True) as connection:
        connection.execute(sa.text(change))

    assert records.audit_log.verify().fault is Fault.END


def test_nothing_is_written_behind_a_head_that_was_taken_away(records: Records) -> None:
    fill(records)
    by_hand(records, sa.delete(audit_head))

    with pytest.raises(RecordsError, match="head of the audit log") as told:
        fill(records)
    assert "groundwork audit verify" in told.value.next_step
    with pytest.raises(RecordsError):
        records.audit_log.head()


def test_a_chain_that_is_cut_off_or_continued_is_found(records: Records) -> None:
    fill(records)
    by_hand(records, sa.delete(audit_entries).where(at(10)))
    assert (records.audit_log.verify().sequence, records.audit_log.verify().fault) == (10, Fault.END)


def test_a_chain_cut_off_with_its_head_is_found_by_a_head_that_was_exported(records: Records) -> None:
    fill(records)
    exported = records.audit_log.head()
    ninth = records.audit_log.entries(AuditQuery(before=10, limit=1))[0]
    by_hand(
        records,
        sa.delete(audit_entries).where(at(10)),
        sa.update(audit_head).values(sequence=9, hash=ninth.hash),
    )

    assert records.audit_log.verify().is_whole
    assert records.audit_log.verify([exported]).fault is Fault.HEAD
    assert records.audit_log.verify([ChainHead(NOW, 4, "another")]).sequence == 4


def test_a_clock_that_steps_back_breaks_nothing(records: Records) -> None:
    for minutes in (10, 5, -90, 20):
        records.audit_log.append(Deed("d", "ann"), NOW + timedelta(minutes=minutes))

    assert records.audit_log.verify().is_whole
    assert [each.sequence for each in records.audit_log.entries()] == [4, 3, 2, 1]


def test_many_who_write_at_once_make_one_chain(records: Records) -> None:
    def write(name: str) -> None:
        for _ in range(15):
            records.audit_log.append(Deed("d", name))

    threads = [threading.Thread(target=write, args=(f"user{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    report = records.audit_log.verify()
    assert (report.is_whole, report.entries, report.head) == (True, 60, 60)


def test_entries_are_found_by_what_they_hold(records: Records) -> None:
    fill(records)
    records.audit_log.append(Deed("other.deed", "ann", trace="tr1", outcome="refused"), NOW)
    log = records.audit_log

    assert log.count(AuditQuery(account="user1")) == 4
    assert log.count(AuditQuery(deed="thing.")) == 10
    assert log.count(AuditQuery(deed="other.deed", trace="tr1", outcome="refused")) == 1
    assert log.count(AuditQuery(subject="t7")) == 1
    assert log.count(AuditQuery(since=NOW + timedelta(minutes=9))) == 2
    assert log.count(AuditQuery(until=NOW + timedelta(minutes=2))) == 2
    assert [each.sequence for each in log.entries(AuditQuery(before=5, limit=2))] == [4, 3]
    assert len(list(log.every(AuditQuery(limit=3)))) == 11


def test_a_redaction_takes_the_content_and_leaves_the_chain(records: Records) -> None:
    fill(records)

    assert records.audit_log.redact(BY, sequences=[3, 4, 7]) == 3

    assert records.audit_log.verify().is_whole
    entries = {each.sequence: each for each in records.audit_log.entries()}
    assert entries[3].is_redacted
    assert (entries[3].deed.account, entries[3].deed.subject, dict(entries[3].deed.detail)) == ("", "", {})
    assert entries[3].deed.name == "thing.change"
    assert entries[11].deed.name == REDACTION
    assert entries[11].deed.detail == {"reason": "asked to", "entries": [[3, 4], [7, 7]]}
    assert records.audit_log.redact(BY, sequences=[3]) == 0


def test_old_entries_are_redacted_by_age_and_redactions_stay(records: Records) -> None:
    fill(records)
    records.audit_log.redact(BY, sequences=[1], now=NOW)

    assert records.audit_log.redact(BY, before=NOW + timedelta(minutes=6)) == 4
    assert records.audit_log.verify().is_whole
    with pytest.raises(UsageError, match="stays"):
        records.audit_log.redact(BY, sequences=[11])
    with pytest.raises(NotFoundError):
        records.audit_log.redact(BY, sequences=[99])


def test_a_redaction_that_is_changed_by_hand_is_found(records: Records) -> None:
    fill(records)
    records.audit_log.redact(BY, sequences=[3])
    by_hand(records, sa.update(audit_entries).where(at(11)).values(detail="{}"))

    assert (records.audit_log.verify().sequence, records.audit_log.verify().fault) == (3, Fault.REDACTION)


def test_a_head_is_exported_once_a_day(records: Records, tmp_path: Path) -> None:
    fill(records)
    file = tmp_path / "audit" / "heads.jsonl"

    first = records.audit_log.export_head(file, NOW)
    assert records.audit_log.export_head(file, NOW + timedelta(hours=1)) is None
    assert records.audit_log.export_head(file, NOW + timedelta(days=1)) is not None

    assert first is not None
    assert [each.sequence for each in heads_in(file)] == [10, 10]
    assert records.audit_log.verify(heads_in(file)).is_whole
    file.write_text("what?")
    with pytest.raises(UsageError, match="no exported heads"):
        heads_in(file)
