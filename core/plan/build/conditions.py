"""Conditions on fields as a boolean form: amounts and periods, in force, how long something runs."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal, InvalidOperation

from core.domain.fields import FieldType, TypedValue
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.compile.formula import (
    Both,
    Either,
    Except,
    Formula,
    as_condition,
    clauses,
    is_except,
    negated,
    plain_conditions,
)
from core.plan.ir.nodes import Condition
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Comparator, DayRange, FieldSenses, Quantity, stems
from core.plan.language.syntax.tree import Chooser, Test
from core.values.numbers import parse_number

__all__ = [
    "Both",
    "Either",
    "Except",
    "Formula",
    "Terms",
    "as_condition",
    "clauses",
    "in_period",
    "is_ascending",
    "is_bare",
    "is_except",
    "literal_text",
    "negated",
    "plain_conditions",
]

_LEAST = 100  # a smaller number is hardly an amount of money where nothing says so


def literal_text(value: TypedValue, entry: FieldEntry, code: str = "") -> str | None:
    """The value as a condition on the field writes it; None where it is of another kind.

    An amount without a currency takes the one that is named (`code`), else the one that most documents state.
    """
    if entry.type is FieldType.MONEY:
        if value.type is FieldType.MONEY:
            return f"{_plain(value.text)} {value.unit}"
        if value.type is FieldType.NUMBER and not value.unit:
            unit = code if code in entry.units else next(iter(entry.units), "")
            return f"{_plain(value.text)} {unit}".strip()
        return None
    if entry.type is FieldType.DURATION:
        return value.text if value.type is FieldType.DURATION else None
    if entry.type is FieldType.NUMBER and value.type is FieldType.NUMBER:
        return _number(value, entry)
    return None


def in_period(name: str, period: DayRange, op: Operator | None = None) -> Condition | None:
    """That a day lies in a period, or by `op` before or after it; None where the period has no such end."""
    first, last = period.first, period.last
    if op in (Operator.GREATER, Operator.GREATER_EQUAL):
        edge = last if op is Operator.GREATER else first
        return None if edge is None else Condition(field=name, op=op, value=edge.isoformat())
    if op in (Operator.LESS, Operator.LESS_EQUAL):
        edge = first if op is Operator.LESS else last
        return None if edge is None else Condition(field=name, op=op, value=edge.isoformat())
    if first is not None and last is not None:
        if first == last:
            return Condition(field=name, op=Operator.EQUAL, value=first.isoformat())
        return Condition(field=name, op=Operator.BETWEEN, value=(first.isoformat(), last.isoformat()))
    if last is not None:
        return Condition(field=name, op=Operator.LESS, value=(last + timedelta(days=1)).isoformat())
    if first is not None:
        return Condition(field=name, op=Operator.GREATER_EQUAL, value=first.isoformat())
    return None


def is_bare(test: Test, operand: Quantity) -> bool:
    """True where a number stands for no amount: without a currency or field, and small or without a sign."""
    value = operand.value
    if value.type is not FieldType.NUMBER or value.unit:
        return False
    if value.amount is not None and Decimal(value.text) < _LEAST:
        return True  # "fewer than two parties", "more than three times"
    has_sign = any(isinstance(piece.meaning, Comparator) for piece in test.pieces)
    return value.original.isdigit() and not has_sign


def is_ascending(low: str, high: str) -> bool:
    """True where of two amounts the second is not the smaller; so where they are no plain numbers."""
    try:
        return Decimal(low.split()[0]) <= Decimal(high.split()[0])
    except (InvalidOperation, IndexError):
        return True


def _number(value: TypedValue, entry: FieldEntry) -> str | None:
    unit = entry.units[0] if entry.units else entry.unit
    unit = "%" if unit == "percent" else unit
    if not value.unit or value.unit == unit:
        return f"{value.text} {unit}".strip()
    if value.unit == "%":
        return None
    converted = parse_number(f"{value.text} {value.unit}", unit)
    return None if converted is None else f"{converted.text} {unit}"


def _plain(text: str) -> str:
    return text[:-3] if text.endswith(".00") else text


_BEGINS = ("effective date", "start date", "valid from", "issue date")
_ENDS = ("expiration date", "end date", "valid until", "expiry")


class Terms:
    """Says which fields of one schema such conditions are on."""

    def __init__(self, lexicon: Lexicon, chooser: Chooser) -> None:
        self._lexicon = lexicon
        self._chooser = chooser
        self.codes: dict[str, str] = {}  # the currency that a question names for a field

    def in_force(self, period: DayRange) -> tuple[Formula, str] | None:
        """Begun by the last day of a period and not ended before its first; None without such dates."""
        begins, ends = self._date(_BEGINS), self._date(_ENDS)
        if ends is None or period.first is None or period.last is None:
            return None
        first, last = period.first.isoformat(), period.last.isoformat()
        runs = Condition(field=ends.name, op=Operator.GREATER_EQUAL, value=first)
        said = f"{ends.title} not before {first}, or none"
        ongoing = Either((runs, Condition(field=ends.name, op=Operator.MISSING)))
        if begins is None or begins.name == ends.name:
            return ongoing, said
        begun = Condition(field=begins.name, op=Operator.LESS_EQUAL, value=last)
        return Both((begun, ongoing)), f"{begins.title} not after {last}, and {said}"

    def lasting(self, test: Test, operand: Quantity) -> tuple[Condition, str] | None:
        """Condition on the time from the day on which it begins to that on which it ends."""
        if operand.value.type is not FieldType.DURATION:
            return None
        begins = self._of(test.span.start) if test.span else self._date(_BEGINS)
        ends = self._of(test.span.end) if test.span else self._date(_ENDS)
        if begins is None or ends is None or begins.name == ends.name:
            return None
        op = test.op or Operator.EQUAL
        value: str | tuple[str, str] = operand.value.text
        if op is Operator.BETWEEN:
            if test.high is None:
                return None
            value = (operand.value.text, test.high.value.text)
        said = " and ".join(value) if isinstance(value, tuple) else value
        condition = Condition(field=ends.name, minus=begins.name, op=op, value=value)
        return condition, f"the time from {begins.title.lower()} to {ends.title.lower()} is {op.value} {said}"

    def stated_in(self, test: Test, code: str) -> tuple[Condition, str] | None:
        """In which currency an amount is stated."""
        entry = None
        if test.fields is not None:
            entry = self._chooser.field(test.fields, test.pieces[0].text, (FieldType.MONEY,))
        entry = entry or self._chooser.first(FieldType.MONEY)
        if entry is None:
            return None
        op = test.op or Operator.EQUAL
        if op is Operator.EQUAL:
            self.codes[entry.name] = code
        said = f"{entry.title} is {'not ' if op is Operator.NOT_EQUAL else ''}stated in {code}"
        return Condition(field=f"{entry.name}.unit", op=op, value=code), said

    def ends(self) -> tuple[FieldEntry, FieldEntry] | None:
        """The dates on which documents begin and end; None where they do not state both."""
        begins, ends = self._date(_BEGINS), self._date(_ENDS)
        return None if begins is None or ends is None or begins.name == ends.name else (begins, ends)

    def _of(self, fields: FieldSenses) -> FieldEntry | None:
        return self._chooser.field(fields, fields.matches[0].field.title, (FieldType.DATE,))

    def _date(self, phrases: tuple[str, ...]) -> FieldEntry | None:
        for phrase in phrases:
            fields = self._lexicon.fields(stems(phrase))
            own = (
                [m.field for m in fields.matches if m.field.schema == self._chooser.schema.name]
                if fields
                else []
            )
            dates = [each for each in own if each.type is FieldType.DATE]
            if dates:
                return dates[0]
        return None
