"""One search over every index: passages, and the facts of documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from core.domain.ids import DocumentId
from core.domain.search import SearchQuery, SearchReport
from core.plan.text_plan import looks_like_a_bridge
from core.search.search import Retrieval, Retriever
from core.store.database.visibility import Visibility

if TYPE_CHECKING:
    from core.search.facts import FactSearch

PASSAGES, HYBRID = "passages", "hybrid"


class IndexFinder:
    """Searches whichever index a query names; each engine is opened when it is needed first."""

    def __init__(self, retriever: Callable[[], Retriever], facts: Callable[[], FactSearch]) -> None:
        self._retriever = retriever
        self._facts = facts

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """The passages or facts that fit a query, best first.

        Raises IndexUnavailableError, and UsageError for an unknown index or a condition that cannot be read.
        """
        if query.index != PASSAGES:
            return self._facts().search(query, visibility)
        admitted: SearchQuery | None = query
        if query.where:
            from core.search.facts import admitted_documents

            admitted = admitted_documents(self._facts(), query, visibility)
        return SearchReport(()) if admitted is None else self._passages(admitted, visibility)

    def _passages(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """The passages; along the titles that the first ones mention where the question needs two of them."""
        retriever = self._retriever()
        if query.mode != HYBRID or query.documents or not looks_like_a_bridge(query.text):
            return retriever.search(query, visibility)
        from core.search.multi_hop import MultiHop

        return retriever.report(MultiHop(self).search(query, visibility).retrieval, query)

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """The candidate passages with the question's analysis. Raises IndexUnavailableError."""
        return self._retriever().retrieve(query, visibility)

    def mentioned(
        self, texts: Sequence[str], visibility: Visibility, buckets: Collection[str] = ()
    ) -> list[tuple[DocumentId, ...]]:
        """For each text the documents whose titles it mentions."""
        return self._retriever().mentioned(texts, visibility, buckets)
