"""Tables that SQL is asked of, the statement that a gate let through, and the rows that came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.errors import RefusedError

ROW = "_row"
"""Column of every table's file: the number of the row in its source, from 1."""

TOTAL = "is_total"
"""Boolean column of tables of spreadsheets: rows that add up others, left out unless a query names it."""

FILE = "file"
"""Column of several files that are asked as one: the name of the file that a row is of."""

NAME_KEY = "name_key"
"""Function of SQL: what names of companies are compared by, without legal form, case and punctuation."""

CODE_BASE = 1 << 44
"""A source row's code is the place of its table times this, plus the row's number."""

ROWS_OF_FILE = 1 << 32
"""Of several files as one, a row's number is the place of its file times this, plus its number there."""

MOST_ROWS = 10_000
"""Rows of a result."""

MOST_SOURCES = 200
"""Source rows that are named for a row of a result; more are counted."""


class QueryRefusedError(RefusedError):
    """A statement that is not run: it is no checked select, or says something that has no sense."""


class QueryFailedError(RefusedError):
    """A statement that was ended: it took too long or too much memory, or meets values it cannot compute."""


class DataType(StrEnum):
    """Type of a column, and its type in the file."""

    TEXT = "text"  # VARCHAR
    NUMBER = "number"  # DECIMAL(38,6), or BIGINT or DOUBLE of a registered file
    MONEY = "money"  # DECIMAL(38,4), never a float
    DATE = "date"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class DataColumn:
    """A column of a table.

    name: in SQL. label: as people wrote it. units: the currencies of money, in any order. unit_column: the
    name of the text column that holds the currency of each row; "" where there is none. examples: a few
    values as text, for who writes a query.
    """

    name: str
    type: DataType
    label: str = ""
    units: tuple[str, ...] = ()
    unit_column: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table by its name in SQL; its file has the columns and `ROW`."""

    name: str
    columns: tuple[DataColumn, ...]
    rows: int
    label: str = ""

    def column(self, name: str) -> DataColumn | None:
        """The column of this name in SQL, whatever its case."""
        return next((each for each in self.columns if each.name == name.lower()), None)


@dataclass(frozen=True, slots=True)
class RowFile:
    """A Parquet file that a table is made of. columns: SQL of what is taken of it; names may be any."""

    path: Path
    columns: str = "*"


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A statement that the gate let through: only `gate.check` makes one.

    sql: as it was checked, with its limit. traced: the same with the source rows of each result in its last
    columns. tables: the names that it reads, in the order of the codes in its sources. columns, units: of the
    result, by name, and by currency ("several" where rows differ in it). used: columns that it names.
    measures: for each column of the result the unit of its numbers, "" for none.
    has_names: it compares names by NAME_KEY. has_offset: it skips rows, which its result does not cite.
    """

    sql: str
    traced: str
    tables: tuple[str, ...]
    columns: tuple[str, ...]
    units: tuple[str, ...] = ()
    limit: int = MOST_ROWS
    used: frozenset[str] = frozenset()
    measures: tuple[str, ...] = ()
    has_names: bool = False
    has_offset: bool = False


@dataclass(frozen=True, slots=True)
class RowSources:
    """Source rows that a row of a result rests on: (table, row number), at most MOST_SOURCES of `total`."""

    rows: tuple[tuple[str, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class QueryRows:
    """Result of a query. columns: (name, type in words). is_cut: there may be more rows than these."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Any, ...], ...]
    sources: tuple[RowSources, ...]
    is_cut: bool = False
    seconds: float = 0.0

    def cited(self) -> Sequence[tuple[str, int]]:
        """All source rows that are named, each once, in order."""
        return list(dict.fromkeys(row for each in self.sources for row in each.rows))
