"""Reviews of cells: kept with who and when, undone step by step, never overwritten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import (
    Cell,
    CellStatus,
    FieldType,
    Finding,
    Quote,
    Review,
    ReviewAction,
    ReviewEvent,
    TypedValue,
)
from core.domain.ids import DocumentId
from core.domain.matrix import CellDetails
from core.errors import ConflictError, NotFoundError, UsageError
from core.store.cells.carry_over import moved, quotes_stand
from core.store.cells.earned import rate_after
from core.store.cells.field_rows import (
    CELL_COLUMNS,
    UNSEEN,
    cell_of,
    event_of,
    finding_columns,
    finding_json,
    guess_row,
    review_columns,
    value_row,
)
from core.store.cells.status import unreadable_cell
from core.store.database.changes import append_changes, version_of
from core.store.database.db import Repository, insert_or_update, slices
from core.store.database.field_tables import (
    cell_reviews,
    extraction_state,
    field_cells,
    field_guesses,
    field_values,
)
from core.store.database.schema import document_versions, documents, pages
from core.store.database.visibility import Visibility
from core.store.documents.rows import (
    SUMMARY_COLUMNS,
    VERSION_COLUMNS,
    page_size_of,
    summary_as_of,
    summary_of,
)

REVIEWER = "reviewer"
"""The method of a cell that a person decided."""

_TRUE = TypedValue(FieldType.BOOLEAN, "true", 1)
_LONGEST_HISTORY = 1_000
_BEFORE_CELL = len(SUMMARY_COLUMNS) + 3  # columns of `read_cell` before those of the cell


@dataclass(frozen=True, slots=True)
class ReviewVerdict:
    """Decision of a reviewer on a cell. values: () for those that are there; quotes: where they stand.

    expected: the `event` of the cell that was looked at; None does not ask whether somebody came first.
    """

    action: ReviewAction
    user: str
    now: datetime
    values: tuple[TypedValue, ...] = ()
    quotes: tuple[Quote, ...] = ()
    expected: int | None = None


@dataclass(frozen=True, slots=True)
class StoredCell:
    """A cell as it is stored, with its document.

    schema, extracted_version: of the extraction that the cell is of. kind: the schema by which the document
    was extracted last; "" before the first time.
    """

    cell: Cell
    document: DocumentSummary
    schema: str
    extracted_version: int
    kind: str

    @property
    def shown(self) -> Cell:
        """The cell as people see it: one that nobody decided is unreadable where its document is."""
        is_ready = self.document.status is DocumentStatus.READY
        if is_ready or self.cell.review is not None:
            return self.cell
        return unreadable_cell(self.document, self.cell.field, self.cell.event)


Accept = Callable[[StoredCell, ReviewVerdict], ReviewVerdict]
"""Gives a verdict with its values and places for the cell as it is; raises where they are wrong."""


def read_cell(
    connection: Connection, document: DocumentId, field: str, visible: Visibility
) -> StoredCell | None:
    """A cell with its document, in one read; uncertain and empty where it was never extracted.

    None where the document is not there, or may not be seen.
    """
    row = connection.execute(
        sa.select(
            *SUMMARY_COLUMNS,
            extraction_state.c.schema.label("kind"),
            field_cells.c.schema.label("cell_schema"),
            field_cells.c.extracted_version,
            *CELL_COLUMNS,
        )
        .select_from(documents)
        .outerjoin(extraction_state, extraction_state.c.document == documents.c.id)
        .outerjoin(
            field_cells, sa.and_(field_cells.c.document == documents.c.id, field_cells.c.field == field)
        )
        .where(documents.c.id == document, visible.condition())
    ).first()
    if row is None:
        return None
    summary, kind = summary_of(row), row.kind or ""
    if row[_BEFORE_CELL] is None:
        cell = Cell(document, summary.version, field, UNSEEN)
        return StoredCell(cell, summary, "", summary.version, kind)
    cell = cell_of(row[_BEFORE_CELL:])
    return StoredCell(cell, summary, row.cell_schema, row.extracted_version, kind)


def details(connection: Connection, stored: StoredCell) -> CellDetails:
    """The cell with what is shown beside it, within the caller's transaction."""
    cell, summary = stored.shown, stored.document
    is_open = cell.review is not None and cell.review.check_again
    version, size = summary.version if is_open else cell.version, None
    if version:
        first = sa.and_(
            pages.c.document == document_versions.c.document,
            pages.c.version == document_versions.c.version,
            pages.c.page_no == 1,
        )
        row = connection.execute(
            sa.select(*VERSION_COLUMNS, pages.c.width_pt, pages.c.height_pt)
            .select_from(document_versions.outerjoin(pages, first))
            .where(document_versions.c.document == summary.id, document_versions.c.version == version)
        ).one()
        size = page_size_of(row)
        if version != summary.version:
            summary = summary_as_of(summary, row)
    events = tuple(map(event_of, connection.execute(_events_of(summary.id, cell.field))))
    return CellDetails(cell, events, summary, version, size, version_of(connection))


class Reviews(Repository):
    """Verdicts of reviewers, and cells as they are shown to one. Thread-safe."""

    def details(self, document: DocumentId, field: str, visible: Visibility) -> CellDetails:
        """A cell with all that is shown beside it. Raises NotFoundError."""
        with self._database.read() as connection:
            return details(connection, require_cell(connection, document, field, visible))

    def review(
        self,
        document: DocumentId,
        field: str,
        action: ReviewAction,
        user: str,
        now: datetime,
        value: TypedValue | Sequence[TypedValue] | None = None,
        quotes: Sequence[Quote] = (),
        *,
        visible: Visibility,
        expected: int | None = None,
    ) -> Cell:
        """Decide a cell; gives it as it is then.

        CONFIRM keeps what the cell says (of an uncertain one: its best candidate), or takes `value` or
        `quotes`; CORRECT needs one of them, and quotes alone say that a clause is present; ABSENT neither.
        UNDO takes the last verdict back that counts.
        expected: the `event` of the cell as it was seen. Raises NotFoundError, UsageError, and ConflictError
        where somebody else came first.
        """
        if value is None:
            values: tuple[TypedValue, ...] = ()
        else:
            values = (value,) if isinstance(value, TypedValue) else tuple(value)
        verdict = ReviewVerdict(action, user, now, values, tuple(quotes), expected)
        with self._database.write() as connection:
            return decide(connection, document, field, verdict, visible).cell

    def decide(
        self,
        document: DocumentId,
        field: str,
        verdict: ReviewVerdict,
        visible: Visibility,
        accept: Accept | None = None,
    ) -> CellDetails:
        """Keep a verdict, as `accept` makes it for the cell as it is; gives all that is shown then.

        accept: None where the values and places are right. The cell and its document are read once, in the
        transaction that writes. Raises as `review`, and what `accept` raises.
        """
        with self._database.write() as connection:
            stored = decide(connection, document, field, verdict, visible, accept)
            return details(connection, stored)

    def history(self, document: DocumentId, field: str, visible: Visibility) -> list[ReviewEvent]:
        """Decisions on a cell, newest first."""
        statement = _events_of(document, field).join(documents, documents.c.id == cell_reviews.c.document)
        return [event_of(row) for row in self._database.rows(statement.where(visible.condition()))]


def decide(
    connection: Connection,
    document: DocumentId,
    field: str,
    verdict: ReviewVerdict,
    visible: Visibility,
    accept: Accept | None = None,
) -> StoredCell:
    """Keep a verdict within the caller's transaction; see `Reviews.decide`."""
    stored = read_cell(connection, document, field, visible)
    if stored is not None and accept is not None:
        verdict = accept(stored, verdict)
    if stored is None or stored.document.version == 0:
        text = "" if stored is None and accept is not None else " with text"
        raise _no_document(document, text)
    cell = stored.cell
    _require_unchanged(connection, cell, verdict.expected)
    newest = stored.extracted_version
    if verdict.quotes and not quotes_stand(verdict.quotes, page_texts(connection, document, newest)):
        raise UsageError(
            "The characters quoted do not stand there in this version of the document.",
            next_step="Open the page again and mark the span anew.",
        )
    if verdict.action is ReviewAction.UNDO:
        return _undo(connection, stored, verdict)
    after = _decided(cell, verdict)
    is_moved = bool(verdict.quotes) or cell.review is None or cell.review.check_again
    version = newest if is_moved or not after.spans else cell.version
    review = Review(verdict.user, verdict.now)
    return _keep(connection, replace(cell, version=version, finding=after, review=review), stored, verdict)


def require_cell(connection: Connection, document: DocumentId, field: str, visible: Visibility) -> StoredCell:
    """The same as `read_cell`. Raises NotFoundError."""
    found = read_cell(connection, document, field, visible)
    if found is None:
        raise _no_document(document)
    return found


def _no_document(document: DocumentId, text: str = "") -> NotFoundError:
    """The error about a document that is not there, or may not be seen. text: what it was to have."""
    return NotFoundError(
        f"There is no document {document!r}{text} that you may see.",
        next_step="Look at the list of documents for its id.",
    )


def _events_of(document: DocumentId, field: str) -> sa.Select[Any]:
    return (
        sa.select(cell_reviews)
        .where(cell_reviews.c.document == document, cell_reviews.c.field == field)
        .order_by(cell_reviews.c.id.desc())
        .limit(_LONGEST_HISTORY)
    )


def page_texts(connection: Connection, document: DocumentId, version: int) -> dict[int, str]:
    """The texts of a version's pages by number."""
    found = connection.execute(
        sa.select(pages.c.page_no, pages.c.text).where(
            pages.c.document == document, pages.c.version == version
        )
    )
    return {row.page_no: row.text for row in found}


def put_values(connection: Connection, document: DocumentId, bucket: str, cells: Sequence[Cell]) -> None:
    """Write the values that count of these cells of a document, in place of those there.

    Of cells that nothing decided, their guesses.
    """
    for some in slices([cell.field for cell in cells]):
        for table in (field_values, field_guesses):
            own = sa.and_(table.c.document == document, table.c.field.in_(some))
            connection.execute(sa.delete(table).where(own))
    if rows := [row for cell in cells for row in value_rows(cell)]:
        connection.execute(sa.insert(field_values), rows)
    if guesses := [row for cell in cells if (row := guess_row(cell, bucket)) is not None]:
        connection.execute(sa.insert(field_guesses), guesses)


def value_rows(cell: Cell) -> list[dict[str, Any]]:
    """The rows of a cell in field_values: none unless it is present and stands."""
    is_open = cell.review is not None and cell.review.check_again
    if cell.finding.status is not CellStatus.PRESENT or is_open:
        return []
    return [
        {"document": cell.document, "field": cell.field, "ordinal": ordinal, **value_row(value)}
        for ordinal, value in enumerate(cell.finding.values)
    ]


def _require_unchanged(connection: Connection, cell: Cell, expected: int | None) -> None:
    if expected is None or expected == cell.event:
        return
    last = connection.execute(sa.select(cell_reviews).where(cell_reviews.c.id == cell.event)).first()
    if last is None:
        raise NotFoundError(
            f"The history of this cell has no entry {expected}.", next_step="Open the cell again."
        )
    said = {"undo": "undid a verdict on", "absent": "marked as absent", "confirm": "confirmed"}
    raise ConflictError(
        f"{last.user!r} {said.get(last.action, 'corrected')} this cell on "
        f"{last.at:%Y-%m-%d at %H:%M:%S} UTC, after you opened it.",
        user=last.user,
        at=last.at,
        next_step="Look at the cell as it is now, then decide again.",
    )


def _decided(cell: Cell, verdict: ReviewVerdict) -> Finding:
    """The finding that a verdict comes to. Raises UsageError where it says too little."""
    if verdict.action is ReviewAction.ABSENT:
        return Finding(CellStatus.ABSENT, confidence=1.0, method=REVIEWER)
    if verdict.values or verdict.quotes:
        return _present(verdict.values or (_TRUE,), verdict.quotes)
    if verdict.action is ReviewAction.CORRECT:
        raise UsageError(
            "A correction needs a value or a span.",
            next_step="Mark the span on the page or type the value, or mark the field as absent.",
        )
    finding = cell.finding
    if finding.status is CellStatus.UNCERTAIN and finding.candidates:
        best = finding.candidates[0]
        return _present((best.value or _TRUE,), best.spans)
    if finding.status in (CellStatus.UNCERTAIN, CellStatus.UNREADABLE):
        raise UsageError(
            "There is nothing to confirm in this cell.",
            next_step="Mark the span on the page or type the value, or mark the field as absent.",
        )
    spans = _confirmed_spans(cell)
    return Finding(finding.status, finding.values, spans, 1.0, REVIEWER, (), finding.note)


def _confirmed_spans(cell: Cell) -> tuple[Quote, ...]:
    """Those of the cell; of one to be checked again those that extraction now has for the same values."""
    if cell.review is None or not cell.review.check_again:
        return cell.finding.spans
    now = cell.extracted
    is_same = now is not None and (now.status, now.values) == (cell.finding.status, cell.finding.values)
    return now.spans if now is not None and is_same else ()


def _present(values: tuple[TypedValue, ...], quotes: tuple[Quote, ...]) -> Finding:
    return Finding(CellStatus.PRESENT, values, quotes, 1.0, REVIEWER)


def _undo(connection: Connection, stored: StoredCell, verdict: ReviewVerdict) -> StoredCell:
    """Back to the verdict before the last that stands; to what extraction says where that was the first."""
    cell, newest = stored.cell, stored.extracted_version
    standing = _standing([event_of(row) for row in connection.execute(_events_of(cell.document, cell.field))])
    if not standing:
        raise UsageError("There is nothing to undo in this cell.", next_step="Nobody has decided it yet.")
    if len(standing) == 1:
        extracted = cell.extracted or UNSEEN
        return _keep(
            connection, replace(cell, version=newest, finding=extracted, review=None), stored, verdict
        )
    earlier = standing[1]
    found: Finding | None = earlier.after
    if earlier.version != newest:
        texts = page_texts(connection, cell.document, newest)
        before = page_texts(connection, cell.document, earlier.version)
        found = moved(earlier.after, cell.extracted, cell.extracted or UNSEEN, texts, before)
    version = earlier.version if found is None else newest
    review = Review(earlier.user, earlier.at, check_again=found is None)
    restored = replace(cell, version=version, finding=found or earlier.after, review=review)
    return _keep(connection, restored, stored, verdict)


def _standing(events: Sequence[ReviewEvent]) -> list[ReviewEvent]:
    """The verdicts that no undo took back, newest first."""
    standing: list[ReviewEvent] = []
    for event in reversed(events):
        if event.action is ReviewAction.UNDO:
            del standing[-1:]
        else:
            standing.append(event)
    return standing[::-1]


def _keep(connection: Connection, cell: Cell, stored: StoredCell, verdict: ReviewVerdict) -> StoredCell:
    """Write the cell as decided, its history and its values."""
    event = connection.execute(
        sa.insert(cell_reviews).values(
            document=cell.document,
            field=cell.field,
            version=cell.version,
            action=verdict.action.value,
            user=verdict.user,
            at=verdict.now,
            before=finding_json(stored.cell.finding),
            after=finding_json(cell.finding),
        )
    ).inserted_primary_key
    assert event is not None
    kept = replace(cell, event=int(event[0]))
    extracted = kept.extracted if kept.review is not None else None
    if kept.review is None:
        kept = replace(kept, extracted=kept.finding)
    row = cell_row(kept, extracted, stored.document.bucket, stored.schema, stored.extracted_version)
    insert_or_update(connection, field_cells, row)
    put_values(connection, kept.document, stored.document.bucket, (kept,))
    rate_after(connection, kept.document, kept.field, stored.document.bucket)
    append_changes(connection, (cell.document,), "reviewed", verdict.now)
    return replace(stored, cell=kept)


def cell_row(
    cell: Cell, extracted: Finding | None, bucket: str, schema: str, extracted_version: int
) -> Mapping[str, Any]:
    """A cell as a row. extracted: None where nobody decided otherwise."""
    return {
        "document": cell.document,
        "field": cell.field,
        "bucket": bucket,
        "version": cell.version,
        "extracted_version": extracted_version,
        "schema": schema,
        "extracted": None if extracted is None else finding_json(extracted),
        "event": cell.event,
        **finding_columns(cell.finding),
        **review_columns(cell.review),
    }
