"""Names of tables within a statement: read, and exchanged for others. Nothing is checked here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from core.datasets.base import QueryRefusedError

if TYPE_CHECKING:
    from sqlglot.expressions import Query, Table


def names_in(sql: str, known: Collection[str]) -> list[str]:
    """Those of some names of tables that a statement has; [] where it cannot be read."""
    return [name for each in _tables(parsed(sql)) if (name := each.name) in known]


def columns_in(sql: str) -> set[str]:
    """Names in a statement but those of tables, in small letters; none where it cannot be read."""
    from sqlglot import exp

    query = parsed(sql)
    names = query.find_all(exp.Identifier) if query is not None else ()
    of_tables = (exp.Table, exp.TableAlias)
    return {e.name.lower() for e in names if e.arg_key != "table" and not isinstance(e.parent, of_tables)}


def renamed(sql: str, names: Mapping[str, str]) -> str:
    """The statement with other names of tables; as it is where it cannot be read."""
    from sqlglot import exp

    query = parsed(sql)
    for table in _tables(query):
        if new := names.get(table.name):
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
            table.set("this", exp.to_identifier(new))
    return query.sql("duckdb", comments=False) if query is not None else sql


def parsed(sql: str) -> Query | None:
    """The query of a statement; None where it is none, or cannot be read, for the gate to say so."""
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
