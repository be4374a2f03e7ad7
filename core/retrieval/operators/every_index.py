"""One finder for all indexes: passages by the retriever, everything else by the search in facts."""

from __future__ import annotations

from core.domain.search import SearchQuery, SearchReport
from core.records.visibility import Visibility
from core.retrieval.facts import FactSearch, admitted_documents
from core.retrieval.search import Retrieval, Retriever

PASSAGES = "passages"


class EveryIndex:
    """Implements `Finder`. Thread-safe."""

    def __init__(self, retriever: Retriever, facts: FactSearch) -> None:
        self._retriever = retriever
        self._facts = facts

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """The hits of the index that the query names, best first."""
        if query.index != PASSAGES:
            return self._facts.search(query, visibility)
        admitted = admitted_documents(self._facts, query, visibility) if query.where else query
        return SearchReport(()) if admitted is None else self._retriever.search(admitted, visibility)

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """Candidate passages."""
        return self._retriever.retrieve(query, visibility)
