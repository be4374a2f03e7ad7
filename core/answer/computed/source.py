"""Sources of a computed answer: titles, cells with their spans, and the names of fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from core.domain.fields import Cell, CellStatus, FieldType, Quote, TypedValue
from core.domain.ids import DocumentId
from core.domain.value_text import shown_all
from core.plan.catalogue import Catalogue, document_title
from core.search.evidence.base import Span
from core.store.database.visibility import Visibility


class CellSource(Protocol):
    """Reads cells; `records.fields` is the real one."""

    def cells(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        documents: Collection[DocumentId] | None = None,
        fields: Collection[str] | None = None,
    ) -> Iterable[Cell]:
        """Cells whole, by document and field."""
        ...

    def unread(self, visible: Visibility, documents: Collection[DocumentId]) -> frozenset[DocumentId]:
        """Those of the documents of whose current text not all was read yet."""
        ...


class ClauseSource(CellSource, Protocol):
    """Reads cells, and how likely clauses are; `records.fields` is the real one."""

    def clause_probabilities(
        self, visible: Visibility, documents: Collection[DocumentId], fields: Collection[str]
    ) -> Mapping[tuple[str, str], float]:
        """By document and field the probability that a clause is there, where anything says it."""
        ...


@dataclass(frozen=True, slots=True)
class AmendedCells:
    """Cells, with those that hold after amendments in place of what was agreed first."""

    source: CellSource
    stand_ins: Callable[[Visibility, Collection[str]], Mapping[str, Mapping[str, str]]]

    def cells(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        documents: Collection[DocumentId] | None = None,
        fields: Collection[str] | None = None,
    ) -> Iterable[Cell]:
        """Cells as the documents themselves state them."""
        return self.source.cells(visible, bucket=bucket, documents=documents, fields=fields)

    def unread(self, visible: Visibility, documents: Collection[DocumentId]) -> frozenset[DocumentId]:
        """See CellSource."""
        return self.source.unread(visible, documents)

    def held(
        self, visible: Visibility, documents: Collection[str], fields: Collection[str]
    ) -> dict[tuple[str, str], Cell]:
        """By amended document and field the cell of the amendment that holds now."""
        found: dict[tuple[str, str], Cell] = {}
        for field, by_base in self.stand_ins(visible, fields).items() if documents and fields else ():
            amended = {other: base for base, other in by_base.items() if base in documents}
            ids = [DocumentId(id) for id in amended]
            for cell in self.source.cells(visible, documents=ids, fields={field}) if ids else ():
                if cell.finding.status is CellStatus.PRESENT:
                    found[(amended[str(cell.document)], field)] = cell
        return found


@dataclass(frozen=True)
class AnswerFacts:
    """The cells of some documents in some fields, with the names of both.

    pending: the documents and fields that have no cell since they are still being read.
    """

    catalogue: Catalogue
    cells: Mapping[tuple[str, str], Cell]
    schema: str = ""
    pending: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def read(
        cls,
        source: CellSource,
        catalogue: Catalogue,
        visible: Visibility,
        documents: Collection[str],
        fields: Collection[str],
        schema: str = "",
    ) -> AnswerFacts:
        """Read what an answer shows."""
        cells: Iterable[Cell] = ()
        if documents and fields:
            cells = source.cells(visible, documents=[DocumentId(id) for id in documents], fields=set(fields))
        found: dict[tuple[str, str], Cell] = {(cell.document, cell.field): cell for cell in cells}
        if isinstance(source, AmendedCells):
            found |= source.held(visible, set(documents), fields)
        left = [(id, name) for id in documents for name in fields if (id, name) not in found]
        unread = source.unread(visible, {DocumentId(id) for id, _ in left}) if left else frozenset()
        return cls(catalogue, found, schema, frozenset(each for each in left if each[0] in unread))

    def title(self, document: str) -> str:
        """The title of a document; its id where it has gone since."""
        return document_title(document, self.catalogue)

    def party(self, name: str) -> str:
        """An organisation as it is written best; the name itself where none is known by it."""
        return self._parties.get(name, name)

    @cached_property
    def _parties(self) -> Mapping[str, str]:
        return {each.normal: each.name for each in self.catalogue.parties}

    def field_title(self, field: str) -> str:
        """Title of a field; its name where no schema has it."""
        entry = self.catalogue.field(field, self.schema) or self.catalogue.field(field)
        return entry.title if entry is not None else field.replace("_", " ")

    def field_type(self, field: str) -> FieldType:
        """Type of a field's values; text where no schema has it."""
        entry = self.catalogue.field(field, self.schema) or self.catalogue.field(field)
        return entry.type if entry is not None else FieldType.TEXT

    def values(self, document: str, field: str) -> tuple[TypedValue, ...]:
        """The values that a document states in a field; () where none is known."""
        cell = self.cells.get((document, field))
        is_known = cell is not None and cell.finding.status is CellStatus.PRESENT
        return cell.finding.values if cell is not None and is_known else ()

    def has_field(self, document: str, field: str) -> bool:
        """True unless a document is known to be of a kind that has no such field."""
        entry = self.catalogue.document(document)
        kind = self.catalogue.schema(entry.schema) if entry is not None else None
        return kind is None or kind.field(field) is not None

    def is_absent(self, document: str, field: str) -> bool:
        """True where a document is known to say nothing of a field."""
        cell = self.cells.get((document, field))
        return cell is not None and cell.finding.status is CellStatus.ABSENT

    def is_unreadable(self, document: str, field: str) -> bool:
        """True where nothing of the document could be read for a field."""
        cell = self.cells.get((document, field))
        return cell is not None and cell.finding.status is CellStatus.UNREADABLE

    def text(self, document: str, field: str) -> str | None:
        """The values in words; None where none is known."""
        return shown_all(self.values(document, field)) or None

    def spans(self, document: str, field: str) -> tuple[Span, ...]:
        """Spans of a present cell's values; () of one that a person typed, or that is not present."""
        cell = self.cells.get((document, field))
        if cell is None or cell.finding.status is not CellStatus.PRESENT:
            return ()
        return tuple(self._span(cell, quote) for quote in cell.finding.spans[:_MOST_SPANS])

    def _span(self, cell: Cell, quote: Quote) -> Span:
        entry = self.catalogue.document(cell.document)  # an amendment, where that holds
        source = entry.source if entry is not None else ""
        return Span.of_quote(cell.document, cell.version, quote, self.title(cell.document), source)

    def best_candidate(self, document: str, field: str) -> Span | None:
        """Place that an uncertain cell may rest on; None where none was kept, or it is not uncertain."""
        cell = self.cells.get((document, field))
        if cell is None or cell.finding.status is not CellStatus.UNCERTAIN:
            return None
        best = next((each for each in cell.finding.candidates if each.spans), None)
        return self._span(cell, best.spans[0]) if best is not None else None

    def probability(self, document: str, field: str) -> float:
        """Probability that a document states a field: of an uncertain cell that of its best candidate."""
        cell = self.cells.get((document, field))
        if cell is None:
            return 0.5
        found = cell.finding
        if found.status is CellStatus.UNCERTAIN:
            return max((each.confidence for each in found.candidates), default=0.5)
        return found.confidence if found.status is CellStatus.PRESENT else 1 - found.confidence

    @cached_property
    def confidence(self) -> float:
        """Mean confidence of the cells, 1 where none was needed."""
        present = [
            c.finding.confidence for c in self.cells.values() if c.finding.status is CellStatus.PRESENT
        ]
        return sum(present) / len(present) if present else 1.0


_MOST_SPANS = 3  # of one cell: a clause may be told in many places
