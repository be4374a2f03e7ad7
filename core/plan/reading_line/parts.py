"""The parts of a plan as a person reads them in one line: `contracts · governing law Delaware · count`.

They follow from the plan alone, so they are right whichever planner made it, and after any change of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from core.domain.annotation import Calculation
from core.domain.answer import Kind, PartAction, PartKind, ReadingPart, Route
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.value_text import shown
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry, document_title
from core.plan.compile.compiler import MANY_GROUPS
from core.plan.conversation_state import base_of
from core.plan.ir.node import (
    Choice,
    ComputationNode,
    Condition,
    Node,
    OtherField,
    Reference,
    ScopedNode,
    SelectionNode,
    SidesNode,
    clause_parts,
    referenced,
    schema_of,
    without_aspect,
)
from core.plan.ir.nodes import Connect, Plan, spec_of
from core.plan.ir.verbalise import KIND, OPERATORS
from core.plan.kinds import NAME
from core.text.nouns import plural
from core.text.titles import phrase
from core.values.canonical import read_value

MOST_VALUES = 4  # of a list that a part names
_CALLED = {"agreement": "contract"}
"""Kinds of documents that people call by another word."""
_ASPECTS = {"unit": "currency"}
SEPARATOR = " · "
MOST_TITLES = 2
_JOINTS = {"and": "and also", "or": "or", "not": "but not"}
_OUTCOMES = {
    "values": "compare {}",
    "difference": "difference of {}",
    "excess": "how much more",
    "shortfall": "how much less",
    "more": "is it more?",
    "less": "is it less?",
    "greatest": "which has the most",
    "least": "which has the least",
}
_OF_FIELD = {
    Calculation.SUM: "sum of {}",
    Calculation.AVG: "average {}",
    Calculation.MEDIAN: "median {}",
    Calculation.DISTINCT: "different values of {}",
    Calculation.COUNT: "count of {}",
}
_ENDS = {FieldType.DATE: ("earliest", "latest"), FieldType.DURATION: ("shortest", "longest")}
_DECIDED = {"any": "is there any", "all": "are all of them so"}
_OF_NAME: tuple[PartAction, ...] = ("field", "remove")
_COMBINED = {"less": "less", "rest": "less", "plus": "plus", "times": "times", "per": "per"}
_SHARED = {"all": "in common", "first": "only in the first"}


def kind_word(kind: str) -> str:
    """Documents of a kind, as people call several: `purchase_order` -> `purchase orders`."""
    return plural(_CALLED.get(kind, kind.replace("_", " ")))


def either(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or 12 more`."""
    if len(words) > MOST_VALUES:
        words = [*words[: MOST_VALUES - 1], f"{len(words) - MOST_VALUES + 1:,} more"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}" if words else ""


@dataclass(frozen=True, slots=True)
class PartWords:
    """Words for conditions on documents of a schema ("" for any)."""

    catalogue: Catalogue
    schema: str

    def _entry(self, name: str) -> FieldEntry | None:
        return self.catalogue.field(without_aspect(name), self.schema)

    def type_of(self, name: str) -> FieldType:
        """The type of what a condition on that name compares; text where it is not known."""
        is_unit = name != without_aspect(name) and name.endswith(".unit")
        entry = self._entry(name) if not is_unit else None
        return entry.type if entry is not None else FieldType.TEXT

    def title(self, name: str) -> str:
        """A field as a line names it: `year of effective date`."""
        entry, stem = self._entry(name), without_aspect(name)
        aspect = name[len(stem) + 1 :]
        said = phrase(entry.title) if entry is not None else stem.replace("_", " ")
        return f"{_ASPECTS.get(aspect, aspect)} of {said}" if aspect else said

    def clause(self, clause: Condition | Choice) -> str:
        """A condition, or several of which one must hold; without the title where it is the same again."""
        parts = clause_parts(clause)
        first = parts[0]
        if len(parts) == 1:
            return self.condition(first)
        if organisations := self._on_any_side(parts):
            return f"with {either(organisations)}"
        if other := negated_value(clause):
            return self.condition(other)
        if all(each.op is Operator.CONTAINS and each.field == NAME for each in parts):
            return self._called([str(each.value) for each in parts])
        words = [self.condition(each) for each in parts]
        title = f"{self.title(first.field)} "
        same = all(each.field == first.field for each in parts)
        rest = [each.removeprefix(title) if same else each for each in words[1:]]
        return either([words[0], *dict.fromkeys(rest)])

    def condition(self, condition: Condition) -> str:
        """One condition: `governing law Delaware`, `no force majeure`, `contract value above USD 100,000`."""
        title, op, value = self.title(condition.field), condition.op, condition.value
        if condition.minus:
            other = self.title(condition.minus)
            title = f"time from {other} to {title}"
        if op is Operator.MISSING or (op, value) == (Operator.EQUAL, "false"):
            return f"no {title}"
        if (op, value) in ((Operator.IS, "present"), (Operator.EQUAL, "true")):
            return f"with {title}"
        if op is Operator.IS:
            return f"{title} {value}"
        if op is Operator.CONTAINS and condition.field == NAME:
            return self._called([str(value)])
        if op is Operator.EQUAL and isinstance(value, OtherField):
            return f"{title} the same as {self.title(value.field)}"
        return f"{title} {self.value(condition)}".strip()

    def value(self, condition: Condition) -> str:
        """The value with its comparison, as a person may write it: `after 3 Oct 2024`, `Texas or Iowa`."""
        value, op = condition.value, condition.op
        kind = self.type_of(condition.field)
        kind = FieldType.DURATION if condition.minus and kind is FieldType.DATE else kind
        words = OPERATORS[op]
        sign = words.date if kind is FieldType.DATE and words.date else words.purpose
        if isinstance(value, Reference):
            return f"{sign} that".strip()
        if isinstance(value, OtherField):
            return f"{sign} {self.title(value.field)}".strip()
        values = condition.texts
        if op in (Operator.MISSING, Operator.IS) or not values:
            return ""
        if op is Operator.BETWEEN and len(values) == 2:
            low, high = (self._shown(each, kind) for each in values)
            return period(*values) if kind is FieldType.DATE else f"from {low} to {high}"
        said = [self._shown(each, kind) for each in values]
        if op in (Operator.CONTAINS, Operator.MATCHES):
            return f"{sign} “{either(said)}”"
        if op is Operator.NOT_EQUAL:
            return f"not {either(said)}"
        return f"{sign} {either(said)}".strip() if op is not Operator.IN else either(said)

    def written(self, condition: Condition) -> str:
        """The value as it stands in a box where it can be changed: `Texas`, `after 3 Oct 2024`, `lease`."""
        value, plain = condition.value, (Operator.CONTAINS, Operator.MATCHES, Operator.NOT_EQUAL)
        if condition.op not in plain or not isinstance(value, str | tuple):
            return self.value(condition)
        kind = self.type_of(condition.field)
        return either([self._shown(each, kind) for each in condition.texts])

    def _shown(self, text: str, kind: FieldType) -> str:
        if kind is FieldType.PARTY:
            return next((each.name for each in self.catalogue.parties if each.normal == text), text)
        value = read_value(text, kind)
        return shown(value) if value is not None else text

    def _on_any_side(self, parts: tuple[Condition, ...]) -> list[str]:
        """The organisations that alternatives look for in the same several fields; [] for any others."""
        fields: dict[str, set[str]] = {}
        for each in parts:
            is_named = each.op is Operator.EQUAL and self.type_of(each.field) is FieldType.PARTY
            if not is_named or not isinstance(each.value, str | Reference):
                return []
            fields.setdefault(self.value(each), set()).add(each.field)
        sides = list(fields.values())
        are_same = len(sides[0]) > 1 and all(each == sides[0] for each in sides)
        return list(fields) if are_same else []

    def _called(self, words: list[str]) -> str:
        """The noun that stands for words of a title, else that it has them."""
        schema = self.catalogue.schema(self.schema)
        nouns = [each.word for each in schema.nouns if set(each.titles) == set(words)] if schema else []
        return plural(max(nouns, key=len)) if nouns else f"called {either([f'“{word}”' for word in words])}"


def negated_value(clause: Condition | Choice) -> Condition | None:
    """The condition of a clause that says "another value, or none"; None for any other clause."""
    parts = clause_parts(clause)
    if len(parts) < 2 or parts[0].op is not Operator.NOT_EQUAL:
        return None
    rest = {(each.field, each.op, each.value) for each in parts[1:]}
    none, unsure = (parts[0].field, Operator.MISSING, ()), (parts[0].field, Operator.IS, "uncertain")
    return parts[0] if none in rest and rest <= {none, unsure} else None


def subject_words(schema: SchemaEntry | None, kind: Condition | None) -> str:
    """The documents asked about: `contracts`, `amendments`, `invoices and receipts`, `documents`."""
    if kind is not None and isinstance(kind.value, str | tuple):
        said = either([kind_word(each) for each in kind.texts])
        if said:
            return f"not {said}" if kind.op is Operator.NOT_EQUAL else said
    return phrase(schema.title) if schema is not None else "documents"


def is_kind(clause: Condition | Choice) -> bool:
    """True for the condition that says of which kind the documents are."""
    said = (Operator.EQUAL, Operator.IN)
    return isinstance(clause, Condition) and clause.field == KIND and clause.op in said


def period(first: str, last: str) -> str:
    """Days from one to another, both included: `in 2025`, `in Q1 2025`, `in Mar 2025`, `from ... to ...`."""
    try:
        low, high = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        return f"from {first} to {last}"
    behind = min(high, date.max - timedelta(days=1)) + timedelta(days=1)
    months = (behind.year - low.year) * 12 + behind.month - low.month
    if low.day == 1 and behind.day == 1:
        if months == 12 and low.month == 1:
            return f"in {low.year}"
        if months == 3 and low.month % 3 == 1:
            return f"in Q{low.month // 3 + 1} {low.year}"
        if months == 1:
            return f"in {low:%b} {low.year}"
    return f"from {low.day} {low:%b} {low.year} to {high.day} {high:%b} {high.year}"


def reading_parts(plan: Plan, catalogue: Catalogue) -> tuple[ReadingPart, ...]:
    """The parts of a plan, in the order in which they are read; () of a plan without nodes."""
    if plan.answer_node is None:
        return ()
    sure = [*((note.node, note.confidence) for note in plan.notes), ("", 1.0)]
    parts = [(p, min(c for node, c in sure if node in ("", p.node))) for p in _Line(plan, catalogue).parts()]
    return tuple(p if c >= p.confidence else p.model_copy(update={"confidence": c}) for p, c in parts)


def reading_text(plan: Plan, catalogue: Catalogue) -> str:
    """The same as one line."""
    return SEPARATOR.join(part.text for part in reading_parts(plan, catalogue))


def clause_groups(node: SelectionNode) -> list[tuple[int, ...]]:
    """The clauses of a selection by their numbers, together where one part says them: that an organisation is
    on no side of a contract takes a clause for each side.
    """
    groups: list[tuple[int, ...]] = []
    for number, clause in enumerate(node.conditions):
        last = negated_value(node.conditions[groups[-1][0]]) if groups else None
        now = negated_value(clause)
        if last and now and last.value == now.value and last.field != now.field:
            groups[-1] = (*groups[-1], number)
        else:
            groups.append((number,))
    return groups


@dataclass(slots=True)
class _Line:
    """The line of one plan while it is made; subject: the last that it names, which is not said twice."""

    plan: Plan
    catalogue: Catalogue
    subject: str = ""

    def parts(self) -> Iterator[ReadingPart]:
        assert self.plan.answer_node is not None
        answer = self.plan.node(self.plan.answer_node)
        yield from self._node(answer.id, set())
        if (
            not isinstance(answer, (ComputationNode, SidesNode, Connect))
            and self.plan.route is Route.STRUCTURED
        ):
            actions: tuple[PartAction, ...] = ("operation",) if base_of(self.plan) is not None else ()
            yield _part(answer, "operation", self._listing(answer), *actions)

    def _node(self, id: str, seen: set[str]) -> Iterator[ReadingPart]:
        """The parts of a node, behind those of the nodes that it takes in; each node once."""
        if id in seen:
            return
        seen.add(id)
        node = self.plan.node(id)
        joint = _JOINTS.get(spec_of(node).joins(node), "")
        for number, name in enumerate(node.inputs):
            if joint and number:
                yield _part(node, "operation", joint)
            yield from self._node(name, seen)
        if isinstance(node, SelectionNode):
            yield from self._selection(node)
        elif isinstance(node, ComputationNode):
            yield from self._computation(node)
        elif isinstance(node, SidesNode):
            yield from self._sides(node)
        elif isinstance(node, ScopedNode):
            yield from self._documents(node)
            is_search = spec_of(node).source == "index"
            yield _part(node, "search", "search of the text" if is_search else phrase(node.purpose))
        elif not joint:
            yield _part(node, "search", phrase(node.purpose))

    def _words(self, node: Node) -> PartWords:
        nodes = {each.id: each for each in self.plan.nodes}
        return PartWords(self.catalogue, schema_of(node, nodes))

    def _selection(self, node: SelectionNode) -> Iterator[ReadingPart]:
        words = self._words(node)
        yield from self._subject(node)
        yield from self._documents(node)
        for numbers in clause_groups(node):
            if not is_kind(node.conditions[numbers[0]]):
                yield _of_clauses(node, numbers, words)
        changes = _OF_NAME if len(node.fields) > 1 or self.plan.kind is not Kind.LOOKUP else _OF_NAME[:1]
        for number, name in enumerate(node.fields):
            if node.id == self.plan.answer_node and name != node.order_by:
                yield _part(node, "field", words.title(name), *changes, places=(number,), field=name)
        if node.order_by:
            yield _order(node, node.order_by, node.descending, node.limit or 0, words)

    def _subject(self, node: SelectionNode) -> Iterator[ReadingPart]:
        kinds = [each for each in node.conditions if isinstance(each, Condition) and is_kind(each)]
        schema = self.catalogue.schema(node.scope.schema_name)
        text = subject_words(schema, kinds[0] if kinds else None)
        narrowing = set(node.inputs) - set(referenced(node.conditions))
        if text != self.subject and not (narrowing and text == "documents"):
            self.subject = text
            said = f"readable {text}" if node.scope.readable else text
            yield _part(node, "subject", said, "subject", value=node.scope.schema_name)

    def _documents(self, node: ScopedNode) -> Iterator[ReadingPart]:
        ids = node.scope.documents
        if not ids:
            return
        titles = [document_title(id, self.catalogue) for id in ids[:MOST_TITLES]]
        text = either(titles) if len(ids) <= MOST_TITLES else f"{len(ids):,} documents"
        yield _part(node, "document", text, "remove")

    def _computation(self, node: ComputationNode) -> Iterator[ReadingPart]:
        words = self._words(node)
        for number, name in enumerate(node.group_by):
            yield _part(node, "group", f"by {words.title(name)}", *_OF_NAME, places=(number,), field=name)
        if node.top:
            text = f"{'top' if node.descending else 'bottom'} {node.top:,}"
            if node.top >= MANY_GROUPS:
                text = f"{'highest' if node.descending else 'lowest'} first"
            yield _part(node, "order", text, "value", "turn", "remove", value=str(node.top))
        is_answer = node.id == self.plan.answer_node and base_of(self.plan) is not None
        actions: list[PartAction] = ["operation"] if is_answer else []
        actions += ["field"] if node.field else []
        text = (_SHARED.get(node.shared) or _computed(node, words)) + (node.into and f" in {node.into}")
        yield _part(node, "operation", text, *actions, field=node.field, value=node.function.value)

    def _sides(self, node: SidesNode) -> Iterator[ReadingPart]:
        words = self._words(node)
        for number, name in enumerate(node.fields):
            title = words.title(name)
            text = _OF_FIELD[node.function].format(title) if node.function else title
            changes = _OF_NAME if len(node.fields) > 1 else _OF_NAME[:1]
            yield _part(node, "field", text, *changes, places=(number,), field=name)
        text = _OUTCOMES[node.outcome].format(" and ".join(node.labels))
        yield _part(node, "operation", text + (node.into and f" in {node.into}"))

    def _listing(self, answer: Node) -> str:
        """The operation of a plan whose answer is a set."""
        if self.plan.decides:
            return _DECIDED.get(self.plan.decides, "yes or no")
        if self.plan.kind is not Kind.LOOKUP or not isinstance(answer, SelectionNode):
            return "list"
        if answer.fields:
            return "look up"
        return "yes or no" if answer.scope.documents else "is there any"


def _part(node: Node, kind: PartKind, text: str, *actions: PartAction, **rest: Any) -> ReadingPart:
    return ReadingPart(text=text, node=node.id, kind=kind, actions=actions, **rest)


def _computed(node: ComputationNode, words: PartWords) -> str:
    if not node.field:
        return "count"
    title = words.title(node.field)
    if node.combined:
        scale = f"{node.scale} " if node.scale > 1 else ""
        title = f"{title} {_COMBINED[node.combined]} {scale}{words.title(node.other)}"
    if node.function in (Calculation.MIN, Calculation.MAX):
        return f"{_end(node.field, node.function is Calculation.MAX, words)} {title}"
    return _OF_FIELD[node.function].format(title)


def _end(name: str, is_highest: bool, words: PartWords) -> str:
    lowest, highest = _ENDS.get(words.type_of(name), ("lowest", "highest"))
    return highest if is_highest else lowest


def _order(node: SelectionNode, name: str, descending: bool, limit: int, words: PartWords) -> ReadingPart:
    text = f"{_end(name, descending, words)} {words.title(name)}"
    if limit != 1:
        text = f"{limit:,} with the {text}" if limit else f"{text} first"
    actions: tuple[PartAction, ...] = ("field", "turn", *(("value",) if limit else ()), "remove")
    return _part(node, "order", text, *actions, field=name, value=str(limit or ""))


def _of_clauses(node: SelectionNode, numbers: tuple[int, ...], words: PartWords) -> ReadingPart:
    """A condition as a part; several clauses that say that an organisation is on no side are one."""
    clause = node.conditions[numbers[0]]
    other, parts = negated_value(clause), clause_parts(clause)
    first, is_joint = other or parts[0], other is not None and len(numbers) > 1
    text = f"without {words.written(first)}" if is_joint else words.clause(clause)
    differs = other is None and len({(each.op, each.value) for each in parts}) > 1
    value = "" if differs else words.written(first)
    actions = _actions(parts, words, is_one=len(numbers) == 1, differs=differs)
    return _part(node, "condition", text, *actions, places=numbers, field=first.field, value=value)


def _actions(
    parts: tuple[Condition, ...], words: PartWords, *, is_one: bool, differs: bool
) -> Iterator[PartAction]:
    """Changes that a condition allows. differs: its alternatives compare with different values."""
    first = parts[0]
    is_fixed = any(isinstance(each.value, Reference | OtherField) or each.minus for each in parts)
    is_whole = without_aspect(first.field) == first.field
    has_values = words.type_of(first.field) is not FieldType.BOOLEAN and not differs
    can_lack = is_whole and not differs
    is_there = first.op is Operator.IS or (first.op is Operator.EQUAL and first.value == "true")
    plain = (Operator.MISSING, Operator.IS, Operator.CONTAINS, Operator.MATCHES)
    is_not = first.op is Operator.NOT_EQUAL and not differs
    allowed: dict[PartAction, bool] = {
        "field": is_one and is_whole,
        "value": has_values,
        "is" if is_not else "is_not": differs or (has_values and first.op not in plain),
        "there": can_lack and not is_there,
        "missing": can_lack and first.op is not Operator.MISSING,
    }
    yield from (action for action, can in allowed.items() if can and not is_fixed)
    yield "remove"
