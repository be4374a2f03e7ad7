"""Query: SQL over rows of tables, checked, run in bounds, with the rows that each result rests on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from core.domain.fields import FieldType
from core.domain.rows.place import TablePlace
from core.domain.trust.permission import Trait
from core.plan.catalogue import Catalogue, TableEntry
from core.plan.ir.node import Node, QuerySource
from core.plan.ir.spec import (
    Checks,
    EstimateSetting,
    FormField,
    NodeEstimate,
    NodeSpec,
    Said,
    TraitSetting,
    counted_inputs,
)
from core.plan.ir.statistics import Cost


class Query(Node):
    """Rows by one SELECT over some tables, which are all that it may name. Gives a table.

    An input of documents narrows the tables to theirs. answers_first: the first column comes of the others.
    """

    type: Literal["query"] = "query"
    sql: str = Field(min_length=1, max_length=8_000)
    tables: tuple[QuerySource, ...] = Field(min_length=1, max_length=12)
    answers_first: bool = False


def _checks(node: Query, checks: Checks) -> Said:
    from core.plan.ir.sql_tables import entries_of, sql_problems

    if len(node.inputs) > 1:
        yield f"It has {counted_inputs(node)}, and needs at most one.", "Combine the sets first."
    yield from checks.inputs(node, ("documents",))
    yield from sql_problems(node.sql, {each.name: entries_of(each, checks.catalogue) for each in node.tables})


def _entries(node: Query, catalogue: Catalogue) -> list[TableEntry]:
    from core.plan.ir.sql_tables import entries_of

    return [entry for each in node.tables for entry in entries_of(each, catalogue)]


def _estimate(node: Query, setting: EstimateSetting) -> NodeEstimate:
    rows = sum(entry.rows for entry in _entries(node, setting.catalogue))
    return NodeEstimate(rows, min(rows, 10_000), "at most the rows of its tables")


def _asks(node: Query, setting: TraitSetting) -> Iterable[Trait]:
    """A figure of money, also where nobody knows what the tables hold; fields may tell what is missing."""
    from core.plan.ir.sql_tables import entries_of, money_named

    entries = _entries(node, setting.catalogue)
    if of_fields := any(TablePlace.of(place).fields for each in node.tables for place in each.places):
        yield Trait.COMPLIANCE
    has_money = any(column.type is FieldType.MONEY for each in entries for column in each.columns)
    tables = {each.name: entries_of(each, setting.catalogue) for each in node.tables}
    if not entries or (has_money and (not of_fields or money_named(node.sql, tables))):
        yield Trait.FINANCIAL_AGGREGATE


def _said(node: Query, noun: str, schema: object) -> str:
    from core.plan.ir.sql_tables import sql_said

    return sql_said(node.sql)


QUERY = NodeSpec(
    node=Query,
    word="Query",
    about="Rows of tables by SQL",
    takes=("documents",),
    gives=lambda node: "query",
    unit=lambda node: "row",
    cost=Cost(60.0, 0.01),
    estimate=_estimate,
    checks=_checks,
    begins="Ask rows by SQL",
    parts=lambda start: {"sql": "SELECT 1 FROM sheet", "tables": (QuerySource(name="sheet", places=("|",)),)},
    purpose=_said,
    form=(FormField("sql", "SQL", "text"),),
    looks_at="scope",
    is_value=lambda node: True,
    asks=_asks,
)
