"""The plan: a typed graph of nodes, the JSON that is shown, stored, edited and run.

A closed union on purpose: an unknown node type is refused at the edge, never run half-understood. What a
node gives is one of the types of `core.domain.results`; `core.plan.ir.validate` checks that they fit.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from core.domain.annotation import Aggregate as Function
from core.domain.answer import Frozen, Kind, Route
from core.domain.predicate import Operator

MAX_NODES = 30
MAX_HOPS = 3
MAX_ROWS = 100_000
ID = r"^[a-z][a-z0-9_-]{0,40}$"

Outcome = Literal["values", "difference", "excess", "shortfall", "more", "less", "greatest", "least"]
Index = Literal["passages", "clauses", "parties", "financials", "summaries"]


class Reference(Frozen):
    """A value that an earlier node finds: of a hop its value, of groups the value of the only group."""

    node: str = Field(alias="from")

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)


class OtherField(Frozen):
    """The value of another field of the same document."""

    field: str = Field(min_length=1, max_length=200)


class Condition(Frozen):
    """A condition on one field, with its values as they are written canonically, or found by another node.

    field: may end in an aspect of its values (`fee.unit`, the currency that it is stated in).
    value: of IN several, of BETWEEN two, of MISSING none; units stand behind amounts ("100000 USD").
    minus: another date; what is compared is the length of time from it to the date of `field`, both included.
    narrows: it says what is asked about ("contracts"), not what is asked of it: a document that is known not
    to fulfil it is out of scope, and not one that lacks something.
    """

    field: str = Field(min_length=1, max_length=200)
    op: Operator
    value: str | tuple[str, ...] | Reference | OtherField = ()
    minus: str = Field(default="", max_length=200)
    narrows: bool = False


class Choice(Frozen):
    """Conditions of which at least one must hold."""

    any_of: tuple[Condition, ...] = Field(min_length=1, max_length=50)


class Scope(Frozen):
    """Which documents are asked. buckets, documents: () means all. schema_name: "" for any kind.

    readable: leaves out what could not be read.
    """

    buckets: tuple[str, ...] = ()
    schema_name: str = ""
    documents: tuple[str, ...] = Field(default=(), max_length=MAX_ROWS)
    readable: bool = False


class Estimate(Frozen):
    """What statistics say before a node runs."""

    rows: int
    latency_ms: float
    because: str = ""


class Figures(Frozen):
    """What happened when a node ran. hits: of a search, or rows that fulfil; rows: all that it gives.

    source: sql, index, memory (the same node ran before), store (a kept result), page.
    """

    rows: int
    hits: int
    latency_ms: float
    source: str


class _Node(Frozen):
    """id: unique in the plan. inputs: ids of the nodes that it takes in. reason: why it is in the plan."""

    id: str = Field(pattern=ID)
    purpose: str = Field(max_length=300)
    inputs: tuple[str, ...] = Field(default=(), max_length=MAX_NODES)
    reason: str = Field(default="", max_length=600)
    estimate: Estimate | None = None
    ran: Figures | None = None


class Search(_Node):
    """Find passages, or rows of another index. An input of documents narrows it. Gives passages.

    where: conditions `field op value` on columns of the index, which choose before the ranking.
    pairs_with: an input search whose passages are ranked in pairs with what is found here, for questions that
    no passage answers alone; it does not narrow.
    """

    type: Literal["search"] = "search"
    index: Index = "passages"
    text: str = Field(max_length=4_000)
    mode: Literal["keyword", "semantic", "hybrid"] = "hybrid"
    alpha: float = Field(default=0.5, ge=0, le=1)
    top_k: int = Field(default=20, ge=1, le=1000)
    scope: Scope = Scope()
    where: tuple[str, ...] = Field(default=(), max_length=20)
    pairs_with: Reference | None = None


class Select(_Node):
    """Ask every document in scope (or every row of its tables) for conditions that must all hold.

    An input of documents narrows the scope to those that it found, and keeps what it could not decide.
    fields: shown of each row, beside those of the conditions. order_by: a field; limit: the first rows of
    that order, and all that are equal to the last. Gives documents, or rows where `of` is "rows": of tables
    that have all `columns` and those of conditions and fields; no fields show all columns.
    """

    type: Literal["select"] = "select"
    scope: Scope = Scope()
    of: Literal["documents", "rows"] = "documents"
    conditions: tuple[Condition | Choice, ...] = Field(default=(), max_length=50)
    fields: tuple[str, ...] = Field(default=(), max_length=50)
    columns: tuple[str, ...] = Field(default=(), max_length=50)
    order_by: str = ""
    descending: bool = False
    limit: int | None = Field(default=None, ge=1, le=MAX_ROWS)


class Combine(_Node):
    """Set algebra over documents, in three values: what one side cannot decide, the result may not either."""

    type: Literal["combine"] = "combine"
    how: Literal["intersect", "union", "difference"]


class Aggregate(_Node):
    """Compute over a field of the documents or rows of its one input; COUNT of "" counts them. Gives groups.

    group_by: fields, and aspects of dates and amounts (`expiration_date.quarter`, `fee.unit`).
    top: the first groups by value, and all that are equal to the last; 0 for all in the order of their keys.
    rates: what one of each other unit is worth in `into`, as decimals.
    shared: of several inputs, the groups that all of them have, or those of the first that no other has.
    """

    type: Literal["aggregate"] = "aggregate"
    function: Function
    field: str = ""
    group_by: tuple[str, ...] = Field(default=(), max_length=3)
    top: int = Field(default=0, ge=0, le=MAX_ROWS)
    descending: bool = True
    shared: Literal["", "all", "first"] = ""
    rates: dict[str, str] = Field(default_factory=dict)
    into: str = ""


class Compare(_Node):
    """Put the documents of two or more inputs side by side on some fields. labels: what each side is called.

    function: what each side comes to; None: a row for each document. outcome: what is said of two sides: by
    how much they differ, the first exceeds the second or falls short of it, whether it is more or less;
    or which of all sides has the greatest or the least.
    Gives a comparison: a row for each document with the side it belongs to, and what the sides come to.
    """

    type: Literal["compare"] = "compare"
    labels: tuple[str, ...] = Field(min_length=2, max_length=10)
    fields: tuple[str, ...] = Field(min_length=1, max_length=20)
    function: Function | None = None
    outcome: Outcome = "values"


class Hop(_Node):
    """Find the one value that a later node needs, in what its input found. Gives a value.

    field: read from the cells of the input's documents (or the groups of an aggregate). template: asked of
    their text where no cell states it; {titles} stands for theirs, {value} for the value of an input hop.
    More values than one, or none, stop the plan and are asked about.
    follow: "titles" gives documents instead: those whose titles the best passages of its input mention.
    phrase: the words of the question that the value stands for.
    """

    type: Literal["hop"] = "hop"
    template: str = Field(default="", max_length=500)
    field: str = ""
    follow: Literal["", "titles"] = ""
    phrase: str = Field(default="", max_length=300)


class Read(_Node):
    """Read documents in full, or the sections under a heading that says `section`. Gives passages."""

    type: Literal["read"] = "read"
    scope: Scope = Scope()
    section: str = ""


Node = Annotated[
    Search | Select | Combine | Aggregate | Compare | Hop | Read,
    Field(discriminator="type"),
]


class Note(Frozen):
    """A decision of the planner. phrase: the words of the question; "" where it is about all of them."""

    phrase: str
    reading: str
    node: str = ""


class Plan(Frozen):
    """What will be done for a question. A general question has no nodes.

    fallbacks: routes that are tried where this one finds too little. uncovered: parts of the question that no
    node answers; the answer says so. notes: why the plan is as it is. today: what "today" meant, ISO 8601.
    single: words that mean one document ("the invoice"); where several fit and differ, they are asked about.
    asked: words for what is asked for that no field is called by, which the text has to speak of.
    """

    question: str
    kind: Kind
    route: Route
    fallbacks: tuple[Route, ...] = ()
    nodes: tuple[Node, ...] = Field(default=(), max_length=MAX_NODES)
    answer_node: str | None = None
    uncovered: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    today: str = ""
    single: str = ""
    asked: str = ""

    @model_validator(mode="after")
    def _is_connected(self) -> Plan:
        known: set[str] = set()
        for node in self.nodes:
            if node.id in known:
                raise ValueError(f"two nodes are called {node.id!r}; every id may be used once")
            known.add(node.id)
        for node in self.nodes:
            for name in node.inputs:
                if name not in known:
                    raise ValueError(f"node {node.id!r} needs {name!r}, which is not a node of this plan")
        if self.nodes and self.answer_node not in known:
            raise ValueError(f"answer_node {self.answer_node!r} is not a node of this plan")
        return self

    def node(self, id: str) -> Node:
        """The node of that id. Raises KeyError."""
        return {each.id: each for each in self.nodes}[id]
