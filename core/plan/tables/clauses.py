"""Conditions of one value, and how they are said."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.ir.verbalise import OPERATORS
from core.plan.tables.header import NO, YES, ColumnWords
from core.plan.tables.mentions import ValueOption
from core.plan.tables.query import Clause, ColumnFilter


def holds_code(column: ColumnWords, code: str) -> bool:
    """True of a column of texts that says in which currency a row is."""
    return column.is_text and code in column.entry.texts


def said_of(found: ColumnFilter) -> str:
    """A filter in words."""
    name = found.column.entry.name
    if found.average:
        return f"{name} {OPERATORS[found.op].form} the {'median' if found.average == 'median' else 'average'}"
    values = " and ".join(found.values) if found.op is Operator.BETWEEN else " or ".join(found.values[:8])
    return f"{name} {OPERATORS[found.op].form} {values}".strip()


def flag_clause(column: ColumnWords, holds: bool) -> Clause | None:
    """The condition that a column of yes and no says so; None where it never does."""
    if column.entry.type is FieldType.BOOLEAN:
        return (ColumnFilter(column, Operator.EQUAL, ("true" if holds else "false",)),)
    wanted, others = (YES, NO) if holds else (NO, YES)
    texts = tuple(text for text in column.entry.texts if text.casefold().strip() in wanted)
    if texts:
        return (ColumnFilter(column, Operator.EQUAL if len(texts) == 1 else Operator.IN, texts),)
    if not holds and column.entry.rows < column.table.rows:
        return (ColumnFilter(column, Operator.MISSING),)  # a cross, or nothing
    left = tuple(text for text in column.entry.texts if text.casefold().strip() in others)
    return (ColumnFilter(column, Operator.NOT_EQUAL, left[:1]),) if left else None


def of_texts(option: ValueOption, is_negated: bool) -> ColumnFilter:
    """A condition of texts that words may mean."""
    if is_negated:
        return ColumnFilter(option.column, Operator.NOT_EQUAL, option.texts)
    op = Operator.EQUAL if len(option.texts) == 1 else Operator.IN
    return ColumnFilter(option.column, op, option.texts)
