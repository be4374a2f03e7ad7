"""Conditions as a boolean form: negated in three values, and as clauses that a node has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.domain.predicate import Operator
from core.plan.ir.nodes import Choice, Condition

MAX_CLAUSES = 50

OPPOSITE = {
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
    Operator.NOT_EQUAL: Operator.EQUAL,
    Operator.EQUAL: Operator.NOT_EQUAL,
}
_OF_SEVERAL = {Operator.IN: Operator.NOT_EQUAL, Operator.NOT_EQUAL: Operator.IN}


@dataclass(frozen=True, slots=True)
class Both:
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Except:
    """The documents of which the part does not hold, where no condition says so: a difference of sets."""

    part: Formula


Formula = Condition | Both | Either | Except
Clauses = tuple[Condition | Choice, ...]
"""Conditions as a node has them, of which all hold."""


def one_of(field: str, values: Sequence[str], *, narrows: bool = False) -> Condition:
    """That a field is one of some values."""
    op, value = (Operator.EQUAL, values[0]) if len(values) == 1 else (Operator.IN, tuple(values))
    return Condition(field=field, op=op, value=value, narrows=narrows)


def any_of(parts: Iterable[Formula]) -> Formula:
    """That at least one of some parts holds, of which there has to be one."""
    ways = tuple(dict.fromkeys(parts))
    return ways[0] if len(ways) == 1 else Either(ways)


def all_of(parts: Sequence[Formula]) -> Formula | None:
    """That all parts hold; None where there are none."""
    return None if not parts else parts[0] if len(parts) == 1 else Both(tuple(parts))


def negated(formula: Formula, *, is_other: bool = False) -> Formula:
    """The opposite in three values. is_other: another value is wanted, so that none does not count."""
    if isinstance(formula, Both):
        return Either(tuple(negated(part, is_other=is_other) for part in formula.parts))
    if isinstance(formula, Either):
        return Both(tuple(negated(part, is_other=is_other) for part in formula.parts))
    if isinstance(formula, Except):
        return formula.part
    return _negated(formula, is_other)


def _negated(condition: Condition, is_other: bool) -> Formula:
    name, op, value = condition.field, condition.op, condition.value
    if op is Operator.MISSING:
        return Condition(field=name, op=Operator.IS, value="present")
    if op is Operator.IS or (op is Operator.EQUAL and value == "true"):
        return Condition(field=name, op=Operator.MISSING)
    if op is Operator.EQUAL:
        other = Condition(field=name, op=Operator.NOT_EQUAL, value=value)
        return other if is_other else Either((other, Condition(field=name, op=Operator.MISSING)))
    if is_other and isinstance(value, tuple) and op in (Operator.IN, Operator.NOT_EQUAL):
        return condition.model_copy(update={"op": _OF_SEVERAL[op]})
    if op in OPPOSITE:
        return Condition(field=name, op=OPPOSITE[op], value=value, minus=condition.minus)
    if op is Operator.BETWEEN and isinstance(value, tuple):
        low = Condition(field=name, op=Operator.LESS, value=value[0])
        return Either((low, Condition(field=name, op=Operator.GREATER, value=value[1])))
    if op is Operator.IN and isinstance(value, tuple):
        each = [Condition(field=name, op=Operator.EQUAL, value=one) for one in value]
        return Both(tuple(_negated(one, is_other) for one in each))
    return Except(condition)


def clauses(formula: Formula) -> list[tuple[Condition | Except, ...]] | None:
    """The formula as conditions that must all hold, each a choice of some; None where it is too large."""
    if isinstance(formula, (Condition, Except)):
        return [(formula,)]
    if isinstance(formula, Both):
        found: list[tuple[Condition | Except, ...]] = []
        for part in formula.parts:
            inner = clauses(part)
            if inner is None:
                return None
            found += [each for each in inner if each not in found]
        return found if len(found) <= MAX_CLAUSES else None
    joined: list[tuple[Condition | Except, ...]] = [()]
    for part in formula.parts:
        inner = clauses(part)
        if inner is None or len(inner) * len(joined) > MAX_CLAUSES:
            return None
        joined = [tuple(dict.fromkeys((*before, *after))) for before in joined for after in inner]
    return joined if all(len(each) <= MAX_CLAUSES for each in joined) else None


@dataclass(frozen=True, slots=True)
class Parted:
    """What a set fulfils, and the sets that are left out of it, by the conditions of each."""

    holds: Clauses
    left_out: tuple[Clauses, ...] = ()


def parted(formula: Formula) -> Parted | None:
    """A formula as conditions and sets that are left out; None where it is too large, or nothing says it."""
    split = clauses(formula)
    if split is None:
        return None
    holds = tuple(as_condition(each) for each in split if not is_except(each))
    singles: list[Condition] = []
    several: list[Clauses] = []
    for clause in split:
        if not is_except(clause):
            continue
        first = clause[0]
        if len(clause) == 1 and isinstance(first, Except) and isinstance(first.part, Condition):
            singles.append(first.part)
            continue
        opposite = clauses(Both(tuple(map(negated, clause))))
        if opposite is None or any(map(is_except, opposite)):
            return None
        several.append(tuple(as_condition(each) for each in opposite))
    together = [(as_condition(tuple(dict.fromkeys(singles))),)] if singles else []
    return Parted(holds, (*together, *several))


def as_condition(formulas: Sequence[Condition | Except]) -> Condition | Choice:
    """One clause as a node has it; equal tests of one field become one."""
    clause = tuple(each for each in formulas if isinstance(each, Condition))
    if len(clause) == 1:
        return clause[0]
    fields = {each.field for each in clause}
    if len(fields) == 1 and all(each.op is Operator.EQUAL and isinstance(each.value, str) for each in clause):
        return one_of(clause[0].field, [each.value for each in clause if isinstance(each.value, str)])
    return Choice(any_of=clause)


def is_except(clause: tuple[Condition | Except, ...]) -> bool:
    """True where a clause holds something that only a difference of sets says."""
    return any(isinstance(each, Except) for each in clause)
