"""The audit log: read, checked link by link, its head exported, and redacted by tombstones."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from core.domain.trust.deed import (
    REDACTION,
    AuditEntry,
    AuditQuery,
    ChainHead,
    ChainReport,
    Deed,
    Fault,
)
from core.errors import NotFoundError, UsageError
from core.store.database.chain import append, content_hash, entry_hash, no_head
from core.store.database.db import Repository, slices
from core.store.database.trust_tables import audit_entries, audit_head

_PIECE = 1000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RAW = [
    sa.type_coerce(each, sa.BigInteger).label("at") if each.name == "at" else each for each in audit_entries.c
]
"""All columns, the moment as it is stored: what was edited by hand may be none."""
_EMPTY = {"account": "", "origin": "", "subject": "", "trace": "", "detail": "", "nonce": ""}


class AuditLog(Repository):
    """Keeps what was done. Append-only, but for redactions, which are entries too. Thread-safe."""

    def append(self, deed: Deed, now: datetime | None = None) -> int:
        """Append a deed in a transaction of its own, where it changed nothing else; gives its number."""
        with self._database.write_rows(is_upkeep=True) as connection:
            return append(connection, deed, now)

    def entries(self, query: AuditQuery = AuditQuery()) -> list[AuditEntry]:  # noqa: B008 - frozen
        """The entries that fit, newest first."""
        rows = sa.select(*_RAW).where(*_conditions(query)).order_by(audit_entries.c.sequence.desc())
        with self._database.read() as connection:
            return [_entry(row) for row in _pieces(connection, rows.limit(query.limit), None)]

    def count(self, query: AuditQuery = AuditQuery()) -> int:  # noqa: B008 - frozen
        """Number of entries that fit, whatever the query's limit."""
        wanted = sa.select(sa.func.count()).select_from(audit_entries).where(*_conditions(query))
        return int(self._database.scalar(wanted))

    def every(self, query: AuditQuery = AuditQuery()) -> Iterator[AuditEntry]:  # noqa: B008 - frozen
        """All that fit, newest first, without a limit; read piece by piece."""
        before = query.before
        while piece := self.entries(replace(query, before=before, limit=_PIECE)):
            yield from piece
            before = piece[-1].sequence

    def head(self) -> ChainHead:
        """The last entry; number 0 where there is none."""
        with self._database.read() as connection:
            last = connection.execute(sa.select(audit_head).where(audit_head.c.id == 1)).first()
            if last is None:
                raise no_head()
            at = connection.execute(
                sa.select(audit_entries.c.at).where(audit_entries.c.sequence == last.sequence)
            ).scalar()
        return ChainHead(at or datetime.now(UTC), last.sequence, last.hash)

    def verify(self, heads: Sequence[ChainHead] = ()) -> ChainReport:
        """Compute every link anew, and hold the chain against heads that were exported.

        The first broken entry is named: one that is missing, was changed, stands in another place, or was
        emptied without a redaction that names it.
        """
        known = {head.sequence: head.hash for head in heads}
        with self._database.read() as connection:
            last = _last(connection)
            redacted = _redacted(connection)
            previous, expected, count = "", 1, 0

            def broken(sequence: int, fault: Fault) -> ChainReport:
                head, hash = last or (count, previous)
                return ChainReport(count, head, hash, sequence, fault)

            for row in _in_order(connection):
                number = row["sequence"]
                if number != expected:
                    is_later = isinstance(number, int | float) and number > expected
                    return broken(expected, Fault.MISSING if is_later else Fault.ORDER)
                if not _is_as_hashed(row):
                    return broken(expected, Fault.CHANGED)
                is_emptied = not row["nonce"]
                if is_emptied and (not redacted.holds(expected) or any(row[name] for name in _EMPTY)):
                    return broken(expected, Fault.REDACTION)
                if row["previous"] != previous:
                    return broken(expected, Fault.ORDER)
                if known.get(expected, row["hash"]) != row["hash"]:
                    return broken(expected, Fault.HEAD)
                previous, expected, count = row["hash"], expected + 1, count + 1
            if last != (expected - 1, previous):
                return broken(min(expected, last[0] + 1) if last else expected, Fault.END)
            if known and max(known) >= expected:
                return broken(expected, Fault.HEAD)
        return ChainReport(count, *last)

    def redact(
        self,
        by: Deed,
        *,
        sequences: Iterable[int] = (),
        before: datetime | None = None,
        now: datetime | None = None,
    ) -> int:
        """Take the content of entries away, by number or older than a moment; gives how many.

        by: the deed of whoever does so, which is appended in the same transaction and names them. Redactions
        themselves stay. Raises NotFoundError for a number that is none, UsageError for a redaction's.
        """
        wanted = sorted(set(sequences))
        with self._database.write_rows(is_upkeep=True) as connection:
            found: list[int] = []
            columns = (audit_entries.c.sequence, audit_entries.c.deed, audit_entries.c.nonce)
            for piece in slices(wanted):
                rows = connection.execute(
                    sa.select(*columns).where(audit_entries.c.sequence.in_(piece))
                ).all()
                kinds = {row.sequence: row for row in rows}
                for sequence in piece:
                    if sequence not in kinds:
                        raise NotFoundError(
                            f"The audit log has no entry {sequence}.", next_step="Run: groundwork audit list"
                        )
                    if kinds[sequence].deed == REDACTION:
                        raise UsageError(
                            f"Entry {sequence} says what was redacted, and stays.",
                            next_step="Leave it out.",
                        )
                    if kinds[sequence].nonce:
                        found.append(sequence)
            if before is not None:
                old = sa.select(audit_entries.c.sequence).where(
                    audit_entries.c.at < before,
                    audit_entries.c.nonce != "",
                    audit_entries.c.deed != REDACTION,
                )
                found = sorted({*found, *connection.execute(old).scalars()})
            if not found:
                return 0
            for piece in slices(found):
                connection.execute(
                    sa.update(audit_entries).where(audit_entries.c.sequence.in_(piece)).values(_EMPTY)
                )
            append(
                connection, replace(by, name=REDACTION, detail={**by.detail, "entries": _ranges(found)}), now
            )
        return len(found)

    def export_head(self, file: Path, now: datetime | None = None) -> ChainHead | None:
        """Add the head to a file of heads, once a day (UTC); None where today's stands there already.

        Whoever copies that file elsewhere can prove later that nothing before was rewritten.
        """
        today = (now or datetime.now(UTC)).date()
        # In any place: a head of a clock that ran ahead must not keep all others from being written.
        if any(known.at.date() == today for known in heads_in(file)):
            return None
        head = replace(self.head(), at=now or datetime.now(UTC))
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        line = json.dumps({"at": head.at.isoformat(), "sequence": head.sequence, "hash": head.hash})
        with file.open("a", encoding="utf-8") as out:
            out.write(f"{line}\n")
        return head


def heads_in(file: Path) -> list[ChainHead]:
    """The heads that a file holds, oldest first; [] without one. Raises UsageError for another file."""
    if not file.is_file():
        return []
    try:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
        return [
            ChainHead(datetime.fromisoformat(row["at"]), int(row["sequence"]), str(row["hash"]))
            for row in rows
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{str(file)!r} holds no exported heads of an audit log.",
            next_step="Give the file that groundwork wrote (audit/heads.jsonl of the home).",
        ) from error


def _conditions(query: AuditQuery) -> list[sa.ColumnElement[bool]]:
    columns = audit_entries.c
    named = ("account", "subject", "trace", "outcome")
    found = [columns[name] == value for name in named if (value := getattr(query, name))]
    if query.deed.endswith("."):
        found.append(columns.deed.startswith(query.deed, autoescape=True))
    elif query.deed:
        found.append(columns.deed == query.deed)
    if query.since is not None:
        found.append(columns.at >= query.since)
    if query.until is not None:
        found.append(columns.at < query.until)
    if query.before is not None:
        found.append(columns.sequence < query.before)
    return found


class _Ranges:
    """Numbers as [first, last] of each run: a run that was written by hand may be longer than memory."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        for first, last in sorted(ranges):
            self._firsts.append(first)
            self._lasts.append(max(last, self._lasts[-1]) if self._lasts else last)

    def holds(self, number: int) -> bool:
        """True where one of them holds the number."""
        at = bisect_right(self._firsts, number)
        return at > 0 and number <= self._lasts[at - 1]


def _last(connection: sa.Connection) -> tuple[int, str] | None:
    """Number and hash that the chain's head tells; None where that was taken away or is none."""
    row = connection.execute(sa.select(audit_head).where(audit_head.c.id == 1)).first()
    is_one = row is not None and isinstance(row.sequence, int) and isinstance(row.hash, str)
    return (row.sequence, row.hash) if row is not None and is_one else None


def _is_as_hashed(row: Mapping[str, Any]) -> bool:
    """True where a row, its moment as it is stored, says what its hashes were made of."""
    try:
        told = {**row, "at": _EPOCH + timedelta(microseconds=row["at"])}
        is_emptied = not told["nonce"]
        return told["hash"] == entry_hash(told) and (is_emptied or told["content"] == content_hash(told))
    except (TypeError, ValueError, KeyError, OverflowError):  # edited to what no entry holds
        return False


def _pieces(connection: sa.Connection, rows: sa.Select[Any], after: Any) -> Sequence[Mapping[Any, Any]]:
    """The next rows; of one that holds what the database cannot give, its number alone."""
    numbers = audit_entries.c.sequence
    if after is not None:
        rows = rows.where(numbers > after)
    try:
        return connection.execute(rows).mappings().all()
    except sa.exc.DBAPIError:  # SQLite keeps bytes as text that is none
        found: list[Mapping[Any, Any]] = []
        for number in connection.execute(rows.with_only_columns(numbers)).scalars().all():
            try:
                found.append(connection.execute(sa.select(*_RAW).where(numbers == number)).mappings().one())
            except sa.exc.DBAPIError:
                found.append({"sequence": number})
        return found


def _in_order(connection: sa.Connection) -> Iterator[Mapping[Any, Any]]:
    """Every row by number, read in pieces: a log is larger than memory should be."""
    after = None
    while True:
        rows = sa.select(*_RAW).order_by(audit_entries.c.sequence).limit(_PIECE)
        piece = _pieces(connection, rows, after)
        yield from piece
        if len(piece) < _PIECE:
            return
        after = piece[-1]["sequence"]


def _redacted(connection: sa.Connection) -> _Ranges:
    """Numbers of the entries that redactions name."""
    rows = sa.select(*_RAW).where(audit_entries.c.deed == REDACTION)
    found: list[tuple[int, int]] = []
    for row in _pieces(connection, rows, None):
        try:
            found += [(int(first), int(last)) for first, last in json.loads(row["detail"])["entries"]]
        except (ValueError, KeyError, TypeError, RecursionError):
            continue  # such an entry was changed by hand: the check comes to it
    return _Ranges(found)


def _ranges(numbers: Sequence[int]) -> list[list[int]]:
    """Ordered numbers as [first, last] of each run."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def _entry(row: Any) -> AuditEntry:
    """The entry of a row, its moment as it is stored; `verify` tells of what was edited by hand."""
    if "hash" not in row:  # a number is all that the database can give of it
        return AuditEntry(row["sequence"], _EPOCH, Deed("", "", detail={"unreadable": True}), "")
    is_redacted = not row["nonce"]
    try:
        detail = {} if is_redacted else dict(json.loads(row["detail"]))
    except (ValueError, TypeError, RecursionError):
        detail = {"unreadable": True}
    try:
        at = _EPOCH + timedelta(microseconds=row["at"])
    except (TypeError, OverflowError):
        at = _EPOCH
    deed = Deed(
        row["deed"], row["account"], row["origin"], row["subject"], row["trace"], row["outcome"], detail
    )
    return AuditEntry(row["sequence"], at, deed, row["hash"], is_redacted)
