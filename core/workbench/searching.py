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
        wanted = SearchQuery(query) if isinstance(query, str) else query
        return search(self._parts, wanted, Visibility.of(principal))

    def inspect(self, query: SearchQuery, principal: Principal = LOCAL_ADMIN) -> SearchInspection:
        """How the search of a query comes about, by every configured engine. Raises UsageError."""
        return self._parts.inspector.inspect(query, Visibility.of(principal))


def search(parts: Parts, query: SearchQuery, visible: Visibility) -> SearchReport:
    """The passages or facts that fit a query. Raises as `SearchCalls.search`."""
    if query.index != PASSAGES:
        return parts.fact_search.search(query, visible)
    admitted: SearchQuery | None = query
    if query.where:
        from core.retrieval.facts import admitted_documents

        admitted = admitted_documents(parts.fact_search, query, visible)
    return SearchReport(()) if admitted is None else parts.retriever.search(admitted, visible)
