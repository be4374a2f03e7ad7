"""A question over tables in typed parts, before it is a plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from core.domain.predicate import Operator
from core.plan.catalogue import TablePart
from core.plan.ir.nodes import ROW_PLACE, Note
from core.plan.tables.header import ColumnWords
from core.plan.tables.vocabulary import TableKey, TableVocabulary


class TableOperation(StrEnum):
    """Operation of a question over rows."""

    ROWS = "rows"  # rows, or what they say in some columns
    COUNT = "count"
    SUM = "sum"
    AVG = "avg"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    DISTINCT = "distinct"  # how many different values
    EXISTS = "exists"
    ALL = "all"
    DIFFERENCE = "difference"  # of two sides
    GAP = "gap"
    TOGETHER = "together"
    RATIO = "ratio"
    SHARE = "share"
    CHANGE = "change"
    MORE = "more"
    LESS = "less"
    EQUAL = "equal"
    GREATEST = "greatest"  # which of the sides
    LEAST = "least"


COMPUTED = frozenset(
    {TableOperation.SUM, TableOperation.AVG, TableOperation.MEDIAN, TableOperation.MIN, TableOperation.MAX}
)
OF_SIDES = frozenset(
    {
        TableOperation.DIFFERENCE, TableOperation.GAP, TableOperation.TOGETHER, TableOperation.RATIO,
        TableOperation.SHARE, TableOperation.CHANGE, TableOperation.MORE, TableOperation.LESS,
        TableOperation.EQUAL, TableOperation.GREATEST, TableOperation.LEAST,
    }
)  # fmt: skip

IDLE_VERB = "says what is done"
"""Reading of a verb that no column says."""

NO_PART = "is read as no condition"
"""Reading of a word of which nothing is made, as a trained reader gives it no part."""

ARTICLES = frozenset(["the", "a", "an", "our", "my", "your", "their"])
"""A noun stands behind one of these, whatever it ends in: "the women"."""


@dataclass(frozen=True, slots=True)
class ColumnFilter:
    """A condition on a column. values: as its cells have them, or canonical; () where none is needed.

    average: it compares with what the column comes to over all rows ("avg", "median").
    """

    column: ColumnWords
    op: Operator
    values: tuple[str, ...] = ()
    aspect: str = ""
    average: str = ""


Clause = tuple[ColumnFilter, ...]
"""Conditions of which one must hold."""


@dataclass(frozen=True, slots=True)
class QuerySide:
    """One of several sides: further clauses, or another column, or another computation."""

    label: str
    clauses: tuple[Clause, ...] = ()
    measure: ColumnWords | None = None
    operation: TableOperation | None = None


@dataclass(frozen=True, slots=True)
class GroupBy:
    """A column that results are grouped by, or an aspect of it ("month")."""

    column: ColumnWords
    aspect: str = ""

    @property
    def key(self) -> str:
        """As nodes have it."""
        return f"{self.column.key}.{self.aspect}" if self.aspect else self.column.key


def said_of_key(key: str) -> str:
    """A key of a group for a person: "month of order date", and the currency of amounts."""
    name, dot, aspect = key.rpartition(".")
    if not dot or aspect not in ("month", "quarter", "year", "unit"):
        return key
    return f"{'currency' if aspect == 'unit' else aspect} of {name}"


@dataclass(frozen=True, slots=True)
class Having:
    """A condition on the value of each group."""

    op: Operator
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChosenOrder:
    """Order of rows, or of groups by their value. column: None for the place in the table.

    limit: None for all; skip: how many come before what is wanted.
    """

    column: ColumnWords | None
    descending: bool
    limit: int | None = None
    skip: int = 0

    @property
    def key(self) -> str:
        """As nodes have it."""
        return self.column.key if self.column is not None else ROW_PLACE


@dataclass(frozen=True, slots=True)
class UsedKey:
    """A key by which rows of another table come in. how: as a `Join` has it.

    is_left: the table that is asked holds the values, and the other one each of them once.
    """

    key: TableKey
    other: TableVocabulary
    is_left: bool = True
    how: Literal["with", "matching", "without"] = "with"


@dataclass(frozen=True, slots=True)
class CombinedWith:
    """A second column that a measure is combined with in each row: less it, with it, times it, per so many.

    rest: less it, where a row that says nothing of it has none.
    """

    how: Literal["less", "rest", "plus", "times", "per"]
    column: ColumnWords
    scale: int = 1


@dataclass(slots=True)
class TableQuery:
    """A question over the rows of a table, and of another that goes with it.

    parts: the tables meant, of those with the same columns; () for all. shown: columns asked of each row.
    steps: rows behind (below 0: before) those that are described. having: of groups.
    ambiguous: words, with what they may mean. names_codes: names of another table stand beside its codes.
    combined: what the measure is combined with in each row.
    shares: groups have to have each of several values.
    lists_values: the groups are the different values that are asked for, and not how many rows have each.
    over_groups: what the values of the groups come to ("average", "groups"). doubt: of guesses, 0 for none.
    """

    words: TableVocabulary
    operation: TableOperation = TableOperation.ROWS
    clauses: list[Clause] = field(default_factory=list)
    measure: ColumnWords | None = None
    combined: CombinedWith | None = None
    shown: list[ColumnWords] = field(default_factory=list)
    groups: list[GroupBy] = field(default_factory=list)
    order: ChosenOrder | None = None
    having: Having | None = None
    over_groups: str = ""
    steps: int = 0
    sides: list[QuerySide] = field(default_factory=list)
    used: list[UsedKey] = field(default_factory=list)
    parts: tuple[TablePart, ...] = ()
    with_totals: bool = False
    notes: list[Note] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)
    ambiguous: tuple[str, tuple[str, ...]] | None = None
    names_codes: bool = False
    doubt: float = 0.0
    lists_values: bool = False
    shares: bool = False

    def guess(self, doubt: float, phrase: str = "", reading: str = "") -> None:
        """Note something that the question does not say."""
        self.doubt += doubt
        if reading:
            self.notes.append(Note(phrase=phrase, reading=reading))
