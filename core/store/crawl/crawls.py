"""Crawls: what each was asked for, who may write its ledger now, its runs, and when it is due again."""

from __future__ import annotations

import builtins
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import sqlalchemy as sa

from core.domain.crawl.ledger import CrawlRun, Sample, UrlReason, UrlState, WorkSpell
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.errors import NotFoundError
from core.store.crawl.rows import COMPARED
from core.store.database.db import Database, from_row
from core.store.database.work_tables import crawl_runs, crawl_urls, crawls

_Stored = TypeVar("_Stored", CrawlRequest, CrawlPace)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOST_SAMPLES = 400
"""Points of a chart over time; beyond, every other one goes."""


@dataclass(frozen=True, slots=True)
class CrawlRecord:
    """A crawl as it is stored. run: the current one, 0 before the first. bases: see FoundUrl.is_base."""

    id: CrawlId
    title: str
    user: str
    request: CrawlRequest
    pace: CrawlPace
    bucket: str
    is_dry_run: bool
    run: int
    job: JobId | None
    is_stopping: bool
    bases: tuple[str, ...]
    schedule: str
    next_at: datetime | None
    created_at: datetime


class Crawls:
    """Reads and changes crawls, from any process. Thread-safe. Unknown ids raise NotFoundError."""

    def __init__(self, database: Database, new_id: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        self._database = database
        self._new_id = new_id

    def create(
        self,
        request: CrawlRequest,
        title: str,
        *,
        user: str = "",
        is_dry_run: bool = False,
        schedule: str = "",
        next_at: datetime | None = None,
        now: datetime | None = None,
    ) -> CrawlId:
        """A new crawl that has not run yet."""
        crawl, now = CrawlId(f"c{self._new_id()}"), now or datetime.now(UTC)
        values: dict[str, Any] = {
            "id": crawl,
            "title": title,
            "user": user,
            "request": request.model_dump(mode="json"),
            "pace": request.pace.model_dump(mode="json"),
            "bucket": request.bucket,
            "is_dry_run": is_dry_run,
            "run": 0,
            "level": -1,
            "job": None,
            "runner": "",
            "is_stopping": False,
            "bases": [],
            "schedule": schedule,
            "next_at": next_at,
            "created_at": now,
            "updated_at": now,
        }
        self._database.run_rows(sa.insert(crawls).values(**values))
        return crawl

    def get(self, crawl: CrawlId) -> CrawlRecord:
        """One crawl."""
        row = self._database.first(sa.select(crawls).where(crawls.c.id == crawl))
        if row is None:
            raise _missing(crawl)
        return _record_of(row)

    def list(self) -> builtins.list[CrawlRecord]:
        """All crawls, the newest first."""
        statement = sa.select(crawls).order_by(crawls.c.created_at.desc(), crawls.c.id)
        return [_record_of(row) for row in self._database.rows(statement)]

    def begin_run(self, crawl: CrawlId, job: JobId, now: datetime | None = None) -> int:
        """The run that `job` is to do: the open one where it began it, else a new one; gives its number."""
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            row = connection.execute(
                sa.select(crawls.c.run, crawls.c.job).where(crawls.c.id == crawl).with_for_update()
            ).first()
            if row is None:
                raise _missing(crawl)
            if row.job == job and self._is_open(connection, crawl, row.run):
                _write_spell(connection, crawl, row.run, now, is_new=True)
                return int(row.run)
            run = int(row.run) + 1
            values = {"run": run, "job": job, "level": -1, "is_stopping": False, "updated_at": now}
            connection.execute(sa.update(crawls).where(crawls.c.id == crawl).values(**values))
            begun = {"crawl": crawl, "run": run, "job": job, "started_at": now}
            empty: dict[str, Any] = {"counts": {}, "samples": [], "spells": []}
            connection.execute(sa.insert(crawl_runs).values(**begun, **empty))
            return run

    def hand_over(self, crawl: CrawlId, runner: str) -> None:
        """From now on only `runner` may write the ledger; "" for nobody."""
        self._update(crawl, runner=runner)

    def set_pace(self, crawl: CrawlId, pace: CrawlPace) -> None:
        """Change how fast it goes, also while it runs."""
        self._update(crawl, pace=pace.model_dump(mode="json"))

    def stop(self, crawl: CrawlId) -> None:
        """Ask the current run to end with what it has."""
        self._update(crawl, is_stopping=True)

    def set_schedule(self, crawl: CrawlId, schedule: str, next_at: datetime | None) -> None:
        """When it is to run again; "" and None for never."""
        self._update(crawl, schedule=schedule, next_at=next_at)

    def due(self, now: datetime | None = None) -> builtins.list[CrawlRecord]:
        """Crawls whose time has come, the longest waiting first."""
        moment = now or datetime.now(UTC)
        statement = sa.select(crawls).where(crawls.c.next_at <= moment).order_by(crawls.c.next_at)
        return [_record_of(row) for row in self._database.rows(statement)]

    def postpone(self, crawl: CrawlId, due_at: datetime, next_at: datetime | None) -> None:
        """Set when it runs next, unless that is not `due_at` any more."""
        is_it = sa.and_(crawls.c.id == crawl, crawls.c.next_at == due_at)
        self._database.run_rows(sa.update(crawls).where(is_it).values(next_at=next_at))

    def remove(self, crawl: CrawlId) -> None:
        """Forget a crawl with its ledger; its documents stay."""
        with self._database.write_rows() as connection:
            if not connection.execute(sa.delete(crawls).where(crawls.c.id == crawl)).rowcount:
                raise _missing(crawl)

    def end_run(self, crawl: CrawlId, run: int, now: datetime | None = None) -> None:
        """Close a run: what is still open was stopped, and its counts are kept with it."""
        now = now or datetime.now(UTC)
        mine = sa.and_(crawl_urls.c.crawl == crawl, crawl_urls.c.run == run)
        still = crawl_urls.c.state.in_((UrlState.QUEUED.value, UrlState.FETCHING.value))
        stopped = {"state": UrlState.SKIPPED.value, "reason": UrlReason.STOPPED.value}
        with self._database.write_rows() as connection:
            connection.execute(sa.update(crawl_urls).where(mine, still).values(**stopped))
            grouped = sa.select(crawl_urls.c.state, crawl_urls.c.change, sa.func.count()).where(mine)
            counts: Counter[str] = Counter()
            for state, change, number in connection.execute(
                grouped.group_by(crawl_urls.c.state, crawl_urls.c.change)
            ):
                if state == UrlState.GONE and change != state:
                    continue  # an earlier run found that it is gone
                counts[state] += number
                if change and state in COMPARED and change != state:
                    counts[change] += number
            ended = sa.and_(crawl_runs.c.crawl == crawl, crawl_runs.c.run == run)
            connection.execute(sa.update(crawl_runs).where(ended).values(ended_at=now, counts=dict(counts)))
            _write_spell(connection, crawl, run, now, is_end=True)
            connection.execute(
                sa.update(crawls)
                .where(crawls.c.id == crawl)
                .values(runner="", is_stopping=False, updated_at=now)
            )

    def go_on(self, crawl: CrawlId) -> None:
        """Take back that the current run is to end."""
        self._update(crawl, is_stopping=False)

    def retry_failed(self, crawl: CrawlId) -> int:
        """Queue the failed addresses of the last run and open it again, in one write; gives their number."""
        run = sa.select(crawls.c.run).where(crawls.c.id == crawl).scalar_subquery()
        mine = sa.and_(crawl_urls.c.crawl == crawl, crawl_urls.c.run == run)
        failed = crawl_urls.c.state == UrlState.FAILED.value
        again: dict[str, Any] = {"state": UrlState.QUEUED.value, "reason": "", "detail": ""}
        # Those of killed crawlers stay counted on both sides, so that each address has its three requests.
        again |= {"requests": crawl_urls.c.repeats, "not_before": None}
        with self._database.write_rows() as connection:
            count = connection.execute(sa.update(crawl_urls).where(mine, failed).values(**again)).rowcount
            if count:
                is_last = sa.and_(crawl_runs.c.crawl == crawl, crawl_runs.c.run == run)
                connection.execute(sa.update(crawl_runs).where(is_last).values(ended_at=None))
                is_it = crawls.c.id == crawl
                connection.execute(sa.update(crawls).where(is_it).values(is_stopping=False))
            return int(count)

    def add_sample(self, crawl: CrawlId, run: int, sample: Sample) -> None:
        """Add a point to the chart of a run."""
        is_run = sa.and_(crawl_runs.c.crawl == crawl, crawl_runs.c.run == run)
        with self._database.write_rows() as connection:
            samples = connection.execute(sa.select(crawl_runs.c.samples).where(is_run)).scalar()
            if samples is None:
                return
            points = [*samples, _packed(sample)]
            points = points[::2] + points[-1:] if len(points) > MOST_SAMPLES else points
            connection.execute(sa.update(crawl_runs).where(is_run).values(samples=points))
            _write_spell(connection, crawl, run, sample.at)

    def runs(self, crawl: CrawlId) -> builtins.list[CrawlRun]:
        """The runs of a crawl, the newest first."""
        statement = sa.select(crawl_runs).where(crawl_runs.c.crawl == crawl).order_by(crawl_runs.c.run.desc())
        return [_run_of(row) for row in self._database.rows(statement)]

    def runs_of(self, jobs: Collection[JobId]) -> builtins.list[tuple[CrawlId, CrawlRun]]:
        """The runs that these jobs did or do, each with its crawl."""
        statement = sa.select(crawl_runs).where(crawl_runs.c.job.in_(builtins.list(jobs)))
        return [(CrawlId(row.crawl), _run_of(row)) for row in self._database.rows(statement)]

    def _is_open(self, connection: sa.Connection, crawl: CrawlId, run: int) -> bool:
        statement = sa.select(crawl_runs.c.ended_at).where(
            crawl_runs.c.crawl == crawl, crawl_runs.c.run == run
        )
        row = connection.execute(statement).first()
        return row is not None and row.ended_at is None

    def _update(self, crawl: CrawlId, **values: object) -> None:
        values["updated_at"] = datetime.now(UTC)
        with self._database.write_rows() as connection:
            if not connection.execute(
                sa.update(crawls).where(crawls.c.id == crawl).values(**values)
            ).rowcount:
                raise _missing(crawl)


def _missing(crawl: CrawlId) -> NotFoundError:
    return NotFoundError(
        f"There is no crawl {crawl!r}.", next_step="List crawls with: groundwork crawl --list"
    )


def _stored(kind: type[_Stored], values: Mapping[str, Any]) -> _Stored:
    """A value as it was stored, without keys that this version has no longer."""
    return kind.model_validate({name: value for name, value in values.items() if name in kind.model_fields})


def _record_of(row: Any) -> CrawlRecord:
    request, pace = _stored(CrawlRequest, row.request), _stored(CrawlPace, row.pace)
    return from_row(CrawlRecord, row, request=request, pace=pace, bases=tuple(row.bases))


def _run_of(row: Any) -> CrawlRun:
    counts: Mapping[str, int] = row.counts
    samples = tuple(
        Sample(_moment(at), fetched, queued, failed, size)
        for at, fetched, queued, failed, size in row.samples
    )
    spells = tuple(WorkSpell(_moment(begin), _moment(seen), bool(ended)) for begin, seen, ended in row.spells)
    return CrawlRun(row.run, JobId(row.job), row.started_at, row.ended_at, counts, samples, spells)


def _write_spell(
    connection: sa.Connection,
    crawl: CrawlId,
    run: int,
    now: datetime,
    *,
    is_new: bool = False,
    is_end: bool = False,
) -> None:
    """Begin a spell of work at `now`, or stretch the last one up to it."""
    is_run = sa.and_(crawl_runs.c.crawl == crawl, crawl_runs.c.run == run)
    found = connection.execute(sa.select(crawl_runs.c.spells).where(is_run)).scalar()
    spells, at = builtins.list(found or []), _microseconds(now)
    if is_new:
        spells.append([at, at, 0])
    elif spells and not spells[-1][2]:
        spells[-1] = [spells[-1][0], max(at, spells[-1][1]), int(is_end)]
    connection.execute(sa.update(crawl_runs).where(is_run).values(spells=spells))


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _moment(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def _packed(sample: Sample) -> builtins.list[int]:
    return [_microseconds(sample.at), sample.fetched, sample.queued, sample.failed, sample.size_bytes]
