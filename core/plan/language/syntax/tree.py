"""Syntax tree of a question, and the choice of fields for its words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, Option, option_for
from core.plan.ir.node import Outcome
from core.plan.language.lexicon.lexicon import GENERIC, Lexicon
from core.plan.language.lexicon.words import SEVERAL_MEANINGS
from core.plan.language.pieces import (
    Aspect,
    Bridge,
    Computed,
    Currency,
    DateInterval,
    DayRange,
    Described,
    DocumentSet,
    FieldMatch,
    FieldSenses,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    UnknownWord,
    Values,
    stems,
    tokens_of,
)

Operand = (
    Quantity
    | DayRange
    | Policy
    | Bridge
    | Described
    | Computed
    | Values
    | Parties
    | DocumentSet
    | Noun
    | UnknownWord
    | Currency
    | FieldSenses
)  # fmt: skip


class AnswerIntent(StrEnum):
    """Kind of answer that is asked for."""

    LIST = "list"  # documents
    COUNT = "count"
    COMPUTE = "compute"  # a sum, an average, an extreme
    RANK = "rank"  # documents by a value
    GROUP = "group"  # a result for each
    COMPARE = "compare"
    LOOKUP = "lookup"  # what certain documents state
    CHECK = "check"  # whether something holds


@dataclass(frozen=True, slots=True)
class Test:
    """One condition, not yet typed. fields None: which field is meant follows from the operand.

    op None: it exists, or equals. hint: the field that the comparing word says. high: the other end of
    "between". span: the two dates between which the time is compared. pieces: what it was made of.
    """

    pieces: tuple[Piece, ...]
    fields: FieldSenses | None = None
    op: Operator | None = None
    operand: Operand | None = None
    high: Quantity | None = None
    hint: str = ""
    span: DateInterval | None = None

    @property
    def text(self) -> str:
        """The words that it was made of."""
        return " ".join(piece.text for piece in self.pieces)

    @property
    def is_bare(self) -> bool:
        """True where it only says that something exists, or names something."""
        return self.op is None and (self.fields is None or self.operand is None)


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite. is_other: "other than": what has another value."""

    part: Expression
    is_other: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part holds."""

    parts: tuple[Expression, ...]


Expression = Test | Not | All | Any


@dataclass(frozen=True, slots=True)
class GroupKey:
    """Key that results are grouped by: a field, or a part of a date (of `fields`, where there is one)."""

    fields: FieldSenses | None
    aspect: Aspect | None
    text: str


LONG = frozenset(["longest", "shortest"])
"""Words for an order by how long something lasts."""

DURATION = "duration"
"""The hint of an order by how long something lasts, which no amount stands for."""


@dataclass(frozen=True, slots=True)
class Order:
    """By which field documents are ordered, and how many are wanted (0: all). None: what is usual.

    ahead: only what is still to come.
    """

    fields: FieldSenses | None
    descending: bool
    count: int
    of_time: bool = False
    text: str = ""
    hint: str = ""
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison."""

    label: str
    test: Test


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed question. entity: fields whose values are asked for ("which vendors"); leftover: not covered.

    inner: what is computed for each, where an extreme is asked among them ("the highest total").
    asks: the word of `Ask` that the question begins with. among: fields that only say which kind of document
    is meant ("models"). outcome: what is asked of the sides.
    """

    intent: AnswerIntent
    subject: Noun | None = None
    entity: FieldSenses | None = None
    among: FieldSenses | None = None
    where: Expression | None = None
    function: Calculation | None = None
    measure: FieldSenses | None = None
    groups: tuple[GroupKey, ...] = ()
    order: Order | None = None
    sides: tuple[Side, ...] = ()
    shown: tuple[FieldSenses, ...] = ()
    leftover: tuple[Piece, ...] = ()
    of_time: bool = False
    hint: str = ""
    inner: Calculation | None = None
    asks: str = ""
    outcome: Outcome = "values"


def tests(expression: Expression | None) -> Iterator[Test]:
    """All conditions of an expression, in the order of the question."""
    if isinstance(expression, Test):
        yield expression
    elif isinstance(expression, Not):
        yield from tests(expression.part)
    elif expression is not None:
        for part in expression.parts:
            yield from tests(part)


def usual_date(tree: Tree) -> FieldSenses | None:
    """The one date that a question names, for periods that stand by themselves; None for none, or several."""
    ordered = tree.order.fields if tree.order is not None else None
    named = [ordered, tree.measure, *(test.fields for test in tests(tree.where) if test.operand is None)]
    found = [
        each
        for each in named
        if each is not None and each.matches and each.matches[0].field.type is FieldType.DATE
    ]
    names = {each.matches[0].field.name for each in found}
    return found[0] if len(names) == 1 else None


EXISTS = (FieldType.BOOLEAN,)
_EQUAL_WEIGHTS = 0.021
_SYNONYM = 0.06  # a synonym may be this much behind a title


def elect(tree: Tree, lexicon: Lexicon) -> str:
    """The schema that the question is about: its noun's, else the one that has most of what it names."""
    if tree.subject is not None and tree.subject.schema and not _are_others(tree, tree.subject.schema):
        return tree.subject.schema
    votes: dict[str, float] = defaultdict(float)
    for fields in _all_fields(tree):
        best: dict[str, float] = {}
        for match in fields.matches:
            weight = match.weight + (0.05 if match.field.documents else 0.0)
            best[match.field.schema] = max(best.get(match.field.schema, 0.0), weight)
        for schema, weight in best.items():
            votes[schema] += weight
    for test in (*tests(tree.where), *(side.test for side in tree.sides)):
        if isinstance(test.operand, Values):
            for value in test.operand.values[:3]:
                votes[value.schema] += 0.5 if not test.operand.is_part else 0.2
        if isinstance(test.operand, DocumentSet):
            for schema in {each.schema for each in test.operand.documents if each.schema}:
                votes[schema] += 0.3
        if isinstance(test.operand, Parties):
            for schema in {schema for party in test.operand.parties for schema, _ in party.fields}:
                votes[schema] += 0.1
    if not votes:
        return ""
    order = {each.name: at for at, each in enumerate(lexicon.catalogue.schemas)}
    return min(votes, key=lambda name: (-votes[name], name == GENERIC, order.get(name, 99)))


def _are_others(tree: Tree, schema: str) -> bool:
    """True where all documents that the question names are of another kind than its noun."""
    named = [
        each.schema
        for test in (*tests(tree.where), *(side.test for side in tree.sides))
        if isinstance(test.operand, DocumentSet) and test.fields is None
        for each in test.operand.documents
    ]
    return bool(named) and schema not in named and all(named)


def names_fields(tree: Tree) -> bool:
    """True where the question names any field at all."""
    return next(_all_fields(tree), None) is not None


def _all_fields(tree: Tree) -> Iterator[FieldSenses]:
    yield from (
        fields for fields in (tree.measure, tree.entity, tree.among, *tree.shown) if fields is not None
    )
    yield from (group.fields for group in tree.groups if group.fields is not None)
    if tree.order is not None and tree.order.fields is not None:
        yield tree.order.fields
    yield from (test.fields for test in tests(tree.where) if test.fields is not None)


class Chooser:
    """Chooses fields of one schema. Raises AskBackError where the wording decides for none."""

    def __init__(self, lexicon: Lexicon, schema: SchemaEntry, question: str) -> None:
        self._lexicon = lexicon
        self.schema = schema
        self._question = question

    def field(self, fields: FieldSenses, text: str, types: Collection[FieldType] = ()) -> FieldEntry | None:
        """The field of this schema that the words mean; types: what it must be, () for anything."""
        text = text or self._words(fields)
        own = [match for match in fields.matches if match.field.schema == self.schema.name]
        fitting = [match for match in own if not types or match.field.type in types]
        meant = self._several(text, types)
        if meant and (len(meant) == 1 or not (types and fitting)):
            if len(meant) == 1:
                return meant[0]
            raise AskBackError(self._which(text, meant))
        if not fitting:
            return self._by_word(text, types) if own and types else None
        best = [match for match in fitting if fitting[0].weight - match.weight < _EQUAL_WEIGHTS]
        if len({match.field.name for match in best}) > 1:
            return self._settled(best, text)
        return fitting[0].field

    def one_meaning(self, fields: FieldSenses, types: Collection[FieldType]) -> None:
        """Raises AskBackError where the word has several meanings here, and is the name of none of them."""
        text = self._words(fields)
        meant = [field for field in self._several(text, types) if field.documents]
        is_name = any(stems(field.title) == stems(text) for field in meant)
        if len(meant) > 1 and not is_name:
            raise AskBackError(self._which(text, meant))

    def _words(self, fields: FieldSenses) -> str:
        """The words of the question that name fields; "" where they are not known."""
        tokens, size = tokens_of(self._question), len(fields.said)
        for at in range(len(tokens) - size + 1 if size else 0):
            if tuple(token.stem for token in tokens[at : at + size]) == fields.said:
                return self._question[tokens[at].start : tokens[at + size - 1].end]
        return ""

    def exists(self, fields: FieldSenses, text: str) -> FieldEntry | None:
        """The field whose presence is asked for: a clause where there is one of that name."""
        meant = self._several(text, ())
        if len(meant) > 1:
            raise AskBackError(self._which(text, meant))
        own = [match for match in fields.matches if match.field.schema == self.schema.name]
        top = [match for match in own if own[0].weight - match.weight < _SYNONYM]
        clauses = [match for match in top if match.field.type in EXISTS]
        return (clauses or own)[0].field if own else None

    def first(self, *types: FieldType) -> FieldEntry | None:
        """The first field of these types, which schemas put in the order of their importance."""
        own = [each for each in self.schema.fields if each.type in types]
        return next((each for each in own if each.documents), own[0] if own else None)

    def _settled(self, best: Sequence[FieldMatch], text: str) -> FieldEntry:
        stated = [match for match in best if match.field.documents]
        if len(stated) == 1:
            return stated[0].field
        titled = [match for match in best if stems(match.field.title) == stems(text)]
        if len(titled) == 1:
            return titled[0].field
        raise AskBackError(self._which(text, [match.field for match in best]))

    def _several(self, text: str, types: Collection[FieldType]) -> list[FieldEntry]:
        """Fields that a word with several meanings may be here; [] for other words."""
        key = stems(text)
        for word, phrases in SEVERAL_MEANINGS.items():
            if stems(word) != key:
                continue
            found: dict[str, FieldEntry] = {}
            for phrase in phrases:
                fields = self._lexicon.fields(stems(phrase))
                for match in fields.matches if fields else ():
                    if match.field.schema == self.schema.name and (not types or match.field.type in types):
                        found.setdefault(match.field.name, match.field)
                        break
            return list(found.values())
        return []

    def _by_word(self, text: str, types: Collection[FieldType]) -> FieldEntry | None:
        """The one field of these types that has the words in its title."""
        wanted = set(stems(text))
        found = [f for f in self.schema.fields if f.type in types and wanted <= set(stems(f.title))]
        return found[0] if len(found) == 1 else None

    def _which(self, text: str, meant: Sequence[FieldEntry]) -> Clarify:
        titles = [each.title for each in meant]
        options: tuple[Option, ...] = tuple(
            option_for(self._question, text, each.title.lower(), each.documents) for each in meant[:6]
        )
        listed = ", ".join(titles[:-1]) + f" or {titles[-1]}"
        return Clarify(
            type="several_meanings",
            question=self._question,
            phrase=text,
            reason=f"“{text}” may mean {listed} here. Which do you mean?",
            options=options,
        )
