"""The marking that a question is shown with before anybody changes it: what its plan made of which words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from core.domain.annotation import Calculation
from core.domain.answer import Kind, ReadingPart
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.ir.node import (
    Choice,
    ComputationNode,
    Condition,
    ScopedNode,
    SelectionNode,
    SidesNode,
    clause_parts,
    schema_of,
)
from core.plan.ir.nodes import Plan
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import (
    Ask,
    Comparator,
    Connective,
    Currency,
    DayRange,
    DocumentSet,
    FieldSenses,
    Filler,
    Negator,
    Noun,
    Parties,
    Piece,
    Quantity,
    Statistic,
    Token,
    Top,
    Values,
)
from core.plan.language.reading.read import read
from core.plan.reader.reading import Operation, SpanRole
from core.plan.reading_line.parts import reading_parts
from core.plan.reading_line.words import negated_value
from core.plan.teaching.marking import Mark, Marking, Part

_BETWEEN = (Filler, Comparator, Connective)
_SIGNS = "$€£¥"


def first_marking(question: str, plan: Plan | None, known: Known, today: date) -> Marking:
    """The marking that says what a plan did with a cleaned question; without a plan, what its words name."""
    parsed = read(question, known.lexicon, today, known.words)
    catalogue = known.lexicon.catalogue
    schema = _schema(plan, parsed.pieces, catalogue)
    words = _Words(question, parsed.tokens, parsed.pieces, schema, set())
    made = plan if plan is not None and any(isinstance(n, SelectionNode) for n in plan.nodes) else None
    marks = [*(_of_plan(made, catalogue, words) if made is not None else _of_words(words))]
    operation = _operation(made) if made is not None else _asked(parsed.pieces)
    marking = Marking(operation=operation, schema_name=schema)
    for mark in marks:
        if all(each.end <= mark.start or each.start >= mark.end for each in marking.marks):
            marking = marking.with_mark(mark)
    return marking


def _schema(plan: Plan | None, pieces: Sequence[Piece], catalogue: Catalogue) -> str:
    """The schema that a plan asks, else that of the nouns of the question, else that of most documents."""
    if plan is not None:
        nodes = {each.id: each for each in plan.nodes}
        found = [name for each in plan.nodes if (name := schema_of(each, nodes))]
        if found:
            return found[-1]
    named = [each.meaning.schema for each in pieces if isinstance(each.meaning, Noun)]
    held = Counter({each.name: each.documents for each in catalogue.schemas})
    most = held.most_common(1)
    return next((name for name in named if name), most[0][0] if most else "")


def _operation(plan: Plan) -> Operation:
    answer = plan.node(plan.answer_node) if plan.answer_node is not None else None
    if isinstance(answer, SidesNode):
        return Operation.COMPARE
    if isinstance(answer, ComputationNode):
        if answer.group_by:
            return Operation.GROUP
        is_count = answer.function in (Calculation.COUNT, Calculation.DISTINCT)
        return Operation.COUNT if is_count else Operation.COMPUTE
    if plan.decides:
        return Operation.EXISTS if plan.decides == "any" else Operation.CHECK
    if isinstance(answer, SelectionNode) and answer.order_by:
        return Operation.RANK
    if plan.kind is not Kind.LOOKUP or not isinstance(answer, SelectionNode):
        return Operation.LIST
    if answer.fields:
        return Operation.LOOKUP
    return Operation.CHECK if answer.scope.documents else Operation.EXISTS


def _asked(pieces: Sequence[Piece]) -> Operation:
    """The operation that the interrogative of a question says."""
    said = [each.meaning.how for each in pieces if isinstance(each.meaning, Ask)]
    if "count" in said:
        return Operation.COUNT
    return Operation.EXISTS if "whether" in said[:1] else Operation.LIST


@dataclass(slots=True)
class _Words:
    """Words of a question by their pieces. used: the pieces that a mark has."""

    question: str
    tokens: tuple[Token, ...]
    pieces: tuple[Piece, ...]
    schema: str
    used: set[int]

    def named(self, field: str) -> int | None:
        """The piece that names a field and no mark has yet."""
        for at, piece in enumerate(self.pieces):
            if at not in self.used and self._names(piece, field):
                return at
        return None

    def _names(self, piece: Piece, field: str) -> bool:
        matches = piece.meaning.matches if isinstance(piece.meaning, FieldSenses) else ()
        return any((each.field.schema, each.field.name) == (self.schema, field) for each in matches)

    def valued(self, field: FieldEntry) -> int | None:
        """The piece that is a value of a field and no mark has yet."""
        for at, piece in enumerate(self.pieces):
            if at not in self.used and _is_value(piece, field):
                return at
        return None

    def mark(self, first: int, last: int, part: Part, field: str = "") -> Mark:
        """A mark over pieces, the last included."""
        self.used.update(range(first, last + 1))
        start = self.tokens[self.pieces[first].first].start
        end = self.tokens[self.pieces[last].end - 1].end
        start -= self.question[start - 1 : start] in tuple(_SIGNS)
        return Mark(start=start, end=end, part=part, field=field)

    def with_value(self, at: int, field: FieldEntry) -> tuple[int, int]:
        """The pieces from one that names a field to the values beside it, in one direction."""
        for step in (1, -1):
            best, place = at, at + step
            while 0 <= place < len(self.pieces) and place not in self.used:
                if _is_value(self.pieces[place], field):
                    best = place
                elif not isinstance(self.pieces[place].meaning, _BETWEEN):
                    break
                place += step
            if best != at:
                first, last = min(at, best), max(at, best)
                is_said_again = last + 1 < len(self.pieces) and self._names(self.pieces[last + 1], field.name)
                return first, last + is_said_again
        return at, at

    def ordered(self, at: int) -> int:
        """The piece with which an order by a field begins: the word before it that says which end."""
        before = at - 1
        while before > 0 and isinstance(self.pieces[before].meaning, Filler):
            before -= 1
        is_end = before >= 0 and isinstance(self.pieces[before].meaning, (Statistic, Top))
        return before if is_end and before not in self.used else at

    def compared(self, at: int) -> int:
        """The piece with which a value begins: the word before it that compares, if any."""
        before = at
        while before > 0 and isinstance(self.pieces[before - 1].meaning, _BETWEEN[:2]):
            before -= 1
        is_compared = any(isinstance(each.meaning, Comparator) for each in self.pieces[before:at])
        return before if is_compared else at


def _is_value(piece: Piece, field: FieldEntry) -> bool:
    """True where a piece is a value of a field: "Texas" of a governing law, "2025" of a date."""
    meaning = piece.meaning
    if isinstance(meaning, Values):
        return any((each.schema, each.field) == (field.schema, field.name) for each in meaning.values)
    if isinstance(meaning, DayRange):
        return field.type is FieldType.DATE and not meaning.hint
    if isinstance(meaning, Quantity):
        return meaning.value.type is field.type or {meaning.value.type, field.type} <= _NUMBERS
    if isinstance(meaning, Parties):
        return field.type is FieldType.PARTY
    return isinstance(meaning, Currency) and field.type is FieldType.MONEY


_NUMBERS = {FieldType.MONEY, FieldType.NUMBER}
_OUTSIDE = {Operator.LESS, Operator.GREATER}
_ROLES = {
    "field": SpanRole.ASKED,
    "operation": SpanRole.ASKED,
    "group": SpanRole.GROUP,
    "order": SpanRole.ORDER,
}


def _of_plan(plan: Plan, catalogue: Catalogue, words: _Words) -> Iterator[Mark]:
    parts = reading_parts(plan, catalogue)
    for part in parts:
        if part.kind == "condition":
            yield from _of_condition(plan, part, catalogue, words)
    yield from _of_names(plan, words)
    for part in parts:
        role = _ROLES.get(part.kind)
        at = words.named(part.field) if role is not None and part.field else None
        if role is not None and at is not None:
            first = words.ordered(at) if role is SpanRole.ORDER else at
            yield words.mark(first, at, Part(role=role), part.field)


def _of_names(plan: Plan, words: _Words) -> Iterator[Mark]:
    """The documents and organisations that a plan is about."""
    has_documents = any(isinstance(each, ScopedNode) and each.scope.documents for each in plan.nodes)
    for at, piece in enumerate(words.pieces):
        if at in words.used:
            continue
        if isinstance(piece.meaning, DocumentSet) and has_documents:
            yield words.mark(at, at, Part(role=SpanRole.DOCUMENT))
        if isinstance(piece.meaning, Parties):
            yield words.mark(at, at, Part(role=SpanRole.PARTY))


def _of_condition(plan: Plan, part: ReadingPart, catalogue: Catalogue, words: _Words) -> Iterator[Mark]:
    node = plan.node(part.node)
    entry = catalogue.field(part.field, words.schema)
    if not isinstance(node, SelectionNode) or entry is None:
        return
    clause = node.conditions[part.places[0]]
    condition = clause_parts(clause)[0]
    if _is_presence(condition):
        is_negated = condition.op is Operator.MISSING or condition.value == "false"
        at = words.named(entry.name)
        if at is not None:
            yield words.mark(at, at, Part(role=SpanRole.CONDITION, is_negated=is_negated), entry.name)
        return
    value = Part(role=SpanRole.VALUE, is_negated=_is_denial(clause))
    at = words.named(entry.name)
    if at is not None:
        first, last = words.with_value(at, entry)
        if first != last:
            yield words.mark(first, last, value, entry.name)
            return
    at = words.valued(entry) if entry.type is not FieldType.PARTY else None
    if at is not None:
        yield words.mark(words.compared(at), at, value, entry.name)


def _is_presence(condition: Condition) -> bool:
    return condition.op in (Operator.MISSING, Operator.IS) or condition.value in ("true", "false")


def _is_denial(clause: Condition | Choice) -> bool:
    is_outside = isinstance(clause, Choice) and {each.op for each in clause.any_of} == _OUTSIDE
    is_other = clause_parts(clause)[0].op is Operator.NOT_EQUAL
    return is_outside or is_other or negated_value(clause) is not None


def _of_words(words: _Words) -> Iterator[Mark]:
    """Marks of what words name by themselves, where no plan says what they are there for."""
    is_denied = False
    for at, piece in enumerate(words.pieces):
        meaning = piece.meaning
        if isinstance(meaning, Negator):
            is_denied = True
        elif isinstance(meaning, DocumentSet):
            yield words.mark(at, at, Part(role=SpanRole.DOCUMENT))
        elif isinstance(meaning, Parties):
            yield words.mark(at, at, Part(role=SpanRole.PARTY))
        elif isinstance(meaning, FieldSenses):
            own = [each.field for each in meaning.matches if each.field.schema == words.schema]
            if own and own[0].type is FieldType.BOOLEAN:
                part = Part(role=SpanRole.CONDITION, is_negated=is_denied)
                yield words.mark(at, at, part, own[0].name)
            is_denied = False
