"""Derived conditions on rows: on the unit of an amount, or on two columns of a row against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, TEXTS, FieldType
from core.domain.predicate import OfField, Operator, Predicate
from core.errors import UsageError
from core.store.query.amounts import compare_amount
from core.store.query.derived import SIGNS, UNIT
from core.store.query.sources import RowSubject
from core.values.canonical import read_value
from core.values.durations import months_and_days

_FINER = 10 ** (NUMBER_SCALE - MONEY_SCALE)
_AMOUNTS = (FieldType.NUMBER, FieldType.MONEY, FieldType.DURATION)


def holds_in_row(subject: RowSubject, predicate: Predicate) -> sa.ColumnElement[bool]:
    """True of rows whose amount is in one of some units, or whose two columns compare so.

    A row that lacks one of them, or has them in two units, does not fulfil it. Raises UsageError.
    """
    if predicate.others:
        return _by_two(subject, predicate)
    wanted = [each if isinstance(each, str) else each.text for each in predicate.values]
    value, on = subject.values(subject.called(predicate.field.removesuffix(UNIT)))
    there = sa.exists().where(on, value.c.unit.in_(wanted)).correlate(*subject.tables)
    return sa.not_(there) if predicate.operator is Operator.NOT_EQUAL else there


def _by_two(subject: RowSubject, predicate: Predicate) -> sa.ColumnElement[bool]:
    one, on_one = subject.values(subject.called(predicate.field))
    other, on_other = subject.values(subject.called(predicate.others[0]))
    test = _against if isinstance(predicate.value, OfField) else _difference
    of_one_unit = sa.or_(one.c.unit == other.c.unit, one.c.unit == "", other.c.unit == "")
    plain = sa.and_(one.c.special == "", other.c.special == "", of_one_unit)
    there = sa.exists().where(on_one, on_other, plain, test(predicate, one, other))
    return there.correlate(*subject.tables)


def _against(predicate: Predicate, one: sa.FromClause, other: sa.FromClause) -> sa.ColumnElement[bool]:
    """One value against the other, whatever the case of texts; amounts of money with plain numbers, too."""
    sign = _sign(predicate)
    texts = sa.and_(one.c.type.in_(sorted(TEXTS)), other.c.type.in_(sorted(TEXTS)))
    ways = [sa.and_(texts, sign(one.c.key, other.c.key))]
    ways += [sa.and_(_are(one, other), sign(one.c.amount, other.c.amount))]
    money, number = FieldType.MONEY, FieldType.NUMBER
    ways += [sa.and_(_are(one, other, money, number), sign(one.c.amount * _FINER, other.c.amount))]
    ways += [sa.and_(_are(one, other, number, money), sign(one.c.amount, other.c.amount * _FINER))]
    return sa.or_(*ways)


def _are(one: sa.FromClause, other: sa.FromClause, *types: FieldType) -> sa.ColumnElement[bool]:
    """True of values of these two types, or where none are given of one type, neither a text."""
    if types:
        return sa.and_(one.c.type == types[0].value, other.c.type == types[1].value)
    return sa.and_(one.c.type == other.c.type, one.c.type.not_in(sorted(TEXTS)))


def _difference(predicate: Predicate, one: sa.FromClause, other: sa.FromClause) -> sa.ColumnElement[bool]:
    """What lies between the two: an amount in the unit of both, or days."""
    texts = [
        each if isinstance(each, str) else f"{each.text} {each.unit}".strip() for each in predicate.values
    ]
    if len(texts) != (2 if predicate.operator is Operator.BETWEEN else 1):
        raise UsageError(
            f"The difference of {predicate.field!r} is compared with another number of values.",
            next_step="Write one, or two for a range.",
        )
    ends = {kind: [_amount(text, kind) for text in texts] for kind in (*_AMOUNTS, FieldType.DATE)}
    known = {kind: amounts for kind, amounts in ends.items() if None not in amounts}
    if not known:
        raise UsageError(
            f"{texts[0]!r} is no difference of amounts or days.", next_step="Write it as 12.5, or as 30 days."
        )
    between = one.c.amount - other.c.amount
    ways = [
        sa.and_(_are(one, other), one.c.type == kind.value, *_compared(predicate.operator, between, amounts))
        for kind, amounts in known.items()
    ]
    return sa.or_(*ways)


def _compared(
    op: Operator, between: sa.ColumnElement[Any], amounts: list[int | None]
) -> list[sa.ColumnElement[bool]]:
    signs = (Operator.GREATER_EQUAL, Operator.LESS_EQUAL) if op is Operator.BETWEEN else (op,)
    return [
        between != wanted if sign is Operator.NOT_EQUAL else compare_amount(between, sign, wanted)
        for sign, wanted in zip(signs, amounts, strict=True)
        if wanted is not None
    ]


def _amount(text: str, kind: FieldType) -> int | None:
    """A value as it is stored; between days their number, of which months have none."""
    if kind is not FieldType.DATE:
        found = read_value(text, kind)
        return found.amount if found is not None else None
    length = read_value(text if not text.isdigit() else f"{text} days", FieldType.DURATION)
    months, days = (months_and_days(length) if length is not None else None) or (1, 0)
    return days if not months else None


def _sign(predicate: Predicate) -> Callable[[Any, Any], Any]:
    signs: Mapping[Operator, Callable[[Any, Any], Any]] = SIGNS
    if predicate.operator not in signs:
        raise UsageError(
            f"{predicate.operator.value!r} does not compare two columns.",
            next_step="Use one of = != > >= < <=.",
        )
    return signs[predicate.operator]
