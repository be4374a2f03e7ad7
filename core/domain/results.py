"""Results of a plan's nodes: documents in four parts, rows, passages, values, groups, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from core.domain.answer import Citation, Degradation
from core.domain.frozen import Frozen


class Unknown(Frozen):
    """Reason why a document's membership is not known: which field, and what is in the way.

    value: what it states, where that is in the way (an amount in another currency).
    """

    field: str
    reason: str
    value: str = ""


class UsedRate(Frozen):
    """Rate by which amounts were converted: worth of one of a currency in the base. day: ISO 8601."""

    currency: str
    rate: str
    day: str
    source: str = ""


class Conversion(Frozen):
    """Conversion of amounts: `rates` lead to `base`, and from there into another currency.

    dated_by: whose date chose the rates, () where the latest were taken; undated: amounts that have no such
    date, and the latest rate. amounts: by document what it states, converted, where these are ordered.
    """

    into: str
    base: str
    rates: tuple[UsedRate, ...] = ()
    dated_by: tuple[str, ...] = ()
    undated: int = 0
    amounts: dict[str, str] = Field(default_factory=dict)


class ConvertedPart(Frozen):
    """Amounts of one currency in a group: how many, what they come to, and that converted."""

    unit: str
    value: str
    converted: str
    rows: int


def together(conversions: Sequence[Conversion]) -> Conversion | None:
    """Remark on several conversions into one currency; None for none."""
    if not conversions:
        return None
    rates = tuple(dict.fromkeys(rate for each in conversions for rate in each.rates))
    return conversions[0].model_copy(update={"rates": rates, "undated": sum(e.undated for e in conversions)})


class Documents(Frozen):
    """A set of documents and of what is known about it: the four parts are disjoint and make the scope.

    present: they fulfil what was asked; absent: they do not; unreadable: nothing could be read of them;
    uncertain: it is not known, for the reason in `unknown`. order: `present` as it was asked to be ordered,
    () where it was not. is_exhaustive: False where a search chose, which finds the best and not all.
    """

    type: Literal["documents"] = "documents"
    present: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    uncertain: frozenset[str] = frozenset()
    unreadable: frozenset[str] = frozenset()
    order: tuple[str, ...] = ()
    unknown: dict[str, Unknown] = Field(default_factory=dict)
    is_exhaustive: bool = True
    conversion: Conversion | None = None

    @property
    def scope(self) -> frozenset[str]:
        """All documents that were asked."""
        return self.present | self.absent | self.uncertain | self.unreadable

    def keeping(
        self,
        present: frozenset[str],
        *,
        unknown: Mapping[str, Unknown] | None = None,
        unreadable: frozenset[str] = frozenset(),
        order: tuple[str, ...] = (),
    ) -> Documents:
        """The set with only some of `present`; of the others it is known that they do not belong.

        unknown: of which it is not, with the reason; unreadable: those of them that could not be read.
        """
        unknown = unknown or {}
        return self.model_copy(
            update={
                "present": present,
                "absent": self.absent | (self.present - present - unknown.keys()),
                "uncertain": self.uncertain | (unknown.keys() - unreadable),
                "unreadable": self.unreadable | unreadable,
                "unknown": {**self.unknown, **unknown},
                "order": order,
            }
        )


class PassageHit(Frozen):
    """A passage with its place: `text` is page text [start:end]."""

    passage: int
    document: str
    version: int
    page: int
    start: int
    end: int
    text: str
    score: float
    index: str = "passages"
    method: str = "hybrid"


class Passages(Frozen):
    """Passages of a search or a reading, best first; never exhaustive unless it was a reading.

    degradations: what did not work as configured. notes: what was chosen on the way, in plain words.
    """

    type: Literal["passages"] = "passages"
    hits: tuple[PassageHit, ...] = ()
    is_exhaustive: bool = False
    degradations: tuple[Degradation, ...] = ()
    notes: tuple[str, ...] = ()


class FoundValue(Frozen):
    """One value with what it rests on. kind: a `FieldType` by its value; text canonical, with its unit."""

    type: Literal["value"] = "value"
    kind: str
    text: str
    unit: str = ""
    field: str = ""
    citations: tuple[Citation, ...] = ()
    options: tuple[str, ...] = ()  # where several serve as well: all of them


class Group(Frozen):
    """One group: its key, its exact value as text (None where no row took part), and what it was made of."""

    key: tuple[str, ...]
    value: str | None
    unit: str
    rows: int
    documents: tuple[str, ...] = ()
    parts: tuple[ConvertedPart, ...] = ()


class Groups(Frozen):
    """Groups of an aggregate. excluded: (field, reason, rows) that could not take part.

    documents: present ones took part, absent ones do not belong or state no value.
    """

    type: Literal["groups"] = "groups"
    function: str
    field: str
    group_by: tuple[str, ...] = ()
    value_type: str = "number"
    groups: tuple[Group, ...] = ()
    rows: int = 0
    documents: Documents = Documents()
    excluded: tuple[tuple[str, str, int], ...] = ()
    conversion: Conversion | None = None


class ComparedRow(Frozen):
    """One document of one side, with the text of each field compared (None: it states none)."""

    side: str
    document: str
    values: tuple[str | None, ...]


class SideTotal(Frozen):
    """Total of one side in each field, exact, None where there is none; documents: those that took part."""

    side: str
    values: tuple[str | None, ...]
    units: tuple[str, ...]
    types: tuple[str, ...]
    documents: tuple[str, ...] = ()


class Comparison(Frozen):
    """Sides by label; `rows` in the order of sides and titles.

    totals: what each side comes to, where that was asked for; outcome: what is said of two of them.
    """

    type: Literal["comparison"] = "comparison"
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    rows: tuple[ComparedRow, ...] = ()
    totals: tuple[SideTotal, ...] = ()
    outcome: FoundValue | None = None
    documents: Documents = Documents()
    conversion: Conversion | None = None


class QueryColumn(Frozen):
    """A column of a query's result. kind: its type, as `DataType` has it; unit: of money."""

    name: str
    kind: str = "text"
    unit: str = ""


class QueryRow(Frozen):
    """A row of a query's result, as texts. sources: the first rows that it rests on, as "document|table|row";
    total: how many there are. citations: words of some of them, of `cited` rows."""

    values: tuple[str | None, ...]
    sources: tuple[str, ...] = ()
    total: int = 0
    cited: int = 0
    citations: tuple[Citation, ...] = ()


class QueryTable(Frozen):
    """Result of SQL over rows; total: the rows that came of it, of which `rows` holds the first.

    documents: present ones hold rows that it rests on; the others were asked, too. is_cut: there are more.
    excluded: column of numbers, a word that stands in it, and how many rows have one. notes: what is to be
    known of it besides, in sentences.
    """

    type: Literal["query"] = "query"
    columns: tuple[QueryColumn, ...]
    rows: tuple[QueryRow, ...] = ()
    total: int = 0
    documents: Documents = Documents()
    is_cut: bool = False
    excluded: tuple[tuple[str, str, int], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def counted(self) -> int:
        """Rows of tables that it rests on, once for each of its own."""
        return sum(row.total for row in self.rows) + self.total - len(self.rows)


class ConnectedStep(Frozen):
    """One step of a way, as a sentence without its stop. probability: how likely its words state it."""

    text: str
    probability: float
    citations: tuple[Citation, ...]


class ConnectedWay(Frozen):
    """A way from one thing to another. names: of what it passes, with both ends; steps: between these."""

    names: tuple[str, ...]
    steps: tuple[ConnectedStep, ...]


class Connections(Frozen):
    """Ways between two things that documents name, best first. others: what the names could mean, too.

    documents: present ones are on a way, the others of the map were looked through, too. searched: edges
    of the map; longest: steps that a way may have; left_out: by reason what the map does not hold.
    """

    type: Literal["connections"] = "connections"
    one: str
    other: str
    ways: tuple[ConnectedWay, ...] = ()
    others: tuple[str, ...] = ()
    documents: Documents = Documents()
    searched: int = 0
    longest: int = 0
    left_out: dict[str, int] = Field(default_factory=dict)


Result = Annotated[
    Documents | Passages | FoundValue | Groups | Comparison | QueryTable | Connections,
    Field(discriminator="type"),
]


UNFIT = "unfit"
"""In the detail of a stopped node whose settings do not fit the data: nothing broke."""


class Stopped(Frozen):
    """Reason for a node's lack of a result: `reason` in plain words, or a question with its options."""

    node: str
    reason: str
    next_step: str = ""
    options: tuple[str, ...] = ()
    is_question: bool = False
    detail: dict[str, Any] = Field(default_factory=dict)
