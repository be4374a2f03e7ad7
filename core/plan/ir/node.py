"""Parts that nodes of a plan are made of: conditions, scopes, figures, and the families of nodes.

A node is read by its family where that says enough: words of conditions are the same for any `SelectionNode`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import ConfigDict, Field

from core.domain.annotation import Calculation as Function
from core.domain.frozen import Frozen
from core.domain.predicate import Operator

MAX_NODES = 30
MAX_ROWS = 100_000
MAX_VALUES = 500  # of all conditions of a node: SQLite takes no expression deeper than 1,000
ASPECTS = ("unit", "year", "month", "quarter")
ID = r"^[a-z][a-z0-9_-]{0,40}$"

Combined = Literal["", "less", "rest", "plus", "times", "per"]
Outcome = Literal["values", "difference", "excess", "shortfall", "more", "less", "greatest", "least"]


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

    @property
    def texts(self) -> tuple[str, ...]:
        """Its values; () where another node or field gives them."""
        value = self.value
        return (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


class Choice(Frozen):
    """Conditions of which at least one must hold."""

    any_of: tuple[Condition, ...] = Field(min_length=1, max_length=50)


class Scope(Frozen):
    """Documents to ask. buckets, documents: () means all. schema_name: "" for any kind.

    readable: leaves out what could not be read.
    """

    buckets: tuple[str, ...] = ()
    schema_name: str = ""
    documents: tuple[str, ...] = Field(default=(), max_length=MAX_ROWS)
    readable: bool = False


class Estimate(Frozen):
    """Estimate of a node from statistics, before it runs."""

    rows: int
    latency_ms: float
    because: str = ""


class Figures(Frozen):
    """Figures of a node's run. hits: of a search, or rows that fulfil; rows: all that it gives.

    source: sql, index, memory (the same node ran before), store (a kept result), page.
    """

    rows: int
    hits: int
    latency_ms: float
    source: str


MOST_PLACES = 1_000
"""Of a table by one name: tables of documents, or files, with the same columns."""


class QuerySource(Frozen):
    """A table by its name in the SQL. places: "document|table" of all that are asked as one."""

    name: str = Field(min_length=1, max_length=100)
    places: tuple[str, ...] = Field(min_length=1, max_length=MOST_PLACES)


class Node(Frozen):
    """Base of all nodes. id: unique in the plan. inputs: ids of the nodes that it takes in.

    reason: why it is in the plan. type: tells the kinds apart in JSON; each kind has one of its own.
    """

    id: str = Field(pattern=ID)
    purpose: str = Field(max_length=300)
    inputs: tuple[str, ...] = Field(default=(), max_length=MAX_NODES)
    reason: str = Field(default="", max_length=600)
    estimate: Estimate | None = None
    ran: Figures | None = None
    type: str = ""


class ScopedNode(Node):
    """A node that asks the documents of a scope."""

    scope: Scope = Scope()


ROW_PLACE = "#"
"""Order of rows by where they stand in their table."""


class SelectionNode(ScopedNode):
    """A node that chooses documents, or rows of tables, by conditions; its parts are those of `select`.

    tables: rows of these tables only, as "document|table"; with_totals: also those that add up others.
    skip: how many are left out at the beginning of the order, before `limit` counts.
    into: a currency in which amounts are ordered, by the rates of the home; "" for each as it is.
    """

    of: Literal["documents", "rows"] = "documents"
    conditions: tuple[Condition | Choice, ...] = Field(default=(), max_length=50)
    fields: tuple[str, ...] = Field(default=(), max_length=50)
    columns: tuple[str, ...] = Field(default=(), max_length=50)
    order_by: str = ""
    descending: bool = False
    limit: int | None = Field(default=None, ge=1, le=MAX_ROWS)
    skip: int = Field(default=0, ge=0, le=MAX_ROWS)
    tables: tuple[str, ...] = Field(default=(), max_length=MAX_ROWS)
    with_totals: bool = False
    into: str = Field(default="", max_length=40)


class ComputationNode(Node):
    """A node that computes over a field of what it takes in; its parts are those of `aggregate`.

    having: a condition on the value of each group, whatever its field. skip: as in a selection, of `top`.
    combined: of rows, what is made of `field` and of `other` in each before it is computed with: the one less
    the other (of days, how many lie between), times it, or per it; a sum of "per" is that of both sums.
    "rest" is less, and "plus" both together, where a row that says nothing of the other has none of it.
    scale: that many of `other` ("per 100 km"). as_share: a count of documents is told as the part in percent
    that it is of those of which it can be decided.
    """

    function: Function
    field: str = ""
    combined: Combined = ""
    other: str = Field(default="", max_length=200)
    scale: int = Field(default=1, ge=1, le=1_000_000)
    group_by: tuple[str, ...] = Field(default=(), max_length=3)
    top: int = Field(default=0, ge=0, le=MAX_ROWS)
    descending: bool = True
    skip: int = Field(default=0, ge=0, le=MAX_ROWS)
    having: Condition | None = None
    shared: Literal["", "all", "first"] = ""
    rates: dict[str, str] = Field(default_factory=dict)
    into: str = Field(default="", max_length=40)
    as_share: bool = False


class SidesNode(Node):
    """A node that holds sets against one another on some fields; its parts are those of `compare`."""

    labels: tuple[str, ...] = Field(min_length=2, max_length=10)
    fields: tuple[str, ...] = Field(min_length=1, max_length=20)
    function: Function | None = None
    outcome: Outcome = "values"
    into: str = Field(default="", max_length=40)


def clause_parts(clause: Condition | Choice) -> tuple[Condition, ...]:
    """The conditions of a clause: one, or those of which one must hold."""
    return clause.any_of if isinstance(clause, Choice) else (clause,)


def is_about(clause: Condition | Choice) -> bool:
    """True where a clause only says which documents are asked about."""
    return all(each.narrows for each in clause.any_of) if isinstance(clause, Choice) else clause.narrows


def flattened(clauses: Iterable[Condition | Choice]) -> list[Condition]:
    """All conditions, those among alternatives too, in order."""
    return [each for clause in clauses for each in clause_parts(clause)]


def referenced(clauses: Iterable[Condition | Choice]) -> tuple[str, ...]:
    """The nodes whose values conditions compare with, in order, each once."""
    names = (each.value.node for each in flattened(clauses) if isinstance(each.value, Reference))
    return tuple(dict.fromkeys(names))


def without_aspect(name: str) -> str:
    """A field without an aspect of its values: `fee.unit` -> `fee`."""
    stem, _, aspect = name.rpartition(".")
    return stem if stem and aspect in ASPECTS else name


def ancestors(names: Iterable[str], nodes: Mapping[str, Node]) -> dict[str, Node]:
    """The nodes of these ids, and all that they take in, however far back, as far as they are there."""
    found: dict[str, Node] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in nodes and name not in found:
            found[name] = nodes[name]
            waiting += nodes[name].inputs
    return found


def schema_of(node: Node, nodes: Mapping[str, Node]) -> str:
    """The schema whose documents a node asks: its own, or that of the only schema behind it; "" for any."""
    seen: set[str] = set()

    def behind(each: Node) -> set[str]:
        if each.id in seen:
            return set()
        seen.add(each.id)
        if isinstance(each, ScopedNode):
            return {each.scope.schema_name}
        return {name for id in each.inputs for name in behind(nodes[id])}

    found = behind(node)
    return found.pop() if len(found) == 1 else ""
