"""Cells of documents: put by extraction, decided by reviewers, read as pages, counts and a work list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import (
    AnnotationRow,
    Cell,
    CellStatus,
    Extraction,
    FieldType,
    Finding,
)
from core.domain.ids import DocumentId
from core.domain.llm.cells import MODEL
from core.domain.matrix import (
    Asking,
    FieldCounts,
    FieldLedger,
    MatrixPage,
    MatrixQuery,
    MatrixRow,
    WorkItem,
)
from core.store.cells import reviews
from core.store.cells.carry_over import moved
from core.store.cells.extraction_states import is_whole, opening_fingerprint
from core.store.cells.facts import replace_facts
from core.store.cells.field_rows import CELL_COLUMNS, cell_of
from core.store.cells.reviews import cell_row, page_texts, put_values
from core.store.cells.status import READY
from core.store.cells.table_rows import replace_rows, rows_of_document
from core.store.database.changes import append_changes
from core.store.database.db import Database, matches, rows_among, slices
from core.store.database.field_tables import (
    cell_reviews,
    extraction_state,
    field_cells,
    field_guesses,
    field_values,
    reading_queue,
)
from core.store.database.schema import documents
from core.store.database.visibility import Visibility, is_not_gone
from core.store.documents.family import put_marks
from core.store.documents.names import put_identity
from core.store.query import matrix, status_counts


class FieldRecords:
    """Thread-safe. What a caller may not see is not found, not listed and not counted."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._orders = matrix.row_orders()

    def put(
        self,
        document: DocumentId,
        version: int,
        extraction: Extraction,
        fingerprint: str,
        *,
        fields: Collection[str] | None = None,
        rows: Iterable[AnnotationRow] | None = None,
        is_opening: bool = False,
        now: datetime | None = None,
    ) -> bool:
        """Keep what one pass found, all of it or nothing; gives False where that version is not current now.

        Replaces cells, table rows and facts, never a review: see `cells.carry_over`. Cells of fields
        that the pass did not look for stay. fields: keep only the cells and clauses of these, and leave
        everything else as it is. rows: a stream of table rows in place of the extraction's own.
        is_opening: these are the fields that are read first. They, and the parties, stand from now on, and
        the document still lacks the rest; where that was read meanwhile, nothing is kept.
        """
        moment = now or datetime.now(UTC)
        with self._database.write() as connection:
            row = connection.execute(
                sa.select(documents.c.bucket, documents.c.version).where(
                    documents.c.id == document, is_not_gone()
                )
            ).first()
            if row is None or row.version != version:
                return False
            if is_opening:
                if _is_read_whole(connection, document, version):
                    return False
                fields, fingerprint = frozenset(extraction.findings), opening_fingerprint(fingerprint)
            findings = {
                name: finding
                for name, finding in extraction.findings.items()
                if fields is None or name in fields
            }
            _put_cells(connection, document, row.bucket, version, extraction, findings)
            if fields is None:
                stream = extraction.rows if rows is None else rows
                replace_rows(connection, document, version, stream, extraction.titles)
            replace_facts(connection, document, version, extraction, fields, with_parties=is_opening)
            if extraction.identity is not None:
                put_identity(connection, document, extraction.identity)
            if extraction.marks is not None:
                put_marks(connection, document, row.bucket, extraction.marks)
            if not is_opening:
                connection.execute(sa.delete(reading_queue).where(reading_queue.c.document == document))
            _note_state(connection, document, version, extraction, fingerprint, fields is None, moment)
            append_changes(connection, (document,), "extracted", moment)
        return True

    def cells(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        documents: Collection[DocumentId] | None = None,
        fields: Collection[str] | None = None,
    ) -> Iterator[Cell]:
        """Cells whole, by document and field; None: of all."""
        with self._database.read() as connection:
            yield from matrix.cells(connection, visible, bucket, documents, fields)

    def clause_probabilities(
        self, visible: Visibility, documents: Collection[DocumentId], fields: Collection[str]
    ) -> dict[tuple[str, str], float]:
        """By document and field the probability that a clause is there, where anything says it."""
        with self._database.read() as connection:
            return clause_probabilities(connection, visible, documents, fields)

    def cell(self, document: DocumentId, field: str, visible: Visibility) -> Cell:
        """One cell; uncertain and empty where the field was never extracted, unreadable as its document.

        Raises NotFoundError.
        """
        with self._database.read() as connection:
            return reviews.require_cell(connection, document, field, visible).shown

    def matrix_page(self, visible: Visibility, query: MatrixQuery) -> MatrixPage:
        """Some rows of the matrix, in order. Raises UsageError."""
        with self._database.read() as connection:
            return matrix.page(connection, visible, query, self._orders)

    def matrix_rows(self, visible: Visibility, query: MatrixQuery) -> Iterator[MatrixRow]:
        """All rows of the matrix with whole cells, in order, read some at a time; whatever the limit."""
        with self._database.read() as connection:
            yield from matrix.rows(connection, visible, query)

    def counts(
        self,
        visible: Visibility,
        bucket: str | None,
        fields: Collection[str] | None = None,
        *,
        asking: Asking | None = None,
    ) -> dict[str, FieldCounts]:
        """Number of documents by status of each field; fields: None for all that have a cell."""
        with self._database.read() as connection:
            return status_counts.counts(connection, visible, bucket, fields, asking)

    def ledger(
        self, visible: Visibility, bucket: str | None, field: str, *, asking: Asking | None = None
    ) -> FieldLedger:
        """Documents by status of one field: present, absent, uncertain, unreadable or not asked."""
        with self._database.read() as connection:
            return status_counts.ledger(connection, visible, bucket, field, asking)

    def worklist(
        self,
        visible: Visibility,
        bucket: str | None,
        fields: Collection[str] | None = None,
        limit: int = 50,
        *,
        only: Collection[DocumentId] | None = None,
    ) -> list[WorkItem]:
        """Cells that wait for a person: those to be checked again, then uncertain ones, even odds first."""
        with self._database.read() as connection:
            if only is None:
                return matrix.worklist(connection, visible, bucket, fields, limit)
            return matrix.worklist_of(connection, visible, only, fields, limit)

    def verdicts(self, bucket: str | None = None) -> Iterator[Cell]:
        """Every cell that a reviewer decided and that still stands, for training: whoever may see it."""
        with self._database.read() as connection:
            yield from matrix.reviewed(connection, bucket)

    def newest_verdicts(self, visible: Visibility, schema: str, field: str, limit: int) -> list[Cell]:
        """Cells of one field that a reviewer decided last and that stand."""
        with self._database.read() as connection:
            return matrix.newest_verdicts(connection, visible, schema, field, limit)

    def unread(self, visible: Visibility, wanted: Collection[DocumentId]) -> frozenset[DocumentId]:
        """Those of the documents of whose current text not all was read yet; none that cannot be read."""
        state = extraction_state.c
        is_read = sa.and_(state.version == documents.c.version, is_whole())
        statement = (
            sa.select(documents.c.id)
            .outerjoin(extraction_state, state.document == documents.c.id)
            .where(visible.condition(), documents.c.status == READY, ~sa.func.coalesce(is_read, sa.false()))
        )
        rows = self._database.rows_among(statement, documents.c.id, wanted)
        return frozenset(DocumentId(row.id) for row in rows)

    def lacking(
        self, bucket: str | None, fingerprint: str, only: Collection[DocumentId] | None = None
    ) -> list[DocumentId]:
        """Documents whose current version was not extracted, or not with that fingerprint; by id.

        only: those of these.
        """
        state = extraction_state
        statement = (
            sa.select(documents.c.id)
            .outerjoin(state, state.c.document == documents.c.id)
            .where(
                documents.c.version > 0,
                is_not_gone(),
                sa.or_(
                    state.c.document.is_(None),
                    state.c.version != documents.c.version,
                    state.c.fingerprint != fingerprint,
                ),
            )
            .order_by(documents.c.id)
            .where(matches(documents.c.bucket, bucket))
        )
        return [DocumentId(row.id) for row in self._database.rows_among(statement, documents.c.id, only)]

    def extracted_version(self, document: DocumentId) -> int | None:
        """The version of a document that was extracted last; None before the first time."""
        statement = sa.select(extraction_state.c.version).where(extraction_state.c.document == document)
        found: int | None = self._database.scalar(statement)
        return found

    def is_read(self, document: DocumentId) -> bool:
        """True where all of the current version of a document was extracted, by whatever definitions."""
        state = extraction_state.c
        statement = sa.select(documents.c.id).where(
            documents.c.id == document,
            state.document == document,
            state.version == documents.c.version,
            is_whole(),
        )
        return self._database.first(statement) is not None

    def opening(self, document: DocumentId, fingerprint: str) -> Extraction | None:
        """Findings on the fields that are read first, where the rest of them is still to be read.

        None where nothing of the current version was read, all of it, or by other definitions.
        """
        state, cell = extraction_state.c, field_cells.c
        statement = sa.select(documents.c.version, state.schema).where(
            documents.c.id == document,
            state.document == document,
            state.version == documents.c.version,
            state.fingerprint == opening_fingerprint(fingerprint),
        )
        with self._database.read() as connection:
            known = connection.execute(statement).first()
            if known is None:
                return None
            rows = connection.execute(
                sa.select(*CELL_COLUMNS).where(
                    cell.document == document,
                    cell.extracted_version == known.version,
                    cell.schema == known.schema,
                )
            )
            cells = [cell_of(row) for row in rows]
        return Extraction(known.schema, {each.field: each.extracted or each.finding for each in cells})

    def rows(self, document: DocumentId, visible: Visibility) -> list[AnnotationRow]:
        """The table rows of a document, in order; none where it may not be seen."""
        with self._database.read() as connection:
            found = connection.execute(
                sa.select(documents.c.id).where(documents.c.id == document, visible.condition())
            ).first()
            return [] if found is None else list(rows_of_document(connection, document))


def _is_read_whole(connection: Connection, document: DocumentId, version: int) -> bool:
    statement = sa.select(extraction_state.c.document).where(
        extraction_state.c.document == document, extraction_state.c.version == version, is_whole()
    )
    return connection.execute(statement).first() is not None


def _note_state(
    connection: Connection,
    document: DocumentId,
    version: int,
    extraction: Extraction,
    fingerprint: str,
    is_whole: bool,
    now: datetime,
) -> None:
    values = {"version": version, "fingerprint": fingerprint, "schema": extraction.schema, "at": now}
    about = {"family": extraction.family, "notes": list(extraction.notes)}
    known = connection.execute(
        sa.update(extraction_state)
        .where(extraction_state.c.document == document)
        .values(**values, **(about if is_whole else {}))
    ).rowcount
    if not known:
        connection.execute(sa.insert(extraction_state).values(document=document, **values, **about))


def _put_cells(
    connection: Connection,
    document: DocumentId,
    bucket: str,
    version: int,
    extraction: Extraction,
    findings: dict[str, Finding],
) -> None:
    before = {
        row.field: cell_of(row)
        for row in connection.execute(
            sa.select(*CELL_COLUMNS).where(field_cells.c.document == document, field_cells.c.event > 0)
        )
        if row.field in findings
    }
    texts: dict[int, dict[int, str]] = {}
    made: list[Cell] = []
    for name, finding in findings.items():
        known = before.get(name)
        if known is None or known.review is None:
            event = 0 if known is None else known.event
            made.append(Cell(document, version, name, finding, None, finding, event))
            continue
        if known.version != version or known.review.check_again:
            for each in {version, known.version} - texts.keys():
                texts[each] = page_texts(connection, document, each)
            known = _carried(known, finding, version, texts)
        made.append(replace(_fitting(known, extraction.types.get(name)), extracted=finding))
    for some in slices(list(findings)):
        connection.execute(
            sa.delete(field_cells).where(field_cells.c.document == document, field_cells.c.field.in_(some))
        )
    if made:
        rows = [
            cell_row(
                cell, None if cell.review is None else cell.extracted, bucket, extraction.schema, version
            )
            for cell in made
        ]
        connection.execute(sa.insert(field_cells), rows)
        put_values(connection, document, bucket, made)


def _fitting(known: Cell, kind: FieldType | None) -> Cell:
    """A reviewed cell of a field whose type may have changed since: values of another are checked again."""
    if kind is None or known.review is None or all(each.type is kind for each in known.finding.values):
        return known
    return replace(known, review=replace(known.review, check_again=True))


def _carried(known: Cell, finding: Finding, version: int, texts: dict[int, dict[int, str]]) -> Cell:
    """A reviewed cell in a new version: moved with its span, or marked to be checked again.

    texts: the pages of both versions.
    """
    assert known.review is not None
    found = moved(known.finding, known.extracted, finding, texts[version], texts[known.version])
    if found is None:
        return replace(known, review=replace(known.review, check_again=True))
    review = replace(known.review, check_again=False)
    return replace(known, version=version, finding=found, review=review)


_GIVEN = ("head", MODEL)
"""Methods of cells whose confidence is a probability."""


def clause_probabilities(
    connection: Connection, visible: Visibility, wanted: Collection[DocumentId], fields: Collection[str]
) -> dict[tuple[str, str], float]:
    """By document and field the probability that it is there: 0 or 1 where a rule or a person decided.

    Cells that nobody decided and of which no head says how likely they are, are left out.
    """
    cell = field_cells.c
    statement = (
        sa.select(
            cell.document,
            cell.field,
            cell.status,
            cell.method,
            cell.confidence,
            cell.probability,
            cell.is_reviewed,
        )
        .join(documents, documents.c.id == cell.document)
        .where(visible.condition(), cell.extracted_version == documents.c.version)
        .where(cell.field.in_(sorted(fields)))
    )
    found: dict[tuple[str, str], float] = {}
    for row in rows_among(connection, statement, cell.document, wanted):
        status, is_given = CellStatus(row.status), row.method in _GIVEN and not row.is_reviewed
        if status is CellStatus.PRESENT:
            found[row.document, row.field] = row.confidence if is_given else 1.0
        elif status is CellStatus.ABSENT:
            found[row.document, row.field] = 1.0 - row.confidence if is_given else 0.0
        elif status is CellStatus.UNCERTAIN and is_given:
            found[row.document, row.field] = row.probability
    return found


def carry_verdicts(database: Database, schema: str, old: str, new: str, now: datetime) -> int:
    """Move the cells that anybody ever decided to the new name, with their history; gives how many.

    Only in documents of `schema`, and where nobody has decided a cell of the new name. Cells that nobody
    decided stay with the old definition. All or nothing; a second time there is nothing left to move.
    """
    with database.write() as connection:
        found = _decided(connection, old, schema) - _decided(connection, new)
        for some in slices(sorted(found)):
            for table in (field_cells, field_values, field_guesses):
                taken = sa.delete(table).where(table.c.document.in_(some), table.c.field == new)
                connection.execute(taken)
            for table in (field_cells, field_values, field_guesses, cell_reviews):
                own = sa.update(table).where(table.c.document.in_(some), table.c.field == old)
                connection.execute(own.values(field=new))
        append_changes(connection, sorted(found), "reviewed", now)
    return len(found)


def _decided(connection: Connection, field: str, schema: str = "") -> set[DocumentId]:
    """The documents in which a cell of that name has a history."""
    statement = sa.select(field_cells.c.document).where(field_cells.c.field == field, field_cells.c.event > 0)
    if schema:
        statement = statement.where(field_cells.c.schema == schema)
    return {DocumentId(found) for found in connection.execute(statement).scalars()}
