"""From a reader's reading to a syntax tree, of which the same builder makes a plan as of the grammar's.

The reader says which words are conditions, on which fields, and what is to be done. Core's exact readers read
the values inside these words: days, amounts, lengths of time, places, names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.plan.build.builder import Builder, BuiltPlan, NotStructuredError
from core.plan.build.deciding import asks_of_any
from core.plan.forms.sides import spoken_outcome
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    Aspect,
    FieldSenses,
    Noun,
    Piece,
    Quantity,
    Statistic,
    Top,
    tokens_of,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.syntax.tree import (
    AnswerIntent,
    Any,
    GroupKey,
    Order,
    Side,
    Test,
    Tree,
)
from core.plan.reader.conditions.conditions import Conditions
from core.plan.reader.exact_reading import mentions_of, senses_of_field
from core.plan.reader.reading import Operation, QuestionReading, ReadSpan, SpanRole
from core.text.words import word_list

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
_MOST_RANKED = 100


@dataclass(frozen=True, slots=True)
class AssembledPlan:
    """Plan of a reading, with the mentions outside its spans, which it has to cover, too."""

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
    return AssembledPlan(tree, built, work.unexplained(), work.schema.name)


class _Assembly(Conditions):
    """Assembly of one question."""

    _bare: Piece | None = None
    """The number that says how many of an order are wanted, where it stands outside all spans."""

    def unexplained(self) -> ParsedQuestion:
        """The mentions outside all spans, without the number of an order."""
        found = self.outside()
        return replace(found, pieces=tuple(piece for piece in found.pieces if piece is not self._bare))

    def tree(self) -> Tree:
        """The tree of the reading."""
        operation = self._reading.operation
        self._subject = self._noun()
        if operation is Operation.LIST and self._is_of_one():
            operation = Operation.CHECK
        if operation is Operation.LOOKUP and self._is_of_party():
            operation = Operation.LIST
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
        return replace(tree, shown=tuple(asked), subject=self._subject or self._kinds.any_noun())

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

    def _is_of_one(self) -> bool:
        """True where conditions are said of a document that is named: whether they hold is what is asked."""
        named = self._reading.of(SpanRole.DOCUMENT)
        is_left_out = any(self._is_excluded(span) for span in named)
        says = self._reading.of(SpanRole.CONDITION)
        return (
            bool(named and says) and not is_left_out and not self._reading.of(SpanRole.ASKED, SpanRole.KIND)
        )

    def _is_of_party(self) -> bool:
        """True where documents with an organisation are wanted, nothing of them: "what do we have with X"."""
        wanted = self._reading.of(SpanRole.ASKED, SpanRole.DOCUMENT, SpanRole.CONDITION, SpanRole.VALUE)
        return not wanted and bool(self._reading.of(SpanRole.PARTY))

    def _lookup(self, tree: Tree, asked: Sequence[FieldSenses]) -> Tree:
        if not asked or tree.where is None:
            raise NotStructuredError
        if all(each.matches[0].field.type is FieldType.BOOLEAN for each in asked):
            if len(asked) > 1 or set(self._reading.question.casefold().split()) & _WORDS_THAT_ASK:
                raise NotStructuredError  # the text says what is agreed
            return replace(tree, intent=AnswerIntent.CHECK, shown=tuple(asked), subject=None)
        return replace(tree, shown=tuple(asked), subject=None)

    def _check(self, tree: Tree) -> Tree:
        named = self._reading.of(SpanRole.DOCUMENT, SpanRole.PARTY)
        conditions = self._reading.of(SpanRole.CONDITION)
        values = self._reading.of(SpanRole.VALUE)
        is_of_any = asks_of_any(self._reading.question)
        if named and len(conditions) == 1 and not values and not is_of_any:
            where = self._where(named)
            return replace(tree, where=where, shown=(self._field(conditions[0]),), subject=None)
        shown = tuple(self._field(span) for span in values) if named else ()
        subject = None if named else tree.subject or self._kinds.any_noun()
        return replace(tree, intent=AnswerIntent.LIST, subject=subject, shown=shown)

    def _computed(self, tree: Tree, asked: Sequence[FieldSenses]) -> Tree:
        function = self._function()
        measure = asked[0] if asked else None
        if measure is None:
            raise NotStructuredError
        if function is None:
            function = Calculation.SUM
        return replace(
            tree, function=function, measure=measure, subject=tree.subject or self._kinds.any_noun()
        )

    def _grouped(self, tree: Tree, asked: Sequence[FieldSenses]) -> Tree:
        keys = tuple(self._key(span) for span in self._reading.of(SpanRole.GROUP))
        if not keys and not asked:
            raise NotStructuredError
        if not keys and asked[0].matches[0].field.type not in AMOUNTS:  # "which laws, and how many each"
            keys, asked = (self._key(self._reading.of(SpanRole.ASKED)[0]),), ()
        if not keys:
            return replace(
                tree,
                intent=AnswerIntent.LIST,
                shown=tuple(asked),
                subject=tree.subject or self._kinds.any_noun(),
            )
        measure = next((each for each in asked if each.matches[0].field.type in AMOUNTS), None)
        function = self._function()
        if measure is not None and function is None:
            function = Calculation.SUM
        tree = replace(tree, groups=keys, subject=tree.subject or self._kinds.any_noun())
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
        tree = replace(tree, order=order, subject=tree.subject or self._kinds.any_noun())
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
        is_amount = len(asked) == 1 and asked[0].matches[0].field.type in ORDERED and len(sides) == 2
        outcome = spoken_outcome([token.word for token in self._mentions.tokens], is_amount=is_amount)
        return Tree(AnswerIntent.COMPARE, where=where, sides=tuple(sides), shown=asked, outcome=outcome)

    def _counted_sides(self) -> Tree:
        """ "More under Delaware law or New York's?": the documents of each value of one field, counted."""
        values = self._reading.of(SpanRole.VALUE)
        fields = {self._spans.link(span).field for span in values}
        others = self._reading.of(SpanRole.CONDITION, SpanRole.PARTY, SpanRole.ASKED)
        if len(values) < 2 or len(fields) != 1 or others:
            raise NotStructuredError
        entry = self._spans.entry(values[0])
        where = Any(tuple(self._value(span) for span in values))
        aspect = Aspect("year") if entry.type is FieldType.DATE else None
        key = GroupKey(senses_of_field(entry), aspect, entry.title)
        return Tree(
            AnswerIntent.GROUP, subject=self._subject or self._kinds.any_noun(), where=where, groups=(key,)
        )

    def _function(self) -> Calculation | None:
        found = [p.meaning for p in self._mentions.pieces if isinstance(p.meaning, Statistic)]
        return next((each.name for each in found), None)

    def _key(self, span: ReadSpan) -> GroupKey:
        text = self._reading.text(span)
        said = [p.meaning for p in mentions_of(text, self._known, self._today).pieces]
        if Aspect("unit") in said:
            return GroupKey(None, Aspect("unit"), text)  # "per currency": of the amounts
        entry = self._spans.entry(span)
        near = (*mentions_of(text, self._known, self._today).pieces, *self.outside().pieces)
        aspect = next((p.meaning for p in near if isinstance(p.meaning, Aspect)), None)
        return GroupKey(senses_of_field(entry), aspect if entry.type is FieldType.DATE else None, text)

    def _order(self, span: ReadSpan) -> Order:
        entry = self._spans.entry(span)
        if entry.type not in ORDERED:
            raise NotStructuredError
        text = " ".join(self._reading.text(each) for each in self._reading.of(SpanRole.ORDER))
        words = [t.word for t in tokens_of(text)]
        beyond = self.outside()
        words += [t.word for p in beyond.pieces for t in beyond.tokens[p.first : p.end]]
        pieces = (*mentions_of(text, self._known, self._today).pieces, *self._mentions.pieces)
        top = next((p.meaning for p in pieces if isinstance(p.meaning, Top)), None)
        ends = [w for w in words if w in _LEAST or w in _MOST]
        says = ends[0] if ends else None
        names_both_ends = bool(set(ends) & _LEAST and set(ends) & _MOST)  # "from the oldest to the newest"
        descending = says in _MOST if says is not None else True
        if entry.type is FieldType.DATE and says is None:
            descending = False
        count = (top.count if top is not None else 0) or self._bare_count()
        if not count:
            count = 0 if set(words) & _SORTING or says is None or names_both_ends else 1
        if says is None and top is not None and top.descending is not None:
            descending = top.descending
        return Order(
            senses_of_field(entry), descending, count, of_time=entry.type is FieldType.DATE, text=entry.title
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
                is_count = 0 < int(value.text) <= _MOST_RANKED
                self._bare = piece if is_count else None
                return int(value.text) if is_count else 0
        return 0


_WORDS_THAT_ASK = frozenset(("what", "how", "which", "who", "why", "where", "when", "whose", "what's"))
_ASKING = word_list("reading", "asking_for_values")
_MOST = word_list("reading", "most")
_LEAST = word_list("reading", "least")
_SORTING = word_list("reading", "sorting")
