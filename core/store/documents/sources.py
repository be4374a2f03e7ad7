"""Sources of documents: the path or name that each came from, which may change while the document stays."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.ids import ContentHash, DocumentId, document_id
from core.store.database.changes import append_changes
from core.store.database.schema import document_versions, documents, storable
from core.store.database.visibility import Visibility, is_not_gone
from core.store.documents.names import search_text
from core.store.documents.rows import SUMMARY_COLUMNS
from core.values.naming.display import spelled_out

_BEHIND = chr(ord("/") + 1)  # the first text behind all that begin with a path and a slash
_MOST_NUMBERED = 100


def id_at(connection: Connection, bucket: str, source: str) -> DocumentId:
    """The id of the document at a source of a bucket, or the one that it will have.

    It is made of both, so that a repeated ingest meets the same row; a document that was moved keeps its own.
    """
    row = documents.c
    own = document_id(bucket, source)
    held = connection.execute(sa.select(row.source).where(row.id == own)).scalar()
    if held == storable(source):
        return own
    moved = connection.execute(sa.select(row.id).where(row.bucket == bucket, row.source == source)).scalar()
    if moved is not None:
        return DocumentId(moved)
    number = 1
    while held is not None:  # of one that went to another source
        number += 1
        own = document_id(bucket, f"{source}\0{number}")
        held = connection.execute(sa.select(row.source).where(row.id == own)).scalar()
    return own


def move(connection: Connection, document: DocumentId, source: str, now: datetime) -> None:
    """Give a document another source; a name that was only that of its file follows."""
    row = connection.execute(sa.select(documents).where(documents.c.id == document)).one()
    old, new = PurePath(row.source), PurePath(source)
    called = {row.source: source, old.name: new.name, old.stem: new.stem}  # where the text says no title
    title, name = called.get(row.title, row.title), row.name
    if title != row.title and not row.is_named_by_hand:
        name = called.get(name, name.replace(spelled_out(row.title), spelled_out(title), 1))
    values = {"source": source, "title": title, "name": name}
    values |= {"search_text": search_text(name, title, source)}
    connection.execute(sa.update(documents).where(documents.c.id == document).values(**values))
    append_changes(connection, (document,), "moved", now)


def below(bucket: str, root: str, before: datetime) -> sa.Select[Any]:
    """The documents that were there by then, whose sources lie in a folder or archive; not what is gone."""
    row = documents.c
    inside = sa.and_(row.source >= f"{root}/", row.source < f"{root}{_BEHIND}")
    return _standing(bucket).where(inside, row.created_at < before)


def of_file_name(bucket: str, source: str, visible: Visibility) -> sa.Select[Any]:
    """The documents that may be seen and whose file is called as the one at a source, the newest first."""
    name, row = source.rpartition("/")[2], documents.c
    is_called = sa.or_(row.source == name, row.source.endswith(f"/{name}", autoescape=True))
    found = _standing(bucket).where(is_called, visible.condition())
    return found.order_by(row.created_at.desc(), row.id)


def numbered(bucket: str, source: str) -> sa.Select[Any]:
    """The documents that stand beside the one at a source under its name and a number, in their order."""
    row = documents.c
    names = [numbered_source(source, number) for number in range(2, _MOST_NUMBERED)]
    return _standing(bucket).where(row.source.in_(names)).order_by(row.created_at, row.id)


NUMBERED = re.compile(r" \(\d+\)$")
"""What is behind the source of another document at a source that is taken."""


def numbered_source(source: str, number: int) -> str:
    """The source of another document at a source that is taken."""
    return f"{source} ({number})"


def of_bytes(bucket: str, content_hash: ContentHash) -> sa.Select[Any]:
    """The documents whose current version has these bytes, the oldest first."""
    row, version = documents.c, document_versions.c
    held = sa.select(version.document).where(version.content_hash == content_hash)
    found = _standing(bucket).where(row.id.in_(held), row.content_hash == content_hash)
    return found.order_by(row.created_at, row.id)


def _standing(bucket: str) -> sa.Select[Any]:
    row = documents.c
    return sa.select(*SUMMARY_COLUMNS).where(row.bucket == bucket, is_not_gone(), row.version > 0)
