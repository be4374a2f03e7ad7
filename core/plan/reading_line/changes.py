"""Changes of a reading: another field, value or operation in one part, or a part turned round or removed.

A change gives a whole plan, which `core.plan.ir.validate` checks before it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from pydantic import Field

from core.domain.annotation import Calculation
from core.domain.answer import Kind, PartAction, PartKind
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.domain.frozen import Frozen
from core.domain.predicate import INEQUALITIES, Operator
from core.errors import UsageError
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.compile.context import (
    Both,
    Either,
    as_condition,
    clauses,
    is_except,
    negated,
)
from core.plan.compile.names import parties_named
from core.plan.conversation_state import base_of
from core.plan.ir.graph_edits import PlanSteps, purpose_of, with_node
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
from core.plan.ir.verbalise import KIND
from core.plan.readers.trained.condition_values import target_of, values_of
from core.plan.reading_line.parts import is_kind, negated_value, reading_parts
from core.search.classify import clean_question
from core.text.words import word_list
from core.values.canonical import read_value
from core.values.comparisons import amounts_in, comparison_in

LONGEST = 500  # characters
_EXAMPLES = {
    FieldType.DATE: "in 2025, or after 3 October 2024",
    FieldType.MONEY: "above USD 100,000",
    FieldType.DURATION: "at least 60 days",
    FieldType.NUMBER: "below 12.5",
    FieldType.PARTY: "the name of an organisation",
}
_NEGATIVE = word_list("checks", "negative")
_ALTERNATIVES = re.compile(r"\s*(?:,|;|\bor\b)\s*", re.IGNORECASE)
Clause = Condition | Choice
LIST, COUNT, EXISTS, GROUP = "list", "count", "exists", "group"
"""Operations beside the names of calculations: what may be done with a set of documents."""


def condition_of(
    text: str, entry: FieldEntry, before: Condition, catalogue: Catalogue, today: date
) -> Condition | Choice:
    """The condition on a field that a written value stands for: `in 2025`, `above 100k`, `Texas or Iowa`.

    before: the condition as it was; a bare amount or day is compared as there. Raises UsageError where the
    text is no value of the field.
    """
    said = clean_question(text)[:LONGEST].strip()
    if not said:
        raise UsageError(f"{entry.title} needs a value.", next_step="Write one, or remove the condition.")
    if entry.type is FieldType.PARTY:
        return _of_party(said, entry, catalogue)
    if entry.type is FieldType.DATE or entry.type in AMOUNTS:
        return _of_amount(said, entry, before, catalogue, today)
    return _of_text(said, entry, catalogue)


def _of_amount(
    said: str, entry: FieldEntry, before: Condition, catalogue: Catalogue, today: date
) -> Condition | Choice:
    found = values_of(said, "", target_of(entry, catalogue), catalogue, today)
    if not found or _NEGATIVE.intersection(said.casefold().split()):
        raise _unreadable(said, entry)
    if entry.type is not FieldType.DATE:
        count = len(amounts_in(said, entry.type, entry.unit))
        if count > 2 or (count == 1 and comparison_in(said) is Operator.BETWEEN):
            raise _unreadable(said, entry)
    several = [(each.op, each.values[0] if len(each.values) == 1 else each.values) for each in found]
    parts = tuple(Condition(field=entry.name, op=op, value=value) for op, value in several)
    is_bare = len(parts) == 1 and parts[0].op is Operator.EQUAL
    if is_bare and before.field == entry.name and before.op in INEQUALITIES:
        return parts[0].model_copy(update={"op": before.op})
    return parts[0] if len(parts) == 1 else Choice(any_of=parts)


def _of_party(said: str, entry: FieldEntry, catalogue: Catalogue) -> Condition:
    whole = parties_named(said, catalogue)
    named = (whole,) if whole else [parties_named(each, catalogue) for each in _ALTERNATIVES.split(said)]
    found = list(dict.fromkeys(each.normal for one in named for each in one))
    if not found:
        raise UsageError(
            f"No organisation here is called “{said}”.", next_step="Write its name as documents do."
        )
    if len(found) == 1:
        return Condition(field=entry.name, op=Operator.EQUAL, value=found[0])
    return Condition(field=entry.name, op=Operator.IN, value=tuple(found[:50]))


def _of_text(said: str, entry: FieldEntry, catalogue: Catalogue) -> Condition:
    """Values that documents state, or options; other words are looked for within what they state."""
    key = (entry.schema, entry.name)
    stated = (each.text for each in catalogue.values if (each.schema, each.field) == key)
    known = {each.casefold(): each for each in (*entry.options, *stated)}
    if said.casefold() in known:
        return Condition(field=entry.name, op=Operator.EQUAL, value=known[said.casefold()])
    parts = [part for part in _ALTERNATIVES.split(said) if part]
    if len(parts) > 1 and all(part.casefold() in known for part in parts):
        values = tuple(dict.fromkeys(known[part.casefold()] for part in parts))
        return Condition(field=entry.name, op=Operator.IN, value=values)
    if entry.type is FieldType.ENUM:
        listed = ", ".join(sorted(known.values())[:8])
        raise UsageError(f"{entry.title} is never “{said}”.", next_step=f"Choose one of: {listed}.")
    return Condition(field=entry.name, op=Operator.CONTAINS, value=said.strip('“”"'))


def _unreadable(said: str, entry: FieldEntry) -> UsageError:
    example = _EXAMPLES.get(entry.type, "a value")
    return UsageError(
        f"“{said}” cannot be read as a value of {entry.title.lower()}.", next_step=f"Write it as {example}."
    )


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
    at = (change.node, change.kind, set(change.places))
    parts = reading_parts(plan, catalogue)
    part = next((each for each in parts if (each.node, each.kind, set(each.places)) == at), None)
    if part is None or change.action not in part.actions:
        raise UsageError(
            "This part of the reading cannot be changed so any more.", next_step="Open the answer anew."
        )
    if change.action == "operation":
        return _checked(worded(_operated(plan, change.to), catalogue), catalogue)
    node = plan.node(change.node)
    if change.kind == "document" and isinstance(node, ScopedNode):
        now: Node = node.model_copy(update={"scope": node.scope.model_copy(update={"documents": ()})})
    elif isinstance(node, SelectionNode):
        schema = schema_of(node, {each.id: each for each in plan.nodes})
        now = _Selection(node, change, catalogue, today, schema).changed()
    elif isinstance(node, ComputationNode):
        now = _computation(node, change)
    else:
        assert isinstance(node, SidesNode)  # parts of any other node allow no change
        now = node.model_copy(update={"fields": _renamed(node.fields, change)})
    return _checked(worded(with_node(plan, now), catalogue, node.id), catalogue)


def worded(plan: Plan, catalogue: Catalogue, *changed: str) -> Plan:
    """The plan without nodes that nothing needs, and its purposes as it is now; notes of old words go."""
    assert plan.answer_node is not None
    needed = ancestors(plan, plan.answer_node)
    plan = plan.model_copy(update={"nodes": tuple(each for each in plan.nodes if each.id in needed)})
    for node in plan.nodes:
        if node.id in changed or isinstance(node, ComputationNode):
            plan = with_node(plan, node.model_copy(update={"purpose": purpose_of(node, plan, catalogue)}))
    kept = tuple(note for note in plan.notes if note.node and note.node not in changed)
    gone = {"fallbacks": (), "single": "", "asked": "", "reading": None}
    return plan.model_copy(update={"notes": kept, **gone})


def _checked(plan: Plan, catalogue: Catalogue) -> Plan:
    """The plan, where its documents have all fields that it asks for, in an order where it needs one."""
    nodes = {each.id: each for each in plan.nodes}
    for node in plan.nodes:
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
        ordering = node.order_by if isinstance(node, SelectionNode) else ""
        if isinstance(node, ComputationNode) and node.function in (Calculation.MIN, Calculation.MAX):
            ordering = node.field
        entry = catalogue.field(ordering, name) if ordering else None
        if entry is not None and entry.type not in ORDERED:
            raise UsageError(
                f"{entry.title} has no highest and lowest.",
                next_step="Choose an amount, a number or a date.",
            )
    return plan


@dataclass(frozen=True, slots=True)
class _Selection:
    """A change of a selection, each kind of part in its own way."""

    node: SelectionNode
    change: ReadingChange
    catalogue: Catalogue
    today: date
    schema: str

    def changed(self) -> SelectionNode:
        """The selection as it is then; it takes in no value that no condition compares with any more."""
        node, change = self.node, self.change
        match change.kind:
            case "subject":
                parts = self._subject()
            case "condition":
                parts = {"conditions": self._conditions()}
            case "order":
                parts = self._order()
            case _:
                parts = {"fields": _renamed(node.fields, change)}
        now = node.model_copy(update=parts)
        gone = set(referenced(node.conditions)) - set(referenced(now.conditions))
        return now.model_copy(update={"inputs": tuple(each for each in now.inputs if each not in gone)})

    def _subject(self) -> dict[str, object]:
        schema, _, kind = self.change.to.partition("/")
        if schema and self.catalogue.schema(schema) is None:
            raise UsageError(f"There are no documents of the kind {schema!r}.", next_step="Choose another.")
        conditions = tuple(each for each in self.node.conditions if not is_kind(each))
        if kind:
            own = Condition(field=KIND, op=Operator.EQUAL, value=kind, narrows=True)
            conditions = (own, *conditions)
        scope = self.node.scope.model_copy(update={"schema_name": schema})
        return {"scope": scope, "conditions": conditions}

    def _conditions(self) -> tuple[Clause, ...]:
        """The conditions with others in the place of the clauses that the part stands for."""
        numbers, own = set(self.change.places), self.node.conditions
        first = min(numbers)
        after = [each for at, each in enumerate(own) if at > first and at not in numbers]
        return (*own[:first], *self._now([own[at] for at in sorted(numbers)]), *after)

    def _now(self, old: list[Clause]) -> Iterable[Clause]:
        match self.change.action:
            case "remove":
                return ()
            case "field":
                return (self._of_field(old[0]),)
            case "value":
                return self._of_value(old)
            case "is_not":
                return _negated(old)
            case "is":  # of each field the value that is denied
                denied = [negated_value(each) or clause_parts(each)[0] for each in old]
                return (_either([each.model_copy(update={"op": Operator.EQUAL}) for each in denied]),)
            case action:
                entry = self._entry(clause_parts(old[0])[0].field)
                return (_existence(entry, is_there=action == "there"),)

    def _of_field(self, old: Clause) -> Clause:
        """The same asked of another field; where its values are of another type, that it is stated."""
        name, parts = self.change.to, clause_parts(old)
        renamed = _either([each.model_copy(update={"field": name}) for each in parts])
        entry = self._entry(name)
        there = ((Operator.IS, "present"), (Operator.EQUAL, "true"))
        is_bare = all(each.op is Operator.MISSING or (each.op, each.value) in there for each in parts)
        if not is_bare and all(_fits(each, entry) for each in parts):
            return renamed
        is_missing = parts[0].op in (Operator.MISSING, Operator.NOT_EQUAL)
        return _existence(entry, is_there=not is_missing)

    def _of_value(self, old: list[Clause]) -> list[Clause]:
        """The same of another value, denied where the old one was."""
        denied, parts = negated_value(old[0]), clause_parts(old[0])
        now = self._value(denied or parts[0])
        if denied is not None or parts[0].op is Operator.NOT_EQUAL:
            if not isinstance(now, Condition) or now.op is not Operator.EQUAL:
                raise UsageError("One value can be left out at a time.", next_step="Write one value.")
            return [_instead(each, now.value) for each in old]
        if not isinstance(now, Condition):
            return [now]
        sides = dict.fromkeys(each.field for each in parts)
        if len(sides) > 1:
            return [_either([now.model_copy(update={"field": name}) for name in sides])]
        return [now.model_copy(update={"narrows": parts[0].narrows})]

    def _value(self, before: Condition) -> Clause:
        if (stem := without_aspect(before.field)) != before.field:
            is_money = self._entry(stem).type is FieldType.MONEY
            return _of_cell(self.change.to.upper() if is_money else self.change.to, before)
        entry = self._entry(before.field)
        return condition_of(self.change.to, entry, before, self.catalogue, self.today)

    def _order(self) -> dict[str, object]:
        node, to = self.node, self.change.to
        rest = tuple(name for name in node.fields if name != node.order_by)
        match self.change.action:
            case "turn":
                return {"descending": not node.descending}
            case "value":
                return {"limit": _number(to)}
            case "remove":
                return {**_UNORDERED, "fields": rest}
            case _:
                return {"order_by": to, "fields": tuple(dict.fromkeys((*rest, to)))}

    def _entry(self, name: str) -> FieldEntry:
        entry = self.catalogue.field(name, self.schema)
        if entry is None:
            raise UsageError(f"These documents have no field {name!r}.", next_step="Choose another field.")
        return entry


def _computation(node: ComputationNode, change: ReadingChange) -> ComputationNode:
    match change.kind, change.action:
        case "group", _:
            names = _renamed(node.group_by, change)
            parts: dict[str, object] = {"group_by": names, "top": node.top if names else 0}
        case "order", "turn":
            parts = {"descending": not node.descending}
        case "order", action:
            parts = {"top": _number(change.to) if action == "value" else 0}
        case _:
            parts = {"field": change.to}
    return node.model_copy(update=parts)


def _operated(plan: Plan, to: str) -> Plan:
    """The plan with another operation over the same documents. Raises UsageError."""
    base = base_of(plan)
    assert base is not None  # else the part allows no other operation
    assert plan.answer_node is not None
    answer = plan.node(plan.answer_node)
    before = answer if isinstance(answer, ComputationNode) else None
    measured = before.field if before is not None else ""
    word, _, field = to.partition(":")
    if word in (LIST, EXISTS):
        is_list = word == LIST
        fields = dict.fromkeys((*base.fields, *filter(None, (measured,))))
        own: dict[str, object] = {"fields": tuple(fields)} if is_list else {"fields": (), **_UNORDERED}
        update: dict[str, object] = {
            "answer_node": base.id,
            "kind": Kind.AGGREGATE if is_list else Kind.LOOKUP,
            "decides": "" if is_list else "any",
        }
        return with_node(plan, base.model_copy(update=own)).model_copy(update=update)
    groups = before.group_by if before is not None else ()
    if word == GROUP:  # of what was computed before, or counted
        function = before.function if before is not None else Calculation.COUNT
        field, groups = measured, tuple(dict.fromkeys((*groups, field)))[:3]
    elif word in list(Calculation):
        function, field = Calculation(word), "" if word == COUNT else field
    else:
        raise UsageError(f"There is no operation {word!r}.", next_step="Choose one of the menu.")
    steps = PlanSteps(each for each in plan.nodes if each is not before)
    node = steps.aggregate("", (base.id,), function, field, group_by=groups, reason="chosen in the reading")
    whole = base.model_copy(update={**_UNORDERED, "fields": ()})
    update = {"nodes": tuple(steps.nodes), "answer_node": node.id, "kind": Kind.AGGREGATE, "decides": ""}
    return with_node(plan.model_copy(update=update), whole)


_UNORDERED: dict[str, object] = {"order_by": "", "descending": False, "limit": None}


def _either(parts: Iterable[Condition]) -> Clause:
    """That one of some conditions holds, of which there has to be one."""
    found = tuple(dict.fromkeys(parts))
    return found[0] if len(found) == 1 else Choice(any_of=found)


def _negated(old: list[Clause]) -> list[Clause]:
    split = clauses(negated(Both(tuple(Either(clause_parts(each)) for each in old)))) or []
    if not split or any(is_except(each) for each in split):
        raise UsageError("The opposite of this is no condition.", next_step="Change its value instead.")
    return [as_condition(each) for each in split]


def _existence(entry: FieldEntry, *, is_there: bool) -> Condition:
    if not is_there:
        return Condition(field=entry.name, op=Operator.MISSING)
    if entry.type is FieldType.BOOLEAN:
        return Condition(field=entry.name, op=Operator.EQUAL, value="true")
    return Condition(field=entry.name, op=Operator.IS, value="present")


def _fits(condition: Condition, entry: FieldEntry) -> bool:
    """True where a condition's values are values of another field, too."""
    if condition.op is Operator.MISSING:
        return True
    if not isinstance(condition.value, str | tuple) or entry.type is FieldType.BOOLEAN:
        return False
    return all(read_value(each, entry.type) is not None for each in condition.texts)


def _instead(clause: Clause, value: object) -> Clause:
    """A denial with another value."""
    return _either(
        each.model_copy(update={"value": value}) if each.op is Operator.NOT_EQUAL else each
        for each in clause_parts(clause)
    )


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
