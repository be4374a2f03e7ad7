"""Tables as a catalogue tells them, for a check of SQL before any row is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from core.datasets.base import TOTAL, DataColumn, DataTable, DataType, QueryRefusedError
from core.datasets.names import free, sql_name
from core.datasets.sheets import DOCUMENT, RESERVED, SHEET, column_names
from core.domain.fields import FieldType

if TYPE_CHECKING:
    from sqlglot.expressions import Query, Table

_TYPES = {
    FieldType.MONEY: DataType.MONEY,
    FieldType.NUMBER: DataType.NUMBER,
    FieldType.DURATION: DataType.NUMBER,
    FieldType.DATE: DataType.DATE,
    FieldType.BOOLEAN: DataType.BOOLEAN,
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

    @property
    def texts(self) -> tuple[str, ...]:
        """Its different texts, or some of them."""
        ...


class ToldPart(Protocol):
    """One table of a document."""

    @property
    def document(self) -> str:
        """Its document."""
        ...

    @property
    def sheet(self) -> str:
        """The sheet that it is on."""
        ...

    @property
    def caption(self) -> str:
        """The line above it."""
        ...

    @property
    def name(self) -> str:
        """By what nodes know it."""
        ...


class ToldTable(Protocol):
    """Tables with the same columns, in the catalogue."""

    @property
    def columns(self) -> Sequence[ToldColumn]:
        """Their columns."""
        ...

    @property
    def parts(self) -> Sequence[ToldPart]:
        """Each of them."""
        ...


def sql_problems(sql: str, tables: Mapping[str, Sequence[ToldTable]]) -> Iterator[tuple[str, str]]:
    """Reasons, each with what to do, why a statement over tables by these names is not run."""
    from core.datasets.sql.gate import check

    for name in (name for name, some in tables.items() if not some):
        yield f"There is no table {name!r} that you may see.", "Take it out of the plan."
    if all(tables.values()):
        try:
            check(sql, [told_table(name, some) for name, some in tables.items()])
        except QueryRefusedError as refused:
            yield refused.message, refused.next_step


def told_table(name: str, tables: Sequence[ToldTable]) -> DataTable:
    """Tables that are asked as one, by its name in SQL. What a file has beside its columns passes, too."""
    return DataTable(name, tuple(_columns(tables)), 0)


def table_places(
    tables: Iterable[ToldTable], places: Collection[str], titles: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Places by a name in SQL of the table that they are parts of: its sheet, its caption or its document.

    titles: of documents. No two names are alike.
    """
    found: dict[str, tuple[str, ...]] = {}
    for table in tables:
        own = [part for part in table.parts if part.name in places]
        if own:
            said = own[0].sheet or own[0].caption or titles.get(own[0].document, "")
            name = sql_name(said[:40], "source_rows")
            name = free(f"{name}_rows" if name in RESERVED else name, found)
            found[name] = tuple(part.name for part in own)
    return found


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

    from core.datasets.sql.gate import refuse_unreadable

    try:
        refuse_unreadable(sql)
        parsed = sqlglot.parse_one(sql, dialect="duckdb")
    except (QueryRefusedError, sqlglot.errors.SqlglotError, RecursionError):
        return None
    return parsed if isinstance(parsed, exp.Query) else None


def _tables(query: Query | None) -> list[Table]:
    from sqlglot import exp

    return list(query.find_all(exp.Table)) if query is not None else []


def _columns(tables: Sequence[ToldTable]) -> Iterable[DataColumn]:
    """Columns of tables that are asked as one, and those that their file may have beside these."""
    columns = [column for each in tables for column in each.columns]
    names = column_names(each.name for each in columns)
    for name, each in zip(names, columns, strict=True):
        kind = _TYPES.get(each.type, DataType.TEXT)
        units = each.units if kind is DataType.MONEY else ()
        said = {unit for unit in units if unit}
        holder = next((n for n, c in zip(names, columns, strict=True) if said and said <= set(c.texts)), "")
        holder = holder or (f"{name}_currency" if len(units) > 1 else "")
        yield DataColumn(name, kind, each.name, units, holder)
        beside = {DataType.TEXT: (), DataType.MONEY: ("currency", "text")}.get(kind, ("text",))
        yield from (DataColumn(f"{name}_{more}", DataType.TEXT) for more in beside)
    parts = [part for each in tables for part in each.parts]
    for name, said in (
        (DOCUMENT, {p.document for p in parts}),
        (SHEET, {p.sheet or p.caption for p in parts}),
    ):
        if len(said) > 1:
            yield DataColumn(free(name, names), DataType.TEXT)
    yield DataColumn(TOTAL, DataType.BOOLEAN)
