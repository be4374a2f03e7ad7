"""Questions to ask next: after an answer from text, after a computed one, and examples that work here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest

from core.answer.computed.lists import is_lack
from core.answer.computed.source import AnswerFacts
from core.answer.computed.templates import NONE_STATED
from core.answer.computed.wording import about_of, kind_noun, listed, said_of, singular
from core.domain.annotation import Calculation as Function
from core.domain.answer import Answer, Claim
from core.domain.fields import WITH_UNITS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import ComputationNode, Condition, Plan, SelectionNode, SidesNode, flattened
from core.plan.ir.verbalise import KIND
from core.search.rank import RankedPassage
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
    """Three different questions, none of them the one just asked.

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
    return tuple(islice(_others(question, (*of_cited, *of_others, *OF_PROGRAM)), COUNT))


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
    proposed = _Proposer(plan, answer, catalogue, selects[-1], schema).proposals()
    fitting = (each for each in proposed if len(each) <= LONGEST and not _LOOSE.search(each))
    return tuple(islice(_others(answer.question, fitting), COUNT))


def _others(question: str, offered: Iterable[str]) -> Iterator[str]:
    """Each once, and none that is the question, however these are written."""
    known = {_plain(question)}
    for each in offered:
        if _plain(each) not in known:
            known.add(_plain(each))
            yield each


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
        elif not (isinstance(node, ComputationNode) and node.shared):
            yield from self._after_set(node if isinstance(node, ComputationNode) else None)

    @cached_property
    def noun(self) -> str:
        return kind_noun(self.catalogue, self.subject)

    @cached_property
    def facts(self) -> AnswerFacts:
        return AnswerFacts(self.catalogue, {}, self.schema.name)

    @cached_property
    def asked(self) -> set[str]:
        """The fields that the plan asks about, shows, orders, groups and computes by, but for the kind."""
        found: set[str] = set()
        for node in self.plan.nodes:
            match node:
                case SelectionNode():
                    found |= {each.field for each in flattened(node.conditions)}
                    found |= {*node.fields, node.order_by}
                case ComputationNode():
                    found |= {node.field, *node.group_by}
                case SidesNode():
                    found |= set(node.fields)
        return {each.partition(".")[0] for each in found} - {KIND, ""}

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
        """Fields that several documents state alike, then parties; none that was asked about."""
        values: Counter[str] = Counter()
        documents: Counter[str] = Counter()
        for value in self.catalogue.values:
            if value.schema == self.schema.name:
                values[value.field] += 1
                documents[value.field] += value.documents
        single = [e for e in self.schema.fields if not e.many and e.name not in {KIND, *self.asked}]
        fitting = [e for e in single if values[e.name] > 1 and documents[e.name] >= _REPEATS * values[e.name]]
        parties = [each for each in single if each.type is FieldType.PARTY and each.documents >= MANY]
        return [*sorted(fitting, key=lambda each: -documents[each.name]), *parties]

    def _first(self, type: FieldType) -> FieldEntry | None:
        """The field of a type that most documents state, asked or not."""
        fields = self.schema.fields
        stated = [each for each in fields if each.type is type and each.documents >= MANY and not each.many]
        return max(stated, key=lambda each: each.documents, default=None)

    def _after_set(self, figure: ComputationNode | None) -> Iterator[str]:
        """Of a figure, groups or a list: other figures, groups, the opposite, and all of the kind."""
        own = self._entries(figure.field) if figure is not None else []
        by = self._entries(*(name.partition(".")[0] for name in figure.group_by[:1])) if figure else []
        what, other = f"How many {self.such} are there", Function.SUM
        if own and figure is not None:
            what = f"{self._what(figure.function, own[0])} of {self.such}"
            other = Function.SUM if figure.function is Function.AVG else Function.AVG
        amount = self._first(FieldType.MONEY)  # that most of them state, where it was not asked about
        measures = [amount] if amount is not None and amount.name not in self.asked else []
        others = [f"{self._what(other, each)} of {self.such}" for each in own or measures]
        for group in by:
            yield from (f"{each} per {phrase(group.title)}?" for each in others)
            key = str(self.answer.table.rows[0][0]) if self.answer.table and self.answer.table.rows else ""
            if group.type in (FieldType.TEXT, FieldType.ENUM) and key not in ("", NONE_STATED):
                yield f"Which {self.noun} have {key} as {phrase(group.title)}?"
        yield from () if own or by else self._opposite()
        if figure is not None or self.count >= MANY:
            yield from self._per(what, 0)
        one = f"{singular(self.noun)} has" if self.such == self.noun else f"{self.such} have"
        for each in own or (measures if by else ()):
            yield f"Which {one} the highest {phrase(each.title)}?"
        if not by and (own or self.count >= MANY):
            yield from (f"{each}?" for each in others)
        if figure is None:
            yield from self._of_all()
            yield from self._per(what, 1)

    def _of_all(self) -> Iterator[str]:
        """Proposals on all documents of the kind: their values in these fields, and which state the most."""
        entries = self._entries(*sorted(self.asked))
        told = [each for each in entries if each.type not in _UNTOLD and each.documents >= MANY]
        yield from self._of_every(told)
        for each in [each for each in told if each.type in WITH_UNITS][:1]:
            yield f"Which {singular(self.noun)} has the highest {phrase(each.title)}?"

    def _opposite(self) -> Iterator[str]:
        """Of those that lack a thing, those that have it; and the other way round."""
        conditions = [each for each in self.subject.conditions if isinstance(each, Condition)]
        asked = [each for each in conditions if not each.narrows]
        is_one = len(asked) == 1 and bool(self._entries(asked[0].field))
        has = is_one and (asked[0].op is Operator.IS or asked[0].value == "true")
        if has or (is_one and is_lack(self.subject)):
            thing = phrase(self.facts.field_title(asked[0].field))
            parts = [part for part in (self.about, f"{'lack' if has else 'have'} {thing}") if part]
            yield f"Which {self.noun} {listed(parts)}?"

    def _after_value(self, node: SelectionNode) -> Iterator[str]:
        assert self.answer.table is not None  # as `proposals` has it
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
        titles = (phrase(field.title) for field in shown[:1] if field.documents >= MANY)
        yield from (f"What is the {title} of all {self.noun}?" for title in titles)

    def _entries(self, *names: str) -> list[FieldEntry]:
        """The fields of these names that documents of the kind have."""
        return [entry for name in names if name and (entry := self.schema.field(name)) is not None]

    def _what(self, function: Function, field: FieldEntry) -> str:
        """`What is the average fee`; of what is called a total already, the sum."""
        word, title = _WORDS.get(function, "total"), phrase(field.title)
        return f"What is the {'sum of the' if word in title.split() else word} {title}"

    def _per(self, question: str, at: int) -> Iterator[str]:
        yield from (f"{question} per {phrase(group.title)}?" for group in self.groups[at : at + 1])


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
    of = [_examples_of(each, catalogue) for each in sorted(filled, key=lambda each: -each.documents)]
    kinds = len(of[0]) if of else 0
    turned = [[each[at] for each in (*of[at % len(of) :], *of[: at % len(of)])] for at in range(kinds)]
    for some in zip_longest(*map(chain.from_iterable, turned)):
        yield from filter(None, some)


def _examples_of(schema: SchemaEntry, catalogue: Catalogue) -> list[list[str]]:
    """What about half of them lack, which has the highest amount, and values of one document by its title."""
    noun = schema.words[0] if schema.words else schema.title.casefold()
    if " and " in noun:  # it names two kinds
        noun = schema.name.replace("_", " ")

    def stated(*types: FieldType) -> list[FieldEntry]:
        found = [e for e in schema.fields if e.type in types and not e.many and e.documents >= MANY]
        return sorted(found, key=lambda each: -each.documents)[:2]

    flags = [e for e in schema.fields if e.type is FieldType.BOOLEAN and 0 < e.documents < schema.documents]
    flags.sort(key=lambda each: abs(each.documents - schema.documents / 2))
    amounts = [e for e in stated(FieldType.MONEY, FieldType.NUMBER) if len(e.units) < MANY]
    own = (each for each in catalogue.documents if each.schema == schema.name and not each.unreadable)
    called = Counter(" ".join(each.title.split()) for each in own)
    titles = [title for title, count in called.items() if count == 1 and _SHORT < len(title) <= _LONG][:2]
    values = stated(FieldType.DATE, FieldType.MONEY, FieldType.DURATION)
    return [
        [f"Which {noun} lack {phrase(each.title)}?" for each in flags[:2]],
        [f"Which {singular(noun)} has the highest {phrase(each.title)}?" for each in amounts],
        [f"What is the {phrase(each.title)} of “{title}”?" for each in values for title in titles],
    ]
