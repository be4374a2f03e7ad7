"""What runs plans: the operators over this home's records and searches, and what they gave before."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from core.agent.structured import Structured
from core.answer.value import stated_values
from core.domain.answer import Value
from core.domain.matrix import Asking
from core.domain.search import SearchQuery, SearchReport
from core.encode.load import load_token_counter
from core.plan.planner import RulePlanner
from core.records.visibility import Visibility
from core.retrieval.executor import Executor
from core.retrieval.memo import Memo
from core.retrieval.operators import RecordOperators
from core.retrieval.search import Retrieval
from core.workbench.asking import asking_of

if TYPE_CHECKING:
    from core.workbench.wiring import Parts

_KEPT = 16  # visibilities whose fields are known


def structured(parts: Parts) -> Structured:
    """Plans and runs over the parts of one workbench."""
    operators = RecordOperators(parts.records, PlanFinder(parts), KeptAsking(parts).of, values_in)
    words = load_token_counter(parts.settings)
    return Structured(
        parts.catalogues.load,
        lambda catalogue: RulePlanner(catalogue, parts.query_encoder, words=words),
        Executor(operators, Memo()),
        parts.records.fields,
        parts.records.documents,
    )


def values_in(question: str, sentence: str) -> list[Value]:
    """The values of a sentence that are of the sort that a question asks for."""
    return [stated.value for stated in stated_values(question, sentence)]


class PlanFinder:
    """The searches of a workbench, as operators use them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """The hits in any index, best first."""
        from core.workbench.searching import search

        return search(self._parts, query, visibility)

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """The candidate passages with the question's analysis."""
        return self._parts.retriever.retrieve(query, visibility)


class KeptAsking:
    """Which documents are asked for which fields, found once for a data version and a visibility."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lock = threading.Lock()  # guards _kept
        self._kept: dict[tuple[int, frozenset[str] | None, str], Asking] = {}

    def of(self, visible: Visibility) -> Asking:
        """As the schemas and the collection are now."""
        catalogue = self._parts.catalogues.load(visible)
        key = (self._parts.records.changes.data_version(), visible.groups, catalogue.fingerprint)
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            known = asking_of(self._parts.schemas, self._parts.records, visible, None)
            with self._lock:
                if len(self._kept) >= _KEPT:
                    self._kept.clear()
                self._kept[key] = known
        return known
