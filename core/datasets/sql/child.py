"""The child process that runs checked selects: DuckDB over the files of their tables, and nothing else.

The gate is the first wall; this is the second. No access to files but those that are mounted, no settings, no
extensions, no objects of Python; bounded memory, processor time and results.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from core.datasets.base import CODE_BASE, MOST_ROWS, MOST_SOURCES, NAME_KEY, RowFile
from core.datasets.names import quoted
from core.processes.loop import Reply, serve

_MEMORY_MB = 512  # DuckDB's own limit, which it keeps to where it can
_ADDRESSES_MB = 2_000  # what the system lets it have, whatever it does
_THREADS = 1  # equal queries give rows in equal order
_MOST_BYTES = 8_000_000
_SMALLER = "Ask for fewer rows, or group them before they are joined."
_AT_A_TIME = 500


@dataclass(frozen=True, slots=True)
class QueryTask:
    """A traced select over tables, each of some files; the places of `tables` are those of the codes."""

    sql: str
    tables: tuple[str, ...]
    files: tuple[tuple[RowFile, ...], ...]
    limit: int
    cpu_s: int


@dataclass(frozen=True, slots=True)
class RawRows:
    """Rows of a result without the two columns of their sources, which are beside them."""

    types: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    sources: tuple[tuple[tuple[int, int], ...], ...]
    counts: tuple[int, ...]
    is_cut: bool


def main() -> None:
    """Answer tasks until the parent ends."""
    serve(_start)


def _start(_: object) -> Any:
    import duckdb

    duckdb.connect().execute("SELECT 1").fetchall()  # what it loads at first
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _ADDRESSES_MB * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
    return _run


def _run(task: QueryTask) -> Reply[RawRows]:
    import duckdb

    _allow_processor(task.cpu_s)
    try:
        with _connection(task) as connection:
            return Reply(_bounded(connection.execute(task.sql), task.limit))
    except (duckdb.OutOfMemoryException, MemoryError):
        return Reply(None, "The query needs more memory than it may have.", _SMALLER, is_last=True)
    except (duckdb.FatalException, duckdb.InternalException):
        return Reply(None, "The query broke off.", _SMALLER, is_last=True)
    except duckdb.Error as error:
        return Reply(None, f"The query fails: {_plain(error)}", "Change it, for example by TRY_CAST.")


def _allow_processor(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (most if hard < 0 else min(most, hard), hard))


def _connection(task: QueryTask) -> Any:
    import duckdb

    connection = duckdb.connect(":memory:", config={"threads": _THREADS, "python_enable_replacements": False})
    connection.execute(f"SET memory_limit = '{_MEMORY_MB}MB'")
    connection.execute("SET temp_directory = ''")
    paths = [str(each.path.resolve()) for files in task.files for each in files]
    connection.execute(f"SET allowed_paths = [{', '.join(map(quoted, paths))}]")
    connection.execute("SET enable_external_access = false")
    for name, files in zip(task.tables, task.files, strict=True):
        table = '"' + name.replace('"', '""') + '"'
        rows = (f"SELECT {f.columns} FROM read_parquet({quoted(str(f.path.resolve()))})" for f in files)
        connection.execute(f"CREATE VIEW {table} AS {' UNION ALL BY NAME '.join(rows)}")
    if NAME_KEY in task.sql.lower():
        connection.create_function(NAME_KEY, _name_key, ["VARCHAR"], "VARCHAR")
    connection.execute("SET lock_configuration = true")
    return connection


@lru_cache(200_000)
def _name_key(name: str) -> str:
    """What a name is compared by: "acme" of "ACME Corp."; the words themselves where they hold no letter."""
    from core.values.names import normal_name, read_name

    party = read_name(name)
    return party.normal if party is not None else normal_name(name)


def _bounded(cursor: Any, limit: int) -> RawRows:
    """At most `limit` rows of at most _MOST_BYTES."""
    types = tuple(str(column[1]) for column in cursor.description[:-2])
    size, is_cut = 0, False
    rows: list[tuple[Any, ...]] = []
    sources: list[tuple[tuple[int, int], ...]] = []
    counts: list[int] = []
    for row in _each(cursor):
        values = tuple(_value(each) for each in row[:-2])
        size += sum(len(str(each)) for each in values) + 16 * len(row[-2] or ())
        if len(rows) == min(limit, MOST_ROWS) or size > _MOST_BYTES:
            is_cut = True
            break
        named = tuple(divmod(code, CODE_BASE) for code in row[-2] or ())
        rows.append(values)
        sources.append(named)
        counts.append(len(named) if len(named) < MOST_SOURCES else max(int(row[-1] or 0), len(named)))
    return RawRows(types, tuple(rows), tuple(sources), tuple(counts), is_cut)


def _each(cursor: Any) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_AT_A_TIME):
        yield from rows


def _value(value: object) -> object:
    """Numbers as decimals, days as dates, everything else as text."""
    if value is None or isinstance(value, (bool, Decimal, datetime, date, str)):
        return value
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value)) if value - value == 0 else None
    return str(value)


def _plain(error: Exception) -> str:
    return str(error).strip().splitlines()[0].split("Error: ", 1)[-1][:200]
