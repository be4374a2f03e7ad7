"""What the nodes of a plan do, over records and retrieval; `RecordOperators` runs any of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.domain.results import Result, Stopped
from core.plan.ir.nodes import Aggregate, Combine, Compare, Hop, Node, Read, Search, Select
from core.records.database.visibility import Visibility
from core.records.store import Records
from core.retrieval.operators.aggregate import aggregate
from core.retrieval.operators.base import Finder, OperatorParts, WhoIsAsked
from core.retrieval.operators.combine import combine
from core.retrieval.operators.compare import compare
from core.retrieval.operators.hop import hop
from core.retrieval.operators.read import read
from core.retrieval.operators.search import search
from core.retrieval.operators.select import select
from core.retrieval.operators.value_reader import ValueReader


class RecordOperators:
    """Implements `core.retrieval.executor.Operators`. Thread-safe."""

    def __init__(
        self,
        records: Records,
        finder: Finder,
        asking: WhoIsAsked,
        values: ValueReader,
        *,
        follows_amendments: bool = True,
    ) -> None:
        """asking: which documents are asked for which fields, for a visibility.

        values: reads values out of sentences, for hops. follows_amendments: whether what an amendment states
        holds for the agreement that it amends.
        """
        self._parts = OperatorParts(records, finder, asking, values, follows_amendments)

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        """What the node gives, or why it gives nothing. Raises UsageError, DeadlineError, RecordsError."""
        parts = replace(self._parts, deadline_s=deadline_s)
        if isinstance(node, Select):
            return select(node, inputs, visibility, parts)
        if isinstance(node, Combine):
            return combine(node, inputs)
        if isinstance(node, Aggregate):
            return aggregate(node, inputs, visibility, parts)
        if isinstance(node, Compare):
            return compare(node, inputs, visibility, parts)
        if isinstance(node, Hop):
            return hop(node, inputs, visibility, parts)
        if isinstance(node, Search):
            return search(node, inputs, visibility, parts)
        assert isinstance(node, Read)
        return read(node, inputs, visibility, parts)
