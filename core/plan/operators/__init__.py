"""Operators of the nodes of a plan, over records and retrieval; `RecordOperators` runs any of them.

The operator of a kind of node stands in the module of its type: that of `select` in `select.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from core.domain.results import Result, Stopped
from core.errors import UsageError
from core.plan.ir.nodes import Connect, Node, Query, ScopedNode, node_types, spec_of, spec_of_type
from core.plan.operators.base import Finder, OperatorParts, ValueReader, WhoIsAsked, operator_of
from core.store.database.visibility import Visibility
from core.store.store import Records

if TYPE_CHECKING:
    from core.datasets.engine import RowEngine
    from core.graph.maps import Maps

for _type in node_types():  # each says by itself which kind of node it runs; the list of kinds names them
    if spec_of_type(_type).begins:  # the others are said as SQL before they run
        import_module(f"{__name__}.{_type}")


class RecordOperators:
    """Implements `core.plan.run.executor.Operators`. Thread-safe."""

    def __init__(
        self,
        records: Records,
        finder: Finder,
        asking: WhoIsAsked,
        values: ValueReader,
        *,
        follows_amendments: bool = True,
        engine: Callable[[], RowEngine] | None = None,
        maps: Callable[[], Maps] | None = None,
    ) -> None:
        """asking: which documents are asked for which fields, for a visibility.

        values: reads values out of sentences, for hops. follows_amendments: whether what an amendment states
        holds for the agreement that it amends. engine: gives what asks rows by SQL; maps: what
        makes maps.
        """
        self._records = records
        self._engine, self._maps = engine, maps
        self._parts = partial(
            OperatorParts, records, finder, asking, values, follows_amendments=follows_amendments
        )

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        """Result of the node, or the reason for none. Raises UsageError, DeadlineError, RecordsError.

        Of copies in its scope it is given one.
        """
        if spec_of(node).gives(node) == "rows":
            raise UsageError("Rows are asked by SQL alone.", next_step="Run the plan as a whole.")
        if isinstance(node, ScopedNode):
            within = visibility.within(node.scope.buckets)
            visibility = self._records.copies.counted_once(within, node.scope.documents)
        parts = self._parts(visible=visibility, deadline_s=deadline_s)
        if isinstance(node, Query) and self._engine is not None:
            parts = replace(parts, engine=self._engine())
        if isinstance(node, Connect) and self._maps is not None:
            parts = replace(parts, maps=self._maps())
        return operator_of(node)(node, inputs, parts)
