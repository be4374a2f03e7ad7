"""The specification of a kind of node: all that is known of it, but for the operator that runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from core.domain.trust.permission import Trait
from core.plan.catalogue import Catalogue, SchemaEntry
from core.plan.ir.checks import Checks, Said
from core.plan.ir.form import Form
from core.plan.ir.node import Node, Scope
from core.plan.ir.statistics import Cost, Statistics
from core.plan.ir.traits import TraitSetting

N = TypeVar("N", bound=Node)
Joint = Literal["", "and", "or", "not"]


@dataclass(frozen=True, slots=True)
class EstimateSetting:
    """The surroundings of a node in an estimate. taken: rows of each input that is estimated."""

    taken: Sequence[int]
    catalogue: Catalogue
    statistics: Statistics

    @property
    def first(self) -> int:
        """Rows of the first input, 0 for none."""
        return next(iter(self.taken), 0)


@dataclass(frozen=True, slots=True)
class NodeEstimate:
    """Documents that a node looks at, rows that it gives, and what that rests on, in words.

    times: how often it does so, each at its cost.
    """

    looked_at: int
    rows: int
    because: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class NodeStart:
    """Start of a new node. before: the node that it is put behind. scope: that of the plan so far."""

    before: Node | None
    scope: Scope
    question: str

    @property
    def any_kind(self) -> Scope:
        """The scope, of documents of any kind."""
        return self.scope.model_copy(update={"schema_name": ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSpec(Generic[N]):
    """A kind of node; the operator that runs it is known to `core.retrieval.operators`.

    word, about: its name, and a line on it, for people. takes: types of results that a new one connects to.
    gives: the type of its result, as in `core.domain.results`. unit: of what it gives, one of them.
    cost: cold, on the sample, before any run was measured. estimate: before it runs. checks: problems of
    a node, each with a next step. begins: the purpose of a new one, parts: what else it begins with.
    form: its parts in the inspector.
    purpose: in words, for documents that are called by a noun. fields: names that it looks at.
    shown: fields worth seeing of its result, where these differ. words: of a question, that it carries.
    rows: how many it asks for, 0 for no number. is_value: one value comes of it.
    is_exact: it rests on records alone, and its result may be kept. joins: how it joins sets of documents.
    looks_at: what its time depends on. is_hop: it has the deadline of a hop. source: where it looks.
    asks: the traits for which a policy may want a role.
    """

    node: type[N]
    word: str
    about: str
    takes: tuple[str, ...]
    gives: Callable[[N], str]
    unit: Callable[[N], str]
    cost: Cost
    estimate: Callable[[N, EstimateSetting], NodeEstimate]
    checks: Callable[[N, Checks], Said]
    begins: str
    parts: Callable[[NodeStart], Mapping[str, object]] = lambda start: {}
    form: Form = ()
    purpose: Callable[[N, str, SchemaEntry | None], str] = lambda node, noun, schema: str(node.purpose)
    fields: Callable[[N], tuple[str, ...]] = lambda node: ()
    shown: Callable[[N], tuple[str, ...]] | None = None
    words: Callable[[N], tuple[str, ...]] = lambda node: ()
    rows: Callable[[N], int] = lambda node: 0
    is_value: Callable[[N], bool] = lambda node: False
    is_exact: Callable[[N], bool] = lambda node: True
    joins: Callable[[N], Joint] = lambda node: ""
    looks_at: Literal["inputs", "scope", "nothing"] = "inputs"
    is_hop: bool = False
    source: Literal["sql", "index"] = "sql"
    asks: Callable[[N, TraitSetting], Iterable[Trait]] = lambda node, setting: ()

    @property
    def type(self) -> str:
        """By what plans know the kind: `select`."""
        return str(self.node.model_fields["type"].default)

    def new(self, id: str, inputs: tuple[str, ...], start: NodeStart) -> N:
        """A node to begin with."""
        return self.node(id=id, purpose=self.begins, inputs=inputs, **self.parts(start))
