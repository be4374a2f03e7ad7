"""Questions that lead on from a computed answer, made of its plan and of what the collection states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from core.answer.computed.lists import is_lack, of_other_units
from core.answer.computed.numbers import NONE_STATED
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import about_of, kind_noun, listed, said_of, singular, written
from core.domain.annotation import Calculation as Function
from core.domain.answer import Answer
from core.domain.fields import WITH_UNITS, FieldType
from core.domain.predicate import Operator
from core.domain.results import Documents, Result
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import ComputationNode, Condition, Plan, SelectionNode, SidesNode, flattened
from core.plan.ir.verbalise import KIND, limit_text
from core.text.titles import phrase

_REPEATS = 1.3  # documents for each value of a field that makes groups of them
_UNTOLD = (FieldType.BOOLEAN, FieldType.PARTY)  # not listed for all documents
_LAST_YEAR = 9990
_MANY = 2  # documents, from which on there is something to group or to add up
_WORDS = {Function.SUM: "total", Function.AVG: "average", Function.MEDIAN: "median"}


@dataclass(frozen=True)
class Proposer:
    """Proposes questions about the documents of one answer, the most telling first.

    repeating: the fields of a schema that make groups, see `repeating`.
    """

    plan: Plan
    answer: Answer
    given: Result
    catalogue: Catalogue
    repeating: Callable[[SchemaEntry], Sequence[FieldEntry]]

    def proposals(self) -> Iterator[str]:
        """In order."""
        if self.schema is None or self.subject is None:
            return
        node = self.plan.node(self.plan.answer_node or "")
        if isinstance(node, SidesNode):
            yield from self._after_comparison(node)
        elif not self._is_plain:
            yield from self._of_all()
        elif isinstance(node, ComputationNode):
            yield from self._after_figure(node)
        elif isinstance(node, SelectionNode) and self._is_of_one(node):
            yield from self._after_value(node)
        else:
            yield from self._after_list()

    @cached_property
    def subject(self) -> SelectionNode | None:
        """The selection whose documents were asked."""
        selects = [
            node for node in self.plan.nodes if isinstance(node, SelectionNode) and node.of == "documents"
        ]
        return selects[-1] if selects else None

    @cached_property
    def schema(self) -> SchemaEntry | None:
        """The schema of these documents."""
        name = self.subject.scope.schema_name if self.subject is not None else ""
        return self.catalogue.schema(name) if name else None

    @cached_property
    def noun(self) -> str:
        """Noun for them, of many."""
        return kind_noun(self.catalogue, self.subject)

    @cached_property
    def facts(self) -> AnswerFacts:
        """Titles and types of the fields."""
        return AnswerFacts(self.catalogue, {}, self.schema.name if self.schema is not None else "")

    @cached_property
    def asked(self) -> frozenset[str]:
        """The fields that the plan asks about, the kind of document left out."""
        return fields_of(self.plan) - {KIND}

    @property
    def _is_plain(self) -> bool:
        """True where one selection is the whole question: what a hop found has no place in a question."""
        others = [node for node in self.plan.nodes if node != self.subject]
        return all(isinstance(node, ComputationNode) for node in others)

    @cached_property
    def clause(self) -> str:
        """Clause of the conditions in words: `lack notice and have Iowa as governing law`; "" for none."""
        if self.subject is None:
            return ""
        about = about_of(self.plan, self.subject, self.facts, False).removeprefix(" that ")
        said = said_of(self.plan, self.subject, self.facts)
        words = listed([part for part in (about, said) if part])
        for each in self._conditions:
            words = words.replace(_range(each), _period(each) or _range(each)) if _range(each) else words
        return words

    @property
    def such(self) -> str:
        """`contracts that lack notice`."""
        return f"{self.noun} that {self.clause}" if self.clause else self.noun

    @cached_property
    def _conditions(self) -> list[Condition]:
        clauses = self.subject.conditions if self.subject is not None else ()
        return [each for each in clauses if isinstance(each, Condition)]

    @cached_property
    def _count(self) -> int:
        """Number of documents that the answer is made of."""
        return len(self.answer.table.documents) if self.answer.table is not None else 0

    def _is_of_one(self, node: SelectionNode) -> bool:
        return self.answer.value is not None and bool(node.fields or node.limit == 1) and self._count == 1

    @cached_property
    def _groups(self) -> list[FieldEntry]:
        """Fields that several documents state alike and that were not asked about."""
        found = self.repeating(self.schema) if self.schema is not None else ()
        return [each for each in found if each.name not in self.asked]

    def _first(self, *types: FieldType) -> FieldEntry | None:
        """The field of these types that most documents state, asked or not."""
        found = [each for each in self.schema.fields if each.type in types] if self.schema else []
        stated = [each for each in found if each.documents >= _MANY and not each.many]
        return max(stated, key=lambda each: each.documents, default=None)

    @cached_property
    def _measure(self) -> FieldEntry | None:
        found = self._first(FieldType.MONEY)
        return found if found is not None and found.name not in self.asked else None

    def _after_list(self) -> Iterator[str]:
        yield from self._in_their_unit()
        yield from self._opposite()
        if self._count >= _MANY:
            for group in self._groups[:1]:
                yield self._per(f"How many {self.such} are there", group)
            if self._measure is not None:
                what = self._what(Function.SUM, self._measure)
                yield f"{what} of {self.such}?"
        yield from self._next_period(f"Which {self.noun}")
        yield from self._of_all()
        for group in self._groups[1:2] if self._count else ():
            yield self._per(f"How many {self.such} are there", group)

    def _of_all(self) -> Iterator[str]:
        """Proposals on all documents of the kind: their values in these fields, and which state the most."""
        entries = [entry for name in sorted(self.asked) if (entry := self._entry(name)) is not None]
        told = [each for each in entries if each.type not in _UNTOLD and each.documents >= _MANY]
        for each in told[:1]:
            yield f"What is the {phrase(each.title)} of all {self.noun}?"
        for each in [each for each in told if each.type in WITH_UNITS][:1]:
            yield f"Which {singular(self.noun)} has the highest {phrase(each.title)}?"

    def _opposite(self) -> Iterator[str]:
        """Of those that lack a thing, those that have it; and the other way round."""
        asked = [each for each in self._conditions if not each.narrows]
        if self.subject is None or len(asked) != 1 or self._entry(asked[0].field) is None:
            return
        has = asked[0].op is Operator.IS or asked[0].value == "true"
        if not (has or is_lack(self.subject)):
            return
        about = about_of(self.plan, self.subject, self.facts, False).removeprefix(" that ")
        thing = phrase(self.facts.field_title(asked[0].field))
        parts = [part for part in (about, f"{'lack' if has else 'have'} {thing}") if part]
        yield f"Which {self.noun} {listed(parts)}?"

    def _in_their_unit(self) -> Iterator[str]:
        """Proposals on amounts left out for their currency: the same limit in that one."""
        if not isinstance(self.given, Documents):
            return
        units = of_other_units(self.given)
        for (field, unit), _ in sorted(units.items(), key=lambda each: -len(each[1]))[:1]:
            for each in self._conditions:
                if each.field == field and limit_text(each.op) and isinstance(each.value, str):
                    amount = written(f"{each.value.split()[0]} {unit}", FieldType.MONEY)
                    title = phrase(self.facts.field_title(field))
                    yield f"Which {self.noun} have a {title} {limit_text(each.op)} {amount}?"

    def _after_figure(self, node: ComputationNode) -> Iterator[str]:
        if node.shared:
            return
        if node.group_by:
            yield from self._after_groups(node)
            return
        field = self._entry(node.field)
        if field is None:
            yield from self._opposite()
            for group in self._groups[:1]:
                yield self._per(f"How many {self.such} are there", group)
            if self._measure is not None and self._count:
                what = self._what(Function.SUM, self._measure)
                yield f"{what} of {self.such}?"
            yield from self._next_period(f"How many {self.noun}")
            return
        what = self._what(node.function, field)
        for group in self._groups[:1]:
            yield self._per(f"{what} of {self.such}", group)
        yield self._highest(field)
        yield from self._next_period(f"{what} of {self.noun} that")
        day = self._first(FieldType.DATE)
        if day is not None and node.function is Function.SUM:
            by = f"by quarter of the {phrase(day.title)}"
            yield f"{what} of {self.such} {by}?"
        other = Function.AVG if node.function is not Function.AVG else Function.SUM
        yield f"{self._what(other, field)} of {self.such}?"

    def _after_groups(self, node: ComputationNode) -> Iterator[str]:
        own = self._entry(node.field)
        field, by = own or self._measure, self._entry(node.group_by[0].partition(".")[0])
        if field is not None and by is not None:
            other = Function.AVG if node.function is Function.SUM else Function.SUM
            yield self._per(f"{self._what(other, field)} of {self.such}", by)
        key = str(self.answer.table.rows[0][0]) if self.answer.table and self.answer.table.rows else ""
        is_named = by is not None and by.type in (FieldType.TEXT, FieldType.ENUM) and by.name in node.group_by
        if by is not None and is_named and key not in ("", NONE_STATED):
            yield f"Which {self.noun} have {key} as {phrase(by.title)}?"
        for group in self._groups[:1]:
            if own is not None:
                yield self._per(f"{self._what(node.function, own)} of {self.such}", group)
            else:
                yield self._per(f"How many {self.such} are there", group)
        if field is not None:
            yield self._highest(field)

    def _after_value(self, node: SelectionNode) -> Iterator[str]:
        assert self.answer.table is not None  # as `_is_of_one` has it
        shown = [entry for name in (*node.fields, node.order_by) if (entry := self._entry(name)) is not None]
        title = self.facts.title(self.answer.table.documents[0])
        for field in shown[:1]:
            if field.documents >= _MANY:
                yield f"What is the {phrase(field.title)} of all {self.noun}?"
        schema = self.schema.name if self.schema is not None else ""
        if any(each.kind == "amendment" and each.schema == schema for each in self.catalogue.documents):
            yield f"Which amendments change the {title}?"
        if self.schema is None:
            return
        taken = {each.name for each in shown} | {KIND}
        others = [each for each in self.schema.fields if each.name not in taken and each.documents >= _MANY]
        kinds = (FieldType.MONEY, FieldType.DATE, FieldType.TEXT, FieldType.DURATION, FieldType.NUMBER)
        fitting = [each for each in others if each.type in kinds and not each.many]
        for other in sorted(fitting, key=lambda each: kinds.index(each.type))[:3]:
            yield f"What is the {phrase(other.title)} of the {title}?"

    def _after_comparison(self, node: SidesNode) -> Iterator[str]:
        sides = f"{', '.join(node.labels[:-1])} and {node.labels[-1]}"
        taken = {KIND, *node.fields}
        found = [self._first(kind) for kind in (FieldType.MONEY, FieldType.DATE)]
        others = [each for each in (*found, *self._groups) if each is not None and each.name not in taken]
        for other in others[:3]:
            yield f"Compare the {phrase(other.title)} of {sides}"
        for field in [entry for name in node.fields[:1] if (entry := self._entry(name)) is not None]:
            yield f"What is the {phrase(field.title)} of all {self.noun}?"

    def _next_period(self, begin: str) -> Iterator[str]:
        """The same of the period that follows, where one whole month, quarter or year was asked for."""
        for each in self._conditions:
            now, after = _period(each), _period(each, following=True)
            if now and after and now in self.clause:
                clause = self.clause.replace(now, after)
                yield f"{begin} {clause}?"

    def _highest(self, field: FieldEntry) -> str:
        if self.clause:
            return f"Which {self.such} have the highest {phrase(field.title)}?"
        return f"Which {singular(self.noun)} has the highest {phrase(field.title)}?"

    def _entry(self, name: str) -> FieldEntry | None:
        return self.schema.field(name) if self.schema is not None and name else None

    def _what(self, function: Function, field: FieldEntry) -> str:
        """`What is the average fee`; of what is called a total already, the sum."""
        word, title = _WORDS.get(function, "total"), phrase(field.title)
        return f"What is the {'sum of the' if word in title.split() else word} {title}"

    def _per(self, question: str, group: FieldEntry) -> str:
        return f"{question} per {phrase(group.title)}?"


def repeating(catalogue: Catalogue, schema: SchemaEntry) -> tuple[FieldEntry, ...]:
    """The fields that make groups of documents, those that most of them state first."""
    values: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for each in catalogue.values:
        if each.schema == schema.name:
            values[each.field] += 1
            documents[each.field] += each.documents
    single = [each for each in schema.fields if not each.many and each.name != KIND]
    fitting = [
        each
        for each in single
        if values[each.name] > 1 and documents[each.name] >= _REPEATS * values[each.name]
    ]
    parties = [each for each in single if each.type is FieldType.PARTY and each.documents >= _MANY]
    return (*sorted(fitting, key=lambda each: -documents[each.name]), *parties)


def fields_of(plan: Plan) -> frozenset[str]:
    """The fields that a plan asks about, shows, orders, groups and computes by."""
    found: set[str] = set()
    for node in plan.nodes:
        if isinstance(node, SelectionNode):
            found |= {each.field for each in flattened(node.conditions)}
            found |= {*node.fields, node.order_by}
        elif isinstance(node, ComputationNode):
            found |= {node.field, *node.group_by}
        elif isinstance(node, SidesNode):
            found |= set(node.fields)
    return frozenset(each.partition(".")[0] for each in found if each)


def _range(condition: Condition) -> str:
    """A range of days as conditions are said: `from 1 Oct 2024 to 31 Dec 2024`; "" of other conditions."""
    if condition.op is not Operator.BETWEEN or not isinstance(condition.value, tuple):
        return ""
    first, last = (written(str(each), FieldType.DATE) for each in condition.value)
    return f"from {first} to {last}"


def _period(condition: Condition, *, following: bool = False) -> str:
    """The whole month, quarter or year that a range of days is, or the one after it; "" where it is none."""
    if condition.op is not Operator.BETWEEN or not isinstance(condition.value, tuple):
        return ""
    try:
        first, last = (date.fromisoformat(str(each)) for each in condition.value)
    except ValueError:
        return ""
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    is_whole = first.day == 1 and (last + timedelta(days=1)).day == 1 and months in (1, 3, 12)
    if not is_whole or (first.month - 1) % months or last.year > _LAST_YEAR:
        return ""
    at = first.year * 12 + first.month - 1 + (months if following else 0)
    year, month = divmod(at, 12)
    if months == 12:
        return f"in {year}"
    return f"in Q{month // 3 + 1} {year}" if months == 3 else f"in {date(year, month + 1, 1):%B} {year}"
