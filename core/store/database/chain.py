"""The audit chain: deeds appended in the transaction of what they tell of, each hashed with the one before.

A sequence number decides the order, never a clock. What a redaction takes away is in the chain as its
hash alone, salted with a nonce that goes with it, so that the chain stays checkable.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.trust.deed import Deed, canonical
from core.errors import RecordsError
from core.store.database.schema import storable
from core.store.database.trust_tables import audit_entries, audit_head

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OF_DEED = ("account", "origin", "subject", "trace", "detail")


@dataclass
class OpenDeed:
    """A deed that is being done. is_kept: an entry of it was committed."""

    deed: Deed
    is_kept: bool = False


_open: ContextVar[OpenDeed | None] = ContextVar("open_deed", default=None)


@contextmanager
def doing(deed: Deed) -> Iterator[OpenDeed]:
    """Have the first transaction within the block carry the deed. A deed within a deed is part of it."""
    outer = _open.get()
    if outer is not None:
        yield outer
        return
    opened = OpenDeed(deed)
    token = _open.set(opened)
    try:
        yield opened
    finally:
        _open.reset(token)


def is_doing() -> bool:
    """True within a deed."""
    return _open.get() is not None


def tell(**detail: Any) -> None:
    """Add to the deed that is being done, before its transaction ends; nothing where there is none."""
    opened = _open.get()
    if opened is not None and not opened.is_kept:
        opened.deed = replace(opened.deed, detail={**opened.deed.detail, **detail})


def carry(connection: Connection) -> OpenDeed | None:
    """Append the deed that is being done to the transaction that is about to end; gives it where it did."""
    opened = _open.get()
    if opened is None or opened.is_kept:
        return None
    append(connection, opened.deed)
    return opened


def append(connection: Connection, deed: Deed, now: datetime | None = None) -> int:
    """Append a deed in this transaction; gives its number. The head stays locked until the transaction ends.

    To be called last: whoever holds the head waits for nobody. Raises RecordsError where the head was taken
    away.
    """
    wanted = sa.select(audit_head.c.sequence, audit_head.c.hash).where(audit_head.c.id == 1).with_for_update()
    last = connection.execute(wanted).first()
    if last is None:
        raise no_head()
    row: dict[str, Any] = {
        "sequence": last.sequence + 1,
        "at": now or datetime.now(UTC),
        "deed": deed.name,
        "outcome": deed.outcome,
        "account": storable(deed.account),
        "origin": storable(deed.origin),
        "subject": storable(deed.subject),
        "trace": storable(deed.trace),
        "detail": canonical(dict(deed.detail)),
        "nonce": secrets.token_hex(16),
        "previous": last.hash,
    }
    row["content"] = content_hash(row)
    row["hash"] = entry_hash(row)
    connection.execute(sa.insert(audit_entries).values(row))
    connection.execute(
        sa.update(audit_head).where(audit_head.c.id == 1).values(sequence=row["sequence"], hash=row["hash"])
    )
    return int(row["sequence"])


def no_head() -> RecordsError:
    """The error of a log whose head was taken away: going on would hide that."""
    return RecordsError(
        "The head of the audit log was taken away; nothing is changed without it.",
        next_step="Run: groundwork audit verify, and restore a backup from before.",
    )


def content_hash(row: Any) -> str:
    """Hash of what a redaction takes away, with its nonce. row: a mapping by column."""
    return _hash([row["nonce"], *(row[name] for name in _OF_DEED)])


def entry_hash(row: Any) -> str:
    """Hash of an entry: over the hash of the one before, number, time, deed, outcome and content hash."""
    at = (row["at"] - _EPOCH) // timedelta(microseconds=1)
    return _hash([row["previous"], row["sequence"], at, row["deed"], row["outcome"], row["content"]])


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(canonical(parts).encode()).hexdigest()
