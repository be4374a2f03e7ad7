"""Suggestions after a computed answer: the neighbours of its plan, in words that name their fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.answer.computed.lists import is_lack
from core.answer.computed.numbers import NONE_STATED
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import about_of, kind_noun, listed, said_of, singular
from core.domain.annotation import Calculation as Function
from core.domain.answer import Answer
from core.domain.fields import WITH_UNITS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import ComputationNode, Condition, Plan, SelectionNode, SidesNode, flattened
from core.plan.ir.verbalise import KIND
from core.text.titles import phrase

COUNT = 3
LONGEST = 160  # characters of a question that is offered
MANY = 2  # documents, from which on there is something to group or to add up
REPEATS = 1.3  # documents for each value of a field that makes groups of them
# "a valid until in 2026" is no English
_LOOSE = re.compile(r"\b(?:until|from|by) (?:in|on|before|after|of)\b")
_UNTOLD = (FieldType.BOOLEAN, FieldType.PARTY)  # not listed for all documents
_TOLD_OF_ONE = (FieldType.MONEY, FieldType.DATE, FieldType.TEXT, FieldType.DURATION, FieldType.NUMBER)
_WORDS = {Function.SUM: "total", Function.AVG: "average", Function.MEDIAN: "median"}


def going_on(plan: Plan, answer: Answer, catalogue: Catalogue) -> tuple[str, ...]:
    """At most three questions, none of them the one of the answer; nothing is planned for them."""
    selects = [each for each in plan.nodes if isinstance(each, SelectionNode) and each.of == "documents"]
    schema = catalogue.schema(selects[-1].scope.schema_name) if selects else None
    if schema is None:
        return ()
    kept = {_plain(answer.question): answer.question}
    for question in _Proposer(plan, answer, catalogue, selects[-1], schema).proposals():
        if len(question) <= LONGEST and not _LOOSE.search(question):
            kept.setdefault(_plain(question), question)
        if len(kept) > COUNT:
            break
    return tuple(kept.values())[1:]


def _plain(question: str) -> str:
    return " ".join(question.casefold().strip(" ?.!").split())


@dataclass(frozen=True)
class _Proposer:
    """Proposes questions about the documents of one answer, the most telling first.

    subject: the selection whose documents were asked; schema: theirs.
    """

    plan: Plan
    answer: Answer
    catalogue: Catalogue
    subject: SelectionNode
    schema: SchemaEntry

    def proposals(self) -> Iterator[str]:
        node = self.plan.node(self.plan.answer_node or "")
        if isinstance(node, SidesNode):
            yield from self._after_comparison(node)
        elif not all(isinstance(each, ComputationNode) or each == self.subject for each in self.plan.nodes):
            yield from self._of_all()  # what a hop found has no place in a question
        elif isinstance(node, ComputationNode):
            yield from () if node.shared else self._after_figure(node)
        elif isinstance(node, SelectionNode) and self._is_of_one(node):
            yield from self._after_value(node)
        else:
            yield from self._after_list()

    @cached_property
    def noun(self) -> str:
        return kind_noun(self.catalogue, self.subject)

    @cached_property
    def facts(self) -> AnswerFacts:
        return AnswerFacts(self.catalogue, {}, self.schema.name)

    @cached_property
    def asked(self) -> frozenset[str]:
        return fields_of(self.plan) - {KIND}

    @cached_property
    def about(self) -> str:
        return about_of(self.plan, self.subject, self.facts, False).removeprefix(" that ")

    @cached_property
    def such(self) -> str:
        """`contracts that lack notice and have Iowa as governing law`."""
        said = said_of(self.plan, self.subject, self.facts)
        clause = listed([part for part in (self.about, said) if part])
        return f"{self.noun} that {clause}" if clause else self.noun

    @cached_property
    def count(self) -> int:
        """Number of documents that the answer is made of."""
        return len(self.answer.table.documents) if self.answer.table is not None else 0

    def _is_of_one(self, node: SelectionNode) -> bool:
        return self.answer.value is not None and bool(node.fields or node.limit == 1) and self.count == 1

    @cached_property
    def groups(self) -> list[FieldEntry]:
        """Fields that several documents state alike and that were not asked about."""
        return [each for each in repeating(self.catalogue, self.schema) if each.name not in self.asked]

    def _first(self, type: FieldType) -> FieldEntry | None:
        """The field of a type that most documents state, asked or not."""
        fields = self.schema.fields
        stated = [each for each in fields if each.type is type and each.documents >= MANY and not each.many]
        return max(stated, key=lambda each: each.documents, default=None)

    @cached_property
    def measure(self) -> FieldEntry | None:
        found = self._first(FieldType.MONEY)
        return found if found is not None and found.name not in self.asked else None

    def _after_list(self) -> Iterator[str]:
        yield from self._opposite()
        if self.count >= MANY:
            yield from self._per(f"How many {self.such} are there", 0)
            yield from self._total()
        yield from self._of_all()
        if self.count:
            yield from self._per(f"How many {self.such} are there", 1)

    def _of_all(self) -> Iterator[str]:
        """Proposals on all documents of the kind: their values in these fields, and which state the most."""
        entries = self._entries(*sorted(self.asked))
        told = [each for each in entries if each.type not in _UNTOLD and each.documents >= MANY]
        for each in told[:1]:
            yield f"What is the {phrase(each.title)} of all {self.noun}?"
        for each in [each for each in told if each.type in WITH_UNITS][:1]:
            yield f"Which {singular(self.noun)} has the highest {phrase(each.title)}?"

    def _opposite(self) -> Iterator[str]:
        """Of those that lack a thing, those that have it; and the other way round."""
        conditions = [each for each in self.subject.conditions if isinstance(each, Condition)]
        asked = [each for each in conditions if not each.narrows]
        if len(asked) != 1 or not self._entries(asked[0].field):
            return
        has = asked[0].op is Operator.IS or asked[0].value == "true"
        if has or is_lack(self.subject):
            thing = phrase(self.facts.field_title(asked[0].field))
            parts = [part for part in (self.about, f"{'lack' if has else 'have'} {thing}") if part]
            yield f"Which {self.noun} {listed(parts)}?"

    def _after_figure(self, node: ComputationNode) -> Iterator[str]:
        of = self._entries(node.field)
        if node.group_by:
            yield from self._after_groups(node, of)
        elif of:
            what = self._what(node.function, of[0])
            yield from self._per(f"{what} of {self.such}", 0)
            yield self._highest(of[0])
            other = Function.AVG if node.function is not Function.AVG else Function.SUM
            yield f"{self._what(other, of[0])} of {self.such}?"
        else:
            yield from self._opposite()
            yield from self._per(f"How many {self.such} are there", 0)
            yield from self._total() if self.count else ()

    def _after_groups(self, node: ComputationNode, own: list[FieldEntry]) -> Iterator[str]:
        field = own[0] if own else self.measure
        for by in self._entries(node.group_by[0].partition(".")[0]):
            if field is not None:
                other = Function.AVG if node.function is Function.SUM else Function.SUM
                yield f"{self._what(other, field)} of {self.such} per {phrase(by.title)}?"
            key = str(self.answer.table.rows[0][0]) if self.answer.table and self.answer.table.rows else ""
            is_named = by.type in (FieldType.TEXT, FieldType.ENUM) and by.name in node.group_by
            if is_named and key not in ("", NONE_STATED):
                yield f"Which {self.noun} have {key} as {phrase(by.title)}?"
        what = f"{self._what(node.function, own[0])} of {self.such}" if own else ""
        yield from self._per(what or f"How many {self.such} are there", 0)
        if field is not None:
            yield self._highest(field)

    def _after_value(self, node: SelectionNode) -> Iterator[str]:
        assert self.answer.table is not None  # as `_is_of_one` has it
        shown = self._entries(*node.fields, node.order_by)
        yield from self._of_every(shown)
        title, taken = (
            self.facts.title(self.answer.table.documents[0]),
            {each.name for each in shown} | {KIND},
        )
        others = [each for each in self.schema.fields if each.name not in taken and each.documents >= MANY]
        fitting = [each for each in others if each.type in _TOLD_OF_ONE and not each.many]
        for other in sorted(fitting, key=lambda each: _TOLD_OF_ONE.index(each.type))[:COUNT]:
            yield f"What is the {phrase(other.title)} of the {title}?"

    def _after_comparison(self, node: SidesNode) -> Iterator[str]:
        sides = f"{', '.join(node.labels[:-1])} and {node.labels[-1]}"
        found = [self._first(kind) for kind in (FieldType.MONEY, FieldType.DATE)]
        others = [each for each in (*found, *self.groups) if each and each.name not in {KIND, *node.fields}]
        for other in others[:COUNT]:
            yield f"Compare the {phrase(other.title)} of {sides}"
        yield from self._of_every(self._entries(*node.fields[:1]))

    def _of_every(self, shown: list[FieldEntry]) -> Iterator[str]:
        for field in shown[:1]:
            if field.documents >= MANY:
                yield f"What is the {phrase(field.title)} of all {self.noun}?"

    def _total(self) -> Iterator[str]:
        if self.measure is not None:
            yield f"{self._what(Function.SUM, self.measure)} of {self.such}?"

    def _highest(self, field: FieldEntry) -> str:
        one = f"{singular(self.noun)} has" if self.such == self.noun else f"{self.such} have"
        return f"Which {one} the highest {phrase(field.title)}?"

    def _entries(self, *names: str) -> list[FieldEntry]:
        """The fields of these names that documents of the kind have."""
        return [entry for name in names if name and (entry := self.schema.field(name)) is not None]

    def _what(self, function: Function, field: FieldEntry) -> str:
        """`What is the average fee`; of what is called a total already, the sum."""
        word, title = _WORDS.get(function, "total"), phrase(field.title)
        return f"What is the {'sum of the' if word in title.split() else word} {title}"

    def _per(self, question: str, at: int) -> Iterator[str]:
        for group in self.groups[at : at + 1]:
            yield f"{question} per {phrase(group.title)}?"


def repeating(catalogue: Catalogue, schema: SchemaEntry) -> list[FieldEntry]:
    """The fields that make groups of documents, those that most of them state first; then the parties."""
    values: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for each in catalogue.values:
        if each.schema == schema.name:
            values[each.field] += 1
            documents[each.field] += each.documents
    single = [each for each in schema.fields if not each.many and each.name != KIND]
    fitting = [e for e in single if values[e.name] > 1 and documents[e.name] >= REPEATS * values[e.name]]
    parties = [each for each in single if each.type is FieldType.PARTY and each.documents >= MANY]
    return [*sorted(fitting, key=lambda each: -documents[each.name]), *parties]


def fields_of(plan: Plan) -> frozenset[str]:
    """The fields that a plan asks about, shows, orders, groups and computes by."""
    found: set[str] = set()
    for node in plan.nodes:
        match node:
            case SelectionNode():
                found |= {*(each.field for each in flattened(node.conditions)), *node.fields, node.order_by}
            case ComputationNode():
                found |= {node.field, *node.group_by}
            case SidesNode():
                found |= set(node.fields)
    return frozenset(each.partition(".")[0] for each in found if each)
