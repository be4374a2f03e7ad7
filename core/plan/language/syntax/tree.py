"""The tree that a question is parsed into: what is asked, of which documents, under which conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.domain.annotation import Aggregate
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Aspect,
    Bridge,
    Computed,
    Currency,
    Described,
    Documents,
    Fields,
    Noun,
    Parties,
    Period,
    Piece,
    Policy,
    Quantity,
    Span,
    Unknown,
    Values,
)

Operand = (
    Quantity
    | Period
    | Policy
    | Bridge
    | Described
    | Computed
    | Values
    | Parties
    | Documents
    | Noun
    | Unknown
    | Currency
    | Fields
)  # fmt: skip


class Intent(StrEnum):
    """What kind of answer is asked for."""

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
    fields: Fields | None = None
    op: Operator | None = None
    operand: Operand | None = None
    high: Quantity | None = None
    hint: str = ""
    span: Span | None = None

    @property
    def text(self) -> str:
        """The words that it was made of."""
        return " ".join(piece.text for piece in self.pieces)

    @property
    def is_bare(self) -> bool:
        """Whether it only says that something exists, or names something."""
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
class Group:
    """What results are grouped by: a field, or a part of a date (of `fields`, where there is one)."""

    fields: Fields | None
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

    fields: Fields | None
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
    is meant ("models").
    """

    intent: Intent
    subject: Noun | None = None
    entity: Fields | None = None
    among: Fields | None = None
    where: Expression | None = None
    function: Aggregate | None = None
    measure: Fields | None = None
    groups: tuple[Group, ...] = ()
    order: Order | None = None
    sides: tuple[Side, ...] = ()
    shown: tuple[Fields, ...] = ()
    leftover: tuple[Piece, ...] = ()
    of_time: bool = False
    hint: str = ""
    inner: Aggregate | None = None
    asks: str = ""


def tests(expression: Expression | None) -> Iterator[Test]:
    """All conditions of an expression, in the order of the question."""
    if isinstance(expression, Test):
        yield expression
    elif isinstance(expression, Not):
        yield from tests(expression.part)
    elif expression is not None:
        for part in expression.parts:
            yield from tests(part)


def usual_date(tree: Tree) -> Fields | None:
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
