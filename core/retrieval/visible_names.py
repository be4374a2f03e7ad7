"""The names index as somebody sees it who may not see every document.

How rare a word is, what it may misspell and how it is written are told from their documents alone: else a
question would be read by names that are not there for them.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.records.database.visibility import Visibility
from core.records.documents.names import Opening
from core.retrieval.names import NamesIndex, Posting, capitalised_share


class VisibleNames:
    """A NamesIndex with the documents of one visibility; valid until the index changes."""

    def __init__(self, names: NamesIndex, visible: Visibility) -> None:
        self._names = names
        acls = frozenset(acl for acl in names.acls if visible.may_see(acl))
        self._admitted = names.admitted(acls)
        self._is_seen: NDArray[np.bool_] = names.rows_with(acls)
        self._found: dict[str, Posting | None] = {}

    @property
    def rows(self) -> int:
        """Number of rows of the index, whoever may see them."""
        return self._names.rows

    @cached_property
    def _total(self) -> int:
        return int(self._is_seen.sum())

    def document(self, row: int) -> Opening | None:
        """The document of a row; None where it was removed or may not be seen."""
        return self._names.document(row) if self._is_seen[row] else None

    def posting(self, token: str) -> Posting | None:
        """The rows that may be seen and that `token` may name; None where there is none."""
        if token not in self._found:
            whole = self._names.posting(token)
            if whole is not None:
                mask = self._is_seen[whole.rows]
                whole = Posting(whole.rows[mask], whole.weights[mask]) if mask.any() else None
            self._found[token] = whole
        return self._found[token]

    def frequency(self, token: str) -> int:
        """Number of such rows."""
        found = self.posting(token)
        return 0 if found is None else len(found.rows)

    def rarity(self, token: str) -> float:
        """See NamesIndex."""
        total = max(self._total, 2)
        frequency = min(max(self.frequency(token), 1), total)
        return math.log(total / frequency) / math.log(total)

    def capitalised_share(self, token: str) -> float:
        """See NamesIndex."""
        return capitalised_share(token, self._times)

    def is_known(self, token: str) -> bool:
        """True where any name or first page that may be seen has this token."""
        return self.posting(token) is not None or self._times(token) > 0

    def _times(self, word: str) -> int:
        return self._names.times_written(word, self._admitted)

    def near(self, token: str) -> tuple[str, float] | None:
        """See NamesIndex; of the names that may be seen."""
        return self._names.near(token, self.frequency)
