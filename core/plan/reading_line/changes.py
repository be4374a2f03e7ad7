"""Changes of a reading: another field, value or operation in one part, or a part turned round or removed.

A change gives a whole plan, which `core.plan.ir.validate` checks before it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import TypeVar

from pydantic import Field

from core.domain.annotation import Calculation
from core.domain.answer import Frozen, Kind, PartAction, PartKind
from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.errors import UsageError
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.compile.formula import (
    Both,
    Either,
    Formula,
    as_condition,
    clauses,
    is_except,
    negated,
    plain_conditions,
)
from core.plan.ir.graph_edits import purpose_of, with_node
from core.plan.ir.hashing import ancestors
from core.plan.ir.node import (
    Choice,
    ComputationNode,
    Condition,
    Node,
    ScopedNode,
    SelectionNode,
    SidesNode,
    clause_parts,
    referenced,
    schema_of,
    without_aspect,
)
from core.plan.ir.nodes import Plan, spec_of
from core.plan.ir.steps import PlanSteps
from core.plan.ir.verbalise import KIND
from core.plan.reading_line.parts import base_of, clause_groups, reading_parts
from core.plan.reading_line.values import condition_of
from core.plan.reading_line.words import is_kind, negated_value
from core.values.canonical import read_value

S = TypeVar("S", bound=ScopedNode)

LIST, COUNT, EXISTS, GROUP = "list", "count", "exists", "group"
"""Operations beside the names of calculations: what may be done with a set of documents."""


class ReadingChange(Frozen):
    """A change of one part of a reading, by where the part stands in the plan.

    to: of "field" its name; of "value" what a person wrote; of "subject" a schema and, behind a slash, a kind
    of document; of "operation" `list`, `count`, `exists`, `group:FIELD` or a calculation as `sum:FIELD`.
    """

    node: str = Field(max_length=50)
    kind: PartKind
    places: tuple[int, ...] = Field(default=(), max_length=50)
    action: PartAction
    to: str = Field(default="", max_length=500)


def changed(plan: Plan, change: ReadingChange, catalogue: Catalogue, today: date) -> Plan:
    """The plan with a part changed, its nodes worded anew. Raises UsageError where that cannot be done."""
    places = set(change.places)
    part = next(
        (
            each
            for each in reading_parts(plan, catalogue)
            if (each.node, each.kind) == (change.node, change.kind) and set(each.places) == places
        ),
        None,
    )
    if part is None or change.action not in part.actions:
        raise UsageError(
            "This part of the reading cannot be changed so any more.", next_step="Open the answer anew."
        )
    if change.action == "operation":
        return _checked(_worded(_operated(plan, change.to), catalogue), catalogue)
    node = plan.node(change.node)
    if isinstance(node, SelectionNode):
        now: Node = _Selection(plan, node, change, catalogue, today).changed()
    elif isinstance(node, ComputationNode):
        now = _computation(node, change)
    elif isinstance(node, SidesNode):
        now = node.model_copy(update={"fields": _renamed(node.fields, change)})
    elif isinstance(node, ScopedNode):
        now = _without_documents(node)
    else:
        raise UsageError("This part of the reading cannot be changed.", next_step="Change it in the plan.")
    return _checked(_worded(with_node(plan, now), catalogue, node.id), catalogue)


def _worded(plan: Plan, catalogue: Catalogue, *changed: str) -> Plan:
    """The plan without nodes that nothing needs, and its purposes as it is now; notes of old words go."""
    assert plan.answer_node is not None
    needed = ancestors(plan, plan.answer_node)
    plan = plan.model_copy(update={"nodes": tuple(each for each in plan.nodes if each.id in needed)})
    for node in plan.nodes:
        if node.id in changed or isinstance(node, ComputationNode):
            plan = with_node(plan, node.model_copy(update={"purpose": purpose_of(node, plan, catalogue)}))
    kept = tuple(note for note in plan.notes if note.node and note.node not in changed)
    return plan.model_copy(
        update={"notes": kept, "fallbacks": (), "single": "", "asked": "", "reading": None}
    )


def _checked(plan: Plan, catalogue: Catalogue) -> Plan:
    """The plan, where its documents have all fields that it asks for, in an order where it needs one."""
    nodes = {each.id: each for each in plan.nodes}
    for node in plan.nodes:
        if any(isinstance(each, SelectionNode) and each.of == "rows" for each in _beside(node, nodes)):
            continue
        name = schema_of(node, nodes)
        schema = catalogue.schema(name)
        whom = schema.title if schema is not None else "These documents"
        for field in dict.fromkeys(without_aspect(each) for each in spec_of(node).fields(node) if each):
            if catalogue.field(field, name) is None:
                known = catalogue.field(field)
                title = known.title if known is not None else field
                raise UsageError(
                    f"{whom} have no field “{title}”.",
                    next_step="Take the part out that asks for it first, or choose another.",
                )
        for field in _ordering(node):
            entry = catalogue.field(field, name)
            if entry is not None and entry.type not in ORDERED:
                raise UsageError(
                    f"{entry.title} has no highest and lowest.",
                    next_step="Choose an amount, a number or a date.",
                )
    return plan


def _beside(node: Node, nodes: Mapping[str, Node]) -> list[Node]:
    return [node, *(nodes[id] for id in node.inputs)]


def _ordering(node: Node) -> tuple[str, ...]:
    """Fields of a node that need an order."""
    if isinstance(node, SelectionNode):
        return (node.order_by,) if node.order_by else ()
    ends = (Calculation.MIN, Calculation.MAX)
    return (node.field,) if isinstance(node, ComputationNode) and node.function in ends else ()


class _Selection:
    """Changes of a selection, each for one kind of part."""

    def __init__(
        self, plan: Plan, node: SelectionNode, change: ReadingChange, catalogue: Catalogue, today: date
    ) -> None:
        self._node = node
        self._change = change
        self._catalogue = catalogue
        self._today = today
        self._schema = schema_of(node, {each.id: each for each in plan.nodes})

    def changed(self) -> SelectionNode:
        """The selection as it is then."""
        ways: dict[PartKind, Callable[[], SelectionNode]] = {
            "subject": self._subject,
            "condition": self._condition,
            "field": self._field,
            "order": self._order,
            "document": lambda: _without_documents(self._node),
        }
        return ways[self._change.kind]()

    def _subject(self) -> SelectionNode:
        schema, _, kind = self._change.to.partition("/")
        if schema and self._catalogue.schema(schema) is None:
            raise UsageError(f"There are no documents of the kind {schema!r}.", next_step="Choose another.")
        conditions = tuple(each for each in self._node.conditions if not is_kind(each))
        if kind:
            own = Condition(field=KIND, op=Operator.EQUAL, value=kind, narrows=True)
            conditions = (own, *conditions)
        scope = self._node.scope.model_copy(update={"schema_name": schema})
        return self._with(scope=scope, conditions=conditions)

    def _condition(self) -> SelectionNode:
        numbers = set(self._change.places)
        group = next(each for each in clause_groups(self._node) if set(each) == numbers)
        old = [self._node.conditions[number] for number in group]
        ways: dict[PartAction, Callable[[], Iterable[Condition | Choice]]] = {
            "remove": lambda: (),
            "field": lambda: self._of_field(old),
            "value": lambda: self._of_value(old),
            "is_not": lambda: self._negated(old),
            "is": lambda: (_affirmed(old),),
            "there": lambda: (self._stated(old, is_there=True),),
            "missing": lambda: (self._stated(old, is_there=False),),
        }
        now = tuple(ways[self._change.action]())
        before = self._node.conditions[: group[0]]
        after = [each for at, each in enumerate(self._node.conditions) if at > group[0] and at not in numbers]
        return self._with(conditions=(*before, *now, *after))

    def _of_field(self, old: list[Condition | Choice]) -> tuple[Condition | Choice, ...]:
        """The same asked of another field; where its values are of another type, that it is stated."""
        name, parts = self._change.to, clause_parts(old[0])
        if self._node.of == "rows":
            return (_on(old[0], name),)
        entry = self._entry(name)
        if all(_is_existence(each) for each in parts):
            return (self._existence(entry, is_there=parts[0].op is not Operator.MISSING),)
        fits = all(_fits(each, entry) for each in parts)
        if fits and len({(each.op, each.value) for each in parts}) == 1:
            return (parts[0].model_copy(update={"field": name}),)
        if fits and len({each.field for each in parts}) == 1:
            return (_on(old[0], name),)
        is_missing = parts[0].op in (Operator.MISSING, Operator.NOT_EQUAL)
        return (self._existence(entry, is_there=not is_missing),)

    def _of_value(self, old: list[Condition | Choice]) -> list[Condition | Choice]:
        """The same of another value, denied where the old one was."""
        denied = [negated_value(each) for each in old]
        first = denied[0] or clause_parts(old[0])[0]
        now = self._value(first)
        if denied[0] is not None or first.op is Operator.NOT_EQUAL:
            if not isinstance(now, Condition) or now.op is not Operator.EQUAL:
                raise UsageError("One value can be left out at a time.", next_step="Write one value.")
            return [_instead(each, now.value) for each in old]
        sides = [each.field for each in clause_parts(old[0])]
        if len(set(sides)) > 1 and isinstance(now, Condition):
            return [Choice(any_of=tuple(now.model_copy(update={"field": name}) for name in sides))]
        narrows = clause_parts(old[0])[0].narrows
        return [now.model_copy(update={"narrows": narrows}) if isinstance(now, Condition) else now]

    def _value(self, before: Condition) -> Condition | Choice:
        if self._node.of == "rows":
            return _of_cell(self._change.to, before)
        if (stem := without_aspect(before.field)) != before.field:
            is_money = self._entry(stem).type is FieldType.MONEY
            return _of_cell(self._change.to.upper() if is_money else self._change.to, before)
        entry = self._entry(before.field)
        return condition_of(self._change.to, entry, before, self._catalogue, self._today)

    def _negated(self, old: list[Condition | Choice]) -> list[Condition | Choice]:
        made: list[Formula] = [Either(clause_parts(each)) for each in old]
        split = clauses(negated(Both(tuple(made)))) or []
        if not split or any(is_except(each) for each in split):
            raise UsageError("The opposite of this is no condition.", next_step="Change its value instead.")
        return [as_condition(plain_conditions(each)) for each in split]

    def _stated(self, old: list[Condition | Choice], *, is_there: bool) -> Condition:
        return self._existence(self._entry(clause_parts(old[0])[0].field), is_there=is_there)

    def _existence(self, entry: FieldEntry, *, is_there: bool) -> Condition:
        if not is_there:
            return Condition(field=entry.name, op=Operator.MISSING)
        if entry.type is FieldType.BOOLEAN:
            return Condition(field=entry.name, op=Operator.EQUAL, value="true")
        return Condition(field=entry.name, op=Operator.IS, value="present")

    def _field(self) -> SelectionNode:
        return self._with(fields=_renamed(self._node.fields, self._change))

    def _order(self) -> SelectionNode:
        node, action = self._node, self._change.action
        if action == "turn":
            return self._with(descending=not node.descending)
        if action == "value":
            return self._with(limit=_number(self._change.to))
        rest = tuple(name for name in node.fields if name != node.order_by)
        if action == "remove":
            return self._with(order_by="", descending=False, limit=None, fields=rest)
        return self._with(order_by=self._change.to, fields=tuple(dict.fromkeys((*rest, self._change.to))))

    def _entry(self, name: str) -> FieldEntry:
        entry = self._catalogue.field(name, self._schema)
        if entry is None:
            raise UsageError(f"These documents have no field {name!r}.", next_step="Choose another field.")
        return entry

    def _with(self, **parts: object) -> SelectionNode:
        """The selection with other parts; it takes in no value that no condition compares with any more."""
        now = self._node.model_copy(update=parts)
        gone = set(referenced(self._node.conditions)) - set(referenced(now.conditions))
        return now.model_copy(update={"inputs": tuple(each for each in now.inputs if each not in gone)})


def _computation(node: ComputationNode, change: ReadingChange) -> ComputationNode:
    if change.kind == "group":
        names = _renamed(node.group_by, change)
        return node.model_copy(update={"group_by": names, "top": node.top if names else 0})
    if change.kind == "order":
        ways: dict[PartAction, Callable[[], dict[str, object]]] = {
            "turn": lambda: {"descending": not node.descending},
            "value": lambda: {"top": _number(change.to)},
            "remove": lambda: {"top": 0},
        }
        return node.model_copy(update=ways[change.action]())
    return node.model_copy(update={"field": change.to})


def _without_documents(node: S) -> S:
    return node.model_copy(update={"scope": node.scope.model_copy(update={"documents": ()})})


def _operated(plan: Plan, to: str) -> Plan:
    """The plan with another operation over the same documents. Raises UsageError."""
    base = base_of(plan)
    assert base is not None  # else the part allows no other operation
    assert plan.answer_node is not None
    answer = plan.node(plan.answer_node)
    before = answer if isinstance(answer, ComputationNode) else None
    word, _, field = to.partition(":")
    if word in (LIST, EXISTS):
        shown = (*base.fields, *((before.field,) if before is not None and before.field else ()))
        is_list = word == LIST
        fields = tuple(dict.fromkeys(shown)) if is_list else ()
        now = base.model_copy(update={"fields": fields} if is_list else {"fields": (), **_UNORDERED})
        update: dict[str, object] = {
            "answer_node": base.id,
            "kind": Kind.AGGREGATE if is_list else Kind.LOOKUP,
            "decides": "" if is_list else "any",
        }
        return with_node(plan, now).model_copy(update=update)
    function, groups = _calculation(word, field, before)
    steps = PlanSteps(each for each in plan.nodes if before is None or each.id != before.id)
    # Groups are made of what was computed before, or counted.
    measured = {GROUP: before.field if before is not None else "", COUNT: ""}.get(word, field)
    node = steps.aggregate(
        "", (base.id,), function, measured, group_by=groups, reason="chosen in the reading"
    )
    whole = base.model_copy(update={**_UNORDERED, "fields": ()})
    update = {"nodes": tuple(steps.nodes), "answer_node": node.id, "kind": Kind.AGGREGATE, "decides": ""}
    return with_node(plan.model_copy(update=update), whole)


_UNORDERED: dict[str, object] = {"order_by": "", "descending": False, "limit": None}


def _calculation(
    word: str, field: str, before: ComputationNode | None
) -> tuple[Calculation, tuple[str, ...]]:
    groups = before.group_by if before is not None else ()
    if word == GROUP:
        function = before.function if before is not None else Calculation.COUNT
        return function, tuple(dict.fromkeys((*groups, field)))[:3]
    try:
        return Calculation(word), groups
    except ValueError:
        raise UsageError(f"There is no operation {word!r}.", next_step="Choose one of the menu.") from None


def _affirmed(old: list[Condition | Choice]) -> Condition | Choice:
    """The condition that a denial denies: of each field the value itself."""
    denied = [negated_value(each) or clause_parts(each)[0] for each in old]
    found = tuple(each.model_copy(update={"op": Operator.EQUAL}) for each in denied)
    return found[0] if len(found) == 1 else Choice(any_of=found)


def _is_existence(condition: Condition) -> bool:
    """True where a condition only says that something is stated, or is not."""
    is_there = condition.op is Operator.IS and condition.value == "present"
    return is_there or condition.op is Operator.MISSING or condition.value == "true"


def _fits(condition: Condition, entry: FieldEntry) -> bool:
    """True where a condition's values are values of another field, too."""
    if condition.op is Operator.MISSING:
        return True
    if not isinstance(condition.value, str | tuple) or entry.type is FieldType.BOOLEAN:
        return False
    return all(read_value(each, entry.type) is not None for each in condition.texts)


def _on(clause: Condition | Choice, name: str) -> Condition | Choice:
    """A clause on another field."""
    parts = tuple(each.model_copy(update={"field": name}) for each in clause_parts(clause))
    return Choice(any_of=parts) if isinstance(clause, Choice) else parts[0]


def _instead(clause: Condition | Choice, value: object) -> Condition | Choice:
    """A denial with another value."""
    parts = tuple(
        each.model_copy(update={"value": value}) if each.op is Operator.NOT_EQUAL else each
        for each in clause_parts(clause)
    )
    return Choice(any_of=parts) if isinstance(clause, Choice) else parts[0]


def _of_cell(text: str, before: Condition) -> Condition:
    """A condition on a column, or on a currency, with the value as it was written."""
    said = " ".join(text.split())
    if not said:
        raise UsageError("The column needs a value.", next_step="Write one, or remove the condition.")
    value = (said,) if before.op is Operator.IN else said
    op = Operator.EQUAL if before.op in (Operator.BETWEEN, Operator.NOT_EQUAL) else before.op
    return before.model_copy(update={"value": value, "op": op})


def _renamed(names: tuple[str, ...], change: ReadingChange) -> tuple[str, ...]:
    """The names without the one at the place of a change, or with another there."""
    at, now = change.places[0], () if change.action == "remove" else (change.to,)
    return tuple(dict.fromkeys((*names[:at], *now, *names[at + 1 :])))


def _number(text: str) -> int:
    said = text.replace(",", "").strip()
    if not said.isdecimal() or not 0 < int(said) <= 100_000:
        raise UsageError(f"“{text}” is no number of lines.", next_step="Write a whole number, such as 10.")
    return int(said)
