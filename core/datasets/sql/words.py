"""Rows of which a query knows no number, since a cell holds a word: they are counted beside its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sqlglot
from sqlglot import exp

from core.datasets.base import CheckedQuery, DataTable

_BEHIND = ("group", "having", "qualify", "order", "limit", "offset", "distinct", "windows")


def words_queries(query: CheckedQuery, tables: Mapping[str, DataTable]) -> Iterator[tuple[str, str]]:
    """For each column of numbers that a plain select names its label, and SQL of one row: how many of its
    rows hold a word instead, and one such word. Of rows that fulfil its conditions, or of which nobody knows.
    """
    select = sqlglot.parse_one(query.sql, dialect="duckdb")
    if not isinstance(select, exp.Select):
        return
    joined = [each.this for each in select.args.get("joins") or ()]
    found = select.find(exp.From)
    sources = [each for each in (found and found.this, *joined) if isinstance(each, exp.Table)]
    where = select.args.get("where")
    for source in sources:
        table = tables.get(source.name)
        for column in table.columns if table is not None else ():
            words = table and next((e for e in table.columns if e.label == f"{column.label} in words"), None)
            if not words or column.name not in query.used or words.name in query.used:
                continue
            beside = exp.column(words.name, source.alias_or_name, quoted=True)
            there: exp.Expr = exp.Not(this=exp.Is(this=beside.copy(), expression=exp.null()))
            asked = select.copy()
            for name in _BEHIND:
                asked.set(name, None)
            asked.set("expressions", [exp.Count(this=exp.Star()), exp.Min(this=beside)])
            if where is not None:
                holds = exp.Coalesce(this=where.this.copy(), expressions=[exp.true()])
                there = exp.and_(holds, there)
            asked.set("where", exp.Where(this=there))
            yield column.label or column.name, asked.sql("duckdb")
