"""The searches of a workbench: their hits, and how they came about."""

from __future__ import annotations

from core.domain.inspection import SearchInspection
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.search import SearchQuery, SearchReport
from core.records.database.visibility import Visibility
from core.workbench.wiring import Parts


class SearchCalls:
    """What Workbench offers for searches."""

    _parts: Parts

    def search(self, query: SearchQuery | str, principal: Principal = LOCAL_ADMIN) -> SearchReport:
        """The passages or facts that fit a query, or the words of one.

        Raises IndexUnavailableError, and UsageError for an unknown index or a condition that cannot be read.
        """
        wanted = SearchQuery(query) if isinstance(query, str) else query
        return self._parts.finder.search(wanted, Visibility.of(principal))

    def inspect(self, query: SearchQuery, principal: Principal = LOCAL_ADMIN) -> SearchInspection:
        """How the search of a query comes about, by every configured engine. Raises UsageError."""
        return self._parts.inspector.inspect(query, Visibility.of(principal))
