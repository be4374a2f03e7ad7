"""Datasets of a home with all their versions, as far as somebody may see them."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.dataset import (
    Bar,
    Dataset,
    DatasetColumn,
    DatasetProblem,
    DatasetState,
    ReadTable,
    dataset_id,
)
from core.domain.ids import DatasetId
from core.errors import NotFoundError
from core.store.database.dataset_tables import dataset_versions, datasets
from core.store.database.db import Repository
from core.store.database.visibility import Visibility
from core.store.documents.access import entries_of

_SET, _VERSION = datasets.c, dataset_versions.c


@dataclass(frozen=True, slots=True)
class RegisteredFile:
    """A file whose tables are registered. path: "" of an upload. acl: None as its bucket."""

    source: str
    path: str
    bucket: str
    acl: tuple[str, ...] | None
    owner: str
    content_hash: str
    size_bytes: int
    modified_ns: int

    def id_of(self, sheet: str) -> DatasetId:
        """The id of one of its tables."""
        return dataset_id(self.bucket, self.path or self.source, sheet)


class DatasetRecords(Repository):
    """Thread-safe. A version stays for good, so that answers which cite it can be opened."""

    def list(self, visible: Visibility, *, removed: bool = False) -> builtins.list[Dataset]:
        """The datasets that may be seen, by name. removed: those that were removed instead."""
        wanted = _joined(_VERSION.version == _SET.version).where(
            _SET.removed_at.is_not(None) if removed else _SET.removed_at.is_(None)
        )
        return self._seen(wanted.order_by(_SET.name, _SET.id), visible)

    def get(self, dataset: str, visible: Visibility, version: int | None = None) -> Dataset:
        """A dataset by its id or its name in SQL, also one that was removed. version: None for the newest.

        Raises NotFoundError where it is not there, or may not be seen.
        """
        which = _VERSION.version == (_SET.version if version is None else version)
        named = sa.or_(_SET.id == dataset, _SET.sql_name == dataset)
        found = self._seen(_joined(which).where(named), visible)
        if not found:
            raise NotFoundError(f"There is no dataset {dataset!r}.", next_step="See the list of datasets.")
        return found[0]

    def of_source(self, bucket: str, source: str) -> builtins.list[Dataset]:
        """Every table of a file, by its path, or by its name where it was uploaded; for the machinery."""
        wanted = _joined(_VERSION.version == _SET.version).where(
            _SET.bucket == bucket, sa.func.coalesce(sa.func.nullif(_SET.path, ""), _SET.source) == source
        )
        return self._seen(wanted, Visibility.everything())

    def put(self, file: RegisteredFile, name: str, sql_name: str, table: ReadTable) -> DatasetId:
        """Register a table, or a new version of it where it is known; a removed one is there again.

        Done again with a table of the same Parquet file it changes nothing.
        """
        id, now = file.id_of(table.sheet), datetime.now(UTC)
        with self._database.write_rows() as connection:
            before = connection.execute(sa.select(datasets).where(_SET.id == id).with_for_update()).first()
            if before is not None and self._holds(connection, before, table.file):
                return id
            version = 1 if before is None else before.version + 1
            values: dict[str, Any] = {"version": version, "removed_at": None}
            if file.acl is not None or before is None:
                values["acl"] = None if file.acl is None else sorted(file.acl)
            if before is None:
                values |= {
                    "id": id,
                    "name": name,
                    "sql_name": _free_name(connection, sql_name),
                    "source": file.source,
                    "path": file.path,
                    "sheet": table.sheet,
                    "bucket": file.bucket,
                    "owner": file.owner,
                    "created_at": now,
                }
                connection.execute(sa.insert(datasets).values(values))
            else:
                connection.execute(sa.update(datasets).where(_SET.id == id).values(values))
            connection.execute(sa.insert(dataset_versions).values(_version_row(id, version, file, table, now)))
        return id

    def touch(self, dataset: DatasetId, modified_ns: int) -> None:
        """Note that a file was written again with the same contents."""
        newest = sa.select(_SET.version).where(_SET.id == dataset).scalar_subquery()
        here = sa.and_(_VERSION.dataset == dataset, _VERSION.version == newest)
        self._database.run_rows(sa.update(dataset_versions).where(here).values(modified_ns=modified_ns))

    def rename(self, dataset: DatasetId, name: str) -> None:
        """Give it another name for people; its name in SQL stays."""
        self._database.run_rows(sa.update(datasets).where(_SET.id == dataset).values(name=name))

    def mark_removed(self, dataset: DatasetId, now: datetime | None) -> None:
        """Remove a dataset at a moment, or bring it back with None."""
        self._database.run_rows(sa.update(datasets).where(_SET.id == dataset).values(removed_at=now))

    def _holds(self, connection: Connection, before: sa.Row[Any], file: str) -> bool:
        wanted = sa.select(_VERSION.file).where(
            _VERSION.dataset == before.id, _VERSION.version == before.version
        )
        return connection.execute(wanted).scalar() == file and before.removed_at is None

    def _seen(self, wanted: sa.Select[Any], visible: Visibility) -> builtins.list[Dataset]:
        with self._database.read() as connection:
            rows = connection.execute(wanted).mappings().all()
            shared = entries_of(connection, "bucket", sorted({row["bucket"] for row in rows}))
        found = [_dataset(row, shared.get(row["bucket"], ())) for row in rows]
        return [each for each in found if visible.has(each.bucket) and visible.may_see(each.acl)]


def _joined(which: sa.ColumnElement[bool]) -> sa.Select[Any]:
    both = datasets.join(dataset_versions, sa.and_(_VERSION.dataset == _SET.id, which))
    beside = [each for each in _VERSION if each.name not in ("dataset", "version")]
    return sa.select(
        *(each for each in _SET if each.name != "version"), _VERSION.version, *beside
    ).select_from(both)


def _free_name(connection: Connection, wanted: str) -> str:
    like = sa.select(_SET.sql_name).where(_SET.sql_name.startswith(wanted, autoescape=True))
    taken = set(connection.execute(like).scalars())
    numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (wanted, *numbered) if each not in taken)


def _version_row(
    id: DatasetId, version: int, file: RegisteredFile, table: ReadTable, now: datetime
) -> dict[str, Any]:
    return {
        "dataset": id,
        "version": version,
        "rows": table.rows,
        "columns": [asdict(each) for each in table.columns],
        "problems": [asdict(each) for each in table.problems],
        "file": table.file,
        "content_hash": file.content_hash,
        "size_bytes": file.size_bytes,
        "modified_ns": file.modified_ns,
        "registered_at": now,
    }


def _dataset(row: Mapping[str, Any], of_bucket: tuple[str, ...]) -> Dataset:
    same = ("id", "name", "source", "path", "sheet", "bucket", "owner", "version", "rows", "file")
    also = ("content_hash", "size_bytes", "modified_ns", "registered_at")
    return Dataset(
        **{name: row[name] for name in (*same, *also)},
        table=row["sql_name"],
        acl=of_bucket if row["acl"] is None else tuple(row["acl"]),
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
        }
    )
