"""The access filter of a search: what a principal may see, as every engine understands it."""

from __future__ import annotations

from functools import lru_cache

from core.index.base import EVERYTHING, Filter
from core.records.base import AccessChanges
from core.records.database.changes import Changes
from core.records.database.visibility import Visibility

_STATES = 8  # of the engines that one search asks


def access_filter(changes: Changes, visible: Visibility) -> Filter:
    """The filter that admits the passages of documents that may be seen, for one search.

    Where the index is behind the records the records decide: see `Filter.settled`.
    """
    if visible.groups is None:
        return EVERYTHING

    @lru_cache(_STATES)
    def since(sequence: int) -> AccessChanges:
        return changes.access_since(sequence, visible)

    return Filter(groups=visible.groups, access_since=since)
