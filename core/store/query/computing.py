"""Counts, sums, averages and medians in SQL, exact: amounts are integers, averages are made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.annotation import (
    NO_DAY,
    NO_RATE,
    Accounting,
    AggregateGroup,
    AggregateResult,
    Calculation,
    Excluded,
)
from core.domain.fields import AMOUNTS, TEXTS, FieldType, Special
from core.domain.predicate import Operator, Predicate
from core.errors import UsageError
from core.store.database.schema import documents
from core.store.database.work_tables import currency_rates
from core.store.query.conditions import Compiled, ConditionCompiler, ValueKind, why_not
from core.store.query.groups import Exchange, GroupValues, make_groups
from core.store.query.sources import MISSING, PRESENT, Subject

_SEPARATOR = "\x1f"
_BETWEEN_IDS = "\n"
_LOW_BITS = 32
_LOW_MASK = 2**_LOW_BITS - 1
_NUMERIC = frozenset({Calculation.SUM, Calculation.AVG, Calculation.MEDIAN})
_COUNTING = frozenset({Calculation.COUNT, Calculation.DISTINCT})
_KNOWN = ("", Special.PERPETUAL.value)


@dataclass(frozen=True, slots=True)
class Request:
    """Request of a computation; see `Annotations.aggregate`. accounting: for rates that are not stated."""

    aggregate: Calculation
    field: str
    group_by: tuple[str, ...]
    predicates: tuple[Predicate, ...]
    rates: Mapping[str, Decimal]
    into: str
    accounting: Accounting | None = None

    @property
    def exchange(self) -> Exchange | None:
        """By what amounts are converted; None where they are not. Raises UsageError for a rate to nothing."""
        into, accounting = self.into, self.accounting
        if accounting is not None:
            return Exchange(into, lambda unit, day: accounting.worth(Decimal(1), unit, into, day))
        if self.rates and not into:
            raise UsageError(
                "A rate needs a currency or unit that it leads to.",
                next_step="Say into which, such as --rate EUR=1.08 --into USD.",
            )
        own = {**self.rates, into: Decimal(1)}
        return Exchange(into, lambda unit, day: own.get(unit)) if self.rates else None


class Computation:
    """One computation, within one connection."""

    def __init__(self, connection: Connection, subject: Subject, request: Request) -> None:
        self._connection = connection
        self._subject = subject
        self._request = request
        self._conditions = ConditionCompiler(connection, subject)
        self._value: sa.FromClause | None = None
        self._from = subject.rows
        self._where = list(subject.conditions)
        self._joined: dict[str, sa.FromClause] = {}
        self._is_text = False
        counts = request.aggregate in _COUNTING
        self._accounting = None if counts else request.accounting
        self._exchange = None if counts else request.exchange
        if self._accounting is not None and request.into not in self._accounting.currencies:
            raise UsageError(
                f"There is no exchange rate of {request.into!r}.",
                next_step="An admin sets rates on the page Settings, or with `groundwork rates`.",
            )
        self._prepare()

    def result(self, scope: int) -> AggregateResult:
        """The groups by key, and what took no part. Raises UsageError for mixed units without a rate."""
        request = self._request
        if request.aggregate in _COUNTING:
            groups, kind = self._counted(), FieldType.NUMBER
        else:
            parts = self._parts()
            groups = make_groups(parts, request.aggregate, request.field, self._exchange)
            if not groups and not request.group_by:
                groups = [AggregateGroup((), None, "", 0, 0)]
            kind = parts[0].type if parts else FieldType.NUMBER
        return AggregateResult(
            aggregate=request.aggregate,
            field=request.field,
            group_by=request.group_by,
            groups=tuple(groups),
            type=kind,
            source=self._subject.source,
            scope=scope,
            rows=sum(group.rows for group in groups),
            excluded=tuple(in_order(self._excluded())),
            rates=tuple(sorted(request.rates.items())),
        )

    def members(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """By the key of each group the documents that take part in it, in order."""
        chosen = self._chosen()
        keys, names = self._columns(chosen, "k"), self._columns(chosen, "n")
        each = (
            sa.select(*keys, *(sa.func.min(name).label(name.key) for name in names), chosen.c.document)
            .group_by(*keys, chosen.c.document)
            .subquery()
        )
        statement = sa.select(
            *(sa.func.min(name) for name in self._columns(each, "n")),
            sa.func.aggregate_strings(each.c.document, _BETWEEN_IDS),
        ).group_by(*self._columns(each, "k"))
        found: dict[tuple[str, ...], set[str]] = {}
        for *name, listed in self._connection.execute(statement):
            if listed is not None:
                found.setdefault(tuple(name), set()).update(listed.split(_BETWEEN_IDS))
        return {name: tuple(sorted(ids)) for name, ids in found.items()}

    def _prepare(self) -> None:
        """Join the values asked for and those grouped by, and lay the conditions on them."""
        request = self._request
        if request.field:
            self._value = self._join(request.field)
            kinds = self._conditions.kinds(request.field)
            self._is_text = bool(kinds) and all(kind.type in TEXTS for kind in kinds)
            self._require_computable(kinds)
        elif request.aggregate is not Calculation.COUNT:
            raise UsageError(
                f"{request.aggregate.value!r} of what?",
                next_step=f"Name a field, such as {request.aggregate.value}:amount.",
            )
        for name in request.group_by:
            self._join(self._stem(name))
        for predicate in request.predicates:
            self._where += self._laid(predicate)

    def _join(self, name: str) -> sa.FromClause:
        if name not in self._joined:
            value, on = self._subject.values(name)
            self._from = self._from.join(value, on)
            self._joined[name] = value
        return self._joined[name]

    def _stem(self, name: str) -> str:
        """The field of a name grouped by, which may end in an aspect of its values."""
        stem, _, aspect = name.rpartition(".")
        is_aspect = bool(stem) and aspect in ("unit", "year", "month", "quarter")
        return stem if is_aspect and not self._conditions.kinds(name) else name

    def _laid(self, predicate: Predicate) -> list[sa.ColumnElement[bool]]:
        """A condition on joined values chooses among them; any other chooses rows."""
        compiled = self._of_values(predicate)
        if compiled is None:
            return [self._conditions.holds(predicate)]
        value = self._joined[predicate.field]
        return [compiled.compares(value), compiled.test(value)]

    def _of_values(self, predicate: Predicate) -> Compiled | None:
        is_of_cell = predicate.operator in (Operator.MISSING, Operator.IS)
        if is_of_cell or predicate.field not in self._joined:
            return None
        return self._conditions.compiled(predicate)

    def _require_computable(self, kinds: Sequence[ValueKind]) -> None:
        request = self._request
        if request.aggregate not in _NUMERIC or not kinds:
            return
        are_dates = all(kind.type in TEXTS or kind.type is FieldType.DATE for kind in kinds)
        what = "texts" if self._is_text else "dates" if are_dates else ""
        if what == "texts" or (what and request.aggregate is not Calculation.MEDIAN):
            raise UsageError(
                f"{request.field!r} holds {what}, which have no {request.aggregate.value}.",
                next_step="Choose one of: count, distinct, min, max.",
            )

    def _chosen(self) -> sa.Subquery:
        """The values that take part, a row each: k0, k1, ... and their names n0, n1, ..., and the value."""
        columns: list[sa.ColumnElement[Any]] = [documents.c.id.label("document")]
        for at, name in enumerate(self._request.group_by):
            stem = self._stem(name)
            value = self._joined[stem]
            if stem != name:
                key = written = _aspect(value, name.rpartition(".")[2])
            else:
                written = sa.case((value.c.unit == "", value.c.text), else_=value.c.text + " " + value.c.unit)
                key = value.c.key + _SEPARATOR + value.c.unit
            columns += [key.label(f"k{at}"), written.label(f"n{at}")]
        if self._value is not None:
            columns += [self._value.c[name] for name in ("key", "text", "amount", "unit", "type")]
            columns.append(self._day_of_rate(self._value).label("day"))
        return (
            sa.select(*columns)
            .select_from(self._from)
            .where(*self._where, self._accepted(), *self._named_groups())
            .subquery()
        )

    def _named_groups(self) -> list[sa.ColumnElement[bool]]:
        return [self._joined[self._stem(name)].c.special.in_(_KNOWN) for name in self._request.group_by]

    def _columns(self, chosen: sa.Subquery, letter: str) -> list[sa.ColumnElement[Any]]:
        return [chosen.c[f"{letter}{at}"] for at in range(len(self._request.group_by))]

    def _counted(self) -> list[AggregateGroup]:
        chosen = self._chosen()
        what: sa.ColumnElement[Any] = sa.func.count()
        if self._request.aggregate is Calculation.DISTINCT:
            what = sa.func.count((chosen.c.key + _SEPARATOR + chosen.c.unit).distinct())
        names = [sa.func.min(name) for name in self._columns(chosen, "n")]
        statement = sa.select(*names, what, sa.func.count(), sa.func.count(chosen.c.document.distinct()))
        rows = self._connection.execute(statement.group_by(*self._columns(chosen, "k"))).all()
        groups = [
            AggregateGroup(tuple(row[:-3]), Decimal(row[-3]), "", int(row[-2]), int(row[-1])) for row in rows
        ]
        return sorted(groups, key=lambda group: group.key)

    def _parts(self) -> list[GroupValues]:
        chosen = self._chosen()
        needs_middle = self._request.aggregate is Calculation.MEDIAN
        is_converted = self._exchange is not None
        middles = self._middles(chosen) if needs_middle and not is_converted else {}
        listed = self._listed(chosen) if needs_middle and is_converted else {}
        documents_of = self._documents(chosen) if is_converted else {}
        size = len(self._request.group_by)
        parts = []
        for row in self._connection.execute(self._measures(chosen)):
            kind, unit, day, rows, stating, high_half, low_half, low, high = row[2 * size :]
            if not rows:  # without groups there is always one
                continue
            key = tuple(row[:size])
            values = (middles or listed).get((*key, kind, unit, day), ())
            part = GroupValues(
                key=key,
                name=tuple(row[size : 2 * size]),
                type=FieldType(kind),
                unit=unit,
                rows=int(rows),
                documents=documents_of.get(key, int(stating)),
                total=(int(high_half) << _LOW_BITS) + int(low_half),
                low=low,
                high=high,
                values=tuple(values),
                day=int(day),
            )
            parts.append(part)
        return parts

    def _measures(self, chosen: sa.Subquery) -> sa.Select[Any]:
        """Key, name, counts, sum in two halves, least and greatest of each group, type and unit."""
        keys = self._columns(chosen, "k")
        if self._is_text:
            # Behind the key, so that min and max by key carry the text along.
            measured: sa.ColumnElement[Any] = chosen.c.key + _SEPARATOR + chosen.c.text
            halves: list[sa.ColumnElement[Any]] = [sa.literal(0), sa.literal(0)]
            by: list[sa.ColumnElement[Any]] = [
                sa.literal(FieldType.TEXT.value),
                sa.literal(""),
                sa.literal(NO_DAY),
            ]
        else:
            measured = chosen.c.amount
            # In two halves: a sum of BIGINTs may be greater than a BIGINT.
            halves = [
                sa.func.sum(chosen.c.amount.bitwise_rshift(sa.literal(_LOW_BITS, sa.Integer))),
                sa.func.sum(chosen.c.amount.bitwise_and(sa.literal(_LOW_MASK, sa.BigInteger))),
            ]
            by = [chosen.c.type, chosen.c.unit, chosen.c.day]
        return sa.select(
            *keys,
            *(sa.func.min(name) for name in self._columns(chosen, "n")),
            *by,
            sa.func.count(),
            sa.func.count(chosen.c.document.distinct()),
            *halves,
            sa.func.min(measured),
            sa.func.max(measured),
        ).group_by(*keys, *(() if self._is_text else by))

    def _documents(self, chosen: sa.Subquery) -> dict[tuple[Any, ...], int]:
        """Number of documents in each group, whatever the units."""
        keys = self._columns(chosen, "k")
        statement = sa.select(*keys, sa.func.count(chosen.c.document.distinct())).group_by(*keys)
        return {tuple(row[:-1]): int(row[-1]) for row in self._connection.execute(statement)}

    def _middles(self, chosen: sa.Subquery) -> dict[tuple[Any, ...], list[int]]:
        """The middle one or two amounts of each group, type and unit."""
        by = [*self._columns(chosen, "k"), chosen.c.type, chosen.c.unit, chosen.c.day]
        ranked = sa.select(
            *by,
            chosen.c.amount,
            sa.func.row_number().over(partition_by=by, order_by=chosen.c.amount).label("place"),
            sa.func.count().over(partition_by=by).label("places"),
        ).subquery()
        twice = ranked.c.place * 2
        statement = sa.select(ranked).where(sa.and_(twice >= ranked.c.places, twice <= ranked.c.places + 2))
        found: dict[tuple[Any, ...], list[int]] = {}
        for row in self._connection.execute(statement.order_by(ranked.c.place)):
            found.setdefault(tuple(row[:-3]), []).append(int(row.amount))
        return found

    def _listed(self, chosen: sa.Subquery) -> dict[tuple[Any, ...], list[int]]:
        """All amounts, where they have to be converted before they can be put in order."""
        by = [*self._columns(chosen, "k"), chosen.c.type, chosen.c.unit, chosen.c.day]
        found: dict[tuple[Any, ...], list[int]] = {}
        for row in self._connection.execute(sa.select(*by, chosen.c.amount)):
            found.setdefault(tuple(row[:-1]), []).append(int(row.amount))
        return found

    def _excluded(self) -> Counter[tuple[str, str]]:
        request = self._request
        laid = {each: found for each in request.predicates if (found := self._of_values(each)) is not None}
        others = [each for each in request.predicates if each not in laid]
        needed = list(self._joined)
        restricted = [each.field for each in laid]
        counted = Counter[tuple[str, str]]()
        compiled = self._conditions
        for each in unknown_rows(self._connection, self._subject, compiled, others, needed, restricted):
            counted[each.field, each.reason] += each.rows
        fixed = [*self._subject.conditions, *(compiled.holds(each) for each in others)]
        source = self._subject.rows
        passed: list[sa.ColumnElement[bool]] = []
        for name in self._joined:
            value, on = self._subject.values(name)
            accepted = self._accepted_as(name, value)
            own = [found for each, found in laid.items() if each.field == name]
            source = source.join(value, on)
            counted += refused_values(
                self._connection,
                source,
                [*fixed, *passed],
                name,
                sa.and_(accepted, *(found.compares(value) for found in own)),
                self._lacks_rate(value, name, _first_reason(value, accepted, own, self._is_numeric(name))),
            )
            passed += [accepted, *(found.compares(value) for found in own)]
            passed += [found.test(value) for found in own]
        return counted

    def _is_numeric(self, name: str) -> bool:
        return name == self._request.field and not self._is_text

    def _accepted(self) -> sa.ColumnElement[bool]:
        return sa.true() if self._value is None else self._accepted_as(self._request.field, self._value)

    def _accepted_as(self, name: str, value: sa.FromClause) -> sa.ColumnElement[bool]:
        """Condition on the values of a name that can be computed with, or grouped by."""
        if name != self._request.field or self._request.aggregate in _COUNTING:
            return value.c.special.in_(_KNOWN)
        if self._is_text:
            return sa.and_(value.c.special == "")
        accepted = sa.and_(value.c.special == "", value.c.amount.is_not(None))
        if self._request.aggregate in (Calculation.SUM, Calculation.AVG):
            accepted = sa.and_(accepted, value.c.type != FieldType.DATE.value)
        return sa.and_(accepted, self._has_rate(value))

    def _has_rate(self, value: sa.FromClause) -> sa.ColumnElement[bool]:
        """Condition on amounts: their currency has a rate, and had one on the day that they are of."""
        accounting = self._accounting
        if accounting is None:
            return sa.true()
        known = value.c.unit.in_(sorted(accounting.currencies))
        if not accounting.dated_by or not accounting.currencies:
            return known
        first = {unit: accounting.since(unit) for unit in sorted(accounting.currencies)}
        began = sa.case(first, value=value.c.unit, else_=NO_DAY)
        day, into = self._day(), accounting.since(self._request.into)
        is_known = sa.and_(day >= began, day >= into)
        return sa.and_(known, sa.or_(day.is_(None), value.c.unit == self._request.into, is_known))

    def _lacks_rate(
        self, value: sa.FromClause, name: str, otherwise: sa.ColumnElement[Any]
    ) -> sa.ColumnElement[Any]:
        """That an amount has no rate, or another reason why a value takes no part."""
        accounting = self._accounting
        if accounting is None or name != self._request.field:
            return otherwise
        lacks = sa.and_(value.c.type == FieldType.MONEY.value, value.c.special == "", ~self._has_rate(value))
        said = sa.case(
            (value.c.unit == "", "without a currency"),
            (
                value.c.unit.in_(sorted(accounting.currencies)),
                sa.literal("in ") + value.c.unit + ", of a day before the first rate",
            ),
            else_=sa.literal("in ") + value.c.unit + NO_RATE,
        )
        return sa.case((lacks, said), else_=otherwise)

    def _day_of_rate(self, value: sa.FromClause) -> sa.ColumnElement[int]:
        """The day from which on the rate holds that an amount is converted by; NO_DAY for the latest."""
        accounting = self._accounting
        if accounting is None or not accounting.dated_by:
            return sa.literal(NO_DAY)
        rate, day = currency_rates.c, self._day()
        latest = (
            sa.select(sa.func.max(rate.day))
            .where(
                rate.base == accounting.base,
                sa.or_(rate.currency == value.c.unit, rate.currency == self._request.into),
                rate.day <= day,
            )
            .correlate(*self._subject.tables, value)
            .scalar_subquery()
        )
        return sa.func.coalesce(latest, sa.case((day.is_(None), NO_DAY), else_=1))

    def _day(self) -> sa.ColumnElement[int]:
        """The day (ordinal) that a document, or a row, is of: the first of the dates that an admin named."""
        days: list[sa.ColumnElement[Any]] = []
        for name in self._accounting.dated_by if self._accounting is not None else ():
            for value, on in self._subject.dates(name):
                is_day = sa.and_(on, value.c.type == FieldType.DATE.value, value.c.special == "")
                days.append(
                    sa.select(sa.func.min(value.c.amount))
                    .where(is_day)
                    .correlate(*self._subject.tables)
                    .scalar_subquery()
                )
        return sa.func.coalesce(*days, sa.null())


def _first_reason(
    value: sa.FromClause, accepted: sa.ColumnElement[bool], laid: Sequence[Compiled], is_numeric: bool
) -> sa.ColumnElement[Any]:
    ways = [(sa.not_(accepted), why_not(value, AMOUNTS if is_numeric else frozenset()))]
    ways += [(sa.not_(found.compares(value)), found.reason(value)) for found in laid]
    return sa.case(*ways, else_="")


def _aspect(value: sa.FromClause, aspect: str) -> sa.ColumnElement[Any]:
    if aspect == "unit":
        return value.c.unit

    def part(start: int, length: int) -> sa.ColumnElement[str]:
        return sa.func.substr(value.c.text, start, length, type_=sa.Text)

    year, month = part(1, 4), part(1, 7)
    quarter = sa.case(
        *((part(6, 2) <= f"{last:02}", year + f"-Q{last // 3}") for last in (3, 6, 9, 12)), else_=year
    )
    wanted = {"year": year, "month": month, "quarter": quarter}[aspect]
    is_date = sa.and_(value.c.type == FieldType.DATE.value, value.c.special == "")
    return sa.case((is_date, wanted), else_=value.c.text)


def unknown_rows(
    connection: Connection,
    subject: Subject,
    compiled: ConditionCompiler,
    predicates: Sequence[Predicate],
    needed: Sequence[str] = (),
    restricted: Sequence[str] = (),
) -> list[Excluded]:
    """Rows that fulfil the conditions as far as is known, but of which something is not known.

    needed: names that a row must have values of, too; where one of them is `restricted` by a condition on its
    values, a row without any has not been chosen, and is not counted. A row counts once, for the first name
    in the way.
    """
    reasons = [compiled.unknown(predicate) for predicate in predicates]
    labels = [predicate.field for predicate in predicates]
    possible = [
        sa.or_(compiled.holds(predicate), reason.is_not(None))
        for predicate, reason in zip(predicates, reasons, strict=True)
    ]
    for name in needed:
        state = subject.state(name)
        ignored = (PRESENT, MISSING) if name in restricted else (PRESENT,)
        reasons.append(sa.case((state.in_(ignored), sa.null()), else_=state))
        labels.append(name)
        if name in restricted:
            possible.append(state != MISSING)
    if not reasons:
        return []
    # Grouped outside: databases do not agree on whether a subquery in GROUP BY is that of the SELECT.
    inner = (
        sa.select(*(reason.label(f"reason_{at}") for at, reason in enumerate(reasons)))
        .select_from(subject.rows)
        .where(*subject.conditions, *possible)
        .subquery()
    )
    statement = sa.select(*inner.c, sa.func.count().label("rows_excluded")).group_by(*inner.c)
    counted: Counter[tuple[str, str]] = Counter()
    for row in connection.execute(statement):
        found = [(label, reason) for label, reason in zip(labels, row[:-1], strict=True) if reason]
        if found:
            counted[found[0]] += row[-1]
    return in_order(counted)


def refused_values(
    connection: Connection,
    source: sa.FromClause,
    conditions: Sequence[sa.ColumnElement[bool]],
    name: str,
    accepted: sa.ColumnElement[bool],
    reason: sa.ColumnElement[Any],
) -> Counter[tuple[str, str]]:
    """Values that cannot be computed with, by reason."""
    inner = (
        sa.select(reason.label("reason")).select_from(source).where(*conditions, sa.not_(accepted)).subquery()
    )
    statement = sa.select(inner.c.reason, sa.func.count()).group_by(inner.c.reason)
    return Counter({(name, str(row[0])): int(row[1]) for row in connection.execute(statement)})


def in_order(counted: Counter[tuple[str, str]]) -> list[Excluded]:
    """By field and reason."""
    return [Excluded(name, reason, rows) for (name, reason), rows in sorted(counted.items()) if rows]
