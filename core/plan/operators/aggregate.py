"""Aggregate: a computation over the documents of an input, exact, with a ledger that adds up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from core.domain.annotation import AggregateGroup, AggregateResult, AnnotationSource
from core.domain.annotation import Calculation as Function
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.results import ConvertedPart, Documents, Group, Groups, Result, Unknown
from core.errors import UsageError
from core.plan.ir.nodes import Aggregate, Condition, without_aspect
from core.plan.operators.base import OperatorParts, runs, sets_of, union
from core.plan.operators.exchange import cents, conversion_of, without_rate
from core.plan.operators.ranking import cut, in_other_units, set_apart
from core.store.query.annotations import Chosen
from core.store.query.sources import MISSING, NOT_ASKED, PRESENT, UNREADABLE, JudgedScope
from core.values.canonical import read_value
from core.values.money import CODES

_SIGNS: dict[Operator, Callable[[Decimal, Decimal], bool]] = {
    Operator.EQUAL: lambda one, other: one == other,
    Operator.NOT_EQUAL: lambda one, other: one != other,
    Operator.GREATER: lambda one, other: one > other,
    Operator.GREATER_EQUAL: lambda one, other: one >= other,
    Operator.LESS: lambda one, other: one < other,
    Operator.LESS_EQUAL: lambda one, other: one <= other,
}
Compute = Callable[[Aggregate, Mapping[str, Result]], Groups]


@runs(Aggregate)
def aggregate(node: Aggregate, inputs: Mapping[str, Result], parts: OperatorParts) -> Groups:
    """The groups, and which documents took part. Raises UsageError, naming units that mix with their rows."""
    if node.shared:
        return shared_groups(node, inputs, lambda one, given: aggregate(one, given, parts))
    over = sets_of(inputs[name] for name in node.inputs)
    if over is None:
        raise UsageError(
            "There are no documents to compute over.",
            next_step="Connect a node that gives documents.",
        )
    fields, asking = _fields(node), parts.asking
    stand_ins = parts.stand_ins(fields)
    if _needs_one_unit(node) and over.present:
        scope = JudgedScope(documents=tuple(sorted(over.present)))
        ranked = parts.records.judging.ranked(parts.visible, scope, node.field, asking, stand_ins)
        others = in_other_units({each.document: each for each in ranked})
        over = set_apart(over, node.field, others)
        units = {each.unit for each in ranked}
        if not others and not node.group_by and len(units) > 1 and units <= CODES:
            node = node.model_copy(update={"group_by": (f"{node.field}.unit",)})  # none leads: each by itself
            fields = _fields(node)
    accounting = parts.records.accounting.now() if node.into and not node.rates else None
    found = parts.records.annotations.aggregate(
        parts.visible,
        None,
        node.group_by,
        (),
        node.function,
        node.field,
        source=AnnotationSource.CELLS,
        rates={unit: _rate(unit, text) for unit, text in node.rates.items()},
        into=node.into,
        accounting=accounting,
        asking=asking,
        within=Chosen(over.present, stand_ins),
    )
    took_part = frozenset(id for members in found.members for id in members)
    left = over.present - took_part
    states: dict[str, dict[str, str]] = {}
    if left:
        scope = JudgedScope(documents=tuple(sorted(left)))
        states = parts.records.judging.states(parts.visible, scope, fields, asking, stand_ins)
    made = _groups(node, found, over, states)
    if accounting is None or node.function in (Function.COUNT, Function.DISTINCT):
        return made
    why: dict[str, Unknown] = {}
    if made.documents.unknown.keys() & left:
        scope = JudgedScope(documents=tuple(sorted(left)))
        ranked = parts.records.judging.ranked(parts.visible, scope, node.field, asking, stand_ins)
        why = {each.document: without_rate(each, node.field, accounting) for each in ranked}
    unknown = {id: why.get(id, each) for id, each in made.documents.unknown.items()}
    documents = made.documents.model_copy(update={"unknown": unknown})
    converted = [each for group in found.groups for each in group.parts]
    pairs = ((each.unit, day) for each in converted for day in each.days)
    conversion = conversion_of(accounting, node.into, pairs, sum(each.undated for each in converted))
    return made.model_copy(update={"documents": documents, "conversion": conversion})


def _groups(
    node: Aggregate, found: AggregateResult, over: Documents, states: Mapping[str, Mapping[str, str]]
) -> Groups:
    took_part = frozenset(id for members in found.members for id in members)
    return Groups(
        function=node.function.value,
        field=node.field,
        group_by=node.group_by,
        value_type=found.type.value,
        groups=_shown(node, found),
        rows=found.rows,
        documents=_left_out(over, took_part, states),
        excluded=tuple((each.field, each.reason, each.rows) for each in found.excluded),
    )


def _needs_one_unit(node: Aggregate) -> bool:
    """True where several currencies make no one result: without groups, or with an order of them."""
    if not node.field or node.rates or node.into or node.function in (Function.COUNT, Function.DISTINCT):
        return False
    return not node.group_by or (bool(node.top) and f"{node.field}.unit" not in node.group_by)


def _fields(node: Aggregate) -> list[str]:
    """The fields computed with and grouped by, in order."""
    own = (node.field,) if node.field else ()
    return list(dict.fromkeys((*own, *map(without_aspect, node.group_by))))


def _left_out(
    over: Documents, took_part: frozenset[str], states: Mapping[str, Mapping[str, str]]
) -> Documents:
    """Documents that took no part leave: for those that state no value, or those of which it is not known."""
    unreadable, unknown = set[str](), dict[str, Unknown]()
    for id in over.present - took_part:
        known = [(name, of[id]) for name, of in states.items() if id in of]
        if not known or any(state in (MISSING, NOT_ASKED) for _, state in known):
            continue
        name, state = next(((name, state) for name, state in known if state != PRESENT), known[0])
        reason = "no value to compute with" if state == PRESENT else state
        unknown[id] = Unknown(field=name, reason=reason)
        if state == UNREADABLE:
            unreadable.add(id)
    return over.keeping(took_part, unknown=unknown, unreadable=frozenset(unreadable))


def _shown(node: Aggregate, found: AggregateResult) -> tuple[Group, ...]:
    members = found.members or ((),) * len(found.groups)
    pairs = list(zip(found.groups, members, strict=True))
    if node.having is not None:
        pairs = [pair for pair in pairs if _fulfils(pair[0], node.having, found.type)]
    if node.top:
        pairs = [pair for pair in pairs if pair[0].value is not None]
        _require_one_unit(node, [group for group, _ in pairs])
        pairs.sort(key=lambda pair: _value(pair[0]), reverse=node.descending)
        left = set(list(dict.fromkeys(_value(group) for group, _ in pairs))[: node.skip])
        pairs = [pair for pair in pairs if _value(pair[0]) not in left]
        pairs = pairs[: cut([_value(group) for group, _ in pairs], node.top)]
    return tuple(
        Group(
            key=group.key,
            value=None if group.value is None else _text(group.value, is_converted=bool(group.parts)),
            unit=group.unit,
            rows=group.rows,
            documents=ids,
            parts=tuple(
                ConvertedPart(unit=e.unit, value=f"{e.value:f}", converted=cents(e.into), rows=e.rows)
                for e in group.parts
            ),
        )
        for group, ids in pairs
    )


def _fulfils(group: AggregateGroup, wanted: Condition, kind: FieldType) -> bool:
    """True where the value of a group is as a condition has it; its values are in the unit of the group."""
    texts = (wanted.value,) if isinstance(wanted.value, str) else wanted.value
    if group.value is None or not isinstance(group.value, Decimal) or not isinstance(texts, tuple):
        return False
    read = [read_value(text, FieldType.NUMBER) or read_value(text, kind) for text in texts]
    amounts = [each.decimal for each in read if each is not None and each.unit in ("", group.unit)]
    if len(amounts) != len(texts) or any(each is None for each in amounts):
        return False
    known = [each for each in amounts if each is not None]
    if wanted.op is Operator.BETWEEN:
        return known[0] <= group.value <= known[1]
    return _SIGNS[wanted.op](group.value, known[0])


def _value(group: AggregateGroup) -> tuple[Decimal, str]:
    return (group.value, "") if isinstance(group.value, Decimal) else (Decimal(0), str(group.value))


def _text(value: Decimal | str, *, is_converted: bool = False) -> str:
    if not isinstance(value, Decimal):
        return value
    return cents(value) if is_converted else f"{value:f}"


def _require_one_unit(node: Aggregate, groups: list[AggregateGroup]) -> None:
    counts: dict[str, int] = {}
    for group in groups:
        counts[group.unit] = counts.get(group.unit, 0) + group.rows
    if len(counts) > 1:
        named = ", ".join(f"{unit or 'no unit'} ({rows:,})" for unit, rows in sorted(counts.items()))
        raise UsageError(
            f"The groups of {node.field!r} are in {named}, which have no common order.",
            next_step="State a rate for each and the unit to end in, or choose one with a condition.",
        )


def _rate(unit: str, text: str) -> Decimal:
    try:
        rate = Decimal(text)
    except InvalidOperation:
        rate = Decimal(0)
    if not rate.is_finite() or rate <= 0:
        raise UsageError(
            f"The rate of {unit}, {text!r}, is no positive number.", next_step="Write it as 1.08, say."
        )
    return rate


def shared_groups(node: Aggregate, inputs: Mapping[str, Result], compute: Compute) -> Groups:
    """The groups of the first set that every other has (`all`), or that none of them has (`first`)."""
    sides = [
        compute(node.model_copy(update={"shared": "", "inputs": (name,)}), {name: inputs[name]})
        for name in node.inputs
    ]
    first, *others = sides
    known = [{group.key: group for group in side.groups} for side in others]
    kept: list[Group] = []
    for group in first.groups:
        found = [side[group.key] for side in known if group.key in side]
        if not any(group.key):
            continue
        if node.shared == "first" and not found:
            kept.append(group)
        elif node.shared == "all" and len(found) == len(known):
            kept.append(_merged(group, found))
    documents = union([side.documents for side in sides])
    present = frozenset(id for group in kept for id in group.documents)
    return first.model_copy(
        update={
            "groups": tuple(kept),
            "rows": sum(group.rows for group in kept),
            "documents": documents.keeping(present),
            "excluded": tuple(dict.fromkeys(each for side in sides for each in side.excluded)),
        }
    )


def _merged(group: Group, others: list[Group]) -> Group:
    """A group of several sets: what they count, and all their documents."""
    documents = tuple(dict.fromkeys(id for each in (group, *others) for id in each.documents))
    rows = len(documents) or sum(each.rows for each in (group, *others))
    return group.model_copy(update={"rows": rows, "value": str(rows), "documents": documents})
