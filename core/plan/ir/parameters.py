"""Parameters of a plan that a run may change: values of conditions, buckets, and what "today" means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from core.domain.audit import Parameter, ParameterPlace, ParameterType
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.errors import UsageError
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.ir.nodes import (
    Choice,
    Condition,
    Node,
    OtherField,
    Plan,
    Reference,
    ScopedNode,
    SelectionNode,
    clause_parts,
)
from core.plan.ir.verbalise import OPERATORS, values_text

BUCKET, TODAY = "bucket", "today"
_SEVERAL = frozenset({Operator.IN})
_WITHOUT = frozenset({Operator.MISSING, Operator.IS})


def parameters_of(plan: Plan, catalogue: Catalogue, *, moves: bool = False) -> tuple[Parameter, ...]:
    """The parameters of a plan: the buckets first, then `today`, then the values in the order of its nodes.

    moves: whether dates of the plan depend on the day on which it is asked.
    """
    found = [*_buckets(plan)]
    if moves:
        found.append(Parameter(name=TODAY, type="today", title="Today"))
    names = {each.name for each in found}
    for place, condition in conditions(plan):
        node = plan.node(place.node)
        schema = node.scope.schema_name if isinstance(node, SelectionNode) else ""
        entry = catalogue.field(condition.field, schema) or catalogue.field(condition.field)
        for made in _of_condition(place, condition, entry):
            name = _free(made.name, names)
            names.add(name)
            found.append(made.model_copy(update={"name": name}))
    return tuple(found)


def conditions(plan: Plan) -> Iterator[tuple[ParameterPlace, Condition]]:
    """Every condition of the selections of a plan, with its place."""
    for node in plan.nodes:
        yield from _conditions(node) if isinstance(node, SelectionNode) else ()


def _conditions(node: SelectionNode) -> Iterator[tuple[ParameterPlace, Condition]]:
    for number, clause in enumerate(node.conditions):
        for choice, each in enumerate(clause_parts(clause)):
            place = ParameterPlace(node=node.id, condition=number)
            is_choice = isinstance(clause, Choice)
            yield place.model_copy(update={"choice": choice}) if is_choice else place, each


def bound(plan: Plan, parameters: Sequence[Parameter], values: Mapping[str, Sequence[str] | str]) -> Plan:
    """The plan with other values in place of its own; `today` is for `moved`.

    Raises UsageError for a parameter that the plan does not have, or for too many or no values of it.
    Whether the values can be read is for `validate` to say, which names the node.
    """
    known = {each.name: each for each in parameters}
    for name, given in values.items():
        parameter = known.get(name)
        if parameter is None:
            expected = f"Expected one of: {', '.join(known)}." if known else "It has none."
            raise UsageError(
                f"This audit has no parameter {name!r}. {expected}",
                next_step="Leave it out, or choose another.",
            )
        if parameter.type != TODAY:
            plan = _put(plan, parameter, _read(parameter, given))
    return plan


def values_in(plan: Plan, parameters: Sequence[Parameter]) -> dict[str, tuple[str, ...]]:
    """Values of every parameter in a plan that runs."""
    known = dict(conditions(plan))

    def of(parameter: Parameter) -> tuple[str, ...]:
        if parameter.type == TODAY:
            return (plan.today,)
        place = next(iter(parameter.places), None)
        if place is None or place.condition is None:
            node = plan.node(place.node) if place is not None else None
            return node.scope.buckets if isinstance(node, ScopedNode) else ()
        values = known[place.model_copy(update={"at": None})].texts
        return values if place.at is None else values[place.at : place.at + 1]

    return {each.name: of(each) for each in parameters}


def moved(plan: Plan, before: Plan, after: Plan) -> Plan:
    """The plan as of another day: what differs between its question planned then and now is put in.

    Conditions that were edited by hand are not those of `before`, and stay.
    """
    later: dict[tuple[str, Operator, object], Condition] = {}
    for (place, old), (other, new) in zip(conditions(before), conditions(after), strict=False):
        is_same = (place, old.field, old.op) == (other, new.field, new.op)
        if is_same and old.value != new.value and not isinstance(new.value, Reference | OtherField):
            later[(old.field, old.op, old.value)] = new
    if not later:
        return plan.model_copy(update={"today": after.today})

    def replaced(_: ParameterPlace, condition: Condition) -> Condition:
        found = later.get((condition.field, condition.op, condition.value))
        return condition if found is None else condition.model_copy(update={"value": found.value})

    nodes = tuple(_each(node, replaced) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes, "today": after.today})


def _buckets(plan: Plan) -> Iterator[Parameter]:
    scoped = [node for node in plan.nodes if isinstance(node, ScopedNode)]
    asked = [node for node in scoped if not node.scope.documents]
    chosen = {node.scope.buckets for node in asked}
    for number, buckets in enumerate(dict.fromkeys(node.scope.buckets for node in asked)):
        places = tuple(ParameterPlace(node=node.id) for node in asked if node.scope.buckets == buckets)
        of = "" if len(chosen) == 1 else f" of {', '.join(place.node for place in places)}"
        yield Parameter(
            name=BUCKET if not number else f"{BUCKET}_{number + 1}",
            type="bucket",
            title=f"Buckets{of}",
            default=buckets,
            many=True,
            places=places,
        )


def _of_condition(
    place: ParameterPlace, condition: Condition, entry: FieldEntry | None
) -> Iterator[Parameter]:
    if isinstance(condition.value, Reference | OtherField) or condition.op in _WITHOUT:
        return
    name = re.sub(r"[^a-z0-9_.-]+", "_", condition.field.casefold()).strip("_.-") or "value"
    name = name if name[0].isalpha() else f"value_{name}"
    kind: ParameterType = entry.type.value if entry is not None else "text"
    is_mention = condition.op in (Operator.CONTAINS, Operator.MATCHES)
    if is_mention:
        kind = "text"
    elif condition.minus:
        kind = "duration"
    title = (entry.title if entry is not None else condition.field)[:150]
    options = entry.options if entry is not None and entry.type is FieldType.ENUM else ()
    shared = {"type": kind, "field": condition.field, "options": options}
    if condition.op is Operator.BETWEEN:
        for at, (end, value) in enumerate(zip(("from", "to"), condition.texts, strict=False)):
            own = {"name": f"{name[:70]}_{end}", "title": f"{title}, {end}", "default": (value,)}
            at_end = place.model_copy(update={"at": at})
            yield Parameter.model_validate({**shared, **own, "places": (at_end,)})
        return
    said = "" if is_mention else OPERATORS[condition.op].purpose
    own = {"name": name[:70], "title": f"{title}, {said}" if said else title, "default": condition.texts}
    many = condition.op in _SEVERAL
    yield Parameter.model_validate({**shared, **own, "many": many, "places": (place,)})


def _free(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def _read(parameter: Parameter, given: Sequence[str] | str) -> tuple[str, ...]:
    values = tuple(value.strip() for value in ((given,) if isinstance(given, str) else given))
    wanted = "one or more values" if parameter.many else "one value"
    is_fitting = parameter.type == "bucket" or (values and all(values))
    if not is_fitting or (len(values) > 1 and not parameter.many):
        raise UsageError(
            f"The parameter {parameter.name!r} ({parameter.title}) takes {wanted}, and was given "
            f"{len([value for value in values if value])}.",
            next_step="Write its value, or leave the parameter out to keep the audit's own.",
        )
    return tuple(value for value in values if value)


def _put(plan: Plan, parameter: Parameter, values: tuple[str, ...]) -> Plan:
    """The plan with these values at the places of a parameter."""
    left = {(each.node, each.condition, each.choice): each for each in parameter.places}

    def put(at: ParameterPlace, condition: Condition) -> Condition:
        place = left.pop((at.node, at.condition, at.choice), None)
        return condition if place is None else _with(condition, place, values, parameter)

    nodes: list[Node] = []
    for node in plan.nodes:
        if isinstance(node, ScopedNode) and left.pop((node.id, None, None), None) is not None:
            node = node.model_copy(update={"scope": node.scope.model_copy(update={"buckets": values})})
        nodes.append(_each(node, put))
    for name, *_ in left:
        raise _misplaced(parameter, name)
    return plan.model_copy(update={"nodes": tuple(nodes)})


def _with(
    condition: Condition, place: ParameterPlace, values: tuple[str, ...], parameter: Parameter
) -> Condition:
    if isinstance(condition.value, Reference | OtherField):
        raise _misplaced(parameter, place.node)
    if place.at is not None:
        both = condition.texts
        if place.at >= len(both):
            raise _misplaced(parameter, place.node)
        value: str | tuple[str, ...] = (*both[: place.at], values[0], *both[place.at + 1 :])
    else:
        value = values if condition.op in _SEVERAL else values[0]
    return condition.model_copy(update={"value": value})


def _each(node: Node, change: Callable[[ParameterPlace, Condition], Condition]) -> Node:
    """The node with changed conditions, and a purpose that names their values where it named the old ones."""
    if not isinstance(node, SelectionNode):
        return node
    changed = [(place.condition, old, change(place, old)) for place, old in _conditions(node)]
    purpose = node.purpose
    for _, old, new in changed:
        if new != old and (said := values_text(old)):
            purpose = purpose.replace(said, values_text(new), 1)[:300]
    made: list[Condition | Choice] = []
    for number, clause in enumerate(node.conditions):
        own = tuple(new for at, _, new in changed if at == number)
        made.append(Choice(any_of=own) if isinstance(clause, Choice) else own[0])
    return node.model_copy(update={"conditions": tuple(made), "purpose": purpose})


def _misplaced(parameter: Parameter, node: str) -> UsageError:
    return UsageError(
        f"The parameter {parameter.name!r} stands at a condition of node {node!r} that is not there.",
        next_step="Save the audit again: its parameters are then found anew.",
    )
