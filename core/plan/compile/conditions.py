"""Comparisons of a reading as formulas over one field or column, and conditions on the values of groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import ColumnEntry, FieldEntry
from core.plan.compile.context import MANY_GROUPS, ReadingError
from core.plan.compile.formula import OPPOSITE, Both, Either, Except, Formula, any_of, negated, one_of
from core.plan.compile.values import ValueTarget, canonical_value, compiled, key_of, title_of
from core.plan.ir.nodes import Condition
from core.plan.ir.nodes.aggregate import OF_GROUPS
from core.plan.reading import ReadCondition, ReadField, ReadOrder, Step
from core.values.canonical import read_value

_MOST_GROUPS = 3
_COUNTED = (Calculation.COUNT, Calculation.DISTINCT)
EQUALS = (Operator.EQUAL, Operator.IN, Operator.NOT_EQUAL)
_OF_DAYS = ("year", "month", "quarter")


def comparison(op: Operator, values: Sequence[str], target: ValueTarget) -> Formula:
    """That a field or column compares so. Raises ReadingError where no condition says it."""
    if op in (INEQUALITIES | {Operator.BETWEEN}) and target.type in TEXTS:
        raise ReadingError(
            f"{target.title} holds texts, which are not more or less than others.",
            "Ask which it is, or what it contains.",
        )
    if op in EQUALS and values and target.type is FieldType.DATE:
        return _any_of(op, values, target)
    if op in EQUALS and values and target.type is FieldType.TEXT:
        known = all(canonical_value(each, target) in target.texts for each in values)
        if not known and (len(values) > 1 or op is not Operator.EQUAL):
            return _any_of(op, values, target)
    return compiled(op, values, target)


def _any_of(op: Operator, values: Sequence[str], target: ValueTarget) -> Formula:
    """That it is one of several, each compared by itself; or that it is stated, and none of them."""
    made = any_of(compiled(Operator.EQUAL, (each,), target) for each in values)
    if op is not Operator.NOT_EQUAL:
        return made
    other = negated(made, is_other=True)
    is_stated = Condition(field=target.key, op=Operator.IS, value="present")
    return Both((other, is_stated)) if _excludes(other) else other


def _excludes(formula: Formula) -> bool:
    if isinstance(formula, (Both, Either)):
        return any(map(_excludes, formula.parts))
    return isinstance(formula, Except)


def require_part(part: str, kind: FieldType, title: str, words: str = "") -> None:
    """Raise ReadingError where values of a type have no such part."""
    has_part = kind is FieldType.DATE if part in _OF_DAYS else kind in (FieldType.MONEY, FieldType.NUMBER)
    if part and not has_part:
        raise ReadingError(
            f"{title} has no {part}.", f"Ask for {title} itself, or for another field.", words=words
        )


def of_units(entry: FieldEntry | ColumnEntry, read: ReadCondition) -> Condition:
    """That amounts are stated in one of some currencies or units, or in none of them. Raises ReadingError."""
    units = tuple(dict.fromkeys(each.upper() for each in read.values))
    if entry.units and not {each.upper() for each in entry.units}.intersection(units):
        raise ReadingError(
            f"{title_of(entry)} holds {', '.join(entry.units)} and no {' or '.join(units)}.",
            "Ask for one of these.",
            words=read.words,
        )
    name = f"{key_of(entry)}.unit"
    if read.op is not Operator.NOT_EQUAL:
        return one_of(name, units)
    return Condition(field=name, op=read.op, value=units if len(units) > 1 else units[0])


def ordered(order: ReadOrder | None, by: str) -> dict[str, object]:
    """Parts of a node whose documents or rows are ordered and cut. by: the field, "" for none."""
    if order is None:
        return {}
    descending = bool(by) and order.descending
    return {"order_by": by, "descending": descending, "limit": order.limit or None, "skip": order.skip}


def ordered_groups(order: ReadOrder | None) -> dict[str, object]:
    """The same of groups, which are ordered by what they come to."""
    if order is None:
        return {}
    return {"top": order.limit or MANY_GROUPS, "descending": order.descending, "skip": order.skip}


def different_groups(groups: Iterable[str], noun: str) -> tuple[str, ...]:
    """What is grouped by, each once. Raises ReadingError where it is too many."""
    found = tuple(dict.fromkeys(groups))
    if len(found) > _MOST_GROUPS:
        raise ReadingError(
            f"It groups by {len(found)} {noun}, and {_MOST_GROUPS} are possible.", "Group by fewer."
        )
    return found


def on_groups(
    having: ReadCondition | None, function: Calculation, field: str, kind: FieldType, groups: Sequence[str]
) -> Condition | None:
    """The condition on what each group comes to; None where there is none. Raises ReadingError."""
    if having is None or not having.values:
        return None
    wanted = 2 if having.op is Operator.BETWEEN else 1
    op = OPPOSITE.get(having.op) if having.negated else having.op
    if op not in OF_GROUPS or len(having.values) != wanted:
        raise ReadingError(
            "What groups come to is compared with one number, or with two that it lies between.",
            "Say more than, at least, less than, at most or between.",
            words=having.words,
        )
    of = FieldType.NUMBER if function in _COUNTED else kind
    for text in having.values:
        if read_value(text, FieldType.NUMBER) is None and read_value(text, of) is None:
            raise ReadingError(
                f"{text!r} is no number that groups compare with.", "Write a number.", words=text
            )
    if not groups:
        raise ReadingError(
            "There is a condition on groups, and nothing to group by.",
            "Say for each of what.",
            words=having.words,
        )
    value = having.values if wanted == 2 else having.values[0]
    return Condition(field=field or "rows", op=op, value=value)


def group_order(step: Step, groups: Sequence[str], measure: str) -> tuple[ReadOrder | None, ReadField | None]:
    """The order of groups, and the field that they are ordered by where it is not what is computed.

    Groups stand in the order of their names by themselves. Raises ReadingError.
    """
    order = step.order
    if order is None or order.field is None:
        return order, None
    name = " ".join(order.field.name.split()).casefold()
    if name in {each.partition(".")[0] for each in groups} | set(groups):
        if order.limit or order.skip:
            raise ReadingError(
                "Groups are ordered by what they come to, not by their names.",
                "Say by which figure, or ask for all.",
                words=order.words,
            )
        return None, None
    return order, None if name == measure else order.field


def ordering_figure(function: Calculation, kind: FieldType, title: str, step: Step) -> Calculation:
    """What groups are ordered by where a field is named beside: its sum, or its last or first day."""
    if function not in _COUNTED:
        raise ReadingError(
            f"Groups are ordered by what they come to, not by {title}.",
            "Ask for one figure of each group.",
            words=step.order.words if step.order is not None else "",
        )
    if kind in AMOUNTS:
        return Calculation.SUM
    if kind is FieldType.DATE:
        is_last = step.order is None or step.order.descending
        return Calculation.MAX if is_last else Calculation.MIN
    raise ReadingError(f"{title} has no order.", "Order by amounts, numbers or dates.")
