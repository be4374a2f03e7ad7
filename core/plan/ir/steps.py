"""Construction of nodes, in one place: builders of plans, and whoever runs a single node, make them here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Literal, TypeVar

from core.domain.annotation import Calculation as Function
from core.plan.ir.nodes import (
    Aggregate,
    Beside,
    Calculate,
    Calculated,
    Choice,
    Combine,
    Combined,
    Compare,
    Condition,
    Hop,
    Index,
    Join,
    Node,
    Outcome,
    Scope,
    Search,
    Select,
    referenced,
)

N = TypeVar("N", bound=Node)
_LONGEST = 300  # characters of a purpose


class PlanSteps:
    """Nodes of a plan in the making, in order; ids count on from each other: select-1, select-2."""

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self.nodes = list(nodes)

    def next_id(self, kind: str) -> str:
        """The next free id of a kind of node."""
        taken = {node.id for node in self.nodes}
        first = 1 + sum(node.type == kind for node in self.nodes)
        return next(id for at in count(first) if (id := f"{kind}-{at}") not in taken)

    def select(
        self,
        purpose: str,
        scope: Scope,
        conditions: tuple[Condition | Choice, ...] = (),
        *,
        reason: str = "",
        of: Literal["documents", "rows"] = "documents",
        fields: tuple[str, ...] = (),
        columns: tuple[str, ...] = (),
        order_by: str = "",
        descending: bool = False,
        limit: int | None = None,
        skip: int = 0,
        tables: tuple[str, ...] = (),
        with_totals: bool = False,
    ) -> Select:
        """A further selection; the nodes whose values its conditions compare with are its inputs."""
        return self._added(
            Select(
                id=self.next_id("select"),
                purpose=purpose[:_LONGEST],
                inputs=referenced(conditions),
                reason=reason,
                scope=scope,
                of=of,
                conditions=conditions,
                fields=fields,
                columns=columns,
                order_by=order_by,
                descending=descending,
                limit=limit,
                skip=skip,
                tables=tables,
                with_totals=with_totals,
            )
        )

    def aggregate(
        self,
        purpose: str,
        inputs: tuple[str, ...],
        function: Function,
        field: str = "",
        *,
        reason: str = "",
        group_by: tuple[str, ...] = (),
        top: int = 0,
        descending: bool = True,
        skip: int = 0,
        having: Condition | None = None,
        shared: Literal["", "all", "first"] = "",
        combined: Combined = "",
        other: str = "",
        scale: int = 1,
    ) -> Aggregate:
        """A further computation over what other nodes give."""
        return self._added(
            Aggregate(
                id=self.next_id("aggregate"),
                purpose=purpose[:_LONGEST],
                inputs=inputs,
                reason=reason,
                function=function,
                field=field,
                group_by=group_by,
                top=top,
                descending=descending,
                skip=skip,
                having=having,
                shared=shared,
                combined=combined,
                other=other,
                scale=scale,
            )
        )

    def join(
        self,
        purpose: str,
        inputs: tuple[str, str],
        left: str,
        right: str,
        *,
        how: Literal["with", "matching", "without"] = "with",
        conditions: tuple[Condition, ...] = (),
        is_narrowed: bool = False,
        fields: tuple[str, ...] = (),
        order_by: str = "",
        descending: bool = False,
        limit: int | None = None,
        skip: int = 0,
        reason: str = "",
    ) -> Join:
        """A further node that matches rows of two tables by a column of each."""
        return self._added(
            Join(
                id=self.next_id("join"),
                purpose=purpose[:_LONGEST],
                inputs=inputs,
                left=left,
                right=right,
                how=how,
                conditions=conditions,
                is_narrowed=is_narrowed,
                fields=fields,
                order_by=order_by,
                descending=descending,
                limit=limit,
                skip=skip,
                reason=reason,
            )
        )

    def beside(
        self, purpose: str, inputs: tuple[str, str], steps: int, *, fields: tuple[str, ...] = ()
    ) -> Beside:
        """A further node that goes from rows to those before or behind them."""
        id = self.next_id("beside")
        return self._added(
            Beside(id=id, purpose=purpose[:_LONGEST], inputs=inputs, steps=steps, fields=fields)
        )

    def calculate(
        self,
        purpose: str,
        how: Calculated,
        inputs: tuple[str, ...],
        labels: tuple[str, ...] = (),
        *,
        reason: str = "",
    ) -> Calculate:
        """A further node that calculates with the values of others."""
        return self._added(
            Calculate(
                id=self.next_id("calculate"),
                purpose=purpose[:_LONGEST],
                inputs=inputs,
                reason=reason,
                how=how,
                labels=labels,
            )
        )

    def difference(self, purpose: str, inputs: tuple[str, str], *, reason: str = "") -> Combine:
        """A further node that leaves out of the first set what is in the second."""
        id = self.next_id("combine")
        return self._added(Combine(id=id, purpose=purpose, inputs=inputs, how="difference", reason=reason))

    def combine(
        self,
        purpose: str,
        inputs: tuple[str, ...],
        how: Literal["intersect", "union", "difference"],
        *,
        of: Literal["documents", "rows"] = "documents",
        reason: str = "",
    ) -> Combine:
        """A further node of set algebra over documents, or over rows."""
        id = self.next_id("combine")
        purpose = purpose[:_LONGEST]
        return self._added(Combine(id=id, purpose=purpose, inputs=inputs, how=how, of=of, reason=reason))

    def replaced(self, node: N, **parts: object) -> N:
        """The node with parts exchanged, in its place."""
        at = self.nodes.index(node)
        made = node.model_copy(update=parts)
        self.nodes[at] = made
        return made

    def compare(
        self,
        purpose: str,
        inputs: tuple[str, ...],
        labels: tuple[str, ...],
        fields: tuple[str, ...],
        *,
        reason: str = "",
        function: Function | None = None,
        outcome: Outcome = "values",
    ) -> Compare:
        """A further node that holds sides against one another."""
        return self._added(
            Compare(
                id=self.next_id("compare"),
                purpose=purpose[:_LONGEST],
                inputs=inputs,
                reason=reason,
                labels=labels,
                fields=fields,
                function=function,
                outcome=outcome,
            )
        )

    def hop(
        self,
        purpose: str,
        source: str,
        *,
        reason: str = "",
        field: str = "",
        template: str = "",
        follow: Literal["", "titles"] = "",
        phrase: str = "",
    ) -> Hop:
        """A further node that finds a value, or the documents that passages mention."""
        return self._added(
            Hop(
                id=self.next_id("hop"),
                purpose=purpose[:_LONGEST],
                inputs=(source,),
                reason=reason,
                field=field,
                template=template[:500],
                follow=follow,
                phrase=phrase[:300],
            )
        )

    def search(
        self,
        purpose: str,
        text: str,
        scope: Scope,
        *,
        index: Index = "passages",
        mode: Literal["keyword", "semantic", "hybrid"] = "hybrid",
        alpha: float = 0.5,
        top_k: int = 20,
        where: tuple[str, ...] = (),
        wordings: tuple[str, ...] = (),
    ) -> Search:
        """A further search for a text."""
        return self._added(
            Search(
                id=self.next_id("search"),
                purpose=purpose[:_LONGEST],
                index=index,
                text=text[:4_000],
                mode=mode,
                alpha=alpha,
                top_k=top_k,
                scope=scope,
                where=where,
                wordings=wordings,
            )
        )

    def _added(self, node: N) -> N:
        self.nodes.append(node)
        return node
