"""Cells as language models read them: what waits for one, what it said, how right reviewers found it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import MAX_CANDIDATES, Candidate, Cell, CellStatus, Finding
from core.domain.ids import DocumentId, JobId
from core.domain.llm.cells import (
    CONTRADICTION,
    MODEL,
    SAMPLE_SIZE,
    CellReadingTally,
    ModelSample,
    RestingCells,
)
from core.domain.llm.use import ModelOutcome
from core.domain.matrix import CellDispute, WorkItem
from core.store.cells.earned import READ_CELLS, drawn_cells, rate, rests_on_model, tallied
from core.store.cells.extraction_states import is_whole
from core.store.cells.field_rows import CELL_COLUMNS, cell_of, finding_json, finding_of
from core.store.cells.reviews import cell_row, put_values
from core.store.cells.status import READY
from core.store.database.among import among
from core.store.database.changes import append_changes
from core.store.database.db import Repository, insert_or_update, matches, rows_among, to_row
from core.store.database.field_tables import extraction_state, field_cells
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.database.work_tables import model_calls, model_readings, model_replies
from core.store.jobs.model_calls import BATCH

MOST_CONTRADICTIONS = 1_000
"""As many are read at once: a page counts them, and people decide one at a time."""

_CELL, _READING, _REPLY, _STATE = field_cells.c, model_readings.c, model_replies.c, extraction_state.c


@dataclass(frozen=True, slots=True)
class UnsettledCell:
    """A cell that no person decided, of a current text. schema: by which its document was read."""

    document: DocumentId
    version: int
    bucket: str
    schema: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class ReadingBasis:
    """Cells of a field that a model read in the current text, asked the same, and no person decided."""

    schema: str
    field: str
    basis: str
    model: str
    prompt: str
    cells: int


@dataclass(frozen=True, slots=True)
class ModelReading:
    """Answer of a model about a cell. finding: UNCERTAIN where it did not count, for that reason.

    basis: equal wherever the model would be asked the same of the same version. reason: why it did not count,
    or how it contradicts what extraction decided.
    """

    field: str
    finding: Finding
    basis: str
    model: str
    prompt: str
    reason: str = ""


class ModelReadings(Repository):
    """Keeps such answers, and puts those that count into cells. Thread-safe."""

    def open_cells(
        self,
        visible: Visibility,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        documents_: Collection[DocumentId] | None = None,
        *,
        with_decided: bool = False,
        bases: Collection[str] = (),
    ) -> list[UnsettledCell]:
        """Uncertain cells that no person has decided or must look at again, by document and field.

        with_decided: also those that extraction decided. bases: also cells that a model read on one of these.
        """
        which = _CELL.method != MODEL if with_decided else _CELL.status == CellStatus.UNCERTAIN.value
        if bases:
            which = sa.or_(which, _has_reading(_READING.basis.in_(sorted(bases))))
        statement = (
            sa.select(*CELL_COLUMNS, documents.c.bucket, documents.c.version, _STATE.schema)
            .join(documents, documents.c.id == _CELL.document)
            .join(extraction_state, _STATE.document == documents.c.id)
            .where(visible.condition(), documents.c.status == READY, which, _is_open(), is_whole())
            .where(_STATE.version == documents.c.version)
            .order_by(_CELL.document, _CELL.field)
            .where(matches(documents.c.bucket, bucket), among(_CELL.field, fields))
        )
        return [_open_cell(row) for row in self._database.rows_among(statement, _CELL.document, documents_)]

    def bases(
        self,
        visible: Visibility,
        field: str | None = None,
        documents_: Collection[DocumentId] | None = None,
    ) -> list[ReadingBasis]:
        """Bases on which a model read cells that may be read again, by field; field: of this one alone.

        documents_: of these alone; a few.
        """
        group = (_STATE.schema, _READING.field, _READING.basis, _READING.model, _READING.prompt)
        statement = (
            sa.select(*group, sa.func.count())
            .select_from(model_readings)
            .join(documents, documents.c.id == _READING.document)
            .join(extraction_state, _STATE.document == documents.c.id)
            .join(field_cells, sa.and_(_CELL.document == _READING.document, _CELL.field == _READING.field))
            .where(visible.condition(), documents.c.status == READY, _is_open())
            .where(_READING.version == documents.c.version, matches(_READING.field, field))
            .where(among(_READING.document, documents_))
            .group_by(*group)
            .order_by(*group)
        )
        with self._database.read() as connection:
            return [ReadingBasis(*row) for row in connection.execute(statement)]

    def known(self, wanted: Collection[DocumentId]) -> dict[tuple[str, str], tuple[int, ModelReading]]:
        """By document and field the last answer, with the version that it is about."""
        rows = self._database.rows_among(sa.select(model_readings), _READING.document, wanted)
        return {(row.document, row.field): (row.version, _reading(row)) for row in rows}

    def keep(
        self,
        document: DocumentId,
        version: int,
        readings: Sequence[ModelReading],
        job: JobId | str,
        now: datetime | None = None,
    ) -> int:
        """Keep answers about one document; gives how many cells they decided.

        A cell that a person decided meanwhile, or that is no longer uncertain, stays as it is; so does every
        cell where that version is not current now.
        """
        moment = now or datetime.now(UTC)
        with self._database.write() as connection:
            state = connection.execute(
                sa.select(documents.c.bucket, documents.c.version).where(documents.c.id == document)
            ).first()
            if state is None:
                return 0
            for each in readings:
                row = _reading_row(document, version, each, str(job), moment)
                insert_or_update(connection, model_readings, row)
            if state.version != version:
                return 0
            return _decide(
                connection, document, state.bucket, {each.field: each for each in readings}, moment
            )

    def reply(self, key: str) -> str | None:
        """The reply that was kept for a call; None where there is none."""
        with self._database.read() as connection:
            return connection.execute(sa.select(_REPLY.reply).where(_REPLY.key == key)).scalar()

    def keep_reply(self, document: DocumentId, key: str, reply: str) -> None:
        """Keep a reply until the document is read; one about a document that is gone is let go."""
        with self._database.write() as connection:
            is_there = sa.select(documents.c.id).where(documents.c.id == document)
            if connection.execute(is_there).first() is not None:
                row = {"key": key, "document": document, "reply": reply}
                insert_or_update(connection, model_replies, row)

    def forget_replies(self, document: DocumentId) -> None:
        """Let the replies about a document go."""
        with self._database.write() as connection:
            connection.execute(sa.delete(model_replies).where(_REPLY.document == document))

    def contradictions(
        self,
        visible: Visibility,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        document: DocumentId | None = None,
    ) -> list[CellDispute]:
        """Cells that no person decided and a model read otherwise than extraction, the surest first."""
        statement = (
            sa.select(*CELL_COLUMNS, documents.c.name, _READING.finding.label("read"))
            .select_from(model_readings)
            .join(documents, documents.c.id == _READING.document)
            .join(extraction_state, _STATE.document == documents.c.id)
            .join(field_cells, sa.and_(_CELL.document == _READING.document, _CELL.field == _READING.field))
            .where(visible.condition(), documents.c.status == READY, _is_open())
            .where(_CELL.method != MODEL, _CELL.status != CellStatus.UNCERTAIN.value)
            .where(_READING.version == documents.c.version)
            .where(_READING.status != CellStatus.UNCERTAIN.value, _READING.reason != "")
            .where(matches(documents.c.bucket, bucket), among(_CELL.field, fields))
            .where(matches(_CELL.document, document))
            .order_by(_CELL.confidence.desc(), documents.c.name, _CELL.field)
            .limit(MOST_CONTRADICTIONS)
        )
        with self._database.read() as connection:
            rows = connection.execute(statement).all()
        return [
            CellDispute(
                WorkItem(DocumentId(cell.document), cell.field, row.name, False, cell.finding.confidence),
                cell.finding,
                finding_of(row.read),
            )
            for row in rows
            for cell in (cell_of(row),)
        ]

    def tally(self, job: JobId) -> CellReadingTally:
        """Sums over the answers that a job got; a call that has not ended is no part of them."""
        statuses: Counter[str] = Counter()
        reasons: Counter[str] = Counter()
        with self._database.read() as connection:
            rows = connection.execute(
                sa.select(_READING.status, _READING.reason, sa.func.count())
                .where(_READING.job == job)
                .group_by(_READING.status, _READING.reason)
            )
            for status, reason, count in rows:
                statuses[status] += count
                if status == CellStatus.UNCERTAIN:
                    reasons[reason] += count
            call = model_calls.c
            calls, batch_calls, tokens, cost = connection.execute(
                sa.select(
                    sa.func.count(),
                    sa.func.coalesce(sa.func.sum(sa.case((call.id.like(f"{BATCH}%"), 1), else_=0)), 0),
                    sa.func.coalesce(sa.func.sum(call.prompt_tokens + call.completion_tokens), 0),
                    sa.func.sum(call.cost_usd),
                ).where(call.job == job, call.attempts > 0, call.outcome != ModelOutcome.BEGUN)
            ).one()
        return CellReadingTally(
            read=statuses.total(),
            present=statuses[CellStatus.PRESENT],
            absent=statuses[CellStatus.ABSENT],
            reasons=tuple(reasons.most_common()),
            calls=int(calls),
            tokens=int(tokens),
            cost_usd=cost,
            batch_calls=int(batch_calls),
        )

    def counts(
        self, visible: Visibility, bucket: str | None = None, fields: Collection[str] | None = None
    ) -> dict[str, int]:
        """Number of cells that rest on a model, by field; those without one are left out."""
        with self._database.read() as connection:
            return resting_counts(connection, visible, bucket, fields)

    def resting(
        self, visible: Visibility, wanted: Collection[DocumentId], fields: Collection[str]
    ) -> RestingCells:
        """Those of the documents of which a cell of these fields rests on a model, and its sample."""
        statement = (
            sa.select(_CELL.document)
            .select_from(READ_CELLS)
            .where(visible.condition(), rests_on_model(), _CELL.field.in_(sorted(fields)))
            .distinct()
        )
        with self._database.read() as connection:
            rows = rows_among(connection, statement, _CELL.document, wanted)
            found = frozenset(DocumentId(row.document) for row in rows)
            if not found:
                return RestingCells()
            return RestingCells(found, tallied(drawn_cells(connection, visible, None, fields)))

    def sample(
        self,
        visible: Visibility,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        size: int = SAMPLE_SIZE,
    ) -> ModelSample:
        """How right reviewers found the sample of cells that a model decided."""
        with self._database.read() as connection:
            return tallied(drawn_cells(connection, visible, bucket, fields), size)

    def sample_items(
        self,
        visible: Visibility,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        size: int = SAMPLE_SIZE,
    ) -> list[WorkItem]:
        """Cells of the sample that nobody has checked yet."""
        with self._database.read() as connection:
            drawn = drawn_cells(connection, visible, bucket, fields)[:size]
        return [
            WorkItem(DocumentId(row.document), row.field, row.name, row.check_again, row.confidence)
            for row in drawn
            if not row.is_reviewed or row.check_again
        ]


def resting_counts(
    connection: Connection, visible: Visibility, bucket: str | None, fields: Collection[str] | None
) -> dict[str, int]:
    """Number of cells that rest on a model, by field; those without one are left out."""
    statement = (
        sa.select(_CELL.field, sa.func.count())
        .select_from(READ_CELLS)
        .where(visible.condition(), documents.c.status == READY, rests_on_model())
        .group_by(_CELL.field)
        .where(matches(documents.c.bucket, bucket), among(_CELL.field, fields))
    )
    return {field: int(count) for field, count in connection.execute(statement)}


def _has_reading(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    of_cell = sa.and_(_READING.document == _CELL.document, _READING.field == _CELL.field)
    return sa.exists().where(of_cell, condition).correlate(field_cells)


def _is_open() -> sa.ColumnElement[bool]:
    return sa.and_(
        _CELL.is_reviewed.is_(False),
        _CELL.check_again.is_(False),
        _CELL.extracted_version == documents.c.version,
        sa.or_(_CELL.schema == _STATE.schema, _CELL.schema == ""),
    )


def _decide(
    connection: Connection,
    document: DocumentId,
    bucket: str,
    readings: Mapping[str, ModelReading],
    now: datetime,
) -> int:
    """Write those that count into cells that are still open, others as candidates: of them, or of what they
    contradict. A cell that a model decided before is what it says now.

    Gives how many cells are decided by it.
    """
    statement = (
        sa.select(*CELL_COLUMNS, _CELL.schema, _CELL.extracted_version)
        .join(documents, documents.c.id == _CELL.document)
        .join(extraction_state, _STATE.document == documents.c.id)
        .where(_CELL.document == document, _is_open())
    )
    made = []
    for row in connection.execute(statement).all():
        if row.field not in readings:
            continue
        known = cell_of(row)
        finding = _decided(known.finding, readings[row.field])
        if finding is None:
            continue
        cell = replace(known, finding=finding, extracted=finding, version=row.extracted_version)
        insert_or_update(
            connection, field_cells, cell_row(cell, None, bucket, row.schema, row.extracted_version)
        )
        made.append(cell)
    if made:
        rate(connection, bucket)
        put_values(connection, document, bucket, made)
        append_changes(connection, (document,), "extracted", now)
    return sum(each.finding.method == MODEL for each in made)


def _decided(known: Finding, reading: ModelReading) -> Finding | None:
    """The cell as it is with an answer about it; None where that changes nothing.

    What extraction considered stays beside it, for who checks it.
    """
    finding = reading.finding
    others = tuple(each for each in known.candidates if each.method != MODEL)
    if known.status is not CellStatus.UNCERTAIN and known.method != MODEL:
        if reading.reason and finding.status is not CellStatus.UNCERTAIN:
            return replace(
                known, candidates=(*_candidates(finding), *others)[:MAX_CANDIDATES], note=reading.reason
            )
        if known.note.startswith(CONTRADICTION):  # no longer
            return replace(known, candidates=others, note="")
        return None
    if finding.status is not CellStatus.UNCERTAIN:
        return replace(finding, candidates=others)
    kept = (*finding.candidates, *others)[:MAX_CANDIDATES]
    if known.method == MODEL and known.status is not CellStatus.UNCERTAIN:
        return Finding(CellStatus.UNCERTAIN, candidates=kept, note=reading.reason)
    return replace(known, candidates=kept, note=finding.note) if finding.candidates else None


def _candidates(finding: Finding) -> tuple[Candidate, ...]:
    """Findings of a model as candidates: one a value where each has its own words."""
    if not finding.spans:
        return ()
    if len(finding.values) == len(finding.spans):
        pairs = zip(finding.values, finding.spans, strict=True)
        return tuple(Candidate(value, (quote,), finding.confidence, MODEL) for value, quote in pairs)
    return (Candidate(next(iter(finding.values), None), finding.spans, finding.confidence, MODEL),)


def _open_cell(row: Any) -> UnsettledCell:
    bucket, version, schema = row[len(CELL_COLUMNS) :]
    cell = cell_of(row)
    return UnsettledCell(DocumentId(cell.document), version, bucket, schema, cell)


def _reading(row: Any) -> ModelReading:
    return ModelReading(row.field, finding_of(row.finding), row.basis, row.model, row.prompt, row.reason)


def _reading_row(
    document: DocumentId, version: int, reading: ModelReading, job: str, now: datetime
) -> dict[str, Any]:
    status, finding = reading.finding.status.value, finding_json(reading.finding)
    own = {"document": document, "version": version, "job": job, "at": now}
    return to_row(model_readings, reading, status=status, finding=finding, **own)
