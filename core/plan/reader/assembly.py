"""From a reader's reading to a syntax tree, of which the same builder makes a plan as of the grammar's.

The reader says which words are conditions, on which fields, and what is to be done. Core's exact readers read
the values inside these words: days, amounts, lengths of time, places, names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.plan.build.builder import Builder, BuiltPlan, NotStructuredError
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, which_document
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    Aspect,
    Computed,
    Currency,
    DocumentSet,
    FieldMatch,
    FieldSenses,
    Function,
    Noun,
    Parties,
    Period,
    Piece,
    Policy,
    Quantity,
    Top,
    UnknownWord,
    Values,
    stems,
    tokens_of,
)
from core.plan.language.reading.composition import joined, of_titled_kinds
from core.plan.language.reading.read import ParsedQuestion, read
from core.plan.language.syntax.negation import ConditionParser
from core.plan.language.syntax.tree import (
    All,
    AnswerIntent,
    Any,
    Expression,
    GroupKey,
    Not,
    Operand,
    Order,
    Side,
    Test,
    Tree,
)
from core.plan.names.index import names_of
from core.plan.names.resolve import NameDecision, resolve
from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.text.words import word_list

_CONDITIONS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.PARTY, SpanRole.DOCUMENT)
_OF_FIELDS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)
_LITERALS = (Quantity, Period, Values, UnknownWord, Computed, Policy, Currency)
_INTENTS = {
    Operation.LIST: AnswerIntent.LIST,
    Operation.COUNT: AnswerIntent.COUNT,
    Operation.EXISTS: AnswerIntent.LIST,
    Operation.CHECK: AnswerIntent.CHECK,
    Operation.LOOKUP: AnswerIntent.LOOKUP,
    Operation.GROUP: AnswerIntent.GROUP,
    Operation.COMPARE: AnswerIntent.COMPARE,
    Operation.RANK: AnswerIntent.RANK,
    Operation.COMPUTE: AnswerIntent.COMPUTE,
}
_NOUN_VOTE = 2.0
_MOST_RANKED = 100
_BETWEEN_PARTS = 2  # words between two parts of what is one span
_EITHER = re.compile(r"\b(?:or|either|alternatively)\b", re.IGNORECASE)


class UnreadableError(Exception):
    """Words of a span could not be read exactly, or the reading fits no schema: there is no plan of it."""


@dataclass(frozen=True, slots=True)
class AssembledPlan:
    """What was built of a reading, with the mentions outside its spans, which the plan has to cover, too."""

    tree: Tree
    built: BuiltPlan
    mentions: ParsedQuestion
    schema: str


def assemble(reading: QuestionReading, known: Known, today: date) -> AssembledPlan:
    """The plan of a reading. Raises UnreadableError, AskBackError, NotStructuredError."""
    if reading.operation not in _INTENTS:
        raise NotStructuredError
    work = _Assembly(reading, known, today)
    tree = work.tree()
    built = Builder(tree, known.lexicon, reading.question, known.buckets, today).build()
    return AssembledPlan(tree, built, work.outside(), work.schema.name)


def schema_of(reading: QuestionReading, mentions: ParsedQuestion, lexicon: Lexicon) -> SchemaEntry | None:
    """The schema that fits what a question links to, and what it calls the documents; None for none."""
    votes: dict[str, float] = defaultdict(float)
    for span in reading.of(*_OF_FIELDS):
        best: dict[str, float] = {}
        for link in span.links:
            best[link.schema] = max(best.get(link.schema, 0.0), link.probability)
        for name, probability in best.items():
            votes[name] += probability
    for piece in mentions.pieces:
        if isinstance(piece.meaning, Noun) and piece.meaning.schema:
            votes[piece.meaning.schema] += _NOUN_VOTE
        if isinstance(piece.meaning, DocumentSet):
            for name in {each.schema for each in piece.meaning.documents if each.schema}:
                votes[name] += 0.3
    order = {each.name: at for at, each in enumerate(lexicon.catalogue.schemas)}
    known = [name for name in votes if name in order]
    return lexicon.catalogue.schema(min(known, key=lambda n: (-votes[n], order[n]))) if known else None


def tidied(reading: QuestionReading) -> QuestionReading:
    """The reading with spans joined that stand side by side and mean one field, and no field asked for twice.

    Of two conditions on one clause, the surer one stays.
    """
    spans: list[ReadSpan] = []
    for span in reading.spans:
        before = spans[-1] if spans else None
        if before is not None and _is_one(before, span, reading.question):
            spans[-1] = replace(before, end=span.end, probability=min(before.probability, span.probability))
        else:
            spans.append(span)
    kept = [each for each in spans if not any(_is_said_surer(other, each) for other in spans)]
    return replace(reading, spans=tuple(kept))


def _is_one(before: ReadSpan, span: ReadSpan, question: str) -> bool:
    between = question[before.end : span.start].casefold()
    is_alike = before.role is span.role and before.is_negated == span.is_negated
    means_one = [link.field for link in before.links[:1]] == [link.field for link in span.links[:1]]
    joins = bool(re.search(r"[,;/&]|\b(?:and|or|nor|but|vs|versus)\b", between))
    most = _BETWEEN_PARTS if before.links else 0
    return is_alike and means_one and len(between.split()) <= most and not joins


def _is_said_surer(other: ReadSpan, span: ReadSpan) -> bool:
    """True where another span is a condition on the same clause, and the surer one, or the first of two."""
    if other is span or span.role is not SpanRole.CONDITION or other.role is not SpanRole.CONDITION:
        return False
    if not span.links or not other.links or span.links[0].field != other.links[0].field:
        return False
    return (other.probability, -other.start) > (span.probability, -span.start)


class _Assembly:
    """Assembly of one question."""

    def __init__(self, reading: QuestionReading, known: Known, today: date) -> None:
        self._reading = reading = tidied(reading)
        self._known = known
        self._lexicon = known.lexicon
        self._today = today
        self._mentions = _mentions(reading.question, known, today)
        schema = schema_of(reading, self._mentions, self._lexicon)
        if schema is None:
            raise UnreadableError
        self.schema: SchemaEntry = schema
        self._subject: Noun | None = None

    def tree(self) -> Tree:
        """The tree of the reading."""
        operation = self._reading.operation
        self._subject = self._noun()
        if operation is Operation.COMPARE:
            return self._comparison()
        intent = _INTENTS[operation]
        where = self._where()
        asked = [self._field(span) for span in self._reading.of(SpanRole.ASKED)]
        tree = Tree(intent, subject=self._subject, where=where)
        if operation is Operation.LOOKUP:
            return self._lookup(tree, asked)
        if operation is Operation.CHECK:
            return self._check(tree)
        if operation is Operation.COMPUTE:
            return self._computed(tree, asked)
        if operation is Operation.GROUP:
            return self._grouped(tree, asked)
        if operation is Operation.RANK:
            return self._ranked(tree, asked)
        if operation is Operation.COUNT and asked:
            return replace(tree, entity=asked[0])
        if asked and self._is_entity(asked[0]):
            return replace(tree, intent=AnswerIntent.GROUP, entity=asked[0], shown=tuple(asked[1:]))
        if where is None and self._subject is None:
            raise NotStructuredError
        return replace(tree, shown=tuple(asked), subject=self._subject or self._any_noun())

    def outside(self) -> ParsedQuestion:
        """The question with the pieces that no span of the reading explains."""
        tokens = self._mentions.tokens
        spans = self._reading.spans

        def is_read(piece: Piece) -> bool:
            start, end = tokens[piece.first].start, tokens[piece.end - 1].end
            return any(start < span.end and end > span.start for span in spans)

        return replace(self._mentions, pieces=tuple(p for p in self._mentions.pieces if not is_read(p)))

    def _link(self, span: ReadSpan) -> FieldLink:
        own = [link for link in span.links if link.schema == self.schema.name]
        if not own:
            raise UnreadableError
        return own[0]

    def _entry(self, span: ReadSpan) -> FieldEntry:
        entry = self.schema.field(self._link(span).field)
        if entry is None:
            raise UnreadableError
        return entry

    def _field(self, span: ReadSpan) -> FieldSenses:
        return _senses(self._entry(span))

    def _is_entity(self, fields: FieldSenses) -> bool:
        """True where the values of a field are asked for ("which vendors"), not documents with it."""
        span = self._reading.of(SpanRole.ASKED)[0]
        entry = fields.matches[0].field
        if entry.type not in (FieldType.PARTY, FieldType.TEXT, FieldType.ENUM):
            return False
        before = self._reading.question[: span.start].casefold().split()
        is_first = not any(
            isinstance(p.meaning, Noun) and self._mentions.tokens[p.first].start < span.start
            for p in self._mentions.pieces
        )
        return is_first and (not before or bool(set(before) & _ASKING))

    def _noun(self) -> Noun | None:
        """The kind of document that is asked about."""
        for span in self._reading.of(SpanRole.KIND):
            if not self._is_excluded(span):
                return self._kind(span)
        outside = self.outside().pieces
        nouns = [p.meaning for p in outside if isinstance(p.meaning, Noun)]
        return next((n for n in nouns if n.schema in ("", self.schema.name)), None)

    def _any_noun(self) -> Noun | None:
        """The plain noun of the schema: contracts are agreements where nothing else is said."""
        for word in (self.schema.name.removesuffix("s"), *self.schema.words):
            found = [each for each in self._lexicon.nouns(stems(word)) if each.schema == self.schema.name]
            if found:
                return replace(found[0], is_plural=True)
        return None

    def _kind(self, span: ReadSpan) -> Noun:
        text = self._reading.text(span)
        pieces = of_titled_kinds(_mentions(text, self._known, self._today).pieces, self._lexicon)
        nouns = [p for p in pieces if isinstance(p.meaning, Noun) and p.meaning.schema == self.schema.name]
        words = [t.text for t in tokens_of(text) if t.is_word and t.word not in _IDLE]
        base = nouns[-1].meaning if nouns else self._any_noun()
        if not isinstance(base, Noun):
            raise UnreadableError
        covered = {t.casefold() for p in nouns for t in p.text.split()}
        rest = [word for word in words if word.casefold() not in covered]
        if not rest:
            return replace(base, is_plural=True)
        return replace(base, title_words=(" ".join(rest),), is_plural=True)

    def _is_excluded(self, span: ReadSpan) -> bool:
        before = self._reading.question[max(0, span.start - 24) : span.start].casefold().split()
        return span.is_negated or bool(set(before[-3:]) & _EXCLUDING)

    def _where(self, spans: Sequence[ReadSpan] | None = None) -> Expression | None:
        chosen = self._reading.of(*_CONDITIONS) if spans is None else spans
        parts = [(span, self._condition(span)) for span in chosen]
        kinds = self._reading.of(SpanRole.KIND) if spans is None else ()
        parts += [(s, Not(self._named(s, self._kind(s)))) for s in kinds if self._is_excluded(s)]
        found = self._joined(sorted(parts, key=lambda part: part[0].start))
        return self._with_states(found) if spans is None else found

    def _with_states(self, found: Expression | None) -> Expression | None:
        """With what the grammar reads outside all spans as a condition of its own: "still running"."""
        states = [
            Test((p,), None, None, p.meaning)
            for p in self.outside().pieces
            if isinstance(p.meaning, Period) and p.meaning.hint
        ]
        parts = (*([found] if found is not None else []), *states)
        return None if not parts else parts[0] if len(parts) == 1 else All(parts)

    def _joined(self, parts: Sequence[tuple[ReadSpan, Expression]]) -> Expression | None:
        """Conditions joined by the words between them; "or" binds less than "and" does.

        "without A or B" lacks both, "lacking A or lacking B" one of them.
        """
        if not parts:
            return None
        groups: list[list[Expression]] = [[parts[0][1]]]
        for (before, _), (span, part) in pairwise(parts):
            if before.role is span.role is SpanRole.DOCUMENT and not (before.is_negated or span.is_negated):
                last = groups[-1].pop()
                choices = (*last.parts, part) if isinstance(last, Any) else (last, part)
                groups[-1].append(Any(choices))
                continue
            between = self._reading.question[before.end : span.start]
            is_either = bool(_EITHER.search(between))
            is_said_again = bool(set(between.casefold().split()) & _LACKING)
            is_shared = before.is_negated and span.is_negated and not is_said_again
            if is_either and not is_shared:
                if _is_pair(before, span, between):
                    last = groups[-1].pop()
                    choices = (*last.parts, part) if isinstance(last, Any) else (last, part)
                    groups[-1].append(Any(choices))
                else:
                    groups.append([part])
            else:
                groups[-1].append(part)
        parts_of = [each[0] if len(each) == 1 else All(tuple(each)) for each in groups]
        return parts_of[0] if len(parts_of) == 1 else Any(tuple(parts_of))

    def _condition(self, span: ReadSpan) -> Expression:
        if span.role is SpanRole.CONDITION:
            test = Test((self._piece(span, self._field(span)),), self._field(span))
            return Not(test) if span.is_negated else test
        if span.role is SpanRole.VALUE:
            return self._value(span)
        found = self._party(span) if span.role is SpanRole.PARTY else self._document(span)
        return Not(found) if self._is_excluded(span) else found

    def _value(self, span: ReadSpan) -> Expression:
        """The condition on a value; the field is the reader's, the value is read exactly."""
        fields, entry = self._field(span), self._entry(span)
        mentions = _mentions(self._reading.text(span), self._known, self._today)
        pieces = joined(mentions.pieces, self._lexicon, self._today)
        if entry.type is FieldType.TEXT:
            pieces = tuple(p for p in pieces if not isinstance(p.meaning, (Noun, DocumentSet)))
        parsed = ConditionParser(pieces).parse()
        found = _of_field(parsed, fields, entry) if parsed is not None else None
        if found is None:
            raise UnreadableError
        is_negated = span.is_negated and not isinstance(found, Not)
        return Not(found) if is_negated else found

    def _party(self, span: ReadSpan) -> Expression:
        pieces = _mentions(self._reading.text(span), self._known, self._today).pieces
        named = [p for p in pieces if isinstance(p.meaning, Parties)]
        if not named:
            return self._calling(span)
        tests = tuple(self._named(span, p.meaning) for p in named if isinstance(p.meaning, Parties))
        return tests[0] if len(tests) == 1 else All(tests)

    def _calling(self, span: ReadSpan) -> Expression:
        """The documents whose title, file or opening has a name that no field has as a party."""
        index = names_of(self._lexicon.catalogue)
        words = [t.word for t in tokens_of(self._reading.text(span)) if index.is_name(t.word)]
        holders = [set(index.holders(word)[0].tolist()) for word in words]
        rows = set.intersection(*holders) if holders else set()
        if not rows:
            raise UnreadableError
        return self._named(span, DocumentSet(tuple(index.entries[row] for row in sorted(rows))))

    def _document(self, span: ReadSpan) -> Expression:
        """The document that words name. Raises AskBackError where they name several alike."""
        text = self._reading.text(span)
        found = resolve(text, names_of(self._lexicon.catalogue), counter=self._known.words)
        if found.decision is NameDecision.ONE:
            return self._named(span, DocumentSet(found.documents, is_exact=True))
        if found.decision is NameDecision.SEVERAL:
            raise AskBackError(which_document(self._reading.question, text, found.documents))
        return self._described(span)

    def _described(self, span: ReadSpan) -> Expression:
        """Documents by what they are about, where no document is called so: a model, a kind, a party."""
        text = self._reading.text(span)
        pieces = of_titled_kinds(_mentions(text, self._known, self._today).pieces, self._lexicon)
        found: list[Expression] = []
        for piece in pieces:
            meaning = piece.meaning
            if isinstance(meaning, Noun) and not meaning.title_words:
                continue
            if isinstance(meaning, (DocumentSet, Parties, Values, Noun)):
                found.append(self._named(span, meaning))
        if not found:
            raise UnreadableError
        return found[0] if len(found) == 1 else All(tuple(found))

    def _named(self, span: ReadSpan, operand: Operand) -> Test:
        return Test((self._piece(span, operand),), None, None, operand)

    def _piece(self, span: ReadSpan, meaning: Operand) -> Piece:
        return Piece(0, 1, self._reading.text(span), meaning, "as the reader reads it")

    def _lookup(self, tree: Tree, asked: Sequence[FieldSenses]) -> Tree:
        if not asked or tree.where is None:
            raise NotStructuredError
        if all(each.matches[0].field.type is FieldType.BOOLEAN for each in asked):
            raise NotStructuredError
        return replace(tree, shown=tuple(asked), subject=None)

    def _check(self, tree: Tree) -> Tree:
        named = self._reading.of(SpanRole.DOCUMENT, SpanRole.PARTY)
        conditions = self._reading.of(SpanRole.CONDITION)
        values = self._reading.of(SpanRole.VALUE)
        if named and len(conditions) == 1 and not values:
            where = self._where(named)
            return replace(tree, where=where, shown=(self._field(conditions[0]),), subject=None)
        shown = tuple(self._field(span) for span in values) if named else ()
        subject = None if named else tree.subject or self._any_noun()
        return replace(tree, intent=AnswerIntent.LIST, subject=subject, shown=shown)

    def _computed(self, tree: Tree, asked: Sequence[FieldSenses]) -> Tree:
        function = self._function()
        measure = asked[0] if asked else None
        if measure is None:
            raise NotStructuredError
        if function is None:
            function = Calculation.SUM
        return replace(tree, function=function, measure=measure, subject=tree.subject or self._any_noun())

    def _grouped(self, tree: Tree, asked: Sequence[FieldSenses]) -> Tree:
        keys = tuple(self._key(span) for span in self._reading.of(SpanRole.GROUP))
        if not keys and not asked:
            raise NotStructuredError
        if not keys:
            return replace(
                tree, intent=AnswerIntent.LIST, shown=tuple(asked), subject=tree.subject or self._any_noun()
            )
        measure = next((each for each in asked if each.matches[0].field.type in AMOUNTS), None)
        function = self._function()
        if measure is not None and function is None:
            function = Calculation.SUM
        tree = replace(tree, groups=keys, subject=tree.subject or self._any_noun())
        order = self._reading.of(SpanRole.ORDER)
        if order:
            tree = replace(tree, order=self._order(order[0]))
        if function in (None, Calculation.COUNT) or measure is None:
            return tree
        return replace(tree, function=function, measure=measure)

    def _ranked(self, tree: Tree, asked: Sequence[FieldSenses]) -> Tree:
        spans = self._reading.of(SpanRole.ORDER)
        if not spans:
            raise NotStructuredError
        order = self._order(spans[0])
        tree = replace(tree, order=order, subject=tree.subject or self._any_noun())
        if asked and self._is_entity(asked[0]):
            return replace(tree, entity=asked[0])
        return replace(tree, shown=tuple(asked))

    def _comparison(self) -> Tree:
        named = self._reading.of(SpanRole.DOCUMENT) or self._reading.of(SpanRole.PARTY)
        asked = tuple(self._field(span) for span in self._reading.of(SpanRole.ASKED, SpanRole.CONDITION))
        if len(named) < 2:
            return self._counted_sides()
        if not asked:
            raise NotStructuredError
        sides = []
        for span in named:
            test = self._condition(span)
            if not isinstance(test, Test):
                raise NotStructuredError
            sides.append(Side(self._reading.text(span), test))
        where = self._where(self._reading.of(SpanRole.VALUE))
        return Tree(AnswerIntent.COMPARE, where=where, sides=tuple(sides), shown=asked)

    def _counted_sides(self) -> Tree:
        """ "More under Delaware law or New York's?": the documents of each value of one field, counted."""
        values = self._reading.of(SpanRole.VALUE)
        fields = {self._link(span).field for span in values}
        others = self._reading.of(SpanRole.CONDITION, SpanRole.PARTY, SpanRole.ASKED)
        if len(values) < 2 or len(fields) != 1 or others:
            raise NotStructuredError
        entry = self._entry(values[0])
        where = Any(tuple(self._value(span) for span in values))
        aspect = Aspect("year") if entry.type is FieldType.DATE else None
        key = GroupKey(_senses(entry), aspect, entry.title)
        return Tree(AnswerIntent.GROUP, subject=self._subject or self._any_noun(), where=where, groups=(key,))

    def _function(self) -> Calculation | None:
        found = [p.meaning for p in self._mentions.pieces if isinstance(p.meaning, Function)]
        return next((each.name for each in found), None)

    def _key(self, span: ReadSpan) -> GroupKey:
        text = self._reading.text(span)
        entry = self._entry(span)
        near = (*_mentions(text, self._known, self._today).pieces, *self.outside().pieces)
        aspect = next((p.meaning for p in near if isinstance(p.meaning, Aspect)), None)
        return GroupKey(_senses(entry), aspect if entry.type is FieldType.DATE else None, text)

    def _order(self, span: ReadSpan) -> Order:
        entry = self._entry(span)
        if entry.type not in ORDERED:
            raise NotStructuredError
        text = self._reading.text(span)
        words = [t.word for t in tokens_of(text)]
        pieces = (*_mentions(text, self._known, self._today).pieces, *self.outside().pieces)
        top = next((p.meaning for p in pieces if isinstance(p.meaning, Top)), None)
        says = next((w for w in words if w in _LEAST or w in _MOST), None)
        descending = says in _MOST if says is not None else True
        if entry.type is FieldType.DATE and says is None:
            descending = False
        count = top.count if top is not None else self._bare_count()
        if not count:
            count = 0 if set(words) & _SORTING or says is None else 1
        if says is None and top is not None and top.descending is not None:
            descending = top.descending
        return Order(
            _senses(entry), descending, count, of_time=entry.type is FieldType.DATE, text=entry.title
        )

    def _bare_count(self) -> int:
        """A number that stands for itself outside all spans: "which three contracts"; 0 for none."""
        for piece in self.outside().pieces:
            value = piece.meaning.value if isinstance(piece.meaning, Quantity) else None
            if (
                value is not None
                and value.type is FieldType.NUMBER
                and not value.unit
                and value.text.isdigit()
            ):
                return int(value.text) if 0 < int(value.text) <= _MOST_RANKED else 0
        return 0


def _words(name: str) -> frozenset[str]:
    return frozenset(word_list("reading", name))


_ASKING = _words("asking_for_values")
_IDLE = _words("idle_in_kinds")
_EXCLUDING = _words("excluding")
_LACKING = _words("lacking")
_MOST = _words("most")
_LEAST = _words("least")
_SORTING = _words("sorting")


def _mentions(text: str, known: Known, today: date) -> ParsedQuestion:
    return read(text, known.lexicon, today, known.words)


def _senses(entry: FieldEntry) -> FieldSenses:
    return FieldSenses((FieldMatch(entry, 1.0, "as the reader reads it"),))


def _is_pair(before: ReadSpan, span: ReadSpan, between: str) -> bool:
    """True where "or" stands between two conditions alone: it then binds these two, and no more."""
    return before.role is span.role or len(between.split()) <= 3


def _of_field(expression: Expression, fields: FieldSenses, entry: FieldEntry) -> Expression | None:
    """The conditions with values, on one field; None where a value cannot be of it, or none is there."""
    if isinstance(expression, Test):
        return _on_field(expression, fields, entry)
    if isinstance(expression, Not):
        part = _of_field(expression.part, fields, entry)
        return replace(expression, part=part) if part is not None else None
    parts = tuple(p for each in expression.parts if (p := _of_field(each, fields, entry)) is not None)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else replace(expression, parts=parts)


def _on_field(test: Test, fields: FieldSenses, entry: FieldEntry) -> Test | None:
    operand = test.operand
    if not isinstance(operand, (*_LITERALS, Parties)):
        return None
    if isinstance(operand, Period) and operand.hint:
        operand = replace(operand, hint="")
    if isinstance(operand, Period) and entry.type is FieldType.DURATION and operand.length is None:
        return None
    if isinstance(operand, Values):
        own = tuple(v for v in operand.values if v.schema == entry.schema and v.field == entry.name)
        if not own:
            return None
        operand = replace(operand, values=own)
    if test.span is not None:
        return test
    piece = Piece(0, 1, entry.title, fields, "as the reader reads it")
    return replace(test, fields=fields, operand=operand, hint="", pieces=(piece, *test.pieces))
