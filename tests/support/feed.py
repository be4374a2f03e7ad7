"""Records as a search index sees them, in memory."""

from __future__ import annotations

from collections.abc import Iterable

from core.domain.ids import DocumentId
from core.store.base import ChangesUpTo, IndexedPassage


class MemoryFeed:
    """A PassageFeed; `publish` and `remove` append to its change sequence."""

    def __init__(self) -> None:
        self._changes: list[DocumentId] = []
        self._passages: dict[DocumentId, list[IndexedPassage]] = {}

    @property
    def changes(self) -> MemoryFeed:
        return self

    @property
    def passages(self) -> MemoryFeed:
        return self

    def publish(self, *passages: IndexedPassage) -> None:
        """Replace the documents of these passages, one change each."""
        for document in dict.fromkeys(one.stored.passage.document for one in passages):
            self._passages[document] = [one for one in passages if one.stored.passage.document == document]
            self._changes.append(document)

    def remove(self, document: str) -> None:
        self._passages.pop(DocumentId(document))
        self._changes.append(DocumentId(document))

    def data_version(self) -> int:
        return len(self._changes)

    def since(self, sequence: int) -> ChangesUpTo:
        return ChangesUpTo(len(self._changes), frozenset(self._changes[sequence:]))

    def of_documents(self, wanted: Iterable[DocumentId], /) -> list[IndexedPassage]:
        return [
            IndexedPassage(one.stored, one.vector)
            for document in sorted(wanted)
            for one in self._passages.get(document, ())
        ]
