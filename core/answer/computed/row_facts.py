"""Rows behind an answer: their cells with the place where each stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.domain.fields import AnnotationRow, FieldType, RowCell
from core.domain.ids import DocumentId
from core.domain.results import Rows
from core.domain.value_text import shown
from core.evidence.base import Span
from core.plan.catalogue import Catalogue, document_title
from core.values.units import canonical_unit

RowKey = tuple[DocumentId, int, int]
MOST_READ = 1_000


class RowSource(Protocol):
    """Reads rows of tables; `records.row_selection` is the real one."""

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """Rows with all their cells."""
        ...

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """Of which version of each document its rows are."""
        ...


@dataclass(frozen=True)
class RowFacts:
    """The rows that were picked, in order, at most MOST_READ of them; total: how many there are.

    A row with a partner has its cells, too. partners: by row the partner and its cells.
    """

    catalogue: Catalogue
    rows: Mapping[RowKey, AnnotationRow]
    versions: Mapping[str, int]
    total: int
    partners: Mapping[RowKey, AnnotationRow] = field(default_factory=dict)
    partner_documents: Mapping[RowKey, DocumentId] = field(default_factory=dict)

    @classmethod
    def read(cls, source: RowSource, catalogue: Catalogue, found: Rows) -> RowFacts:
        """Read what an answer shows."""
        keys = [_key(name) for name in found.picked[:MOST_READ]]
        pairs = {key: _key(name) for key, name in zip(keys, found.partners, strict=False) if name}
        read = source.read([*keys, *dict.fromkeys(pairs.values())])
        documents = {key[0] for key in (*keys, *pairs.values())}
        versions = source.versions(documents) if keys else {}
        partners = {key: read[other] for key, other in pairs.items() if other in read}
        rows = {key: _together(read[key], partners.get(key)) for key in keys if key in read}
        return cls(
            catalogue, rows, versions, found.total, partners, {key: other[0] for key, other in pairs.items()}
        )

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents of the rows, in order."""
        return tuple(dict.fromkeys(key[0] for key in self.rows))

    def title(self, document: str) -> str:
        """The title of a document; its id where it has gone since."""
        return document_title(document, self.catalogue)

    def where(self) -> str:
        """The documents in words: "rows of fuel-2024-09"."""
        ids = self.documents
        return self.title(ids[0]) if len(ids) == 1 else f"{len(ids):,} documents"

    def columns(self) -> tuple[str, ...]:
        """The columns of the rows as they are written, in order."""
        return tuple(dict.fromkeys(cell.column for row in self.rows.values() for cell in row.cells))

    def cell(self, key: RowKey, column: str) -> RowCell | None:
        """The cell of a row in a column; None where there is nothing."""
        wanted = column_key(column)
        return next((cell for cell in self.rows[key].cells if column_key(cell.column) == wanted), None)

    def span(self, key: RowKey, cell: RowCell) -> Span:
        """Span of a cell."""
        partner = self.partners.get(key)
        is_of_partner = partner is not None and any(cell is each for each in partner.cells)
        document = self.partner_documents[key] if is_of_partner else key[0]
        entry = self.catalogue.document(document)
        return Span(
            document=document,
            version=self.versions.get(document, 1),
            page_no=cell.quote.span.page_no,
            start=cell.quote.span.start,
            end=cell.quote.span.end,
            quote=cell.quote.quote,
            title=self.title(document),
            source=entry.source if entry is not None else "",
        )

    def column_title(self, column: str) -> str:
        """Title of a column, as it is written."""
        wanted = column_key(column)
        found = next((name for name in self.columns() if column_key(name) == wanted), column)
        return found.replace("_", " ")

    def unit(self, column: str, unit: str) -> str:
        """The unit of a column's values: their own, or the column's name where that is one ("litres")."""
        name = column_key(column).replace("_", " ")
        return unit or (name if canonical_unit(name) else "")


def _key(name: str) -> RowKey:
    document, table, row = name.rsplit("|", 2)
    return DocumentId(document), int(table), int(row)


def _together(row: AnnotationRow, partner: AnnotationRow | None) -> AnnotationRow:
    """A row with the cells of its partner that say what it does not."""
    if partner is None:
        return row
    own = {column_key(cell.column) for cell in row.cells}
    return replace(row, cells=(*row.cells, *(c for c in partner.cells if column_key(c.column) not in own)))


def column_key(name: str) -> str:
    """By what conditions know a column."""
    return " ".join(name.split()).casefold()


def said(cell: RowCell, unit: str = "") -> str:
    """A cell's value for a person."""
    text = shown(cell.value)
    return f"{text} {unit}" if unit and cell.value.type is FieldType.NUMBER and not cell.value.unit else text
