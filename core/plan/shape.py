"""The shape of a question: what kind of question it is, with its names, amounts and dates left out.

Two questions of one shape ask the same of other values. What makes the sense of a question stays in its shape
(negations, comparisons, computations, fields), because vectors of sentences tell those apart badly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue
from core.plan.check.polarity import is_negative
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.names import documents_named, parties_named
from core.plan.compile.values import compiled, target_of
from core.plan.ir.nodes import Choice, Condition, Node, OtherField, Plan, Reference, ScopedNode, SelectionNode
from core.plan.kinds import kind_names
from core.plan.reader.reading import SURE_OF_FIELD
from core.plan.reading import ReadCondition, ReadField, Reading, ReadName, Step

_STANDS_FOR = {
    "party": "a company", "document": "a document", "date": "some time", "text": "something",
    "enum": "something",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """text: equal for questions of one shape. slots: the values left out, in order, by name.

    unknown: the words that nothing is called by. masked: the question with plain words for its values.
    """

    text: str
    slots: Mapping[str, str]
    unknown: str
    masked: str


def shape_of(reading: Reading, catalogue: Catalogue) -> QuestionShape:
    """The shape of a question that was read, its values as plans over the catalogue write them."""
    shape = _Shape(CompileContext(catalogue, date.min), reading)  # its dates are dates already
    parts = [f"{len(reading.questions)} questions"] if reading.questions else []
    parts += [word for step in reading.all_steps for word in shape.words(step)]
    unknown = (*reading.uncovered, *shape.unsure, *((reading.question,) if reading.is_of_text else ()))
    parts += ["?"] if unknown else []
    return QuestionShape(" ".join(parts), shape.slots, " ".join(dict.fromkeys(unknown)), shape.masked)


def with_slots(plan: Plan, old: Mapping[str, str], new: Mapping[str, str]) -> Plan | None:
    """The plan with other values in the places of those that differ; None where one of them has no place."""
    if list(old) != list(new):
        return None
    changes = [(value, new[name]) for name, value in old.items() if value != new[name]]
    other = dict(changes)
    if len(other) < len(changes):
        return None  # one value in two places, which are to be two
    met: set[str] = set()
    nodes = tuple(_swapped(node, other, met) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes}) if met == set(other) else None


@dataclass(slots=True)
class _Shape:
    """A shape while it is made. unsure: words whose field is a guess."""

    context: CompileContext
    reading: Reading
    slots: dict[str, str] = field(default_factory=dict)
    unsure: list[str] = field(default_factory=list)
    masked: str = ""

    def __post_init__(self) -> None:
        self.masked = self.reading.question

    def words(self, step: Step) -> Iterator[str]:
        """Words of a step: all that it says but for its values."""
        said = (step.operation, step.function, step.outcome if step.sides else "", *step.within, *step.sides)
        yield ":".join((*said, step.kind, "rows" if step.is_rows else "")).strip(":")
        for name in step.names:
            yield from self._name(name)
        for each in filter(None, (*step.conditions, step.having)):
            yield from self._condition(each, step)
        for role, fields in (("asked", step.asked), ("each", step.groups)):
            yield from (f"{role}:{known}" for each in fields if (known := self._field(each)) != "?")
        if (order := step.order) is not None:
            by = self._field(order.field) if order.field is not None else ""
            yield f"by:{by}{'-' if order.descending else '+'}{order.limit}/{order.skip}"

    def _field(self, read: ReadField, probability: float = 1.0, words: str = "") -> str:
        if min(read.probability, probability) >= SURE_OF_FIELD:
            return f"{read.name}.{read.part}".strip(".")
        self.unsure.append(words or read.words)
        return "?"

    def _name(self, name: ReadName) -> Iterator[str]:
        sign = "not:" if name.negated else ""
        if name.role == "kind":
            kind = kind_names(self.context.catalogue).of(name.words)
            own = (name.words.casefold(),) if kind is None else (kind.schema, *kind.kinds, *kind.titles)
            yield f"{sign}noun:{':'.join(own)}"
        elif name.described:
            yield f"{sign}{name.role}:{name.described}"
        else:
            yield f"{sign}{self._left_out(name.role, self._named(name), name.words)}"

    def _named(self, name: ReadName) -> tuple[str, ...]:
        if name.role == "party":
            parties = parties_named(name.words, self.context.catalogue)
            return tuple(each.normal for each in parties) or (name.words,)
        try:
            found = documents_named(name, self.context, None, self.reading.question, of_several=True)
        except ReadingError:
            return (name.words,)
        return tuple(each.id for each in found)

    def _condition(self, read: ReadCondition, step: Step) -> Iterator[str]:
        said = self._field(read.field, read.probability, read.words)
        sign = f"{'or:' if read.either else ''}{'not:' if read.negated else ''}{read.op.value}"
        entry = self.context.catalogue.field(read.field.name, read.field.schema_name or step.kind)
        if not read.values or (entry is not None and entry.type is FieldType.BOOLEAN):
            if said != "?":
                yield ":".join((said, sign, *read.values))
            elif is_negative(read):
                yield "not:?"
            return
        kind, values = FieldType.TEXT, read.values
        if entry is not None and not read.field.part:
            kind = entry.type
            with suppress(ReadingError):
                values = compiled(read.op, read.values, target_of(entry, self.context.catalogue)).texts
        yield f"{said}:{sign}:{self._left_out(kind.value, values, read.words)}"

    def _left_out(self, kind: str, values: tuple[str, ...], words: str) -> str:
        """A place in the shape; its values are slots, and its words stand in `masked` no more."""
        for value in values:
            self.slots[f"{kind}{sum(each.startswith(kind) for each in self.slots) + 1}"] = plain(value)
        if words:
            self.masked = self.masked.replace(words, _STANDS_FOR.get(kind, "some amount"), 1)
        return f"<{kind}>"


def plain(value: str) -> str:
    """A value without cents that are none: plans write amounts of money with them, and without."""
    return value.replace(".00 ", " ").removesuffix(".00")


def _swapped(node: Node, other: Mapping[str, str], met: set[str]) -> Node:
    """A node with other values in its conditions, its documents and its words."""

    def swap(value: str) -> str:
        bare = plain(value)
        for old, new in other.items():
            if old and f"{bare} ".startswith(f"{old} "):
                met.add(old)
                return new + bare[len(old) :]
        return value

    def condition(each: Condition) -> Condition:
        if isinstance(each.value, Reference | OtherField):
            return each
        value = swap(each.value) if isinstance(each.value, str) else tuple(swap(one) for one in each.value)
        return each.model_copy(update={"value": value})

    change: dict[str, object] = {}
    if isinstance(node, ScopedNode) and node.scope.documents:
        documents = tuple(map(swap, node.scope.documents))
        change["scope"] = node.scope.model_copy(update={"documents": documents})
    if isinstance(node, SelectionNode):
        change["conditions"] = tuple(
            Choice(any_of=tuple(map(condition, each.any_of))) if isinstance(each, Choice) else condition(each)
            for each in node.conditions
        )
    purpose = node.purpose
    for old, new in other.items():
        if old:
            purpose = purpose.replace(old, new)
    return node.model_copy(update={**change, "purpose": purpose[:300]})
