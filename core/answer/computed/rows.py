"""Rows of tables that a result may lack or count twice: hidden ones, and those that several files repeat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from core.answer.computed.wording import counted
from core.domain.document import FilePart
from core.domain.fields import AnnotationRow
from core.domain.ids import DocumentId
from core.domain.results import QueryTable
from core.plan.catalogue import Catalogue, column_key, document_title

RowKey = tuple[DocumentId, int, int]
_MOST_READ = 1_000
_OF_ROWS = frozenset(
    ["hidden rows", "hidden columns", "hidden sheets", "formulas without a stored result", "damaged sheets"]
)


class RowSource(Protocol):
    """Reads rows of tables; `records.row_selection` is the real one."""

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """Rows with all their cells."""
        ...

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """Of which version of each document its rows are."""
        ...

    def missing_parts(self, versions: Mapping[str, int]) -> dict[str, tuple[FilePart, ...]]:
        """Of each document what its rows are without: parts of its file that were left out or not read."""
        ...


def missing_rows(found: QueryTable, source: RowSource, catalogue: Catalogue) -> tuple[str, ...]:
    """Parts of the files that rows could stand in and were left out or not read: hidden rows, formulas."""
    versions = source.versions(found.documents.present) if found.documents.present else {}
    return tuple(
        f"{document_title(document, catalogue)}: {part.kind} {'not read' if part.is_gap else 'left out'}: "
        f"{part.count:,} ({part.place})."
        for document, parts in (source.missing_parts(versions) if versions else {}).items()
        for part in parts
        if part.kind in _OF_ROWS
    )


def repeated_rows(found: QueryTable, source: RowSource, catalogue: Catalogue) -> tuple[str, ...]:
    """Rows that stand word for word in several documents: each was counted, which may be once too often."""
    if len(found.documents.present) < 2:
        return ()
    names = list(dict.fromkeys(name for row in found.rows for name in row.sources))[:_MOST_READ]
    parts = (name.rsplit("|", 2) for name in names)
    places: dict[tuple[tuple[str, str], ...], set[str]] = {}
    for key, row in source.read([(DocumentId(id), int(table), int(at)) for id, table, at in parts]).items():
        cells = tuple(sorted((column_key(cell.column), cell.value.text) for cell in row.cells))
        places.setdefault(cells, set()).add(key[0])
    again = [documents for documents in places.values() if len(documents) > 1]
    if not again:
        return ()
    named = sorted({document_title(id, catalogue) for documents in again for id in documents})
    verb = "stands" if len(again) == 1 else "stand"
    titles, rows = ", ".join(named[:4]), counted(len(again), "rows")
    return (f"{rows} {verb} word for word in several documents ({titles}) and counts in each.",)
