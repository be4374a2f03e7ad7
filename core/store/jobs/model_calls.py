"""Calls of language models as they were made, and the choices of an admin about the models."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa

from core.domain.ids import JobId
from core.domain.llm.report import (
    DaySpending,
    KeptModelCall,
    LostCalls,
    ModelHistory,
    ModelSpending,
    RoleSpending,
)
from core.domain.llm.use import USABLE, ModelCall, ModelOutcome, ModelRole
from core.domain.principal import Principal
from core.store.database.db import Repository, insert_or_take, insert_or_update, matches
from core.store.database.schema import meta
from core.store.database.work_tables import model_calls

_CHOICES = "llm.choices"
_KEPT_BACK = (ModelOutcome.OVER_BUDGET, ModelOutcome.CIRCUIT_OPEN)
_WELL = USABLE
BATCH = "batch-"
"""Beginning of the ids of batches and of their calls."""
_BEGUN = ModelOutcome.BEGUN
_TOKENS = model_calls.c.prompt_tokens + model_calls.c.completion_tokens


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """Requests of a job that a server may have as a batch. call: all that it may take."""

    id: str
    job: JobId
    user: str
    at: datetime
    call: ModelCall

    @property
    def remote(self) -> str:
        """Its id at the server; "" where that got lost: the server knows it by `id`, then."""
        return self.call.detail


class ModelCallRecords(Repository):
    """Keeps calls, and sums them. Thread-safe; rows stay as long as traces do, which is for good."""

    def add(
        self,
        call: ModelCall,
        user: str,
        trace: str = "",
        job: str = "",
        now: datetime | None = None,
        id: str = "",
    ) -> None:
        """Keep a call of a user, made for an answer or a job. id: of one that was begun, in whose place it
        stands.
        """
        row = {
            "id": id or secrets.token_hex(12),
            "at": now or datetime.now(UTC),
            "user": user,
            "trace": trace,
            "job": job,
            **call.model_dump(mode="json"),
        }
        with self._database.write_rows(is_upkeep=True) as connection:
            # A row that has ended stays: its beginning may be written later, by another thread.
            insert_or_take(connection, model_calls, row, where=model_calls.c.outcome == _BEGUN, keep={})

    def open_batches(self, job: JobId | None = None) -> list[OpenBatch]:
        """Batches whose replies were not fetched yet, of a job or of all."""
        column = model_calls.c
        rows = self._database.rows(
            sa.select(model_calls)
            .where(column.id >= BATCH, column.id < BATCH + "~", column.outcome == _BEGUN)
            .where(matches(column.job, job))
            .order_by(column.at)
        )
        kept = [(row.id, _kept(row)) for row in rows]
        return [OpenBatch(id, JobId(each.job), each.user, each.at, each.call) for id, each in kept]

    def begin_batch(self, batch: OpenBatch) -> None:
        """Keep a batch before it is sent, and again with its id at the server."""
        self.add(batch.call, batch.user, job=batch.job, now=batch.at, id=batch.id)

    def end_batch(self, batch: OpenBatch, calls: Mapping[str, ModelCall]) -> None:
        """Put calls, by ids of their own, in the place of a batch, as if they were made when it was."""
        for id, call in calls.items():
            self.add(call, batch.user, job=batch.job, now=batch.at, id=f"{batch.id}-{id}")
        with self._database.write_rows(is_upkeep=True) as connection:
            connection.execute(sa.delete(model_calls).where(model_calls.c.id == batch.id))

    def day_tokens(self, now: datetime | None = None) -> int:
        """Tokens of the day (UTC) so far, of all users and processes."""
        total = sa.select(sa.func.coalesce(sa.func.sum(_TOKENS), 0))
        return int(self._database.scalar(total.where(_since_midnight(now))))

    def minute_tokens(self, but: str, now: datetime | None = None) -> list[tuple[float, int]]:
        """Tokens of calls of the last minute by how many seconds ago; but: not of ids that begin so."""
        moment = now or datetime.now(UTC)
        wanted = sa.select(model_calls.c.at, _TOKENS).where(
            model_calls.c.at > moment - timedelta(minutes=1),
            model_calls.c.id.not_like(f"{but}%"),
            model_calls.c.id.not_like(f"{BATCH}%"),  # servers count these apart
            _TOKENS > 0,
        )
        return [((moment - at).total_seconds(), int(tokens)) for at, tokens in self._database.rows(wanted)]

    def day(self, now: datetime | None = None) -> ModelSpending:
        """Sums of the day (UTC) so far."""
        sums = sa.select(*_sums()).where(_since_midnight(now))
        calls, tokens, cost, refused, failed = self._database.one(sums)
        return ModelSpending(
            calls=int(calls), tokens=int(tokens), cost_usd=cost, refused=int(refused), failed=int(failed)
        )

    def history(self, who: Principal, days: int = 14, now: datetime | None = None) -> ModelHistory:
        """Sums of the last days (UTC), today the last of them, of all users; why calls were lost: of one's
        own, for an admin of all.
        """
        midnight = _midnight(now)
        dates = [midnight.date() - timedelta(days=back) for back in reversed(range(days))]
        found = []
        with self._database.read() as connection:
            for day in dates:  # a range of the index each: a date in SQL is another word in each database
                since = datetime.combine(day, time(), UTC)
                sums = sa.select(*_sums()).where(_between(since, since + timedelta(days=1)))
                calls, tokens, cost, refused, failed = connection.execute(sums).one()
                found.append(
                    DaySpending(
                        day=day, calls=calls, tokens=tokens, cost_usd=cost, refused=refused, failed=failed
                    )
                )
            within = _between(midnight - timedelta(days=days - 1), midnight + timedelta(days=1))
            roles: dict[ModelRole, RoleSpending] = {}
            by_role = sa.select(model_calls.c.role, *_sums()).where(within).group_by(model_calls.c.role)
            for name, calls, tokens, cost, refused, failed in connection.execute(by_role):
                role = ModelRole(name)  # rows of old names are of the role that they mean
                one = RoleSpending(
                    role=role, calls=calls, tokens=tokens, cost_usd=cost, failed=refused + failed
                )
                roles[role] = _together(roles[role], one) if role in roles else one
            lost = self._lost(connection, within, who)
        most_first = sorted(roles.values(), key=lambda each: (-each.tokens, each.role))
        return ModelHistory(days=tuple(found), roles=tuple(most_first), lost=lost)

    def _lost(
        self, connection: sa.Connection, within: sa.ColumnElement[bool], who: Principal
    ) -> tuple[LostCalls, ...]:
        outcome, at = model_calls.c.outcome, model_calls.c.at
        wanted = [within, outcome.not_in(_WELL)]
        if not who.is_admin:
            wanted.append(model_calls.c.user == who.user)
        groups = sa.select(outcome, sa.func.count()).where(*wanted).group_by(outcome)
        found = []
        for name, calls in connection.execute(groups).all():
            newest = sa.select(at, model_calls.c.detail).where(*wanted, outcome == name)
            last_at, detail = connection.execute(newest.order_by(at.desc()).limit(1)).one()
            found.append(LostCalls(outcome=name, calls=calls, last_at=last_at, detail=detail))
        return tuple(sorted(found, key=lambda each: each.last_at, reverse=True))

    def recent(self, who: Principal, limit: int = 50) -> list[KeptModelCall]:
        """The newest calls first: one's own, of an admin all."""
        rows = sa.select(model_calls).order_by(model_calls.c.at.desc(), model_calls.c.id)
        if not who.is_admin:
            rows = rows.where(model_calls.c.user == who.user)
        return [_kept(row) for row in self._database.rows(rows.limit(limit))]

    def choices(self) -> Mapping[str, str]:
        """Settings of `llm` that an admin chose on the page, by name; never a secret."""
        wanted = sa.select(meta.c.value).where(meta.c.key == _CHOICES)
        found = self._database.scalar(wanted)
        return {} if found is None else {str(name): str(value) for name, value in found["values"].items()}

    def choose(self, values: Mapping[str, str], user: str, now: datetime | None = None) -> None:
        """Keep such choices in place of those before."""
        kept = {"values": dict(values), "user": user, "at": (now or datetime.now(UTC)).isoformat()}
        with self._database.write_rows() as connection:
            insert_or_update(connection, meta, {"key": _CHOICES, "value": kept})


def _together(one: RoleSpending, other: RoleSpending) -> RoleSpending:
    known = [cost for cost in (one.cost_usd, other.cost_usd) if cost is not None]
    return RoleSpending(
        role=one.role,
        calls=one.calls + other.calls,
        tokens=one.tokens + other.tokens,
        cost_usd=sum(known) if known else None,
        failed=one.failed + other.failed,
    )


def _sums() -> tuple[sa.ColumnElement[Any], ...]:
    """Calls, tokens, known cost, calls that a limit kept back, calls that gave nothing else."""
    outcome = model_calls.c.outcome
    return (
        sa.func.count(),
        sa.func.coalesce(sa.func.sum(_TOKENS), 0),
        sa.func.sum(model_calls.c.cost_usd),
        sa.func.coalesce(sa.func.sum(sa.case((outcome.in_(_KEPT_BACK), 1), else_=0)), 0),
        sa.func.coalesce(sa.func.sum(sa.case((outcome.in_((*_KEPT_BACK, *_WELL, _BEGUN)), 0), else_=1)), 0),
    )


def _midnight(now: datetime | None) -> datetime:
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _since_midnight(now: datetime | None) -> sa.ColumnElement[bool]:
    return model_calls.c.at >= _midnight(now)


def _between(since: datetime, before: datetime) -> sa.ColumnElement[bool]:
    return sa.and_(model_calls.c.at >= since, model_calls.c.at < before)


def _kept(row: sa.Row[tuple[object, ...]]) -> KeptModelCall:
    values = dict(row._mapping)
    call = ModelCall.model_validate({name: values[name] for name in ModelCall.model_fields})
    return KeptModelCall(
        at=values["at"], user=values["user"], trace=values["trace"], job=values["job"], call=call
    )
