"""Questions to ask next: after an answer from text, after a computed one, and examples that work here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest

from core.answer.computed.lists import is_lack
from core.answer.computed.numbers import NONE_STATED
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import about_of, kind_noun, listed, said_of, singular
from core.domain.annotation import Calculation as Function
from core.domain.answer import Answer, Claim
from core.domain.fields import WITH_UNITS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import ComputationNode, Condition, Plan, SelectionNode, SidesNode, flattened
from core.plan.ir.verbalise import KIND
from core.retrieval.rank import RankedPassage
from core.text.analyse import analyse
from core.text.titles import phrase

COUNT = 3
NEAR = 8  # passages: further down little is related
CLOSE = 0.8  # of the best passage's score: what is further off than that is about something else
LONGEST_TITLE = 70  # characters
LONGEST = 160  # characters of a question that is offered
MANY = 2  # documents, from which on there is something to group or to add up
TRIED = 12  # examples that are run: 20 to 60 ms each
_REPEATS = 1.3  # documents for each value of a field that makes groups of them
_SHORT, _LONG = 5, 60  # characters of a title that an example quotes
_NUMBERING = re.compile(
    r"^\s*(?:(?:section|article|clause|chapter|part|§)\s*)?(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])?[.):\s-]+(?=\w)",
    re.IGNORECASE,
)
# "a valid until in 2026" is no English
_LOOSE = re.compile(r"\b(?:until|from|by) (?:in|on|before|after|of)\b")
_SUMMARY = frozenset(analyse("summarise summarize summary overview"))
_UNTOLD = (FieldType.BOOLEAN, FieldType.PARTY)  # not listed for all documents
_TOLD_OF_ONE = (FieldType.MONEY, FieldType.DATE, FieldType.TEXT, FieldType.DURATION, FieldType.NUMBER)
_WORDS = {Function.SUM: "total", Function.AVG: "average", Function.MEDIAN: "median"}
OF_PROGRAM = ("What can you do?", "How do I get started?", "How does Groundwork work?")
"""Questions about the program, which it answers by itself."""


def suggest(
    question: str, claims: Sequence[Claim], candidates: Sequence[RankedPassage], titles: Iterable[str] = ()
) -> tuple[str, ...]:
    """Exactly three different questions, none of them the one just asked.

    First about the cited documents: other sections, summaries; then the same of what else was found about as
    near, then of `titles`; where that is too little, questions about the program, which it answers by itself.
    """
    asked = frozenset(analyse(question))
    cited = {citation.document for claim in claims for citation in claim.citations}
    floor = CLOSE * max((c.score for c in candidates), default=0.0)
    near = [c for c in candidates[:NEAR] if c.stored.passage.document in cited]
    others = [c for c in candidates[:NEAR] if c.stored.passage.document not in cited and c.score >= floor]
    of_cited = (*_sections(near, asked), *_summaries(near, (), asked))
    of_others = (*_sections(others, asked), *_summaries(others, titles, asked))
    kept = {question.casefold(): question}
    for suggestion in (*of_cited, *of_others, *OF_PROGRAM):
        kept.setdefault(suggestion.casefold(), suggestion)
    return tuple(kept.values())[1 : COUNT + 1] if len(kept) > COUNT else OF_PROGRAM


def summaries_of(titles: Iterable[str]) -> tuple[str, ...]:
    """At most COUNT questions for summaries of documents by these titles."""
    return tuple(_summaries((), titles, frozenset()))[:COUNT]


def _sections(candidates: Sequence[RankedPassage], asked: frozenset[str]) -> list[str]:
    """Questions about sections found whose heading was not asked about; at most two, of different names."""
    found: dict[str, str] = {}
    for stored in (candidate.stored for candidate in candidates):
        title = _readable(stored.name)
        name = _readable(_NUMBERING.sub("", "".join(stored.passage.section[-1:])).lstrip("# "))
        terms = frozenset(analyse(name))
        if terms and title and name.casefold() not in title.casefold() and not terms <= asked:
            found.setdefault(name.casefold(), f"What does “{title}” say about {name}?")
    return list(found.values())[:2]


def _summaries(
    candidates: Sequence[RankedPassage], titles: Iterable[str], asked: frozenset[str]
) -> Iterator[str]:
    is_summary = not asked.isdisjoint(_SUMMARY)
    for title in dict.fromkeys([*(c.stored.name for c in candidates), *titles]):
        if _readable(title) and not (is_summary and set(analyse(title)) <= asked):
            yield f"Summarise “{_readable(title)}”"


def _readable(text: str) -> str:
    """The text in one line where it is short and has letters; "" otherwise."""
    flat = " ".join(text.split()).strip(" .:;,-")
    return flat if len(flat) <= LONGEST_TITLE and sum(char.isalpha() for char in flat) > 2 else ""


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
        is_plain = all(isinstance(each, ComputationNode) or each == self.subject for each in self.plan.nodes)
        is_of_one = self.answer.value is not None and self.count == 1
        if isinstance(node, SidesNode):
            yield from self._after_comparison(node)
        elif not is_plain:
            yield from self._of_all()  # what a hop found has no place in a question
        elif isinstance(node, SelectionNode) and is_of_one and (node.fields or node.limit == 1):
            yield from self._after_value(node)
        elif isinstance(node, ComputationNode):
            yield from () if node.shared else self._after_figure(node)
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
    def measures(self) -> list[FieldEntry]:
        """The amount that most of them state, where it was not asked about."""
        found = self._first(FieldType.MONEY)
        return [found] if found is not None and found.name not in self.asked else []

    def _after_list(self) -> Iterator[str]:
        count = f"How many {self.such} are there"
        yield from self._opposite()
        if self.count >= MANY:
            yield from self._per(count, 0)
            yield from (f"{self._what(Function.SUM, each)} of {self.such}?" for each in self.measures)
        yield from self._of_all()
        if self.count:
            yield from self._per(count, 1)

    def _after_figure(self, node: ComputationNode) -> Iterator[str]:
        own = self._entries(node.field)
        what = f"{self._what(node.function, own[0])} of {self.such}" if own else ""
        other = Function.AVG if own and node.function is Function.SUM else Function.SUM
        others = [f"{self._what(other, each)} of {self.such}" for each in own or self.measures]
        for by in self._entries(*(name.partition(".")[0] for name in node.group_by[:1])):
            yield from (f"{each} per {phrase(by.title)}?" for each in others)
            key = str(self.answer.table.rows[0][0]) if self.answer.table and self.answer.table.rows else ""
            is_named = by.type in (FieldType.TEXT, FieldType.ENUM) and by.name in node.group_by
            if is_named and key not in ("", NONE_STATED):
                yield f"Which {self.noun} have {key} as {phrase(by.title)}?"
        yield from () if own or node.group_by else self._opposite()
        yield from self._per(what or f"How many {self.such} are there", 0)
        one = f"{singular(self.noun)} has" if self.such == self.noun else f"{self.such} have"
        for each in own or (self.measures if node.group_by else ()):
            yield f"Which {one} the highest {phrase(each.title)}?"
        if not node.group_by and (own or self.count):
            yield from (f"{each}?" for each in others)

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

    def _after_value(self, node: SelectionNode) -> Iterator[str]:
        assert self.answer.table is not None  # as `_is_of_one` has it
        shown = self._entries(*node.fields, node.order_by)
        yield from self._of_every(shown)
        title = self.facts.title(self.answer.table.documents[0])
        taken = {each.name for each in shown} | {KIND}
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
    fitting = [e for e in single if values[e.name] > 1 and documents[e.name] >= _REPEATS * values[e.name]]
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


def examples(
    catalogue: Catalogue, buckets: tuple[str, ...], is_answered: Callable[[str], bool]
) -> tuple[str, ...]:
    """At most COUNT questions of different kinds, each answered when it was tried; () where none was.

    is_answered: runs a question.
    """
    tried = islice(example_questions(catalogue, buckets), TRIED)
    return tuple(islice(filter(is_answered, tried), COUNT))


def example_questions(catalogue: Catalogue, buckets: tuple[str, ...] = ()) -> Iterator[str]:
    """Questions that may work, each next one of another kind and, as far as there are more, schema."""
    inside = {each.schema for each in catalogue.documents if not buckets or each.bucket in buckets}
    filled = [each for each in catalogue.schemas if each.documents and each.buckets and each.name in inside]
    schemas = sorted(filled, key=lambda each: -each.documents)

    def made(at: int) -> Iterator[str]:
        first = at % len(schemas) if schemas else 0
        for schema in (*schemas[first:], *schemas[:first]):
            yield from _MAKERS[at](schema, catalogue)

    for some in zip_longest(*map(made, range(len(_MAKERS)))):
        yield from filter(None, some)


def _noun(schema: SchemaEntry) -> str:
    """The plural for documents of a schema: its title, or its name where that names two kinds."""
    title = schema.words[0] if schema.words else schema.title.casefold()
    return schema.name.replace("_", " ") if " and " in title else title


def _lack(schema: SchemaEntry, _: Catalogue) -> Iterator[str]:
    """ "Which contracts lack force majeure?": of a thing that about half of them have."""
    flags = [each for each in schema.fields if each.type is FieldType.BOOLEAN]
    split = [each for each in flags if 0 < each.documents < schema.documents]
    for each in sorted(split, key=lambda each: abs(each.documents - schema.documents / 2))[:2]:
        yield f"Which {_noun(schema)} lack {phrase(each.title)}?"


def _highest(schema: SchemaEntry, _: Catalogue) -> Iterator[str]:
    for each in _stated(schema, FieldType.MONEY, FieldType.NUMBER)[:2]:
        if len(each.units) < MANY:
            yield f"Which {singular(_noun(schema))} has the highest {phrase(each.title)}?"


def _of_one(schema: SchemaEntry, catalogue: Catalogue) -> Iterator[str]:
    """A value that one document states, by its title."""
    own = [each for each in catalogue.documents if each.schema == schema.name and not each.unreadable]
    titles = [" ".join(each.title.split()) for each in own]
    unlike = [title for title in titles if titles.count(title) == 1 and _SHORT < len(title) <= _LONG]
    for entry in _stated(schema, FieldType.DATE, FieldType.MONEY, FieldType.DURATION)[:2]:
        for title in unlike[:2]:
            yield f"What is the {phrase(entry.title)} of “{title}”?"


_MAKERS = (_lack, _highest, _of_one)


def _stated(schema: SchemaEntry, *types: FieldType) -> list[FieldEntry]:
    """The fields of these types that most documents state, first."""
    found = [each for each in schema.fields if each.type in types and not each.many]
    return sorted((each for each in found if each.documents >= MANY), key=lambda each: -each.documents)
