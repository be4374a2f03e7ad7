"""Reading: what a question asks for, whoever read it. Readers give it, one compiler makes a plan of it.

It says things in terms of the catalogue, and it names things in words of the question: which documents a name
means, and which kind or tables the fields are of, is worked out by `core.plan.compile`. Its JSON is stored in
plans and shown by `groundwork plan`; `version` changes with its form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from core.domain.frozen import Frozen
from core.domain.predicate import Operator

MOST_STEPS = 8
IN_HAND = "set"
"""Name of the result set that a conversation has in hand, among the steps that a step goes on from."""

BUILT_IN = ("model", "trained", "person")
"""Names of our own readers; a plug-in's reader has the name of its entry point."""

ReaderName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
Output = Literal["any", "list", "table", "value", "prose"]
Part = Literal["", "year", "month", "quarter", "unit"]
Combination = Literal["", "less", "plus", "times", "per"]
_LONGEST_WORDS = 500
Words = Annotated[str, BeforeValidator(lambda said: said[:_LONGEST_WORDS] if isinstance(said, str) else said)]
"""Words of a question that said a part, their beginning where they are very many."""


class Operation(StrEnum):
    """Operation that a question, or a step of it, asks for."""

    LIST = "list"  # documents or rows, or the distinct values of a field ("which vendors")
    COUNT = "count"
    EXISTS = "exists"  # is there any
    CHECK = "check"  # yes or no about documents that are named, or about all of a set
    LOOKUP = "lookup"  # a value that certain documents or rows state
    GROUP = "group"  # a result for each
    COMPARE = "compare"  # sides beside each other, or a figure made of several steps
    RANK = "rank"  # documents or rows by a value: the first, the five largest, sorted
    COMPUTE = "compute"  # a sum, an average, a median, a smallest or largest value
    TEXT = "text"  # what the text says, explains, describes
    ALL = "all"  # all documents, without condition
    HELP = "help"  # greetings, thanks, what the workbench can do
    QUERY = "query"  # SQL over rows of tables
    CONNECT = "connect"  # how two names are connected


class Function(StrEnum):
    """Figure that a set, each group or each side comes to; "" where none is asked for."""

    NONE = ""
    COUNT = "count"
    SUM = "sum"
    AVG = "avg"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    DISTINCT = "distinct"
    SHARE = "share"  # of documents or rows, in percent of those that can be decided


class Outcome(StrEnum):
    """What is told of the sides of a comparison, or made of the figures of several steps."""

    VALUES = "values"  # side by side
    DIFFERENCE = "difference"
    RATIO = "ratio"
    SHARE = "share"
    SUM = "sum"
    MORE = "more"  # is the first more than the second
    LESS = "less"
    GREATEST = "greatest"
    LEAST = "least"
    INTERSECT = "intersect"  # of the sets of steps
    UNION = "union"
    WITHOUT = "without"  # the first set less the others


class ReadField(Frozen):
    """A field or a column that words mean. schema_name: "" where any may have it.

    part: of its dates or amounts. combined: what is made of it and of `other`, a column of the same row
    ("actual less budget", days between two dates), "per" so many (`scale`) of it. words: those that said it,
    "" for none; probability: that it is meant.
    """

    name: str = Field(min_length=1, max_length=200)
    schema_name: str = Field(default="", max_length=100)
    part: Part = ""
    combined: Combination = ""
    other: str = Field(default="", max_length=200)
    scale: int = Field(default=1, ge=1, le=1_000_000)
    words: Words = ""
    probability: float = Field(default=1.0, ge=0, le=1)

    @property
    def all_of_it(self) -> tuple[ReadField, ...]:
        """Itself, and the column that it is combined with."""
        other = ReadField(name=self.other, schema_name=self.schema_name) if self.other else None
        return (self,) if other is None else (self, other)


class ReadCondition(Frozen):
    """A condition. values: canonical (ISO dates, plain decimals, "100000 USD"), or as the question says them.

    op: IS "present" and MISSING have no value of the question; BETWEEN has two, IN several, others one. A
    value "$s1" is what the step s1 comes to; of rows, IN "$s1" holds where one of them says the same.
    of_field: another field of the document, or column of the row, that it is compared with. negated: what it
    says is not to hold. either: conditions with the same number above 0 are alternatives, of which one has to
    hold.
    """

    field: ReadField
    op: Operator = Operator.IS
    values: tuple[str, ...] = Field(default=(), max_length=50)
    of_field: ReadField | None = None
    negated: bool = False
    either: int = Field(default=0, ge=0, le=20)
    words: Words = ""
    probability: float = Field(default=1.0, ge=0, le=1)


class ReadName(Frozen):
    """Words that name documents, an organisation, or a kind of document. documents: their ids, where a reader
    knows them. negated: these are left out. described: a step that says which are meant, "" for none."""

    words: Words
    role: Literal["document", "party", "kind"]
    documents: tuple[str, ...] = Field(default=(), max_length=50)
    negated: bool = False
    described: str = Field(default="", max_length=40)
    probability: float = Field(default=1.0, ge=0, le=1)


class ReadOrder(Frozen):
    """An order. limit: how many of the first are wanted, 0 for all; skip: how many before these are not."""

    field: ReadField | None = None
    descending: bool = True
    limit: int = Field(default=0, ge=0, le=100_000)
    skip: int = Field(default=0, ge=0, le=100_000)
    words: Words = ""


class Step(Frozen):
    """One thing that is asked for. kind: a schema; tables: "document|number" of the rows, () for any.

    is_rows: rows of tables are asked about, not documents. on: a column of each of two tables, whose rows go
    together where both say the same. asked: fields that are shown, looked up, or
    computed with (the first). within: steps whose sets it narrows, `IN_HAND` for that of the conversation.
    sides: steps that it holds beside each other, or calculates with; labels: what they are called.
    text: what is looked for in text, "" for the question itself. sql: of a query over `tables`.
    """

    id: str = Field(default="answer", max_length=40)
    operation: Operation
    kind: str = Field(default="", max_length=100)
    tables: tuple[str, ...] = Field(default=(), max_length=100_000)
    is_rows: bool = False
    on: tuple[ReadField, ...] = Field(default=(), max_length=2)
    names: tuple[ReadName, ...] = Field(default=(), max_length=20)
    conditions: tuple[ReadCondition, ...] = Field(default=(), max_length=30)
    asked: tuple[ReadField, ...] = Field(default=(), max_length=30)
    function: Function = Function.NONE
    groups: tuple[ReadField, ...] = Field(default=(), max_length=3)
    having: ReadCondition | None = None
    order: ReadOrder | None = None
    within: tuple[str, ...] = Field(default=(), max_length=MOST_STEPS)
    sides: tuple[str, ...] = Field(default=(), max_length=MOST_STEPS)
    labels: tuple[str, ...] = Field(default=(), max_length=MOST_STEPS)
    outcome: Outcome = Outcome.VALUES
    text: str = Field(default="", max_length=4_000)
    sql: str = Field(default="", max_length=8_000)

    @property
    def fields(self) -> Iterator[ReadField]:
        """All fields that it rests on: of conditions, then asked, groups, order, those of `on`."""
        named = [each.field for each in self.conditions]
        named += [each.of_field for each in self.conditions if each.of_field is not None]
        ordered = (self.order.field,) if self.order is not None and self.order.field is not None else ()
        for field in (*named, *self.asked, *self.groups, *ordered, *self.on):
            yield from field.all_of_it

    def of_role(self, *roles: str) -> tuple[ReadName, ...]:
        """The names that play one of these parts, in order."""
        return tuple(each for each in self.names if each.role in roles)


def either_groups(conditions: Iterable[ReadCondition]) -> list[list[ReadCondition]]:
    """Conditions that have to hold each, one by one, and behind them those of which one has to, together."""
    groups: dict[int, list[ReadCondition]] = {}
    for at, each in enumerate(conditions):
        groups.setdefault(each.either or -1 - at, []).append(each)
    return sorted(groups.values(), key=lambda some: some[0].either > 0)


def are_apart(one: ReadCondition, other: ReadCondition) -> bool:
    """True of conditions on one field that no single text or day fulfils both."""
    if {one.op, other.op} <= {Operator.EQUAL, Operator.IN}:
        return not set(one.values) & set(other.values)
    is_range = {one.op, other.op} <= {Operator.BETWEEN, Operator.EQUAL}
    is_day = all(len(each) == 10 and each[4] == "-" for each in (*one.values, *other.values))
    return is_range and is_day and (one.values[-1] < other.values[0] or other.values[-1] < one.values[0])


class ReadDoubt(Frozen):
    """A question back: what is not clear, and what may be meant, as whole questions."""

    reason: str = Field(max_length=500)
    words: Words = ""
    options: tuple[str, ...] = Field(default=(), max_length=8)


class Reading(Step):
    """A question as it was read; its own step is the answer. steps: those before it, in order.

    questions: whole ones, where several were asked in one. doubt: what has to be asked back. is_outside: the
    collection cannot answer it, because of `why`. explains: each step before it is a condition of the answer
    before, held against the documents that are named. wordings: further ones of what is looked for in text.
    uncovered: words with content that nothing took. aside: words that ask for nothing. probability: that all
    of it is right.
    """

    version: Literal[1, 2] = 2
    by: ReaderName
    question: str = Field(max_length=20_000)
    steps: tuple[Step, ...] = Field(default=(), max_length=MOST_STEPS)
    buckets: tuple[str, ...] = Field(default=(), max_length=50)
    output: Output = "any"
    wordings: tuple[str, ...] = Field(default=(), max_length=8)
    questions: tuple[str, ...] = Field(default=(), max_length=6)
    doubt: ReadDoubt | None = None
    is_outside: bool = False
    explains: bool = False
    why: str = Field(default="", max_length=500)
    uncovered: tuple[str, ...] = Field(default=(), max_length=50)
    aside: tuple[str, ...] = Field(default=(), max_length=50)
    probability: float = Field(default=1.0, ge=0, le=1)

    @model_validator(mode="after")
    def _refers_back(self) -> Self:
        known = {IN_HAND}
        every: tuple[Step, ...] = (*self.steps, self)
        for step in every:
            named = {*step.within, *step.sides, *(each.described for each in step.names if each.described)}
            unknown = sorted(named - known)
            if unknown:
                raise ValueError(f"step {step.id!r} goes on from {unknown[0]!r}, which is no step before it")
            if step.id in known:
                raise ValueError(f"two steps are called {step.id!r}; every id may be used once")
            known.add(step.id)
        return self

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The steps before the answer, and the answer."""
        return (*self.steps, self)

    @property
    def is_of_text(self) -> bool:
        """True where only the text can answer."""
        return self.operation is Operation.TEXT


@dataclass(frozen=True, slots=True)
class ReadInHand:
    """The last answer, which a question may go on from.

    reading: how its question was read, None where text answered. documents: ids, in the order in which they
    were shown; count: of all in the set, rows where these are asked about. answer: what it came to, in words.
    """

    question: str = ""
    reading: Reading | None = None
    documents: tuple[str, ...] = ()
    count: int = 0
    answer: str = ""

    @property
    def is_rows(self) -> bool:
        """True where rows of tables are in hand."""
        return self.reading is not None and (self.reading.is_rows or bool(self.reading.tables))
