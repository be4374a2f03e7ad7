"""Names of documents: read from their text, or given by a person, which no later reading takes away."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import Identity
from core.domain.ids import DocumentId
from core.domain.wire.documents import identity_from_json, identity_json
from core.errors import NotFoundError, UsageError
from core.store.database.changes import append_changes
from core.store.database.db import Repository, slices
from core.store.database.schema import documents, passages
from core.store.database.visibility import Visibility, is_not_gone
from core.values.naming.display import holder_of, spelled_out

_NAMING = ("bucket", "title", "source", "name", "is_named_by_hand")
LONGEST = 200
"""Characters that a name by hand may have."""


def name_values(connection: Connection, row: sa.Row[Any] | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of a document's name at its publication: the one it has, or else its title until it is read.

    row: of the version before; None for a new document. values: its id, bucket, title and source.
    """
    title, source = str(values["title"]), str(values["source"])
    is_same = row is not None and (row.is_named_by_hand or row.title == title)
    unread = title in ("", source)  # a file of which nothing could be read
    name = row.name if row is not None and is_same else file_called(source) if unread else spelled_out(title)
    if not is_same:
        name = told_apart(connection, values["id"], values["bucket"], name, source)
    return {
        "name": name,
        "is_named_by_hand": row is not None and row.is_named_by_hand,
        "search_text": search_text(name, title, source),
    }


def told_apart(connection: Connection, document: str, bucket: str, name: str, source: str) -> str:
    """The name, with its file or folder in brackets where another document of the bucket has it already."""

    def holder(shown: str) -> str | None:
        row = documents.c
        taken = sa.select(row.source).where(row.name == shown, row.bucket == bucket, row.id != document)
        found: str | None = connection.execute(taken.where(is_not_gone()).limit(1)).scalar()
        return found

    first = holder(name)
    if first is None:
        return name
    path = PurePath(source.replace("\\", "/"))
    file = path.name if PurePath(first).name != path.name else ""
    folder = f"{path.parent.name}/{path.name}" if path.parent.name else ""
    shown = (f"{name} ({each})" for each in (file, folder) if each)
    return next((each for each in shown if holder(each) is None), f"{name} ({source})")


def file_called(source: str) -> str:
    """`map.png` of "plans/map.png", `photo.png · milling head` of "mails/milling_head.eml/photo.png"."""
    name, holder = PurePath(source.replace("\\", "/")).name, PurePath(holder_of(source))
    return (f"{name} · {spelled_out(holder.stem)}" if holder.name else name) or source


def search_text(name: str, title: str, source: str) -> str:
    """The text by which the filter box finds a document, and by which lists are ordered."""
    return "\n".join(dict.fromkeys((name, title, source))).casefold()


def put_identity(connection: Connection, document: DocumentId, identity: Identity) -> None:
    """Keep what a document's text says of its identity; its name follows where no person gave one."""
    row = _row(connection, document, sa.true())
    values: dict[str, Any] = {"identity": identity_json(identity)}
    if not row.is_named_by_hand:
        name = told_apart(connection, document, row.bucket, identity.name, row.source)
        values |= {"name": name, "search_text": search_text(name, row.title, row.source)}
    connection.execute(sa.update(documents).where(documents.c.id == document).values(**values))


def rename(
    connection: Connection, document: DocumentId, name: str, visible: Visibility, now: datetime
) -> str:
    """Give a document a name, the one that its text says for ""; gives the name that it has then.

    Characters that cannot be seen (controls, marks of direction, lone surrogates) become spaces. Raises
    NotFoundError, UsageError for a name that is too long.
    """
    row = _row(connection, document, visible.condition())
    wanted = " ".join("".join(each if each.isprintable() else " " for each in name).split())
    if len(wanted) > LONGEST:
        raise UsageError(
            f"The name has {len(wanted):,} characters.", next_step=f"Use {LONGEST} characters at most."
        )
    kept = identity_from_json(row.identity).name if row.identity else row.title
    shown = wanted or kept
    connection.execute(
        sa.update(documents)
        .where(documents.c.id == document)
        .values(
            name=shown,
            is_named_by_hand=bool(wanted),
            search_text=search_text(shown, row.title, row.source),
            updated_at=now,
        )
    )
    append_changes(connection, (document,), "extracted", now)
    return shown


def identity(connection: Connection, document: DocumentId, visible: Visibility) -> Identity | None:
    """What the text of a document says of its identity; None where it was not read. Raises NotFoundError."""
    row = _row(connection, document, visible.condition())
    return identity_from_json(row.identity) if row.identity else None


def _row(connection: Connection, document: DocumentId, condition: sa.ColumnElement[bool]) -> Any:
    columns = (*(documents.c[name] for name in _NAMING), documents.c.identity)
    row = connection.execute(sa.select(*columns).where(documents.c.id == document, condition)).first()
    if row is None:
        raise NotFoundError(
            f"There is no document {document!r} that you may see.",
            next_step="Look at the list of documents for its id.",
        )
    return row


@dataclass(frozen=True, slots=True)
class Opening:
    """A document with the beginning of its text, "" where it has none."""

    id: DocumentId
    bucket: str
    source: str
    title: str
    acl: tuple[str, ...]
    text: str


class Openings(Repository):
    """Reads the beginnings of documents, whoever may see them: for machinery only. Thread-safe."""

    def iterate(self, wanted: Collection[DocumentId] | None = None, *, first: int = 2) -> Iterator[Opening]:
        """Each document with its `first` passages' text, in no promised order; None for all documents.

        Passages, not pages: a page of plain text can be a megabyte, of which only the start is wanted.
        Those of the home, or of another chunk profile where a document came in under that.
        """
        if wanted is None:
            yield from self._read(is_not_gone(), first)
            return
        for group in slices(sorted(wanted)):
            yield from self._read(sa.and_(documents.c.id.in_(group), is_not_gone()), first)

    def _read(self, condition: sa.ColumnElement[bool], first: int) -> Iterator[Opening]:
        columns = (documents.c.id, documents.c.bucket, documents.c.source, documents.c.title, documents.c.acl)
        head = sa.select(*columns).where(condition)
        others = passages.alias()
        profile = sa.select(sa.func.min(others.c.profile)).where(others.c.document == documents.c.id)
        texts = (
            sa.select(passages.c.document, passages.c.text)
            .join(documents, documents.c.id == passages.c.document)
            .where(condition, passages.c.ordinal < first, passages.c.profile == profile.scalar_subquery())
            .order_by(passages.c.document, passages.c.ordinal)
        )
        with self._database.read() as connection:
            found: dict[str, list[str]] = {}
            for document, text in connection.execute(texts):
                found.setdefault(document, []).append(text)
            for row in connection.execute(head):
                text = "\n".join(found.get(row.id, ()))
                yield Opening(DocumentId(row.id), row.bucket, row.source, row.title, tuple(row.acl), text)
