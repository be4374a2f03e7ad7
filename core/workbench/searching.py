"""The searches of a workbench: their hits, and how they came about."""

from __future__ import annotations

from core.domain.inspection import SearchInspection
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.search import SearchQuery, SearchReport
from core.records.visibility import Visibility
from core.workbench.wiring import Parts

PASSAGES = "passages"


class SearchCalls:
    """What Workbench offers for searches."""

    _parts: Parts

    def search(self, query: SearchQuery | str, principal: Principal = LOCAL_ADMIN) -> SearchReport:
        """The passages or facts that fit a query, or the words of one.

        Raises IndexUnavailableError, and UsageError for an unknown index or a condition that cannot be read.
        """
        wanted: SearchQuery | None = SearchQuery(query) if isinstance(query, str) else query
        assert wanted is not None
        visible = Visibility.of(principal)
        if wanted.index != PASSAGES:
            return self._parts.fact_search.search(wanted, visible)
        if wanted.where:
            from core.retrieval.facts import admitted_documents

            wanted = admitted_documents(self._parts.fact_search, wanted, visible)
        return SearchReport(()) if wanted is None else self._parts.retriever.search(wanted, visible)

    def inspect(self, query: SearchQuery, principal: Principal = LOCAL_ADMIN) -> SearchInspection:
        """How the search of a query comes about, by every configured engine. Raises UsageError."""
        return self._parts.inspector.inspect(query, Visibility.of(principal))
