"""Datasets of a home with all their versions, as far as somebody may see them.

Each has a document of its own, in which its rows are cited: it decides the access, and no list, count or
search of documents has it.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import DocumentStatus, Page, ParsedDocument
from core.domain.ids import ContentHash, DocumentId
from core.domain.rows.dataset import (
    MEDIA_TYPE,
    Bar,
    Dataset,
    DatasetColumn,
    DatasetProblem,
    DatasetState,
    ReadTable,
    document_source,
)
from core.errors import NotFoundError
from core.store.base import NewVersion
from core.store.database.changes import append_changes
from core.store.database.dataset_tables import dataset_versions, datasets
from core.store.database.db import Repository
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.documents.access import hide
from core.store.documents.publish import publish

_SET, _VERSION = datasets.c, dataset_versions.c
_REMOVED = "The dataset was removed."


@dataclass(frozen=True, slots=True)
class RegisteredFile:
    """A file whose tables are registered. path: "" of an upload. acl: None as its bucket, or as before."""

    source: str
    path: str
    bucket: str
    acl: tuple[str, ...] | None
    owner: str
    content_hash: str
    size_bytes: int
    modified_ns: int

    @property
    def key(self) -> str:
        """By what the file is known again."""
        return self.path or self.source


class DatasetRecords(Repository):
    """Thread-safe. A version stays for good, so that answers which cite it can be opened."""

    def list(self, visible: Visibility, *, removed: bool = False) -> builtins.list[Dataset]:
        """The datasets that may be seen, by name. removed: those that were removed instead."""
        is_there = _SET.removed_at.is_not(None) if removed else _SET.removed_at.is_(None)
        wanted = _joined(visible, _VERSION.version == _SET.version).where(is_there)
        return [_dataset(row) for row in self._mappings(wanted.order_by(_SET.name, _SET.id))]

    def get(self, dataset: str, visible: Visibility, version: int | None = None) -> Dataset:
        """A dataset by its id or its name in SQL, also one that was removed. version: None for the newest.

        Raises NotFoundError where it is not there, or may not be seen.
        """
        which = _VERSION.version == (_SET.version if version is None else version)
        named = sa.or_(_SET.id == dataset, _SET.sql_name == dataset)
        for row in self._mappings(_joined(visible, which).where(named)):
            return _dataset(row)
        raise NotFoundError(f"There is no dataset {dataset!r}.", next_step="See the list of datasets.")

    def of_file(self, bucket: str, key: str) -> builtins.list[Dataset]:
        """Every table of a file that is known, by its path, or its name where it was uploaded."""
        wanted = _joined(Visibility.everything(), _VERSION.version == _SET.version).where(
            documents.c.bucket == bucket, sa.func.coalesce(sa.func.nullif(_SET.path, ""), _SET.source) == key
        )
        return [_dataset(row) for row in self._mappings(wanted)]

    def files(self, removed_since: datetime) -> builtins.list[str]:
        """Files of the newest versions, and of those that were removed since a time."""
        newest = sa.and_(_VERSION.dataset == _SET.id, _VERSION.version == _SET.version)
        is_kept = sa.or_(_SET.removed_at.is_(None), _SET.removed_at >= removed_since)
        with self._database.read() as connection:
            return builtins.list(
                connection.execute(sa.select(_VERSION.file).join(datasets, newest).where(is_kept)).scalars()
            )

    def put(self, file: RegisteredFile, name: str, sql_name: str, table: ReadTable) -> DocumentId:
        """Register a table, or a new version of it where it is known; a removed one is there again.

        One transaction. Done again with a table of the same Parquet file it changes nothing.
        """
        now = datetime.now(UTC)
        with self._database.write() as connection:
            known = connection.execute(
                sa.select(_VERSION.dataset).where(_VERSION.file == table.file)
            ).scalar()
            if known is not None:
                return DocumentId(known)
            published = publish(connection, _version_of(file, name, table), now)
            id, version = published.document, published.version
            hide(connection, id)
            changed = connection.execute(
                sa.update(datasets).where(_SET.id == id).values(version=version, removed_at=None)
            )
            if not changed.rowcount:
                row = {
                    "id": id,
                    "name": name,
                    "sql_name": _free_name(connection, sql_name),
                    "version": version,
                }
                row |= {"source": file.source, "path": file.path, "sheet": table.sheet, "owner": file.owner}
                connection.execute(sa.insert(datasets).values(**row, created_at=now))
            values = _values(file, table)
            connection.execute(
                sa.insert(dataset_versions).values(**values, dataset=id, version=version, registered_at=now)
            )
        return id

    def touch(self, dataset: DocumentId, modified_ns: int) -> None:
        """Note that a file was written again with the same contents."""
        newest = sa.select(_SET.version).where(_SET.id == dataset).scalar_subquery()
        here = sa.and_(_VERSION.dataset == dataset, _VERSION.version == newest)
        self._database.run_rows(sa.update(dataset_versions).where(here).values(modified_ns=modified_ns))

    def rename(self, dataset: DocumentId, name: str) -> None:
        """Give it another name for people; its name in SQL stays."""
        with self._database.write_rows() as connection:
            connection.execute(sa.update(datasets).where(_SET.id == dataset).values(name=name))
            append_changes(connection, (dataset,), "noted", datetime.now(UTC))

    def set_removed(self, dataset: DocumentId, at: datetime | None) -> None:
        """Remove a dataset, or bring it back with None; its document says so where it is cited."""
        status = DocumentStatus.READY if at is None else DocumentStatus.GONE
        reason, now = "" if at is None else _REMOVED, datetime.now(UTC)
        with self._database.write_rows() as connection:
            connection.execute(sa.update(datasets).where(_SET.id == dataset).values(removed_at=at))
            connection.execute(
                sa.update(documents)
                .where(documents.c.id == dataset)
                .values(status=status.value, reason=reason, updated_at=now)
            )
            append_changes(connection, (dataset,), "noted", now)

    def _mappings(self, wanted: sa.Select[Any]) -> Sequence[sa.RowMapping]:
        with self._database.read() as connection:
            return connection.execute(wanted).mappings().all()


def _joined(visible: Visibility, which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    both = datasets.join(documents, documents.c.id == _SET.id).join(
        dataset_versions, sa.and_(_VERSION.dataset == _SET.id, which)
    )
    columns = [each for each in _SET if each.name != "version"]
    columns += [each for each in _VERSION if each.name != "dataset"]
    wanted = sa.select(*columns, documents.c.bucket, documents.c.acl).select_from(both)
    return wanted.where(visible.to_open().condition())


def _version_of(file: RegisteredFile, name: str, table: ReadTable) -> NewVersion:
    pages = tuple(Page(number, text) for number, text in enumerate(table.pages, start=1))
    return NewVersion(
        bucket=file.bucket,
        source=document_source(file.key, table.sheet),
        parsed=ParsedDocument(name, MEDIA_TYPE, pages),
        content_hash=ContentHash(f"rows-{file.content_hash}"),  # no original is kept under it
        size_bytes=file.size_bytes,
        acl=file.acl,
        force=True,
    )


def _free_name(connection: Connection, wanted: str) -> str:
    like = sa.select(_SET.sql_name).where(_SET.sql_name.startswith(wanted, autoescape=True))
    taken = set(connection.execute(like).scalars())
    numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (wanted, *numbered) if each not in taken)


def _values(file: RegisteredFile, table: ReadTable) -> dict[str, Any]:
    return {
        "rows": table.rows,
        "columns": [asdict(each) for each in table.columns],
        "problems": [asdict(each) for each in table.problems],
        "file": table.file,
        "content_hash": file.content_hash,
        "size_bytes": file.size_bytes,
        "modified_ns": file.modified_ns,
    }


_SAME = (
    "id",
    "name",
    "source",
    "path",
    "sheet",
    "bucket",
    "owner",
    "version",
    "rows",
    "file",
    "content_hash",
)


def _dataset(row: sa.RowMapping) -> Dataset:
    return Dataset(
        **{name: row[name] for name in (*_SAME, "size_bytes", "modified_ns", "registered_at")},
        table=row["sql_name"],
        acl=tuple(row["acl"]),
        columns=tuple(map(_column, row["columns"])),
        problems=tuple(
            DatasetProblem(each["text"], each["column"], tuple(each["rows"])) for each in row["problems"]
        ),
        state=DatasetState.READY if row["removed_at"] is None else DatasetState.REMOVED,
    )


def _column(kept: Mapping[str, Any]) -> DatasetColumn:
    return DatasetColumn(
        **{
            **kept,
            "examples": tuple(kept["examples"]),
            "often": tuple(Bar(**each) for each in kept["often"]),
            "chart": tuple(Bar(**each) for each in kept["chart"]),
            "sketch": tuple(kept["sketch"]),
            "currencies": tuple(kept.get("currencies", ())),
        }
    )
