"""Compares the rows of the embedded engine with the records."""

from __future__ import annotations

import numpy as np

from core.domain.upkeep import RepairReport
from core.index.base import Filter
from core.index.embedded.rows import RowView
from core.index.rebuildable import OnProgress
from core.index.sync import PassageFeed

_DOCUMENTS_AT_ONCE = 100


def compare(rows: RowView, records: PassageFeed, on_progress: OnProgress | None = None) -> RepairReport:
    """Passages that are missing, too much, or kept with another vector ("lost"); nothing is repaired.

    Documents that changed after the rows were written are left to `catch_up`.
    """
    places: dict[int, int] = {}
    for row in np.flatnonzero(rows.select(Filter())).tolist():
        places[int(rows.passages[row])] = row
    every = records.changes.since(0).documents
    late = records.changes.since(rows.state.sequence).documents
    documents = sorted(every - late)
    checked = missing = lost = 0
    for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
        group = documents[start : start + _DOCUMENTS_AT_ONCE]
        found = [(one, places.pop(one.stored.id, None)) for one in records.passages.of_documents(group)]
        checked += len(found)
        missing += sum(row is None for _, row in found)
        lost += sum(
            row is not None and not np.array_equal(rows.matrix[row], np.asarray(one.vector, np.float32))
            for one, row in found
        )
        if on_progress is not None:
            on_progress(start + len(group), len(documents))
    late = records.changes.since(rows.state.sequence).documents  # also those that changed meanwhile
    surplus = sum(rows.document(row) not in late for row in places.values())
    return RepairReport(checked, missing, lost, surplus, repaired=0)
