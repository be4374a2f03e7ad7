"""The matrix: documents down, fields across."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.document import DocumentSummary
from core.domain.fields import Cell, CellStatus
from core.domain.ids import DocumentId


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One document with its cells by field name; a field that was never extracted has none."""

    document: DocumentSummary
    cells: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class MatrixPage:
    """Some rows of the matrix; total: how many rows there are. Cells come without their candidates."""

    total: int
    rows: tuple[MatrixRow, ...]


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """How many documents have a field in which status. check_again: of those reviewed, to be seen anew."""

    statuses: dict[CellStatus, int] = field(default_factory=dict)
    reviewed: int = 0
    check_again: int = 0

    @property
    def total(self) -> int:
        """All cells of the field."""
        return sum(self.statuses.values())


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A cell that waits for a reviewer."""

    document: DocumentId
    field: str
    title: str
    check_again: bool
    probability: float
