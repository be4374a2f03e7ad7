"""Jobs and their inputs: progress that outlives the process that makes it."""

from __future__ import annotations

import builtins
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import IngestOutcome
from core.domain.ids import DocumentId, JobId
from core.domain.job import CurrentItem, Decision, IngestItem, Job, JobState
from core.errors import JobError, NotFoundError
from core.store.base import DECISION, JobItem, JobOrder
from core.store.database.db import Database, Repository, from_row, insert_or_ignore, slices
from core.store.database.field_tables import reading_queue
from core.store.database.schema import document_versions, documents, job_items, jobs
from core.store.database.visibility import is_not_gone
from core.store.documents.rows import is_current, parts_of

_ENDED = tuple(state.value for state in JobState if state.is_ended)
_SMOOTHING_S = 20.0  # the rate forgets what is older than about this; some 80 documents come at once


class Jobs:
    """Reads and changes jobs, from any process. Thread-safe. Unknown ids raise NotFoundError."""

    def __init__(self, database: Database, new_id: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        self._database = database
        self._new_id = new_id

    def create(
        self,
        kind: str,
        title: str,
        payload: Mapping[str, Any],
        items: Iterable[JobItem] = (),
        *,
        user: str = "",
        now: datetime | None = None,
    ) -> JobId:
        """A new job, queued, with its inputs in the order given."""
        job, now = JobId(f"j{self._new_id()}"), now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            connection.execute(
                sa.insert(jobs).values(
                    id=job,
                    user=user,
                    kind=kind,
                    title=title,
                    state=JobState.QUEUED.value,
                    payload=dict(payload),
                    done=0,
                    total=0,
                    last_item="",
                    cancel_requested=False,
                    owner="",
                    attempts=0,
                    created_at=now,
                    updated_at=now,
                )
            )
            _append_items(connection, job, items)
        return job

    def add_items(self, job: JobId, items: Iterable[JobItem]) -> builtins.list[int]:
        """More inputs, found while it runs (a ZIP's members); gives their ordinals."""
        with self._database.write_rows() as connection:
            return _append_items(connection, job, items)

    def claim(
        self,
        owner: str,
        *,
        withheld: Collection[str] = (),
        waiting_s: float = 0.0,
        now: datetime | None = None,
    ) -> JobOrder | None:
        """Take the oldest queued job and start it; None where there is none.

        One statement, so that of many workers that try at once each gets another job. withheld: kinds that
        are not for this worker. waiting_s: only jobs that have been queued for so long.
        """
        now = now or datetime.now(UTC)
        free = sa.select(jobs.c.id).where(jobs.c.state == JobState.QUEUED.value)
        if withheld:
            free = free.where(jobs.c.kind.not_in(list(withheld)))
        if waiting_s:
            free = free.where(jobs.c.updated_at <= now - timedelta(seconds=waiting_s))
        oldest = free.order_by(jobs.c.created_at, jobs.c.id).limit(1).with_for_update(skip_locked=True)
        values = {
            "state": JobState.RUNNING.value,
            "owner": owner,
            "attempts": jobs.c.attempts + 1,
            "progress_at": now,
            "updated_at": now,
            "current": None,
            "rate": None,
            "error": None,
        }
        taken = sa.update(jobs).where(jobs.c.id == oldest.scalar_subquery()).values(**values)
        with self._database.write_rows() as connection:
            row = connection.execute(taken.returning(*jobs.c)).first()
        return None if row is None else from_row(JobOrder, row)

    def give_back(self, job: JobId, owner: str, now: datetime | None = None) -> JobState | None:
        """Queue again what `owner` runs no longer; None where the job is not running for that owner.

        One that was asked to stop ends as cancelled instead. Gives the state it is in now.
        """
        is_theirs = sa.and_(jobs.c.id == job, jobs.c.owner == owner, jobs.c.state == JobState.RUNNING.value)
        state = sa.case((jobs.c.cancel_requested, JobState.CANCELLED.value), else_=JobState.QUEUED.value)
        values = {"state": state, "owner": "", "rate": None, "updated_at": now or datetime.now(UTC)}
        with self._database.write_rows() as connection:
            left = connection.execute(
                sa.update(jobs).where(is_theirs).values(**values).returning(jobs.c.state)
            ).scalar()
        return None if left is None else JobState(left)

    def running(self) -> builtins.list[JobOrder]:
        """The jobs that somebody runs, or ran when he died; the oldest first."""
        statement = (
            sa.select(jobs)
            .where(jobs.c.state == JobState.RUNNING.value)
            .order_by(jobs.c.created_at, jobs.c.id)
        )
        return [from_row(JobOrder, row) for row in self._database.rows(statement)]

    def progress(
        self,
        job: JobId,
        done: int,
        total: int | None = None,
        last_item: str | None = None,
        now: datetime | None = None,
    ) -> None:
        """Set how far the job is, for jobs whose inputs are not in `items`."""
        with self._database.write_rows() as connection:
            row = _row(connection, job, to_write=True)
            values = _advanced(row, done, now or datetime.now(UTC))
            if total is not None:
                values["total"] = total
            if last_item is not None:
                values["last_item"] = last_item
            connection.execute(sa.update(jobs).where(jobs.c.id == job).values(**values))

    def set_items(self, job: JobId, items: Mapping[int, IngestItem], now: datetime | None = None) -> None:
        """Note what came of some inputs, in one transaction; done again it overwrites and counts once."""
        if not items:
            return
        with self._database.write_rows() as connection:
            row = _row(connection, job, to_write=True)
            newly_done = 0
            for ordinal, item in items.items():
                is_item = sa.and_(job_items.c.job == job, job_items.c.ordinal == ordinal)
                first = sa.update(job_items).where(is_item, job_items.c.outcome.is_(None))
                values = _item_values(item)
                if item.decision:
                    payload = connection.execute(sa.select(job_items.c.payload).where(is_item)).scalar()
                    values["payload"] = {**(payload or {}), DECISION: [item.decision.value, item.remark]}
                if connection.execute(first.values(**values)).rowcount:
                    newly_done += 1
                else:
                    connection.execute(sa.update(job_items).where(is_item).values(**values))
            values = _advanced(row, row.done + newly_done, now or datetime.now(UTC))
            values["last_item"] = list(items.values())[-1].source
            connection.execute(sa.update(jobs).where(jobs.c.id == job).values(**values))

    def set_current(self, job: JobId, current: CurrentItem, now: datetime | None = None) -> None:
        """Note which input is being worked on, and how far that is; its time left follows from that."""
        with self._database.write_rows() as connection:
            row = _row(connection, job, to_write=True)
            values = {"current": _followed(row.current, current, now or datetime.now(UTC))}
            connection.execute(sa.update(jobs).where(jobs.c.id == job).values(**values))

    def items(self, job: JobId) -> builtins.list[IngestItem]:
        """Outcomes of the inputs that are done, in the order they were given.

        Parts are those of the document as it is now: an input that was published has just become that.
        """
        statement = (
            sa.select(job_items, document_versions.c.parts)
            .outerjoin(documents, documents.c.id == job_items.c.document)
            .outerjoin(document_versions, is_current())
            .where(job_items.c.job == job, job_items.c.outcome.is_not(None))
            .order_by(job_items.c.ordinal)
        )
        with self._database.read() as connection:
            _row(connection, job)
            return [_item_of(row) for row in connection.execute(statement)]

    def inputs(self, job: JobId) -> builtins.list[JobItem]:
        """All inputs, also those that are done, in order."""
        statement = sa.select(job_items).where(job_items.c.job == job).order_by(job_items.c.ordinal)
        rows = self._database.rows(statement)
        return [JobItem(row.source, row.bucket, row.payload, row.ordinal) for row in rows]

    def pending(self, job: JobId) -> builtins.list[JobItem]:
        """The inputs that are not done yet, in order: where a resumed job goes on."""
        statement = (
            sa.select(job_items)
            .where(job_items.c.job == job, job_items.c.outcome.is_(None))
            .order_by(job_items.c.ordinal)
        )
        with self._database.read() as connection:
            _row(connection, job)
            return [
                JobItem(row.source, row.bucket, row.payload, row.ordinal)
                for row in connection.execute(statement)
            ]

    def finish(
        self,
        job: JobId,
        state: JobState,
        error: str | None = None,
        now: datetime | None = None,
        *,
        owner: str | None = None,
    ) -> None:
        """End the job. Raises JobError where `state` is not an end.

        owner: who ends it; nothing happens where the job is meanwhile another's, or has ended.
        """
        if not state.is_ended:
            raise JobError(
                f"A job cannot end as {state.value!r}.", next_step=f"Use one of: {', '.join(_ENDED)}."
            )
        with self._database.write_rows() as connection:
            row = _row(connection, job, to_write=True)
            if owner is not None and (row.owner, row.state) != (owner, JobState.RUNNING):
                return
            connection.execute(
                sa.update(jobs)
                .where(jobs.c.id == job)
                .values(state=state.value, error=error, rate=None, updated_at=now or datetime.now(UTC))
            )

    def request_cancel(self, job: JobId, now: datetime | None = None) -> JobState:
        """Ask the job to stop: a queued one is cancelled at once, a running one at its next step.

        Gives the state it is in now. Raises JobError where it has ended.
        """
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            row = _row(connection, job, to_write=True)
            if JobState(row.state).is_ended:
                raise JobError(
                    f"Job {job!r} has already ended ({row.state}).", next_step="There is nothing to cancel."
                )
            state = JobState.CANCELLED if row.state == JobState.QUEUED else JobState.RUNNING
            connection.execute(
                sa.update(jobs)
                .where(jobs.c.id == job)
                .values(state=state.value, cancel_requested=True, updated_at=now)
            )
            return state

    def resume(
        self, job: JobId, *, retry: Collection[IngestOutcome] = (), now: datetime | None = None
    ) -> None:
        """Queue a job again; inputs that are done stay done, but for those that ended as in `retry`.

        For jobs that ended, and for running ones whose process is gone.
        """
        with self._database.write_rows() as connection:
            row = _row(connection, job, to_write=True)
            values: dict[str, Any] = {"state": JobState.QUEUED.value, "owner": "", "error": None}
            values |= {"cancel_requested": False, "rate": None, "updated_at": now or datetime.now(UTC)}
            if retry:
                reset = connection.execute(
                    sa.update(job_items)
                    .where(job_items.c.job == job, job_items.c.outcome.in_([o.value for o in retry]))
                    .values(outcome=None, reason="")
                ).rowcount
                values["done"] = row.done - reset
            connection.execute(sa.update(jobs).where(jobs.c.id == job).values(**values))

    def get(self, job: JobId) -> Job:
        """One job's progress."""
        with self._database.read() as connection:
            return _job_of(_row(connection, job))

    def order(self, job: JobId) -> JobOrder:
        """Job as a worker needs it."""
        with self._database.read() as connection:
            return from_row(JobOrder, _row(connection, job))

    def list(self, *, states: Collection[JobState] = (), limit: int | None = None) -> list[Job]:
        """Jobs, the newest first; in some states, () for all."""
        statement = sa.select(jobs).order_by(jobs.c.created_at.desc(), jobs.c.id.desc())
        if states:
            statement = statement.where(jobs.c.state.in_([state.value for state in states]))
        if limit is not None:
            statement = statement.limit(limit)
        return [_job_of(row) for row in self._database.rows(statement)]


def _append_items(connection: Connection, job: JobId, items: Iterable[JobItem]) -> list[int]:
    total = _row(connection, job, to_write=True).total
    rows = [
        {
            "job": job,
            "ordinal": total + index,
            "source": item.source,
            "bucket": item.bucket,
            "payload": item.payload,
            "title": "",
            "reason": "",
            "pages": 0,
            "passages": 0,
        }
        for index, item in enumerate(items)
    ]
    if rows:
        connection.execute(sa.insert(job_items), rows)
        connection.execute(sa.update(jobs).where(jobs.c.id == job).values(total=total + len(rows)))
    return [total + index for index in range(len(rows))]


def _advanced(row: sa.Row[Any], done: int, now: datetime) -> dict[str, Any]:
    """Progress with its rate: an average in which older speeds fade with time."""
    seconds = (now - (row.progress_at or row.created_at)).total_seconds()
    values: dict[str, Any] = {"done": done, "updated_at": now}
    if done > row.done and seconds > 0:
        speed = (done - row.done) / seconds
        weight = seconds / (seconds + _SMOOTHING_S)
        values["rate"] = speed if row.rate is None else row.rate + weight * (speed - row.rate)
        values["progress_at"] = now
    return values


_LEAST_S = 3.0  # what a speed within one input is measured over, at least


def _followed(before: Mapping[str, Any] | None, current: CurrentItem, now: datetime) -> dict[str, Any]:
    """The current input with its time left: at the mean speed since it was first seen at work."""
    begun: dict[str, Any] = {"begun_at": now.isoformat(), "begun_done": current.done}
    is_same = before is not None and (before["source"], before["total"]) == (current.source, current.total)
    if before is not None and is_same and before.get("begun_at") and before["done"] <= current.done:
        begun = {"begun_at": before["begun_at"], "begun_done": before["begun_done"]}
    seconds = (now - datetime.fromisoformat(str(begun["begun_at"]))).total_seconds()
    done = current.done - int(str(begun["begun_done"]))
    left = (current.total - current.done) * seconds / done if done > 0 and seconds >= _LEAST_S else None
    return {**asdict(current), "left_s": left, **begun}


def _current_of(row: sa.Row[Any]) -> CurrentItem | None:
    if not row.current or row.state != JobState.RUNNING:
        return None
    found = row.current
    return CurrentItem(found["source"], found["done"], found["total"], found.get("left_s"))


def _time_left(left: int, rate: float | None, current: CurrentItem | None) -> float | None:
    """Seconds for the inputs that are left, as the speed of inputs says it; never less than for the current.

    The last one takes what it takes: that many small files went fast says nothing of a long one.
    """
    of_current = current.left_s if current is not None else None
    of_all = left / rate if rate else None
    if left <= 1 and of_current is not None:
        return of_current
    return of_all if of_all is None or of_current is None else max(of_all, of_current)


def _item_values(item: IngestItem) -> dict[str, Any]:
    return {
        "document": item.document,
        "title": item.title,
        "outcome": item.outcome.value,
        "reason": item.reason,
        "pages": item.pages,
        "passages": item.passages,
    }


def _item_of(row: sa.Row[Any]) -> IngestItem:
    decision, remark = row.payload.get(DECISION, ("", ""))
    return from_row(
        IngestItem,
        row,
        outcome=IngestOutcome(row.outcome),
        parts=parts_of(row.parts or ()),
        decision=Decision(decision),
        remark=remark,
    )


def _row(connection: Connection, job: JobId, *, to_write: bool = False) -> sa.Row[Any]:
    statement = sa.select(jobs).where(jobs.c.id == job)
    row = connection.execute(statement.with_for_update() if to_write else statement).first()
    if row is None:
        raise NotFoundError(f"There is no job {job!r}.", next_step="`groundwork jobs list` shows all jobs.")
    return row


def _job_of(row: sa.Row[Any]) -> Job:
    state, current = JobState(row.state), _current_of(row)
    is_running = state is JobState.RUNNING
    rate = row.rate if is_running else None
    return from_row(
        Job,
        row,
        state=state,
        rate=rate,
        eta_s=_time_left(row.total - row.done, rate, current) if is_running else None,
        current=current,
        is_cancelling=row.cancel_requested and not state.is_ended,
    )


MOST_WAITING = 1_000
"""Documents that may wait by this way; beyond that everything waits, and order helps nobody."""


class ReadingQueue(Repository):
    """Any process may ask, any worker reads; an entry goes once its document was read. Thread-safe."""

    def add(self, wanted: Collection[DocumentId], now: datetime | None = None) -> None:
        """Ask for documents; those asked for already keep their place. At most MOST_WAITING in all."""
        moment = now or datetime.now(UTC)
        if not wanted or not (new := self._new(wanted)):
            return
        rows = [{"document": document, "at": moment} for document in new]
        with self._database.write_rows(is_upkeep=True) as connection:
            insert_or_ignore(connection, reading_queue, rows)

    def list(self) -> builtins.list[DocumentId]:
        """The documents that are waited for, the longest first."""
        statement = sa.select(reading_queue.c.document).order_by(reading_queue.c.at, reading_queue.c.document)
        return [DocumentId(found) for found in self._database.scalars(statement)]

    def remove(self, settled: Collection[DocumentId]) -> None:
        """Forget documents of which nothing is left to read."""
        if not settled:
            return
        with self._database.write_rows(is_upkeep=True) as connection:
            for some in slices(sorted(settled)):
                connection.execute(sa.delete(reading_queue).where(reading_queue.c.document.in_(some)))

    def _new(self, wanted: Collection[DocumentId]) -> builtins.list[DocumentId]:
        """Those that exist and are not asked for, as many as there is room for."""
        known = frozenset(self.list())
        new = [each for each in sorted(set(wanted)) if each not in known][: max(0, MOST_WAITING - len(known))]
        statement = sa.select(documents.c.id).where(is_not_gone()).order_by(documents.c.id)
        return [DocumentId(row.id) for row in self._database.rows_among(statement, documents.c.id, new)]
