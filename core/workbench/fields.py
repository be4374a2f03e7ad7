"""The fields of documents: the matrix, its cells and their reviews, and all that one document states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from core.config.fields import Schema
from core.domain.facts import DateFact, DocumentFacts
from core.domain.fields import (
    Cell,
    CellStatus,
    FieldType,
    Quote,
    ReviewAction,
    ReviewEvent,
    TypedValue,
)
from core.domain.ids import DocumentId
from core.domain.matrix import FieldCounts, Ledger, Matrix, MatrixColumn, MatrixPage, MatrixRow, WorkItem
from core.domain.predicate import Predicate
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import UsageError
from core.records.database.visibility import Visibility
from core.workbench.access import require_reviewer
from core.workbench.annotations import AnnotationCalls
from core.workbench.asking import kinds_of
from core.workbench.correcting import CorrectionCalls, parties_of
from core.workbench.drill_down import DrillCalls
from core.workbench.models import ModelCalls
from core.workbench.verdicts import accepted, action_of, definition_of

Where = Sequence[Predicate | tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class MatrixView:
    """Which rows of the matrix, in which order; see `Fields.matrix_page`."""

    bucket: str | None = None
    schema: str = ""
    text: str = ""
    where: Where = ()
    order_field: str = ""
    descending: bool = False

    def said(self) -> tuple[tuple[str, str], ...]:
        """What was chosen, line by line, for a person; () where all documents are in it, by title."""
        lines = [("Kind of documents", self.schema)] if self.schema else []
        lines += [("Title or file name holds", self.text)] if self.text else []
        for each in self.where:
            one = each if isinstance(each, Predicate) else Predicate(*each)
            values = " and ".join(str(getattr(value, "text", value)) for value in one.values)
            lines.append(("Only where", f"{one.field} {one.operator.value} {values}".strip()))
        if self.order_field:
            lines.append(("Sorted by", f"{self.order_field}, {'falling' if self.descending else 'rising'}"))
        return (("Bucket", self.bucket or "all"), *lines) if lines else ()


class FieldCalls(ModelCalls, AnnotationCalls, CorrectionCalls, DrillCalls):
    """What Workbench offers for fields. What a principal may not see has no cells, and counts nowhere."""

    def columns(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> list[MatrixColumn]:
        """The fields of a bucket's documents (None: of all), or those named, in the order named.

        Raises UsageError for a name that no schema of the bucket has.
        """
        found: dict[str, MatrixColumn] = {}
        for schema in self._schemas_in(bucket, principal):
            for each in schema.fields:
                known = found.get(each.name)
                if known is None:
                    found[each.name] = MatrixColumn(
                        each.name, each.title, each.type, each.many, each.group, (schema.name,)
                    )
                else:
                    found[each.name] = MatrixColumn(
                        known.name,
                        known.title,
                        known.type,
                        known.many,
                        known.group,
                        (*known.schemas, schema.name),
                    )
        if fields is None:
            return list(found.values())
        unknown = [name for name in fields if name not in found]
        if unknown:
            raise UsageError(
                f"There is no field {unknown[0]!r}" + (f" in bucket {bucket!r}." if bucket else "."),
                next_step=f"Expected some of: {', '.join(found)}.",
            )
        return [found[name] for name in dict.fromkeys(fields)]

    def matrix(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> Matrix:
        """All cells of a bucket's documents (None: of all). Raises UsageError for an unknown field."""
        columns = self.columns(bucket, fields, principal)
        rows = list(self._rows(MatrixView(bucket), columns, principal))
        return Matrix(
            tuple(columns),
            tuple(row.document for row in rows),
            tuple(row.cells[column.name] for row in rows for column in columns if column.name in row.cells),
            {row.document.id: row.pending for row in rows if row.pending},
            {row.document.id: row.not_asked for row in rows if row.not_asked},
        )

    def matrix_page(
        self,
        bucket: str | None = None,
        schema: str = "",
        fields: Sequence[str] = (),
        principal: Principal = LOCAL_ADMIN,
        *,
        text: str = "",
        where: Where = (),
        order_field: str = "",
        descending: bool = False,
        limit: int = 100,
        offset: int = 0,
    ) -> MatrixPage:
        """Some rows of the matrix; see `Fields.matrix_page`. fields: () for all of the bucket's."""
        names = list(fields) or [column.name for column in self.columns(bucket, None, principal)]
        return self._parts.records.fields.matrix_page(
            Visibility.of(principal),
            bucket,
            schema,
            names,
            text=text,
            where=where,
            order_field=order_field,
            descending=descending,
            limit=limit,
            offset=offset,
            asking=self._asking(bucket, principal),
        )

    def cell(self, document: DocumentId, field: str, principal: Principal = LOCAL_ADMIN) -> Cell:
        """One cell with its candidates. Raises NotFoundError."""
        return self._parts.records.fields.cell(document, field, Visibility.of(principal))

    def review(
        self,
        document: DocumentId,
        field: str,
        action: ReviewAction | str,
        principal: Principal = LOCAL_ADMIN,
        *,
        value: TypedValue | Sequence[TypedValue] | str | None = None,
        quotes: Sequence[Quote] = (),
        expected: int | None = None,
    ) -> Cell:
        """Decide a cell; gives it as it is then. value: as typed, or what a person wrote, which is read.

        expected: the `event` of the cell as it was seen. Raises RefusedError without the role, UsageError
        for a field that the document is not asked for and for values that the field does not take,
        ConflictError where somebody came first, NotFoundError.
        """
        require_reviewer(principal, "review cells")
        visible, chosen, fields = Visibility.of(principal), action_of(action), self._parts.records.fields
        self._parts.records.documents.get(document, visible)  # what may not be seen is not there at all
        kind = self._parts.extraction_states.schema_of(document, visible)
        definition = definition_of(field, self._parts.schemas.schemas(), kind)
        cell = fields.cell(document, field, visible)
        return fields.review(
            document,
            field,
            chosen,
            principal.user,
            datetime.now(UTC),
            accepted(definition, chosen, value, quotes, cell),
            quotes,
            visible=visible,
            expected=expected,
        )

    def undo(
        self,
        document: DocumentId,
        field: str,
        principal: Principal = LOCAL_ADMIN,
        *,
        expected: int | None = None,
    ) -> Cell:
        """Take the last verdict back. Raises as `review`."""
        require_reviewer(principal, "review cells")
        return self._parts.records.fields.undo(
            document,
            field,
            principal.user,
            datetime.now(UTC),
            visible=Visibility.of(principal),
            expected=expected,
        )

    def cell_history(
        self, document: DocumentId, field: str, principal: Principal = LOCAL_ADMIN
    ) -> list[ReviewEvent]:
        """What was decided of a cell, newest first."""
        return self._parts.records.fields.history(document, field, Visibility.of(principal))

    def field_counts(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> dict[str, FieldCounts]:
        """How many documents have each field in which status, and how many were reviewed.

        fields: None for all columns of the bucket.
        """
        names = (
            fields if fields is not None else [each.name for each in self.columns(bucket, None, principal)]
        )
        return self._parts.records.fields.counts(
            Visibility.of(principal), bucket, names, asking=self._asking(bucket, principal)
        )

    def ledger(self, bucket: str | None, field: str, principal: Principal = LOCAL_ADMIN) -> Ledger:
        """Where every document of a bucket (None: of all) stands with one field, by id."""
        return self._parts.records.fields.ledger(
            Visibility.of(principal), bucket, field, asking=self._asking(bucket, principal)
        )

    def worklist(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        limit: int = 50,
        principal: Principal = LOCAL_ADMIN,
        *,
        documents: Collection[DocumentId] | None = None,
    ) -> list[WorkItem]:
        """Cells that wait for a person, those first that are worth it most. documents: only of these."""
        names = [column.name for column in self.columns(bucket, fields, principal)]
        return self._parts.records.fields.worklist(
            Visibility.of(principal), bucket, names, limit, only=documents
        )

    def document_facts(self, document: DocumentId, principal: Principal = LOCAL_ADMIN) -> DocumentFacts:
        """All that is stated in a document's current version. Raises NotFoundError."""
        visible, records = Visibility.of(principal), self._parts.records
        summary = records.documents.get(document, visible)
        name = self._parts.extraction_states.schema_of(document, visible)
        schema = next((each for each in self._parts.schemas.schemas() if each.name == name), None)
        columns = () if schema is None else tuple(_columns_of(schema))
        names = [column.name for column in columns]
        found = {
            cell.field: cell for cell in records.fields.cells(visible, documents=[document], fields=names)
        }
        cells = tuple(found[column.name] for column in columns if column.name in found)
        facts = records.facts
        found_parties = [each.fact for each in facts.parties(visible, document=document)]
        return DocumentFacts(
            document=summary,
            schema=name if schema is not None else "",
            columns=columns,
            cells=cells,
            clauses=tuple(each.fact for each in facts.clauses(visible, document=document)),
            parties=tuple(parties_of(found_parties, cells, columns)),
            financials=tuple(each.fact for each in facts.financials(visible, document=document)),
            summaries=tuple(each.fact for each in facts.summaries(visible, document=document)),
            dates=tuple(_dates(columns, cells)),
            notes=facts.notes(document, visible),
        )

    def export_matrix(
        self,
        path: Path | str,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        principal: Principal = LOCAL_ADMIN,
        *,
        schema: str = "",
        text: str = "",
        where: Where = (),
        order_field: str = "",
        descending: bool = False,
        address: str = "",
    ) -> int:
        """Write the matrix to a .csv or .xlsx file; gives how many documents it holds. Raises UsageError.

        address: where links lead unless a public one is set; "" for where this home is or would be served.
        Rows are chosen and ordered as in `matrix_page`; where some are left out, an .xlsx says which.
        """
        from core.workbench.spreadsheet import write_matrix

        columns = self.columns(bucket, fields, principal)
        view = MatrixView(bucket, schema, text, where, order_field, descending)
        rows = self._rows(view, columns, principal)
        link = partial(_link, self._address(address))
        return write_matrix(Path(path), columns, rows, link, view.said())

    def _rows(
        self, view: MatrixView, columns: Sequence[MatrixColumn], principal: Principal
    ) -> Iterator[MatrixRow]:
        return self._parts.records.fields.matrix_rows(
            Visibility.of(principal),
            view.bucket,
            view.schema,
            [column.name for column in columns],
            text=view.text,
            where=view.where,
            order_field=view.order_field,
            descending=view.descending,
            asking=self._asking(view.bucket, principal),
        )

    def _schemas_in(self, bucket: str | None, principal: Principal) -> list[Schema]:
        """The schemas of a bucket's documents (None: of all), in their own order."""
        used = {
            name
            for names in kinds_of(
                self._parts.schemas, self._parts.records, Visibility.of(principal), bucket
            ).values()
            for name in names
        }
        schemas = [each for each in self._parts.schemas.schemas() if each.name in used]
        return schemas or [self._parts.schemas.schema_for(bucket or "")]

    def _address(self, given: str) -> str:
        """Where people reach the pages: as configured, else as asked for, else where this home is served."""
        settings = self._parts.settings
        served = settings.home / "up.address"
        known = settings.app.public_url or given
        if not known and served.is_file():
            known = served.read_text().strip()
        return (known or f"http://{settings.app.host}:{settings.app.port}").rstrip("/")


def _link(address: str, cell: Cell, quote: Quote | None) -> str:
    asked: dict[str, str | int] = {"document": cell.document, "version": cell.version}
    if quote is not None:
        span = quote.span
        asked |= {"page": span.page_no, "start": span.start, "end": span.end}
    return f"{address}/documents?{urlencode(asked)}"


def _columns_of(schema: Schema) -> Iterator[MatrixColumn]:
    for each in schema.fields:
        yield MatrixColumn(each.name, each.title, each.type, each.many, each.group, (schema.name,))


def _dates(columns: Sequence[MatrixColumn], cells: Sequence[Cell]) -> Iterator[DateFact]:
    """The dates of present cells, earliest first."""
    titles = {column.name: column.title for column in columns}
    found = [
        DateFact(
            cell.field,
            titles[cell.field],
            value,
            cell.finding.spans[min(at, len(cell.finding.spans) - 1)] if cell.finding.spans else None,
        )
        for cell in cells
        if cell.finding.status is CellStatus.PRESENT
        for at, value in enumerate(cell.finding.values)
        if value.type is FieldType.DATE and value.amount is not None
    ]
    return iter(sorted(found, key=lambda each: (each.value.amount or 0, each.field)))
