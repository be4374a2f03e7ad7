"""The matrix: documents down, fields across, with reviews, counts, exports and computations over cells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from core.config.fields import FieldDefinition, Schema
from core.domain.annotation import AggregateResult, AnnotationHits, AnnotationSource, Calculation
from core.domain.certainty.contradiction import ContradictionReport
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import Cell, PromiseLevel, Quote, ReviewAction, ReviewEvent, TypedValue
from core.domain.ids import DocumentId
from core.domain.matrix import (
    Asking,
    CellDetails,
    FieldCounts,
    FieldLedger,
    Matrix,
    MatrixColumn,
    MatrixPage,
    MatrixQuery,
    MatrixRow,
    WorkItem,
)
from core.domain.predicate import OfField, Operator, Predicate, parse_condition
from core.domain.trust.permission import Action
from core.errors import UsageError
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.node import MAX_ROWS, Node, OtherField, Scope
from core.plan.ir.node import Condition as PlanCondition
from core.store.base import DocumentQuery
from core.store.cells.reviews import ReviewVerdict, StoredCell
from core.store.database.visibility import Visibility
from core.store.query.conditions import OF_TEXTS, typed_predicate
from core.store.store import Records
from core.workbench.exports.exported_cell import place_address
from core.workbench.fields.scope import kinds_of
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.verdicts import (
    Written,
    accepted,
    action_of,
    definition_of,
    require_same,
    said_by,
    sentences_with,
    values_written,
)

Condition = Predicate | str | tuple[str, str, str]
"""A condition; as one text `field op value`, or as field, operator and value."""


class MatrixService(Service):
    """Cells and rows of tables. Documents that the principal may not see have none, and count nowhere.

    Of copies the oldest has a row, a cell to decide and a place in counts, as it has in answers.
    """

    def columns(self, bucket: str | None = None, fields: Collection[str] | None = None) -> list[MatrixColumn]:
        """The fields of a bucket's documents (None: of all), or those named, in the order named.

        Raises UsageError for a name that no schema of the bucket has.
        """
        found: dict[str, MatrixColumn] = {}
        asked = (
            (schema, each)
            for schema in self._schemas_in(bucket)
            for each in schema.fields
            if bucket is None or each.is_for(bucket)
        )
        for schema, each in asked:
            known = found.get(each.name) or MatrixColumn(
                each.name, each.title, each.type, each.many, each.group
            )
            found[each.name] = replace(known, schemas=(*known.schemas, schema.name))
        if fields is None:
            return list(found.values())
        unknown = [name for name in fields if name not in found]
        if unknown:
            raise UsageError(
                f"There is no field {unknown[0]!r}" + (f" in bucket {bucket!r}." if bucket else "."),
                next_step=f"Expected some of: {', '.join(found)}.",
            )
        return [found[name] for name in dict.fromkeys(fields)]

    def kinds(self, bucket: str | None = None) -> dict[str, int]:
        """Number of documents of a bucket (None: of all) by the schema they were read by, most first."""
        found = self._parts.extraction_states.schemas(self._once(bucket), bucket)
        known = {each.name for each in self._parts.schemas.schemas()}
        ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
        return {name: count for name, count in ordered if name in known}

    def of_unknown_kind(self, bucket: str | None = None) -> dict[DocumentStatus, int]:
        """Number of documents that cannot be read and may be of any kind, by how their ingest ended.

        They are in the matrix of a bucket, and in that of none of its schemas.
        """
        states = self._parts.extraction_states
        return states.of_unknown_kind(self._once(bucket), bucket, self._asking(bucket))

    def read(self, bucket: str | None = None, fields: Collection[str] | None = None) -> Matrix:
        """All cells of a bucket's documents (None: of all). Raises UsageError for an unknown field."""
        self._permit(Action.QUERY)
        columns = self.columns(bucket, fields)
        rows = list(self._rows(MatrixQuery(bucket), columns))
        copies = self._parts.records.copies.find(self._in_bucket(bucket))
        return Matrix(
            tuple(columns),
            tuple(row.document for row in rows),
            tuple(row.cells[column.name] for row in rows for column in columns if column.name in row.cells),
            {row.document.id: row.pending for row in rows if row.pending},
            {row.document.id: row.not_asked for row in rows if row.not_asked},
            copies.beside([row.document.id for row in rows]),
        )

    def page(self, query: MatrixQuery) -> MatrixPage:
        """Some rows of the matrix. No fields: all of the bucket's."""
        self._permit_view(query)
        names = query.fields or tuple(each.name for each in self.columns(query.bucket))
        asking = self._asking(query.bucket)
        return self._parts.records.fields.matrix_page(
            self._once(query.bucket, query.text), replace(query, fields=names, asking=asking)
        )

    def contradictions(
        self, bucket: str | None = None, about: Collection[str] = (), document: DocumentId | None = None
    ) -> ContradictionReport:
        """Different values of one thing, in documents and between them, resolved ones last.

        about: fields or labels, () for all. document: only what this one is a side of. Blocks for some
        seconds in a large bucket that changed.
        """
        self._permit(Action.QUERY)
        records = self._parts.records
        visible = records.copies.counted_once(self._in_bucket(bucket))
        found = records.contradictions.find(visible, self._parts.schemas.schemas())
        chosen = (
            each
            for each in found.contradictions
            if (not about or each.about in about)
            and (document is None or any(side.document.id == document for side in each.sides))
        )
        return replace(found, contradictions=tuple(chosen))

    def cell(self, document: DocumentId, field: str) -> Cell:
        """One cell with its candidates. Raises NotFoundError."""
        return self._parts.records.fields.cell(document, field, self._visible)

    def details(self, document: DocumentId, field: str) -> CellDetails:
        """One cell with its history and the version whose pages are shown beside it. Raises NotFoundError."""
        return self._with_original(self._parts.records.reviews.details(document, field, self._visible))

    @recorded("cell.review", "document", "field")
    def decide(
        self,
        document: DocumentId,
        field: str,
        action: ReviewAction | str,
        *,
        value: TypedValue | Sequence[TypedValue] | str | None = None,
        quotes: Sequence[Quote] = (),
        candidates: Sequence[int] | None = None,
        saw: str | None = None,
        expected: int | None = None,
    ) -> CellDetails:
        """Decide a cell; gives it with all beside it as it is then.

        value: as typed, or what a person wrote, which is read. candidates: numbers, from 0, of those that
        are right, in place of value and quotes; saw: their values as they were shown. expected: the `event`
        of the cell as it was seen. Raises RefusedError without the role, UsageError for a field that the
        document is not asked for and for values that the field does not take, ConflictError where somebody
        came first or the candidates say something else now, NotFoundError.
        """
        self._permit(Action.REVIEW, "review cells")
        chosen, schemas = action_of(action), self._parts.schemas.schemas()

        def accept(stored: StoredCell, verdict: ReviewVerdict) -> ReviewVerdict:
            definition, cell = definition_of(field, schemas, stored.kind), stored.shown
            if candidates is not None and saw is not None:
                require_same(cell, candidates, saw, verdict.now)
            given, places = (value, quotes) if candidates is None else said_by(cell, candidates)
            values = accepted(definition, chosen, given, places, cell)
            return replace(verdict, values=values, quotes=tuple(places))

        verdict = ReviewVerdict(chosen, self._principal.user, datetime.now(UTC), expected=expected)
        asked = None if chosen is ReviewAction.UNDO else accept
        kept = self._parts.records.reviews.decide(document, field, verdict, self._visible, asked)
        return self._with_original(kept)

    @recorded("cell.review", "document", "field")
    def review(
        self,
        document: DocumentId,
        field: str,
        action: ReviewAction | str,
        *,
        value: TypedValue | Sequence[TypedValue] | str | None = None,
        quotes: Sequence[Quote] = (),
        expected: int | None = None,
    ) -> Cell:
        """Decide a cell; gives it as it is then. See `decide`."""
        return self.decide(document, field, action, value=value, quotes=quotes, expected=expected).cell

    @recorded("cell.undo", "document", "field")
    def undo(self, document: DocumentId, field: str, *, expected: int | None = None) -> Cell:
        """Take the last verdict back. Raises as `decide`."""
        return self.decide(document, field, ReviewAction.UNDO, expected=expected).cell

    def history(self, document: DocumentId, field: str) -> list[ReviewEvent]:
        """Decisions on a cell, newest first."""
        return self._parts.records.reviews.history(document, field, self._visible)

    def counts(
        self, bucket: str | None = None, fields: Collection[str] | None = None
    ) -> dict[str, FieldCounts]:
        """Number of documents by status of each field, and of those that were reviewed.

        fields: None for all columns of the bucket.
        """
        self._permit(Action.QUERY)
        names = fields if fields is not None else [each.name for each in self.columns(bucket, None)]
        visible, asking = self._once(bucket), self._asking(bucket)
        return self._parts.records.fields.counts(visible, bucket, names, asking=asking)

    def ledger(self, bucket: str | None, field: str) -> FieldLedger:
        """Status of every document of a bucket (None: of all) in one field, by id."""
        self._permit(Action.QUERY)
        visible, asking = self._once(bucket), self._asking(bucket)
        return self._parts.records.fields.ledger(visible, bucket, field, asking=asking)

    def worklist(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        limit: int = 50,
        *,
        documents: Collection[DocumentId] | None = None,
    ) -> list[WorkItem]:
        """Cells that wait for a person, those first that are worth it most. documents: only of these.

        For those who may ask or review. Raises RefusedError.
        """
        if not self._door.may(Action.REVIEW):
            self._permit(Action.QUERY)
        names = [column.name for column in self.columns(bucket, fields)]
        visible = self._once(bucket) if documents is None else self._visible
        return self._parts.records.fields.worklist(visible, bucket, names, limit, only=documents)

    @recorded("matrix.export")
    def export(self, path: Path | str, query: MatrixQuery | None = None, *, address: str = "") -> int:
        """Write the matrix to a .csv or .xlsx file; gives how many documents it holds. Raises UsageError.

        address: where links lead unless a public one is set; "" for where this home is or would be served.
        Rows are chosen and ordered as in `page`, all of them; where some are left out, an .xlsx says which.
        No fields: all of the bucket's.
        """
        from core.workbench.exports.spreadsheet import described, write_matrix

        query = query or MatrixQuery()
        self._permit_view(query)
        columns = self.columns(query.bucket, query.fields or None)
        base = self._address(address)

        def link(document: DocumentSummary, cell: Cell | None, quote: Quote | None) -> str:
            return place_address(base, document.id, None if cell is None else cell.version, quote)

        return write_matrix(Path(path), columns, self._rows(query, columns), link, described(query))

    def _once(self, bucket: str | None, text: str = "") -> Visibility:
        """Visible documents of a bucket, of copies one. text: as in `DocumentQuery`."""
        return self._counted_once(DocumentQuery(bucket, text=text))

    def _of_one(self, bucket: str | None, document: DocumentId | None) -> Visibility:
        """The same; of one document, all that may be seen of it."""
        return self._once(bucket) if document is None else self._in_bucket(bucket)

    def search(
        self,
        bucket: str | None = None,
        predicates: Sequence[Condition] = (),
        top_k: int = 10,
        document: DocumentId | None = None,
        *,
        source: AnnotationSource | str | None = None,
    ) -> AnnotationHits:
        """Documents, or rows of tables, that fulfil all conditions; see `Annotations.search`."""
        visible, wanted = self._of_one(bucket, document), _source(source)
        asking = self._asking(bucket)
        self._door.require(query_nodes([_predicate(each) for each in predicates], source=wanted))
        conditions = read_conditions(self._parts.records, visible, bucket, predicates, wanted, asking)
        return self._parts.records.annotations.search(
            visible, bucket, conditions, top_k, document, source=wanted, asking=asking
        )

    def aggregate(
        self,
        bucket: str | None = None,
        group_by: str | Sequence[str] = (),
        predicates: Sequence[Condition] = (),
        aggregate: Calculation | str = Calculation.COUNT,
        field: str = "",
        *,
        document: DocumentId | None = None,
        source: AnnotationSource | str | None = None,
        rates: Mapping[str, Decimal] | None = None,
        into: str = "",
    ) -> AggregateResult:
        """A count, sum, minimum, ... of a field's values, exact; see `Annotations.aggregate`."""
        visible, wanted = self._of_one(bucket, document), _source(source)
        asking = self._asking(bucket)
        asked = [_predicate(each) for each in predicates]
        self._door.require(query_nodes(asked, source=wanted, aggregate=aggregate, field=field))
        conditions = read_conditions(self._parts.records, visible, bucket, predicates, wanted, asking)
        return self._parts.records.annotations.aggregate(
            visible,
            bucket,
            group_by,
            conditions,
            aggregate,
            field,
            document=document,
            source=wanted,
            rates=rates,
            into=into,
            accounting=self._parts.records.accounting.now() if into and not rates else None,
            asking=asking,
        )

    def find_words(
        self, document: DocumentId, words: str, *, version: int | None = None, limit: int = 20
    ) -> list[Quote]:
        """The sentences in which the words stand, in reading order; case and line breaks are ignored.

        Raises NotFoundError.
        """
        found = self._parts.records.documents.version(document, version, self._visible)
        return sentences_with(found.pages, words, limit)

    def read_values(
        self, document: DocumentId, field: str, texts: Sequence[str], *, version: int | None = None
    ) -> list[Written]:
        """Values of a field that a person wrote, each with its place in the document; nothing is kept.

        Raises UsageError where a text is no value of the type, NotFoundError.
        """
        found = self._parts.records.documents.version(document, version, self._visible)
        return values_written(texts, field, self._definition(document, field), found)

    def cells(
        self,
        documents: Collection[DocumentId],
        fields: Collection[str],
        *,
        promise: PromiseLevel | None = None,
    ) -> list[Cell]:
        """Cells whole, by document and field. promise: as a question at that level decides clauses."""
        self._permit(Action.QUERY)
        if not documents or not fields:
            return []
        visible = self._visible.promising(self._promise(promise))
        return list(self._parts.records.fields.cells(visible, documents=documents, fields=fields))

    def _permit_view(self, query: MatrixQuery) -> None:
        """Raises RefusedError where the plan that asks the same would be refused."""
        self._door.require(query_nodes(query.where, order_by=query.order_field))

    def _with_original(self, found: CellDetails) -> CellDetails:
        """Without the size of a page that cannot be drawn, for its original is gone: its text is shown."""
        if found.size is None or self._parts.records.blobs.exists(found.document.content_hash):
            return found
        return replace(found, size=None)

    def _rows(self, query: MatrixQuery, columns: Sequence[MatrixColumn]) -> Iterator[MatrixRow]:
        names, asking = tuple(column.name for column in columns), self._asking(query.bucket)
        return self._parts.records.fields.matrix_rows(
            self._once(query.bucket, query.text), replace(query, fields=names, asking=asking)
        )

    def _schemas_in(self, bucket: str | None) -> list[Schema]:
        """The schemas of a bucket's documents (None: of all), in their own order."""
        used = {
            name
            for names in kinds_of(self._parts.schemas, self._parts.records, self._visible, bucket).values()
            for name in names
        }
        schemas = [each for each in self._parts.schemas.schemas() if each.name in used]
        return schemas or [self._parts.schemas.schema_for(bucket or "")]

    def _definition(self, document: DocumentId, field: str) -> FieldDefinition | None:
        name = self._parts.extraction_states.schema_of(document, self._visible)
        schemas = sorted(self._parts.schemas.schemas(), key=lambda each: each.name != name)
        return next((own for each in schemas if (own := each.field(field)) is not None), None)


def read_conditions(
    records: Records,
    visible: Visibility,
    bucket: str | None,
    conditions: Sequence[Condition],
    source: AnnotationSource | None = None,
    asking: Asking | None = None,
) -> list[Predicate]:
    """Conditions with their values typed as the fields' values are, also where a person wrote them freely.

    "$3.5 million" and "Dec 31, 2024" are read as they are in documents. A date that could be two is refused.
    What cannot be read stays a text, about which records complain. Raises UsageError.
    """
    predicates = [_predicate(condition) for condition in conditions]
    if not any(isinstance(value, str) for predicate in predicates for value in predicate.values):
        return predicates
    names = records.annotations.names(visible, bucket, source, asking)
    found = []
    for predicate in predicates:
        if predicate.operator not in OF_TEXTS:
            known = names.get(predicate.field) or names.get(" ".join(predicate.field.split()).casefold())
            kinds = records.annotations.types(visible, bucket, predicate.field, known) if known else []
            predicate = typed_predicate(predicate, kinds)
        found.append(predicate)
    return found


def _predicate(condition: Condition) -> Predicate:
    if isinstance(condition, Predicate):
        return condition
    return parse_condition(condition) if isinstance(condition, str) else Predicate(*condition)


def _source(name: AnnotationSource | str | None) -> AnnotationSource | None:
    if not name:
        return None
    try:
        return AnnotationSource(name)
    except ValueError:
        known = ", ".join(each.value for each in AnnotationSource)
        raise UsageError(
            f"Unknown source {str(name)!r}. Expected one of: {known}.", next_step="Choose one of them."
        ) from None


_LONGEST = 200  # characters of a name in a plan
_PURPOSE = "Asked of cells"


def query_nodes(
    predicates: Sequence[Predicate],
    *,
    source: AnnotationSource | None = None,
    order_by: str = "",
    aggregate: Calculation | str = Calculation.COUNT,
    field: str = "",
) -> tuple[Node, ...]:
    """A selection by the predicates, ordered by a field; and a computation over it where it is of a field.

    Raises UsageError for an unknown operator.
    """
    steps = PlanSteps()
    select = steps.select(
        _PURPOSE,
        Scope(),
        tuple(_condition(each) for each in predicates),
        of="rows" if source is AnnotationSource.ROWS else "documents",
        order_by="" if order_by.startswith("@") else _stem(order_by),
        limit=MAX_ROWS,
    )
    if not field or aggregate not in set(Calculation):
        return (select,)  # of an unknown function, which is refused where it is read
    return (select, steps.aggregate(_PURPOSE, (select.id,), Calculation(aggregate), field[:_LONGEST]))


def _condition(predicate: Predicate) -> PlanCondition:
    name = _stem(predicate.field) or predicate.field[:_LONGEST] or "?"
    if isinstance(predicate.value, OfField):
        value: OtherField | tuple[str, ...] = OtherField(field=predicate.value.name[:_LONGEST] or "?")
    else:
        value = tuple(each if isinstance(each, str) else each.text for each in predicate.values)
    operator = predicate.operator
    if isinstance(value, tuple) and len(value) == 1 and operator not in (Operator.IN, Operator.BETWEEN):
        return PlanCondition(field=name, op=operator, value=value[0], minus=predicate.minus[:_LONGEST])
    return PlanCondition(field=name, op=operator, value=value, minus=predicate.minus[:_LONGEST])


def _stem(name: str) -> str:
    """The field itself: `fee@guess` -> `fee`; "@title" is none."""
    return name.partition("@")[0][:_LONGEST]
