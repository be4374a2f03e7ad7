"""Tables of a catalogue in SQL: their names, and a check of a statement before any row is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.datasets.base import TOTAL, DataColumn, DataTable, DataType, QueryRefusedError
from core.datasets.names import column_names, free, table_name
from core.datasets.parquet import VALUE_TYPES
from core.datasets.sheets import DOCUMENT, SHEET
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, TableEntry
from core.plan.ir.node import MOST_PLACES, QuerySource
from core.plan.ir.verbalise import LONGEST

_TYPES = {**VALUE_TYPES, FieldType.BOOLEAN: DataType.BOOLEAN}


def sql_problems(sql: str, tables: Mapping[str, Sequence[TableEntry]]) -> Iterator[tuple[str, str]]:
    """Reasons, each with what to do, why a statement over tables by these names is not run."""
    from core.datasets.sql.gate import check

    for name in (name for name, some in tables.items() if not some):
        yield f"There is no table {name!r} that you may see.", "Take it out of the plan."
    if all(tables.values()):
        try:
            check(sql, [told_table(name, some) for name, some in tables.items()])
        except QueryRefusedError as refused:
            yield refused.message, refused.next_step


def money_named(sql: str, tables: Mapping[str, Sequence[TableEntry]]) -> bool:
    """True where a statement names a column of amounts, or is none that runs."""
    from core.datasets.sql.gate import check

    told = [told_table(name, some) for name, some in tables.items()]
    try:
        used = check(sql, told).used
    except QueryRefusedError:
        return True
    return any(each.type is DataType.MONEY and each.name in used for table in told for each in table.columns)


def told_table(name: str, tables: Sequence[TableEntry]) -> DataTable:
    """Tables that are asked as one, by its name in SQL. What a file has beside its columns passes, too."""
    return DataTable(name, tuple(_columns(tables)), 0)


def entries_of(source: QuerySource, catalogue: Catalogue) -> list[TableEntry]:
    """Tables of the catalogue that a source is made of."""
    wanted = set(source.places)
    return [each for each in catalogue.every_table if any(part.name in wanted for part in each.parts)]


def query_source(name: str, places: tuple[str, ...]) -> QuerySource:
    """A table by its name. Raises QueryRefusedError where it is made of more than can be asked at once."""
    if len(places) > MOST_PLACES:
        raise QueryRefusedError(
            f"{name!r} is {len(places):,} tables with the same columns, of which at most {MOST_PLACES:,} are "
            "asked as one.",
            next_step="Name the files that are meant, or put their rows together in fewer files.",
        )
    return QuerySource(name=name, places=places)


def query_sources(places: Iterable[str], catalogue: Catalogue) -> tuple[QuerySource, ...]:
    """Tables as a query calls them, as `places_named` has them. Raises QueryRefusedError, as query_source."""
    return tuple(query_source(*each) for each in places_named(places, catalogue).items())


def places_named(places: Iterable[str], catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    """Tables by sheet, caption or document: those with the same columns are one."""
    titles, wanted = {each.id: each.name for each in catalogue.documents}, set(places)
    found: dict[str, tuple[str, ...]] = {}
    for table in catalogue.every_table:
        own = [part for part in table.parts if part.name in wanted]
        if own:
            said = own[0].sheet or own[0].caption or titles.get(own[0].document, "")
            said = table.title if table.title and len(own) > 1 else said[:40]
            name = table_name(said, "source_rows", found)
            found[name] = tuple(part.name for part in own)
    return found


def sql_said(sql: str) -> str:
    """SQL as the purpose of a node, in words where it can be read."""
    from core.datasets.sql.wording import sql_words

    return (sql_words(sql) or " ".join(sql.split()))[:LONGEST]


def _columns(tables: Sequence[TableEntry]) -> Iterable[DataColumn]:
    """Columns of tables that are asked as one, and those that their file may have beside these."""
    columns = [column for each in tables for column in each.columns]
    names = column_names(each.name for each in columns)
    for name, each in zip(names, columns, strict=True):
        kind = _TYPES.get(each.type, DataType.TEXT)
        units = each.units if kind is DataType.MONEY else ()
        said = {unit for unit in units if unit}
        own = f"{name}_currency" if len(units) > 1 or f"{name}_currency" in names else ""
        holders = (n for n, c in zip(names, columns, strict=True) if said and said <= set(c.texts))
        holder = own if own in names else next(holders, own)
        yield DataColumn(name, kind, each.name, units, holder)
        beside = {DataType.TEXT: (), DataType.MONEY: ("currency", "text")}.get(kind, ("text",))
        yield from (DataColumn(f"{name}_{more}", DataType.TEXT) for more in beside)
    parts = [part for each in tables for part in each.parts if not each.title]
    for name, said in (
        (DOCUMENT, {p.document for p in parts}),
        (SHEET, {p.sheet or p.caption for p in parts}),
    ):
        if len(said) > 1:
            yield DataColumn(free(name, names), DataType.TEXT)
    yield DataColumn(TOTAL, DataType.BOOLEAN)
