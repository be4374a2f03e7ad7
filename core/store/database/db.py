"""The connection to the database, and everything about it that depends on which database it is.

SQLite: WAL, so readers never wait; writes start with BEGIN IMMEDIATE, so that a transaction that has
begun to write cannot find out later that it may not; synchronous=NORMAL, so that a killed process
loses nothing and a power cut at most the last commits, never consistency.

Postgres: a read is one snapshot (REPEATABLE READ, read only), as on SQLite. Writes of the collection take
turns by an advisory lock; what belongs to one job, conversation or lease is guarded by its row alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from core.errors import RecordsError
from core.store.database.among import MOST_PARAMETERS, among
from core.store.database.chain import carry
from core.store.database.failures import records_error
from core.store.database.postgres import lock_writers, open_engine
from core.store.database.sql_log import listen

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

_Item = TypeVar("_Item")
_Value = TypeVar("_Value")
_TEXTS_AT_ONCE = 50_000  # ids in one statement
_WRITE = "groundwork_write"
_CLAIMS_A_ROW = {"isolation_level": "READ COMMITTED"}  # so that it sees what it waited for
_READS = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


class Database:
    """Connections to one database; thread-safe."""

    def __init__(self, engine: Engine, place: str, file: Path | None) -> None:
        listen(engine)
        self._engine = engine
        self.is_shared = file is None
        self.address = engine.url  # with its password: for another library, never for a message
        self._reader = engine.execution_options(**_READS) if self.is_shared else engine
        rows = engine.execution_options(**_CLAIMS_A_ROW) if self.is_shared else engine
        self._row_writer = rows if self.is_shared else engine.execution_options(**{_WRITE: True})
        self._writer = rows.execution_options(**{_WRITE: True})
        self.place = place
        self.file = file

    @classmethod
    def open(cls, url: str, *, busy_timeout_s: float, pool_size: int = 8) -> Database:
        """The database at an SQLAlchemy address; an SQLite file (not its folder) is made where there is none.

        Nothing is connected yet. Raises RecordsError where the address cannot be understood or the file
        cannot be opened.
        """
        if url.count("@") > 1:
            # Whatever stands behind the first one would be taken for the host, and shown in messages.
            raise RecordsError(
                "The address of the records database (records.url) holds '@' more than once.",
                next_step="Write '@' in the password as %40, or leave the password out and set PGPASSWORD.",
            )
        try:
            address = sa.make_url(url)
            if address.get_backend_name() == "sqlite":
                return cls._open_sqlite(address, busy_timeout_s)
            engine = open_engine(
                address,
                busy_timeout_s=busy_timeout_s,
                pool_size=pool_size,
                json_serializer=_to_json,
                json_deserializer=_from_json,
            )
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError):
            # Without its cause, which may quote the address with its password.
            raise RecordsError(
                "The address of the records database (records.url) cannot be used.",
                next_step="Leave it empty for SQLite in the home folder, or write "
                "postgresql://USER:PASSWORD@HOST:PORT/DATABASE.",
            ) from None
        sa.event.listen(engine, "begin", _lock_writers)
        return cls(engine, f"{address.host or ''}:{address.port or 5432}/{address.database or ''}", None)

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
            database._set_wal(time.monotonic() + busy_timeout_s)
        return database

    def _set_wal(self, deadline: float) -> None:
        """Switch the file to its write-ahead log; several that open a new file at once take turns.

        SQLite's busy timeout does not hold for this switch: it is refused at once where another has begun.
        """
        connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            while True:
                try:
                    cursor.execute("PRAGMA journal_mode")
                    if cursor.fetchone() != ("wal",):
                        cursor.execute("PRAGMA journal_mode=WAL")
                    break
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                        raise
                    time.sleep(0.02)
            cursor.close()
        finally:
            connection.close()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent view of the database, until the block ends. Never waits for a writer."""
        with self._translated(), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it becomes visible when the block ends, or nothing when it raises.

        Writers take turns; one that waits longer than the busy timeout gets a RecordsError.
        """
        with self._carrying(self._writer) as connection:
            yield connection

    @contextmanager
    def write_rows(self, *, is_upkeep: bool = False) -> Iterator[Connection]:
        """A transaction that Postgres lets go on beside others: for all that is not of the collection.

        A lease must be renewed in time also while somebody publishes a large document. Whoever reads a row
        here and then writes it must select it FOR UPDATE.
        is_upkeep: it is no part of what a person does, such as a lease: the audit entry of their deed waits
        for the transaction that is.
        """
        if not is_upkeep:
            with self._carrying(self._row_writer) as connection:
                yield connection
            return
        with self._translated(), self._row_writer.begin() as connection:
            yield connection

    @contextmanager
    def _carrying(self, engine: Engine) -> Iterator[Connection]:
        """A transaction that also keeps the audit entry of the deed that is being done, as its last write."""
        with self._translated():
            with engine.begin() as connection:
                yield connection
                carried = carry(connection)
            if carried is not None:
                carried.is_kept = True

    def rows(self, statement: sa.Executable) -> Sequence[Any]:
        """All rows of one statement, in a transaction of its own."""
        with self.read() as connection:
            return connection.execute(statement).all()

    def rows_among(
        self, statement: sa.Select[Any], column: sa.ColumnElement[Any], values: Collection[Any] | None
    ) -> list[Any]:
        """All rows of one statement whose column has one of these values; None: whatever it has."""
        with self.read() as connection:
            return list(rows_among(connection, statement, column, values))

    def first(self, statement: sa.Executable) -> Any | None:
        """The first row of one statement; None where it has none."""
        with self.read() as connection:
            return connection.execute(statement).first()

    def one(self, statement: sa.Executable, parameters: Mapping[str, Any] | None = None) -> Any:
        """The row of a statement that always has exactly one."""
        with self.read() as connection:
            return connection.execute(statement, parameters).one()

    def scalar(self, statement: sa.Executable) -> Any:
        """The first value of one statement; None where it has none."""
        with self.read() as connection:
            return connection.execute(statement).scalar()

    def scalars(self, statement: sa.Executable) -> Sequence[Any]:
        """The first value of each row of one statement."""
        with self.read() as connection:
            return connection.execute(statement).scalars().all()

    def run(self, statement: sa.Executable, rows: Sequence[Mapping[str, Any]] | None = None) -> int:
        """Run one statement as `write` does; gives the number of rows that it changed."""
        with self.write() as connection:
            return connection.execute(statement, rows).rowcount

    def run_rows(self, statement: sa.Executable) -> int:
        """The same as `write_rows` does."""
        with self.write_rows() as connection:
            return connection.execute(statement).rowcount

    def moment(self, connection: Connection) -> datetime:
        """Now, by the one clock that all who share the database agree on."""
        if not self.is_shared:
            return datetime.now(UTC)
        found = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
        assert isinstance(found, datetime)
        return found.astimezone(UTC)

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
                f"A backup copies SQLite files, and the records are in Postgres at {self.place!r}.",
                next_step="Save the database with pg_dump and the folder 'blobs' of the home beside it; put "
                "them back with pg_restore, then run: groundwork reindex",
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


class Repository:
    """Reads and writes one subject in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database


def slices(items: Collection[_Item], size: int = MOST_PARAMETERS) -> Iterator[list[_Item]]:
    """The items in lists of at most `size`: databases bound the number of parameters of a statement."""
    ordered = list(items)
    for start in range(0, len(ordered), size):
        yield ordered[start : start + size]


def rows_among(
    connection: Connection,
    statement: sa.Select[Any],
    column: sa.ColumnElement[Any],
    values: Collection[Any] | None,
) -> Iterator[Any]:
    """Rows of a statement whose column has one of these values; None: whatever it has."""
    if values is None:
        yield from connection.execute(statement)
        return
    texts = all(isinstance(each, str) for each in values)
    for some in slices(sorted(values), _TEXTS_AT_ONCE if texts else MOST_PARAMETERS):
        yield from connection.execute(statement.where(among(column, some)))


def from_row(kind: Callable[..., _Value], row: Any, **made: Any) -> _Value:
    """A dataclass of the columns, or attributes, that its fields are named after. made: its other fields."""
    return kind(**{name: getattr(row, name) for name in _names(kind) if name not in made}, **made)


def to_row(table: sa.Table, value: Any, **made: Any) -> dict[str, Any]:
    """The columns of a table that a dataclass has fields for. made: those that are stored otherwise."""
    names = (name for name in _names(value.__class__) if name in table.c)
    return {name: getattr(value, name) for name in names if name not in made} | made


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def matches(column: sa.ColumnElement[Any], value: object | None) -> sa.ColumnElement[bool]:
    """True where the column has the value; None: always."""
    return sa.true() if value is None else column == value


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


def insert_or_take(
    connection: Connection,
    table: sa.Table,
    row: Mapping[str, Any],
    *,
    where: sa.ColumnElement[bool],
    keep: Mapping[str, sa.ColumnElement[bool]],
) -> bool:
    """Insert a row, or overwrite that of its primary key where it fulfils `where`; gives whether it did.

    keep: columns that keep their old value where the condition holds of the old row.
    """
    keys = [column.name for column in table.primary_key]
    statement = _insert(connection, table).values(dict(row))
    changed: dict[str, Any] = {name: statement.excluded[name] for name in row if name not in keys}
    for name, condition in keep.items():
        changed[name] = sa.case((condition, table.c[name]), else_=statement.excluded[name])
    statement = statement.on_conflict_do_update(index_elements=keys, set_=changed, where=where)
    return connection.execute(statement.returning(table.c[keys[0]])).first() is not None


def _insert(connection: Connection, table: sa.Table) -> sqlite.Insert | postgresql.Insert:
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # here, for it takes 0.1 s that SQLite has no use for

    return postgresql.insert(table)


_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DECODER = json.JSONDecoder()


def _to_json(value: Any) -> str:
    return "[]" if value == [] else _ENCODER.encode(value)


def _from_json(text: str | bytes) -> Any:
    if isinstance(text, bytes):  # as Postgres' driver hands it over
        text = text.decode()
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
    if connection.get_execution_options().get(_WRITE, False):
        lock_writers(connection)


def remove_file_and_journals(file: Path) -> None:
    """Delete an SQLite file with its -wal and -shm."""
    for suffix in ("", "-wal", "-shm"):
        Path(f"{os.fspath(file)}{suffix}").unlink(missing_ok=True)
