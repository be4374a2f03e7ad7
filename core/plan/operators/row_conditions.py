"""A condition on a row as SQL, over the columns of a data table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.datasets.base import DataColumn, DataType
from core.datasets.names import quoted
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.compile.context import ReadingError
from core.plan.ir.node import Condition, OtherField
from core.values.canonical import read_value
from core.values.durations import months_and_days

_SIGNS = {Operator.NOT_EQUAL: "<>"}
_TYPES = {
    DataType.NUMBER: FieldType.NUMBER,
    DataType.MONEY: FieldType.MONEY,
    DataType.DATE: FieldType.DATE,
}


class UnsaidError(ReadingError):
    """Nodes of which no statement says the same."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"No SQL says {what} of these rows.", next_step="Ask for less at once, or write SQL."
        )


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A column of a source. sql: how a statement names it; unit: the same of its currency, "" for none."""

    sql: str
    data: DataColumn
    unit: str = ""

    @property
    def key(self) -> str:
        """By what a value is equal to another: of texts neither case nor space around counts."""
        return f"lower(trim({self.sql}))" if self.data.type is DataType.TEXT else self.sql

    @property
    def currency(self) -> str:
        """The currency of its amounts, as SQL."""
        return self.unit or quoted(self.data.units[0] if self.data.units else "")


Columns = Callable[[str], RowColumn]
"""The column of a name; raises UnsaidError where there is none."""


def condition_sql(condition: Condition, column_of: Columns) -> str:
    """The condition as SQL. Raises UnsaidError."""
    field, op = condition.field, condition.op
    if field.endswith(".unit"):
        column = column_of(field.removesuffix(".unit"))
        return compared_sql(column.currency, op, [quoted(each) for each in condition.texts])
    column = column_of(field)
    if isinstance(condition.value, OtherField):
        return f"{column.key} {sign_of(op)} {column_of(condition.value.field).key}"
    if op in (Operator.MISSING, Operator.IS):
        return f"{column.sql} IS {'NOT ' if op is Operator.IS else ''}NULL"
    if condition.minus:
        return _difference(condition, column, column_of(condition.minus))
    if column.data.type is DataType.BOOLEAN:
        is_true = (condition.value == "true") is (op is Operator.EQUAL)
        return column.sql if is_true else f"NOT {column.sql}"
    if column.data.type is DataType.TEXT:
        return _of_text(column, op, condition.texts)
    return _of_amount(column, op, condition.texts)


def _of_text(column: RowColumn, op: Operator, texts: Sequence[str]) -> str:
    if op is Operator.CONTAINS:
        return f"contains(lower({column.sql}), {quoted(texts[0].casefold())})"
    if op is Operator.MATCHES:  # the gate lets no regular expression through
        raise UnsaidError("a pattern")
    return compared_sql(column.key, op, [quoted(" ".join(each.split()).casefold()) for each in texts])


def _of_amount(column: RowColumn, op: Operator, texts: Sequence[str]) -> str:
    kind = _TYPES.get(column.data.type, FieldType.DATE)
    read = [read_value(text, kind) or read_value(text, FieldType.NUMBER) for text in texts]
    if not read or None in read or op in (Operator.CONTAINS, Operator.MATCHES):
        raise UnsaidError(" ".join(texts))
    known = [each for each in read if each is not None]
    if kind is FieldType.DATE:
        return compared_sql(column.sql, op, [f"DATE {quoted(each.text)}" for each in known])
    made = compared_sql(
        column.sql, op, [f"{each.decimal.normalize():f}" for each in known if each.decimal is not None]
    )
    units = {each.unit for each in known if each.unit}
    if kind is FieldType.MONEY and units and (column.unit or units != {*column.data.units}):
        if not column.unit or len(units) > 1:
            raise UnsaidError("another currency")
        return f"({made} AND {column.unit} = {quoted(*units)})"
    return made


def _difference(condition: Condition, column: RowColumn, other: RowColumn) -> str:
    """What lies between two columns of a row: days, or an amount."""
    if column.data.type is not DataType.DATE:
        return compared_sql(
            f"({column.sql} - {other.sql})", condition.op, [number_sql(t) for t in condition.texts]
        )
    lengths = [read_value(text, FieldType.DURATION) for text in condition.texts]
    days = [months_and_days(each) for each in lengths if each is not None]
    if len(days) < len(lengths) or any(each is None or each[0] for each in days):
        raise UnsaidError("months between two days")
    ends = [str(each[1]) for each in days if each is not None]
    return compared_sql(f"date_diff('day', {other.sql}, {column.sql})", condition.op, ends)


def compared_sql(value: str, op: Operator, others: Sequence[str]) -> str:
    """A value against others, as SQL. Raises UnsaidError."""
    if op is Operator.BETWEEN and len(others) == 2:
        return f"{value} BETWEEN {others[0]} AND {others[1]}"
    if op is Operator.IN or (len(others) > 1 and op in (Operator.EQUAL, Operator.NOT_EQUAL)):
        return f"{value} {'NOT ' if op is Operator.NOT_EQUAL else ''}IN ({', '.join(others)})"
    if len(others) != 1:
        raise UnsaidError(op.value)
    return f"{value} {sign_of(op)} {others[0]}"


def sign_of(op: Operator) -> str:
    """The sign of a comparison in SQL."""
    return _SIGNS.get(op, op.value)


def number_sql(text: str) -> str:
    """A number, of an amount without its unit, as SQL. Raises UnsaidError."""
    found = read_value(text, FieldType.NUMBER) or read_value(text, FieldType.MONEY)
    value = found.decimal if found is not None else None
    if not isinstance(value, Decimal):
        raise UnsaidError(text)
    return f"{value.normalize():f}"


def name_sql(text: str) -> str:
    """A name in quotation marks."""
    return f'"{text.replace(chr(34), chr(34) * 2)}"'
