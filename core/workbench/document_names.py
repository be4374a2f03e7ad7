"""Names in the openings of documents, read once for each version of a document."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from core.domain.document import OpeningNames
from core.domain.ids import DocumentId
from core.records.documents.names import Openings
from core.records.store import Records
from core.values.naming.opening import opening_names

PASSAGES = 20  # hold the characters from which names and telling words are read


class KnownOpenings:
    """Names in openings, kept up to the records. Thread-safe; the first call reads all openings."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._openings = Openings(records.database)
        self._lock = threading.Lock()  # the names and their sequence belong together
        self._names: dict[DocumentId, OpeningNames] = {}
        self._sequence = 0

    def names(self) -> Mapping[DocumentId, OpeningNames]:
        """The names of every document as it is now, whoever may see it."""
        with self._lock:
            if self._records.changes.data_version() != self._sequence:
                self._refresh()
            return self._names

    def _refresh(self) -> None:
        changed = self._records.changes.since(self._sequence)
        wanted = None if self._sequence == 0 else changed.documents
        names = {id: each for id, each in self._names.items() if id not in changed.documents}
        for opening in self._openings.iterate(wanted, first=PASSAGES):
            names[opening.id] = opening_names(opening.text)
        self._names = names
        self._sequence = changed.sequence
