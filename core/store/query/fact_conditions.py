"""Conditions over clauses, parties, amounts and summaries, in SQL: which of them a search may rank at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa

from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.predicate import COMPARISONS, Operator, Predicate
from core.errors import UsageError
from core.store.database.db import Repository
from core.store.database.field_tables import clauses, financials, parties, summaries
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.query.amounts import compare_beyond, require_order
from core.store.query.conditions import matching
from core.values.canonical import read_value

FactKey = tuple[DocumentId, int | str]
"""A fact within its table: its document, and its ordinal or, of a summary, its kind."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that conditions may name. kind: text, number, or money with its unit beside it."""

    column: sa.ColumnElement[Any]
    kind: str = "text"


def _texts(table: sa.Table, **names: str) -> dict[str, _Column]:
    return {name: _Column(table.c[column]) for name, column in names.items()}


COLUMNS: Mapping[str, Mapping[str, _Column]] = {
    "clauses": {
        **_texts(clauses, type="type", kind="type", title="title", text="quote"),
        "section": _Column(sa.cast(clauses.c.section, sa.Text)),
        "conditions": _Column(sa.cast(clauses.c.conditions, sa.Text)),
        "confidence": _Column(clauses.c.confidence, "number"),
        "page": _Column(clauses.c.page_no, "number"),
    },
    "parties": {
        **_texts(parties, name="name", normalised="normal", role="role", entity_type="entity_type"),
        **_texts(parties, jurisdiction="jurisdiction", text="quote"),
        "identifiers": _Column(sa.cast(parties.c.identifiers, sa.Text)),
    },
    "financials": {
        **_texts(financials, metric="metric", currency="unit", unit="unit", terms="terms", text="quote"),
        **_texts(financials, effective="effective", expires="expires"),
        "amount": _Column(financials.c.amount, "money"),
        "fiscal_year": _Column(financials.c.fiscal_year, "number"),
        "fiscal_quarter": _Column(financials.c.fiscal_quarter, "number"),
    },
    "summaries": _texts(summaries, kind="kind", type="kind"),
}
"""What conditions on each kind of fact may name."""

_TYPES = {"text": FieldType.TEXT, "money": FieldType.MONEY, "number": FieldType.NUMBER}
_TABLES = {"clauses": clauses, "parties": parties, "financials": financials, "summaries": summaries}


class FactConditions(Repository):
    """Finds the facts that fulfil conditions. Thread-safe; what may not be seen is not there."""

    def keys(self, visible: Visibility, kind: str, predicates: Sequence[Predicate]) -> frozenset[FactKey]:
        """The facts of a kind ("clauses", ...) that fulfil all conditions on its columns.

        Raises UsageError for a name that is no column, an operator or a value that does not fit.
        """
        table = _TABLES[kind]
        key = table.c["kind" if table is summaries else "ordinal"]
        statement = (
            sa.select(table.c.document, key)
            .join(documents, documents.c.id == table.c.document)
            .where(visible.condition(), table.c.version == documents.c.version)
        )
        with self._database.read() as connection:
            for predicate in predicates:
                column = _named(kind, predicate.field)
                if predicate.operator is Operator.MATCHES:
                    values = connection.execute(sa.select(column.column).distinct()).scalars()
                    fitting = matching(_one(predicate), [str(each) for each in values if each is not None])
                    statement = statement.where(column.column.in_(fitting))
                else:
                    statement = statement.where(_condition(column, predicate))
            return frozenset((DocumentId(document), at) for document, at in connection.execute(statement))


def _named(kind: str, name: str) -> _Column:
    found = COLUMNS[kind].get(name.strip().lower())
    if found is None:
        raise UsageError(
            f"The index {kind!r} has no column {name!r}.",
            next_step=f"Expected one of: {', '.join(COLUMNS[kind])}; or a field of the documents.",
        )
    return found


def _condition(column: _Column, predicate: Predicate) -> sa.ColumnElement[bool]:
    operator = predicate.operator
    if operator is Operator.MISSING:
        empty = column.column.is_(None)
        return sa.or_(empty, column.column == "") if column.kind == "text" else empty
    if operator is Operator.IS:
        raise UsageError(
            "Facts have no status: each stands in its document.", next_step="Leave the condition out."
        )
    tests = [_test(column, predicate, value) for value in predicate.values]
    if len(tests) < (2 if operator is Operator.BETWEEN else 1):
        raise UsageError(
            f"The condition on {predicate.field!r} needs more values after {operator.value!r}.",
            next_step="Write conditions as 'column op value', such as 'amount between 1 USD and 9 USD'.",
        )
    if operator is Operator.BETWEEN:
        kind = _TYPES[column.kind]
        low, high = (read_value(str(getattr(each, "text", each)), kind) for each in predicate.values[:2])
        if low is not None and high is not None:
            require_order(predicate.field, [low], [high])
        return sa.and_(tests[0](Operator.GREATER_EQUAL), tests[1](Operator.LESS_EQUAL))
    if operator is Operator.IN:
        return sa.or_(*(test(Operator.EQUAL) for test in tests))
    return tests[0](operator)


def _test(
    column: _Column, predicate: Predicate, value: object
) -> Callable[[Operator], sa.ColumnElement[bool]]:
    """Comparison of the column with one value, by the operator that it is given."""
    text = str(getattr(value, "text", value))
    if column.kind == "text":
        return lambda operator: _compare_text(column.column, operator, text)
    found = read_value(text, _TYPES[column.kind])
    if found is None or found.amount is None or found.decimal is None:
        raise UsageError(
            f"{text!r} is no {'amount of money' if column.kind == 'money' else 'number'} for "
            f"{predicate.field!r}.",
            next_step="Write it as 100000 USD, or 12.5.",
        )
    if column.kind == "money":
        amount, unit = found.amount, found.unit
        is_money = financials.c.type == FieldType.MONEY.value
        same = is_money if not unit else sa.and_(is_money, financials.c.unit == unit)
        return lambda operator: sa.and_(same, _compare_money(column.column, operator, amount))
    number = float(found.decimal)
    return lambda operator: _compare(column.column, operator, number)


def _compare_text(column: sa.ColumnElement[Any], operator: Operator, text: str) -> sa.ColumnElement[bool]:
    """Texts whatever their case; names of kinds with blanks or underscores alike."""
    if operator is Operator.CONTAINS:
        return sa.func.lower(column).contains(text.lower(), autoescape=True)
    if operator in (Operator.EQUAL, Operator.NOT_EQUAL):
        spellings = sorted({text.lower(), text.lower().replace(" ", "_")})
        among: sa.ColumnElement[bool] = sa.func.lower(column).in_(spellings)
        return among if operator is Operator.EQUAL else sa.not_(among)
    return sa.and_(column != "", _compare(column, operator, text))


def _compare_money(column: sa.ColumnElement[Any], operator: Operator, wanted: int) -> sa.ColumnElement[bool]:
    beyond = compare_beyond(column, operator, wanted)
    return _compare(column, operator, wanted) if beyond is None else beyond


def _compare(column: sa.ColumnElement[Any], operator: Operator, wanted: Any) -> sa.ColumnElement[bool]:
    if operator not in COMPARISONS:
        raise UsageError(
            f"Numbers cannot be compared by {operator.value!r}.", next_step="Use one of: =, !=, >, >=, <, <=."
        )
    return cast("sa.ColumnElement[bool]", COMPARISONS[operator](column, wanted))


def _one(predicate: Predicate) -> str:
    value = predicate.values[0] if predicate.values else ""
    return str(getattr(value, "text", value))
