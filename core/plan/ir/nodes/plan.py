"""The plan: a typed graph of nodes, the JSON that is shown, stored, edited and run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from core.domain.answer import Kind, Reader, Route
from core.domain.fields import PromiseLevel, SummaryKind
from core.domain.frozen import Frozen
from core.plan.ir.node import MAX_NODES, Node
from core.plan.ir.nodes.registry import AnyNode
from core.plan.reading import Reading


class Note(Frozen):
    """A decision of the planner. phrase: the words of the question; "" where it is about all of them.

    confidence: how sure it is, 0 to 1; the parts of the reading that it is about are no surer.
    """

    phrase: str
    reading: str
    node: str = ""
    confidence: float = 1.0


class Plan(Frozen):
    """Steps for a question. A general question has no nodes.

    fallbacks: routes that are tried where this one finds too little. uncovered: parts of the question that no
    node answers; the answer says so. notes: why the plan is as it is. today: what "today" meant, ISO 8601.
    single: words that mean one document ("the invoice"); where several fit and differ, they are asked about.
    asked: words for what is asked for that no field is called by, which the text has to speak of.
    decides: what a yes or no is about: whether there is any such document, whether all are so, whether what
    named documents show is there, or is missing; why: whether they fulfil conditions, one node each,
    and why; "" where none is asked for.
    promise: how sure clauses must be for this question; None: as each bucket's own level decided them.
    by: who read the question so; "" for rules, or where it does not matter. reading: how it was read, where
    the plan was compiled of that. summary: for whom the documents of its answer node are summarised, None
    where no summary is asked for.
    """

    question: str
    kind: Kind
    route: Route
    fallbacks: tuple[Route, ...] = ()
    nodes: tuple[AnyNode, ...] = Field(default=(), max_length=MAX_NODES)
    answer_node: str | None = None
    uncovered: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    today: str = ""
    single: str = ""
    asked: str = ""
    decides: Literal["", "any", "all", "there", "missing", "why"] = ""
    promise: PromiseLevel | None = None
    by: Reader = ""
    reading: Reading | None = None
    summary: SummaryKind | None = None

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

    @property
    def is_whole(self) -> bool:
        """True where fields or rows answer it, and no word of the question is left out."""
        return self.route is Route.STRUCTURED and not self.uncovered

    def node(self, id: str) -> Node:
        """The node of that id. Raises KeyError."""
        return {each.id: each for each in self.nodes}[id]

    def with_note(self, said: str) -> Plan:
        """The plan with a note on all of it."""
        return self.model_copy(update={"notes": (*self.notes, Note(phrase="", reading=said))})
