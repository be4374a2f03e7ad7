"""Checks of nodes over rows of tables: columns that exist, values that can be read as theirs."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from core.domain.annotation import Aggregate as Function
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, ColumnEntry
from core.plan.ir.nodes import Aggregate, Condition, OtherField, Reference, Select
from core.records.query.readings import read_value

_SUMMED = frozenset({Function.SUM, Function.AVG, Function.MEDIAN})
_AMOUNTS = (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION)
_READ = (*_AMOUNTS, FieldType.DATE)
_UNREAD = frozenset({Operator.IS, Operator.MISSING, Operator.CONTAINS, Operator.MATCHES})
_ASPECTS = ("unit", "year", "month", "quarter")

Said = Iterator[tuple[str, str]]


def rows_select_problems(node: Select, catalogue: Catalogue) -> Said:
    """What is wrong with a selection of rows, and what to do."""
    conditions = [
        each
        for clause in node.conditions
        for each in ((clause,) if isinstance(clause, Condition) else clause.any_of)
    ]
    ordered = (node.order_by,) if node.order_by else ()
    for name in dict.fromkeys((*(each.field for each in conditions), *node.fields, *node.columns, *ordered)):
        yield from _known(name, catalogue)
    for each in conditions:
        if isinstance(each.value, OtherField) or each.minus:
            yield "Rows are not compared by two of their columns.", "Ask the documents instead."
            continue
        columns = _columns(each.field, catalogue)
        if not columns or each.op in _UNREAD or isinstance(each.value, Reference):
            continue
        values = (each.value,) if isinstance(each.value, str) else each.value
        if not values or (each.op is Operator.BETWEEN and len(values) != 2):
            yield f"{each.field} {each.op.value} needs another number of values.", "Give the value."
        for text in values:
            if not any(_is_readable(text, column) for column in columns):
                yield f"{text!r} is no value of the column {each.field!r}.", "Write it as the cells have it."


def rows_aggregate_problems(node: Aggregate, catalogue: Catalogue) -> Said:
    """What is wrong with a computation over rows, and what to do."""
    stems = [name.rpartition(".") for name in node.group_by]
    groups = [stem if stem and aspect in _ASPECTS else f"{stem}{dot}{aspect}" for stem, dot, aspect in stems]
    for name in dict.fromkeys((*((node.field,) if node.field else ()), *groups)):
        yield from _known(name, catalogue)
    columns = _columns(node.field, catalogue) if node.field else []
    is_summed = any(
        column.type in _AMOUNTS or (column.type is FieldType.DATE and node.function is Function.MEDIAN)
        for column in columns
    )
    if columns and node.function in _SUMMED and not is_summed:
        yield (
            f"The column {node.field!r} holds no amounts, which alone have a {node.function.value}.",
            "Count the rows, or choose a column of amounts or numbers.",
        )


def _known(name: str, catalogue: Catalogue) -> Said:
    if _columns(name, catalogue) or catalogue.field(name) is not None or _is_listed(name, catalogue):
        return
    known = list(dict.fromkeys((*catalogue.columns, *(c.name for t in catalogue.tables for c in t.columns))))
    close = get_close_matches(name, known, 3, 0.5) or known[:8]
    hint = f"Did you mean one of: {', '.join(close)}?" if close else "No document has a table yet."
    yield f"No table has a column {name!r}.", hint


def _columns(name: str, catalogue: Catalogue) -> list[ColumnEntry]:
    key = _key(name)
    return [column for table in catalogue.tables for column in table.columns if column.key == key]


def _is_listed(name: str, catalogue: Catalogue) -> bool:
    return _key(name) in {_key(column) for column in catalogue.columns}


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _is_readable(text: str, column: ColumnEntry) -> bool:
    return column.type not in _READ or read_value(text, column.type) is not None
