"""The connection to the database, and everything about it that depends on which database it is.

SQLite: WAL, so readers never wait; writes start with BEGIN IMMEDIATE, so that a transaction that has
begun to write cannot find out later that it may not; synchronous=NORMAL, so that a killed process
loses nothing and a power cut at most the last commits, never consistency.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from core.errors import RecordsError
from core.records.failures import records_error

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

_Item = TypeVar("_Item")
_WRITE = "groundwork_write"
_ADVISORY_LOCK = 0x67726F756E64  # "ground"


class Database:
    """Connections to one database; thread-safe."""

    def __init__(self, engine: Engine, place: str, file: Path | None) -> None:
        self._engine = engine
        self._writer = engine.execution_options(**{_WRITE: True})
        self.place = place
        self.file = file

    @classmethod
    def open(cls, url: str, *, busy_timeout_s: float) -> Database:
        """The database at an SQLAlchemy address; an SQLite file (not its folder) is made where there is none.

        Raises RecordsError where the address cannot be understood or the file cannot be opened.
        """
        try:
            address = sa.make_url(url)
            if address.get_backend_name() == "sqlite":
                return cls._open_sqlite(address, busy_timeout_s)
            engine = sa.create_engine(
                address, pool_pre_ping=True, json_serializer=_to_json, json_deserializer=_from_json
            )
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise RecordsError(
                "The address of the records database (records.url) cannot be used.",
                next_step="Leave it empty for SQLite in the home folder, or write sqlite:///FILE.",
            ) from error
        place = address.render_as_string(hide_password=True)
        if engine.dialect.name == "postgresql":
            sa.event.listen(engine, "begin", _lock_writers)
        return cls(engine, place, None)

    @classmethod
    def _open_sqlite(cls, address: URL, busy_timeout_s: float) -> Database:
        if not address.database or address.database == ":memory:":
            raise RecordsError(
                "The records database must be a file, not memory.",
                next_step="Write sqlite:///FILE in records.url, or leave it empty.",
            )
        file = Path(address.database).absolute()
        engine = sa.create_engine(
            address.set(database=str(file)),
            json_serializer=_to_json,
            json_deserializer=_from_json,
            pool_size=8,
            max_overflow=24,
            pool_timeout=busy_timeout_s,
            connect_args={"check_same_thread": False, "timeout": busy_timeout_s},
        )
        sa.event.listen(engine, "connect", _configure_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        database = cls(engine, str(file), file)
        with database._translated():
            database._set_wal()
        return database

    def _set_wal(self) -> None:
        connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode")
            if cursor.fetchone() != ("wal",):
                cursor.execute("PRAGMA journal_mode=WAL")
            cursor.close()
        finally:
            connection.close()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent view of the database, until the block ends. Never waits for a writer."""
        with self._translated(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it becomes visible when the block ends, or nothing when it raises.

        Writers take turns; one that waits longer than the busy timeout gets a RecordsError.
        """
        with self._translated(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise records_error(error.orig or error, self.place) from error
        except (sqlite3.Error, PoolTimeoutError) as error:
            raise records_error(error, self.place) from error

    def close(self) -> None:
        """Close every connection; safe to call twice."""
        self._engine.dispose()

    def copy_to(self, target: Path) -> None:
        """Copy an SQLite database as it stands now into a new file, while others go on writing."""
        if self.file is None:
            raise RecordsError(
                f"A backup copies SQLite files, and the records are in {self.place}.",
                next_step="Use the database's own tool, for Postgres pg_dump.",
            )
        with self._translated():
            source = self._engine.raw_connection()
            try:
                copy = sqlite3.connect(target)
                try:
                    driver = source.driver_connection
                    assert isinstance(driver, sqlite3.Connection)
                    driver.backup(copy)
                    copy.execute("PRAGMA journal_mode=DELETE")
                finally:
                    copy.close()
            finally:
                source.close()


def slices(items: Collection[_Item], size: int = 500) -> Iterator[list[_Item]]:
    """The items in lists of at most `size`: databases bound the number of parameters of a statement."""
    ordered = list(items)
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def insert_or_ignore(connection: Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; those whose primary key is there already are left as they are."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), list(rows))


def insert_or_update(connection: Connection, table: sa.Table, row: Mapping[str, Any]) -> None:
    """Insert a row, or overwrite the given columns where its primary key is there already."""
    keys = [column.name for column in table.primary_key]
    statement = _insert(connection, table).values(dict(row))
    changed = {name: statement.excluded[name] for name in row if name not in keys}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))


def _insert(connection: Connection, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # here, for it takes 0.1 s that SQLite has no use for

    return postgresql.insert(table)


_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DECODER = json.JSONDecoder()


def _to_json(value: Any) -> str:
    return "[]" if value == [] else _ENCODER.encode(value)


def _from_json(text: str) -> Any:
    return [] if text == "[]" else _DECODER.decode(text)  # most lists (acl, headings) are empty


def _configure_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # Transactions begin where _begin_sqlite says, not where sqlite3 guesses.
    connection.isolation_level = None
    for pragma in ("foreign_keys=ON", "synchronous=NORMAL", "cache_size=-8000", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA journal_size_limit=67108864")


def _begin_sqlite(connection: Connection) -> None:
    is_write = connection.get_execution_options().get(_WRITE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write else "BEGIN")


def _lock_writers(connection: Connection) -> None:
    # One writer at a time, as on SQLite: sequence numbers then become visible in their order.
    if connection.get_execution_options().get(_WRITE, False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")


def remove_file_and_journals(file: Path) -> None:
    """Delete an SQLite file with its -wal and -shm."""
    for suffix in ("", "-wal", "-shm"):
        Path(f"{os.fspath(file)}{suffix}").unlink(missing_ok=True)
