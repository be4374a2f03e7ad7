"""Tables as a catalogue tells them, for a check of SQL before any row is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from core.datasets.base import TOTAL, ColumnType, DataColumn, DataTable
from core.datasets.sheets import DOCUMENT, SHEET, column_names
from core.domain.fields import FieldType

if TYPE_CHECKING:
    from sqlglot.expressions import Query, Table

_TYPES = {
    FieldType.MONEY: ColumnType.MONEY,
    FieldType.NUMBER: ColumnType.NUMBER,
    FieldType.DURATION: ColumnType.NUMBER,
    FieldType.DATE: ColumnType.DATE,
    FieldType.BOOLEAN: ColumnType.BOOLEAN,
}


class ToldColumn(Protocol):
    """A column of the catalogue."""

    @property
    def name(self) -> str:
        """As it is written."""
        ...

    @property
    def type(self) -> FieldType:
        """Of most of its values."""
        ...

    @property
    def units(self) -> tuple[str, ...]:
        """Of its amounts."""
        ...


def told_tables(columns: Mapping[str, Sequence[ToldColumn]]) -> list[DataTable]:
    """Tables by their names in SQL. What a file has beside its columns passes too."""
    return [DataTable(name, tuple(_columns(some)), 0) for name, some in columns.items()]


def names_in(sql: str, known: Collection[str]) -> list[str]:
    """Those of some names of tables that a statement has; [] where it cannot be read."""
    return [name for each in _tables(_parsed(sql)) if (name := each.name) in known]


def renamed(sql: str, names: Mapping[str, str]) -> str:
    """The statement with other names of tables; as it is where it cannot be read."""
    from sqlglot import exp

    query = _parsed(sql)
    for table in _tables(query):
        if new := names.get(table.name):
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
            table.set("this", exp.to_identifier(new))
    return query.sql("duckdb", comments=False) if query is not None else sql


def _parsed(sql: str) -> Query | None:
    """A query; None where it is none, or cannot be read, for the gate to say so."""
    import sqlglot
    from sqlglot import exp

    try:
        parsed = sqlglot.parse_one(sql, dialect="duckdb")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None
    return parsed if isinstance(parsed, exp.Query) else None


def _tables(query: Query | None) -> list[Table]:
    from sqlglot import exp

    return list(query.find_all(exp.Table)) if query is not None else []


def _columns(columns: Sequence[ToldColumn]) -> Iterable[DataColumn]:
    names = column_names(each.name for each in columns)
    for name, each in zip(names, columns, strict=True):
        kind = _TYPES.get(each.type, ColumnType.TEXT)
        units = each.units if kind is ColumnType.MONEY else ()
        yield DataColumn(name, kind, each.name, units, f"{name}_currency" if len(units) > 1 else "")
        beside = {ColumnType.TEXT: (), ColumnType.MONEY: ("currency", "text")}.get(kind, ("text",))
        yield from (DataColumn(f"{name}_{more}", ColumnType.TEXT) for more in beside)
    yield from (DataColumn(name, ColumnType.TEXT) for name in (DOCUMENT, SHEET) if name not in names)
    yield DataColumn(TOTAL, ColumnType.BOOLEAN)
