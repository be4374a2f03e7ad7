"""Access to documents: entries of buckets and documents, and what follows from them for each document.

A document is open to the grantees of its own entries; without any to those of its bucket's; without any to
everybody. What follows stands in its row (`acl`, `access`), so that a read looks at nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import DocumentStatus
from core.domain.ids import DocumentId
from core.domain.principal import Grantee
from core.store.database.db import insert_or_ignore, slices
from core.store.database.field_tables import (
    TABLES_OF_ROWS,
    clauses,
    extraction_state,
    family_marks,
    family_references,
    field_cells,
    field_guesses,
    field_values,
    financials,
    parties,
    reading_queue,
    summaries,
)
from core.store.database.schema import acl_groups, documents, passages, storable
from core.store.database.trust_tables import access_entries
from core.store.database.visibility import GONE_ACCESS, ROWS_ACCESS, is_not_gone

TargetKind = Literal["bucket", "document", "removed"]

INGEST = "ingest"
"""Who gave access, where a file was brought in with it."""

REMOVAL = "removal"
"""The same where a document was removed, which keeps to whom it was open."""

_EVERYBODY = "everybody"  # kind of the entry of what is open to all, whatever its bucket is
_ENTRY = access_entries.c


def entries_of(
    connection: Connection, kind: TargetKind, targets: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Keys of the entries of those targets that have any: () is open to everybody."""
    found: dict[str, set[str]] = {}
    for some in slices(targets):
        statement = sa.select(_ENTRY.target, _ENTRY.grantee_kind, _ENTRY.grantee).where(
            _ENTRY.kind == kind, _ENTRY.target.in_(some)
        )
        for target, grantee_kind, grantee in connection.execute(statement):
            keys = found.setdefault(target, set())
            if grantee_kind != _EVERYBODY:
                keys.add(Grantee(grantee_kind, grantee).key)
    return {target: tuple(sorted(keys)) for target, keys in found.items()}


def put_entries(
    connection: Connection,
    kind: TargetKind,
    target: str,
    keys: Collection[str] | None,
    granted_by: str,
    now: datetime,
) -> None:
    """Replace the entries of a target. keys: () opens it to everybody, None leaves it without entries."""
    if entries_of(connection, kind, [target]).get(target) == (
        None if keys is None else tuple(sorted(set(keys)))
    ):
        return
    connection.execute(sa.delete(access_entries).where(_ENTRY.kind == kind, _ENTRY.target == target))
    if keys is None:
        return
    grantees: list[tuple[str, str]] = [(one.kind, one.name) for one in map(Grantee.of, keys)]
    rows = [
        {
            "kind": kind,
            "target": target,
            "grantee_kind": grantee_kind,
            "grantee": storable(name),
            "granted_by": granted_by,
            "granted_at": now,
        }
        for grantee_kind, name in grantees or [(_EVERYBODY, "")]
    ]
    insert_or_ignore(connection, access_entries, rows)


def drop_entries(connection: Connection, some: Collection[str], now: datetime) -> None:
    """Forget the entries of documents that are removed; to whom they were open stays, for older answers."""
    connection.execute(sa.delete(access_entries).where(_ENTRY.kind == "document", _ENTRY.target.in_(some)))
    restricted = sa.select(documents.c.id, documents.c.acl).where(
        documents.c.id.in_(some), documents.c.access.not_in(("", GONE_ACCESS, ROWS_ACCESS))
    )
    for id, acl in connection.execute(restricted).all():
        put_entries(connection, "removed", id, tuple(acl), REMOVAL, now)


def acl_of_new(connection: Connection, bucket: str) -> tuple[str, ...]:
    """The acl of a document without entries of its own."""
    return entries_of(connection, "bucket", [bucket]).get(bucket, ())


def has_no_entries() -> sa.ColumnElement[bool]:
    """True of a document that follows its bucket."""
    own = sa.select(_ENTRY.target).where(_ENTRY.kind == "document")
    return documents.c.id.not_in(own)


def acl_values(connection: Connection, acl: Collection[str], *, mark: str = "") -> Mapping[str, Any]:
    """Columns of a document's row for its acl, which is sorted. mark: of those that are not listed."""
    return {"acl": list(acl), "access": mark + _access(connection, acl)}


def hide(connection: Connection, document: str) -> None:
    """Leave the document of a dataset out of every list, count and search; it is opened by its id."""
    chosen = sa.and_(documents.c.id == document, is_not_gone())
    access = sa.literal(ROWS_ACCESS) + documents.c.access
    connection.execute(sa.update(documents).where(chosen).values(access=access))


def set_acl(connection: Connection, chosen: sa.ColumnElement[bool], acl: Collection[str]) -> list[str]:
    """Give the documents of a condition an acl; the ids of those that had another, sorted."""
    values = {mark: acl_values(connection, acl, mark=mark) for mark in ("", GONE_ACCESS, ROWS_ACCESS)}
    differs = documents.c.access.not_in([each["access"] for each in values.values()])
    statement = sa.select(documents.c.id).where(chosen, differs).order_by(documents.c.id)
    changed = list(connection.execute(statement).scalars())
    for some in slices(changed):
        for mark, row in values.items():
            state = documents.c.access.startswith(mark) if mark else is_not_gone()
            connection.execute(sa.update(documents).where(documents.c.id.in_(some), state).values(**row))
    return changed


def _access(connection: Connection, acl: Collection[str]) -> str:
    """The key of a sorted acl, under which its grantees are kept; "" for everybody."""
    if not acl:
        return ""
    groups = [storable(name) for name in acl]
    access = hashlib.sha256("\0".join(groups).encode()).hexdigest()[:16]
    insert_or_ignore(connection, acl_groups, [{"group_name": name, "access": access} for name in groups])
    return access


_DERIVED = (
    passages,
    field_values,
    field_guesses,
    *TABLES_OF_ROWS,
    clauses,
    parties,
    financials,
    summaries,
    family_marks,
    family_references,
    extraction_state,
    reading_queue,
)
_NO_BUCKET = ""


def withdraw(
    connection: Connection, some: Collection[DocumentId], reason: str, now: datetime
) -> list[DocumentId]:
    """Withdraw documents within the caller's transaction; see `Documents.withdraw`."""
    chosen = sa.select(documents.c.id).where(documents.c.id.in_(some), is_not_gone())
    found = [DocumentId(each) for each in connection.execute(chosen.order_by(documents.c.id)).scalars()]
    if not found:
        return []
    for table in _DERIVED:
        connection.execute(sa.delete(table).where(table.c.document.in_(found)))
    cell = field_cells.c
    of_these = cell.document.in_(found)
    # Cells that a person decided stay for the way back, in no bucket: counts of a bucket look no document up.
    connection.execute(sa.delete(field_cells).where(of_these, cell.event == 0))
    connection.execute(sa.update(field_cells).where(of_these).values(bucket=_NO_BUCKET, extracted_version=0))
    connection.execute(
        sa.update(documents)
        .where(documents.c.id.in_(found))
        .values(
            status=DocumentStatus.GONE.value,
            reason=reason,
            access=sa.literal(GONE_ACCESS) + documents.c.access,
            passages=0,
            updated_at=now,
        )
    )
    return found


def bring_back(connection: Connection, document: DocumentId, bucket: str, now: datetime) -> None:
    """Let a document that is published again arrive anew, with the cells that a person decided."""
    cell = field_cells.c
    connection.execute(
        sa.update(field_cells)
        .where(cell.document == document, cell.bucket == _NO_BUCKET)
        .values(bucket=bucket)
    )
    connection.execute(sa.update(documents).where(documents.c.id == document).values(created_at=now))
