"""Conditions over typed values in SQL, with three answers: it holds, it does not, it cannot be known.

Dates compare by date, durations by days, amounts within one currency, texts whatever their case. A value in
another currency or unit, blank, redacted or ambiguous compares with nothing: then it cannot be known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.config.pattern import compile_pattern
from core.domain.fields import ORDERED, TEXTS, WITH_UNITS, FieldType, Special, TypedValue
from core.domain.predicate import COMPARISONS, INEQUALITIES, Operator, Predicate
from core.errors import DeadlineError, UsageError
from core.store.cells.field_rows import folded, key_of
from core.store.database.among import among
from core.store.query.amounts import compare_amount, require_order
from core.store.query.sources import (
    CHECK_AGAIN,
    MISSING,
    NOT_ASKED,
    NOT_EXTRACTED,
    PRESENT,
    UNCERTAIN,
    UNREADABLE,
    Subject,
)
from core.text.patterns import is_within
from core.values.canonical import as_money, read_value

OF_TEXTS = frozenset({Operator.IS, Operator.MISSING, Operator.CONTAINS, Operator.MATCHES})
"""Operators whose values are never of a field's type."""


def typed_predicate(predicate: Predicate, kinds: Sequence[FieldType]) -> Predicate:
    """A condition with its values typed as the field's values are, also where a person wrote them freely.

    "$3.5 million" and "Dec 31, 2024" are read as they are in documents. What cannot be read stays a text.
    Raises UsageError for a date that could be two.
    """
    if predicate.operator in OF_TEXTS:
        return predicate
    values = tuple(_typed(value, kinds) for value in predicate.values)
    return replace(predicate, value=values) if values != predicate.values else predicate


def _typed(value: TypedValue | str, kinds: Sequence[FieldType]) -> TypedValue | str:
    if isinstance(value, TypedValue):
        return value
    # A plain text is left to records where it reads as any of the types: several may have to be tried.
    if any(kind is not FieldType.NUMBER and read_value(value, kind) is not None for kind in kinds):
        return value
    for kind in kinds:
        reader = _readers().get(kind)
        read = reader(value.strip()) if reader is not None else None
        if read is None or read.original.strip() != value.strip():
            continue
        if read.special is Special.AMBIGUOUS:
            raise UsageError(
                f"The date {value!r} can be read as {' or '.join(read.text.split('/'))}.",
                next_step="Write it as year-month-day.",
            )
        return read
    return value


def converted(value: TypedValue, units: Sequence[str]) -> TypedValue:
    """A number in the first of the units that is of its kind, where it is in none of them: 500 g as .5 kg."""
    if value.type is not FieldType.NUMBER or value.unit in units:
        return value
    from core.values.numbers import parse_number

    written = f"{value.text} {value.unit}"
    found = (parse_number(written, unit) for unit in units if unit)
    return next((replace(each, original=value.original) for each in found if each is not None), value)


def _readers() -> dict[FieldType, Callable[[str], TypedValue | None]]:
    # Imported here: only conditions that nobody wrote canonically need them.
    from core.values.dates import parse_date
    from core.values.durations import parse_duration
    from core.values.money import parse_money
    from core.values.numbers import parse_number

    return {
        FieldType.DATE: parse_date,
        FieldType.MONEY: parse_money,
        FieldType.DURATION: parse_duration,
        FieldType.NUMBER: parse_number,
    }


Test = Callable[[sa.FromClause], sa.ColumnElement[bool]]
Reason = Callable[[sa.FromClause], sa.ColumnElement[Any]]

_STATES = {
    "present": PRESENT,
    "absent": MISSING,
    "missing": MISSING,
    "uncertain": UNCERTAIN,
    "unreadable": UNREADABLE,
    "check again": CHECK_AGAIN,
    "check_again": CHECK_AGAIN,
    "not extracted": NOT_EXTRACTED,
    "not_extracted": NOT_EXTRACTED,
    "pending": NOT_EXTRACTED,
    "not read": NOT_EXTRACTED,
    "not asked": NOT_ASKED,
    "not_asked": NOT_ASKED,
}
_TYPE_WORDS = {
    FieldType.MONEY: "an amount of money",
    FieldType.DATE: "a date",
    FieldType.DURATION: "a duration",
    FieldType.NUMBER: "a number",
    FieldType.BOOLEAN: "true or false",
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """A condition on values. test: whether a value fulfils it, where it `compares`; reason: why not."""

    name: str
    is_negated: bool
    test: Test
    compares: Test
    reason: Reason


@dataclass(frozen=True, slots=True)
class ValueKind:
    """Number of values of one type and unit that a name has in scope."""

    type: FieldType
    unit: str
    rows: int


class ConditionCompiler:
    """Compiles conditions on the rows of one subject, within one connection."""

    def __init__(
        self, connection: Connection, subject: Subject, known: dict[str, list[ValueKind]] | None = None
    ) -> None:
        """known: what kinds names have in this scope, kept from before and added to."""
        self._connection = connection
        self._subject = subject
        self._kinds: dict[str, list[ValueKind]] = {} if known is None else known
        self._compiled: dict[Predicate, Compiled] = {}

    def kinds(self, name: str) -> list[ValueKind]:
        """Types and units of the values that a name has in scope, the most frequent first."""
        if name not in self._kinds:
            value, on = self._subject.values(name)
            by = (value.c.type, value.c.unit)
            found = self._connection.execute(
                sa.select(*by, sa.func.count().label("rows"))
                .select_from(self._subject.rows.join(value, on))
                .where(*self._subject.conditions, value.c.special == "")
                .group_by(*by)
            )
            kinds = [ValueKind(FieldType(row.type), row.unit, row.rows) for row in found]
            self._kinds[name] = sorted(kinds, key=lambda kind: (-kind.rows, kind.type, kind.unit))
        return self._kinds[name]

    def holds(self, predicate: Predicate) -> sa.ColumnElement[bool]:
        """True where a row is known to fulfil a condition."""
        operator = predicate.operator
        if operator is Operator.MISSING:
            return self._subject.state(predicate.field) == MISSING
        if operator is Operator.IS:
            return self._subject.state(predicate.field).in_(read_states(predicate))
        compiled = self.compiled(predicate)
        if not compiled.is_negated:
            return self._exists(compiled.name, compiled.test)
        return sa.and_(
            self._exists(compiled.name, compiled.compares),
            ~self._exists(compiled.name, lambda value: sa.not_(compiled.compares(value))),
            ~self._exists(compiled.name, lambda value: sa.not_(compiled.test(value))),
        )

    def unknown(self, predicate: Predicate) -> sa.ColumnElement[Any]:
        """Reason why it cannot be known whether a row fulfils a condition; NULL where it can."""
        state = self._subject.state(predicate.field)
        if predicate.operator is Operator.IS:
            return sa.null()
        is_known = state.in_((PRESENT, MISSING))
        if predicate.operator is Operator.MISSING:
            return sa.case((is_known, sa.null()), else_=state)
        compiled = self.compiled(predicate)
        value, on = self._subject.values(compiled.name)
        why = (
            sa.select(sa.func.min(compiled.reason(value)))
            .where(on, sa.not_(compiled.compares(value)))
            .correlate(*self._subject.tables)
            .scalar_subquery()
        )
        settled = self.holds(predicate)
        if compiled.is_negated:
            settled = self._exists(compiled.name, lambda value: sa.not_(compiled.test(value)))
            settled = sa.or_(settled, self.holds(predicate))
        return sa.case((sa.not_(is_known), state), (settled, sa.null()), else_=why)

    def compiled(self, predicate: Predicate) -> Compiled:
        """A condition on values, with its own values read as the types that the field has."""
        if predicate not in self._compiled:
            self._compiled[predicate] = self._compile(predicate)
        return self._compiled[predicate]

    def _exists(self, name: str, test: Test) -> sa.ColumnElement[bool]:
        value, on = self._subject.values(name)
        return sa.exists().where(on, test(value)).correlate(*self._subject.tables)

    def _compile(self, predicate: Predicate) -> Compiled:
        operator = predicate.operator
        if operator in (Operator.CONTAINS, Operator.MATCHES):
            text = predicate.values[0] if predicate.values else ""
            wanted = text.text if isinstance(text, TypedValue) else text
            if not wanted.strip():
                raise _needs_value(predicate)
            test = (
                self._contains(predicate.field, wanted)
                if operator is Operator.CONTAINS
                else self._matches(predicate, wanted)
            )
            return Compiled(predicate.field, False, test, _is_plain, lambda value: value.c.special)
        wanted_values = [self._read(predicate, value) for value in predicate.values]
        count = 2 if operator is Operator.BETWEEN else 1
        if len(wanted_values) < count or (operator is not Operator.IN and len(wanted_values) > count):
            raise _needs_value(predicate)
        if operator is Operator.BETWEEN:
            require_order(predicate.field, *wanted_values)
        return _comparison(predicate.field, operator, wanted_values)

    def _contains(self, name: str, wanted: str) -> Test:
        piece = folded(wanted)

        def has_it(value: sa.FromClause) -> sa.ColumnElement[bool]:
            stands = (each.contains(piece, autoescape=True) for each in (value.c.folded, value.c.key))
            return sa.and_(value.c.special == "", sa.or_(*stands))

        if not (piece[0].isdigit() or piece[-1].isdigit()):
            return has_it
        value, on = self._subject.values(name)
        texts = self._connection.execute(
            sa.select(value.c.folded, value.c.key)
            .select_from(self._subject.rows.join(value, on))
            .where(*self._subject.conditions, has_it(value))
            .distinct()
        )
        found = {text for text, key in texts if is_within(piece, text) or is_within(piece, key)}
        return lambda value: sa.and_(value.c.special == "", among(value.c.folded, found))

    def _matches(self, predicate: Predicate, pattern: str) -> Test:
        value, on = self._subject.values(predicate.field)
        texts = self._connection.execute(
            sa.select(value.c.text)
            .select_from(self._subject.rows.join(value, on))
            .where(*self._subject.conditions, value.c.special == "")
            .distinct()
        ).scalars()
        found = matching(pattern, texts)
        return lambda value: sa.and_(value.c.special == "", among(value.c.text, found))

    def _read(self, predicate: Predicate, value: TypedValue | str) -> list[TypedValue]:
        """The readings of one value of a condition: one for each type that the field's values have."""
        kinds = self.kinds(predicate.field)
        types = list(dict.fromkeys(kind.type for kind in kinds)) or [FieldType.TEXT]
        if isinstance(value, str):
            readings = [read for kind in types if (read := read_value(value, kind)) is not None]
            measured = [each for each in readings if each.type in ORDERED]
            if measured and predicate.operator in (*INEQUALITIES, Operator.BETWEEN):
                readings = measured  # a text among days, such as "TBD", is neither before nor after one
            if not readings:
                words = " or ".join(_TYPE_WORDS[kind] for kind in types)
                raise UsageError(
                    f"{value!r} is not {words}, which {predicate.field!r} holds.",
                    next_step="Write dates as 2024-12-31, amounts as 100000 USD, durations as 30 days, "
                    "numbers with a point for decimals.",
                )
        elif value.type is FieldType.NUMBER and FieldType.NUMBER not in types and FieldType.MONEY in types:
            money = as_money(value)
            readings = [value] if money is None else [money]
        else:
            readings = [value]
        return [self._in_a_unit(predicate.field, reading) for reading in readings]

    def _in_a_unit(self, name: str, value: TypedValue) -> TypedValue:
        """A value in the unit that the field has, also where it says none itself. Raises UsageError."""
        if value.type not in WITH_UNITS or value.special:
            return value
        kinds = [kind for kind in self.kinds(name) if kind.type is value.type]
        if value.unit:
            return converted(value, [kind.unit for kind in kinds])
        if len(kinds) > 1:
            unit = next(kind.unit for kind in kinds if kind.unit)
            raise UsageError(
                f"{name!r} holds {counted(kinds)}, and {value.original or value.text!r} says no unit.",
                next_step=f"Write the unit too, such as '{value.text} {unit}'.",
            )
        return replace(value, unit=kinds[0].unit) if kinds else value


def _comparison(name: str, operator: Operator, wanted: Sequence[Sequence[TypedValue]]) -> Compiled:
    readings = [reading for each in wanted for reading in each]
    types = {reading.type for reading in readings}
    units = {(reading.type, reading.unit) for reading in readings if reading.type in WITH_UNITS}
    specials = {reading.special.value for reading in readings if reading.special}

    def compares(value: sa.FromClause) -> sa.ColumnElement[bool]:
        ways: list[sa.ColumnElement[bool]] = []
        if types & TEXTS:
            ways.append(value.c.type.in_(sorted(TEXTS)))
        is_known = value.c.amount.is_not(None)
        ways += [sa.and_(value.c.type == kind.value, is_known) for kind in sorted(types - TEXTS - WITH_UNITS)]
        ways += [
            sa.and_(value.c.type == kind.value, value.c.unit == unit, is_known)
            for kind, unit in sorted(units)
        ]
        plain = sa.and_(value.c.special == "", sa.or_(*ways))
        return sa.or_(plain, value.c.special.in_(sorted(specials))) if specials else plain

    def holds(value: sa.FromClause) -> sa.ColumnElement[bool]:
        if operator is Operator.BETWEEN:
            pairs = [(low, high) for low in wanted[0] for high in wanted[1] if low.type is high.type]
            ways = [
                sa.and_(
                    _compare(value, Operator.GREATER_EQUAL, low), _compare(value, Operator.LESS_EQUAL, high)
                )
                for low, high in pairs
            ]
            return sa.or_(sa.false(), *ways)
        single = Operator.EQUAL if operator in (Operator.IN, Operator.NOT_EQUAL) else operator
        return sa.or_(*(_compare(value, single, reading) for reading in readings))

    is_negated = operator is Operator.NOT_EQUAL
    test: Test = (lambda value: sa.not_(holds(value))) if is_negated else holds
    return Compiled(name, is_negated, test, compares, lambda value: why_not(value, types - TEXTS))


def why_not(value: sa.FromClause, wanted: Set[FieldType]) -> sa.ColumnElement[Any]:
    """Reason why a value does not compare with those of some types, or cannot be computed with."""
    is_date = wanted == {FieldType.DATE}
    other = "not a date" if is_date else "not a number" if wanted else "not a text"
    return sa.case(
        (value.c.special != "", value.c.special),
        (value.c.type.in_(sorted(TEXTS)), other),
        (value.c.amount.is_(None), "too large"),
        (value.c.unit != "", value.c.unit),
        else_=value.c.type,
    )


def _compare(value: sa.FromClause, operator: Operator, wanted: TypedValue) -> sa.ColumnElement[bool]:
    if wanted.special:
        return value.c.special == wanted.special.value if operator is Operator.EQUAL else sa.false()
    if wanted.type in TEXTS:
        is_text = sa.and_(value.c.special == "", value.c.type.in_(sorted(TEXTS)))
        key = key_of(wanted)
        if operator is Operator.EQUAL:
            return sa.and_(is_text, sa.or_(value.c.key == key, value.c.folded == folded(wanted.text)))
        return sa.and_(is_text, COMPARISONS[operator](value.c.key, key))
    same = [value.c.special == "", value.c.type == wanted.type.value]
    if wanted.type in WITH_UNITS:
        same.append(value.c.unit == wanted.unit)
    if wanted.amount is None:
        return sa.false()
    return sa.and_(*same, compare_amount(value.c.amount, operator, wanted.amount))


def _is_plain(value: sa.FromClause) -> sa.ColumnElement[bool]:
    is_plain: sa.ColumnElement[bool] = value.c.special == ""
    return is_plain


def read_states(predicate: Predicate) -> list[str]:
    """The states that the words of an IS condition name. Raises UsageError."""
    found = []
    for value in predicate.values:
        word = (value if isinstance(value, str) else value.text).strip().casefold()
        if word not in _STATES:
            known = ", ".join(sorted({key for key in _STATES if "_" not in key}))
            raise UsageError(
                f"Unknown status {word!r}. Expected one of: {known}.",
                next_step=f"Write, say: {predicate.field} is uncertain",
            )
        found.append(_STATES[word])
    return found


def counted(kinds: Sequence[ValueKind]) -> str:
    """The units of values with their numbers of rows, for a person."""
    return ", ".join(f"{kind.unit or 'no unit'} ({kind.rows:,} rows)" for kind in kinds)


def _needs_value(predicate: Predicate) -> UsageError:
    many = {Operator.BETWEEN: "two values", Operator.IN: "at least one value"}
    return UsageError(
        f"The condition on {predicate.field!r} needs {many.get(predicate.operator, 'one value')} after "
        f"{predicate.operator.value!r}.",
        next_step="Write conditions as 'field op value', such as 'amount >= 100000 USD'.",
    )


_LONGEST_PATTERN = 1_000
_LIMIT_S = 2.0
_LOOK_EVERY = 1_000


def matching(
    pattern: str,
    texts: Iterable[str],
    *,
    limit_s: float = _LIMIT_S,
    clock: Callable[[], float] = time.monotonic,
) -> list[str]:
    """The texts in which the pattern is found, whatever the case.

    Raises UsageError for a pattern that RE2 does not take, DeadlineError after `limit_s`.
    """
    compiled = _compile(pattern)
    ends_at = clock() + limit_s
    found = []
    for number, text in enumerate(texts):
        if number % _LOOK_EVERY == 0 and clock() > ends_at:
            raise DeadlineError(
                f"The pattern {pattern!r} was looked for in {number:,} values and took over {limit_s:g} s.",
                next_step="Narrow it down with another condition, or use 'contains'.",
            )
        if compiled.search(text):
            found.append(text)
    return found


def _compile(pattern: str) -> Any:
    if len(pattern) > _LONGEST_PATTERN:
        raise UsageError(
            f"The pattern has {len(pattern):,} characters, more than {_LONGEST_PATTERN:,}.",
            next_step="Write a shorter pattern.",
        )
    compile_pattern(pattern)  # as it was written, for the error that names it
    return compile_pattern(f"(?i){pattern}")
