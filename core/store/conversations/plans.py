"""Plans that are kept: named audits, plans kept for their link, and what runs of them gave."""

from __future__ import annotations

import builtins
import json
import secrets
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy.engine import Connection

from core.domain.answer import LEDGER_PARTS
from core.domain.audit import Audit, AuditRun, Parameter, RunResult
from core.domain.principal import Principal
from core.errors import ConflictError, NotFoundError, UsageError
from core.store.database.db import Database, from_row, to_row
from core.store.database.work_tables import plan_runs, plans

KEPT_RUNS = 200
"""Runs of one plan; the oldest go first."""

KEPT_LINKS = 500
"""Plans without a name of one user; the least used go first."""

UNDO = timedelta(days=30)
"""How long a removed audit can be brought back."""

LONGEST_NAME = 200
_PARAMETERS = TypeAdapter(tuple[Parameter, ...])
_LARGEST_PLAN = 4_000_000  # characters: a plan may name 100,000 documents


@dataclass(frozen=True, slots=True)
class PlanToKeep:
    """Plan as it is kept. acl: () everybody, None the owner alone."""

    name: str
    question: str
    plan: Mapping[str, Any]
    parameters: tuple[Parameter, ...] = ()
    acl: tuple[str, ...] | None = None


class KeptPlans:
    """Reads and changes kept plans. Thread-safe. What somebody may not see raises NotFoundError for them."""

    def __init__(self, database: Database, new_id: Callable[[], str] = lambda: secrets.token_hex(10)) -> None:
        self._database = database
        self._new_id = new_id

    def create(self, kept: PlanToKeep, who: Principal, now: datetime | None = None) -> Audit:
        """Keep a plan. Raises UsageError where the owner has another of that name, or it is too large."""
        now = now or datetime.now(UTC)
        row = _row(kept)
        row |= {
            "id": f"p{self._new_id()}",
            "owner": who.user,
            "version": 1,
            "created_at": now,
            "updated_at": now,
            "updated_by": who.user,
            "removed_at": None,
        }
        with self._database.write_rows() as connection:
            _require_free_name(connection, row["name"], who.user, "")
            connection.execute(sa.insert(plans).values(row))
            self._tidy(connection, who.user, now)
            return _read(connection, row["id"], who)

    def link(self, kept: PlanToKeep, id: str, who: Principal, now: datetime | None = None) -> Audit:
        """Keep a plan without a name under a given id; one that is there stays, one taken away is back."""
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            found = connection.execute(sa.select(plans.c.id).where(plans.c.id == id)).first()
            if found is None:
                own = {"owner": who.user, "updated_by": who.user, "version": 1, "removed_at": None}
                moments = {"created_at": now, "updated_at": now}
                connection.execute(sa.insert(plans).values(id=id, **_row(kept), **own, **moments))
                self._tidy(connection, who.user, now)
            else:
                connection.execute(
                    sa.update(plans)
                    .where(plans.c.id == id, plans.c.name == "")
                    .values(updated_at=now, removed_at=None)
                )
            return _read(connection, id, who)

    def list(self, who: Principal) -> builtins.list[Audit]:
        """The named audits that may be seen, the last changed first."""
        statement = _select().where(plans.c.name != "", plans.c.removed_at.is_(None))
        rows = self._database.rows(statement.order_by(plans.c.updated_at.desc(), plans.c.id))
        return [_audit_of(row) for row in rows if _may_see(row, who)]

    def get(self, id: str, who: Principal) -> Audit:
        """A kept plan, with or without a name."""
        with self._database.read() as connection:
            return _read(connection, id, who)

    def change(
        self, id: str, who: Principal, expected: int, change: PlanToKeep, now: datetime | None = None
    ) -> Audit:
        """Replace what is kept. Raises ConflictError where it is not of version `expected` any more."""
        with self._database.write_rows() as connection:
            row = _own(connection, id, who)
            _require_version(row, expected)
            values = _row(change)
            _require_free_name(connection, values["name"], row.owner, id)
            connection.execute(
                sa.update(plans)
                .where(plans.c.id == id)
                .values(
                    **values,
                    version=row.version + 1,
                    updated_at=now or datetime.now(UTC),
                    updated_by=who.user,
                )
            )
            return _read(connection, id, who)

    def remove(self, id: str, who: Principal, now: datetime | None = None) -> None:
        """Take an audit away; `restore` brings it back, with its runs, for 30 days."""
        with self._database.write_rows() as connection:
            _own(connection, id, who)
            connection.execute(
                sa.update(plans).where(plans.c.id == id).values(removed_at=now or datetime.now(UTC))
            )

    def restore(self, id: str, who: Principal) -> Audit:
        """Bring a removed audit back. Its name is made another where it was given away meanwhile."""
        with self._database.write_rows() as connection:
            row = _own(connection, id, who, is_removed=True)
            name = row.name
            taken = set(
                connection.execute(
                    sa.select(plans.c.name).where(plans.c.owner == row.owner, plans.c.removed_at.is_(None))
                ).scalars()
            )
            number = 2
            while name and name in taken:
                name, number = f"{row.name[: LONGEST_NAME - 6]} ({number})", number + 1
            connection.execute(sa.update(plans).where(plans.c.id == id).values(removed_at=None, name=name))
            return _read(connection, id, who)

    def add_run(self, run: AuditRun, result: RunResult) -> None:
        """Keep what a run gave; of one plan the newest runs are kept."""
        packed = zlib.compress(result.model_dump_json().encode(), 3)
        of_plan = {"plan": run.audit, "plan_version": run.audit_version, "parameters": json.dumps(run.values)}
        row = to_row(plan_runs, run, result=packed, **of_plan)
        with self._database.write_rows() as connection:
            connection.execute(sa.insert(plan_runs).values(row))
            newest = (
                sa.select(plan_runs.c.id)
                .where(plan_runs.c.plan == run.audit)
                .order_by(plan_runs.c.at.desc(), plan_runs.c.id)
            )
            old = connection.execute(newest.offset(KEPT_RUNS)).scalars().all()
            if old:
                connection.execute(sa.delete(plan_runs).where(plan_runs.c.id.in_(old)))

    def runs(self, id: str, who: Principal, limit: int | None = None) -> builtins.list[AuditRun]:
        """The runs of a kept plan with their results, whole, the newest first."""
        with self._database.read() as connection:
            _own(connection, id, who)
            statement = (
                sa.select(plan_runs)
                .where(plan_runs.c.plan == id)
                .order_by(plan_runs.c.at.desc(), plan_runs.c.id)
            )
            return [_run_of(row) for row in connection.execute(statement.limit(limit))]

    def last_run(
        self, id: str, who: Principal, before: int, without: Collection[str] = ()
    ) -> AuditRun | None:
        """The last run that had none of these statuses, where it saw a data version below `before`.

        None where there is none, or it is newer: its result is then not even read.
        """
        with self._database.read() as connection:
            _own(connection, id, who)
            latest = (
                sa.select(plan_runs.c.id)
                .where(plan_runs.c.plan == id, plan_runs.c.status.not_in(sorted(without)))
                .order_by(plan_runs.c.at.desc(), plan_runs.c.id)
                .limit(1)
            )
            row = connection.execute(
                sa.select(plan_runs).where(
                    plan_runs.c.id == latest.scalar_subquery(), plan_runs.c.data_version < before
                )
            ).first()
            return None if row is None else _run_of(row)

    def run(self, run: str, who: Principal) -> AuditRun:
        """One run with its result, whole: what may be seen of it is for the caller to say."""
        with self._database.read() as connection:
            row = connection.execute(sa.select(plan_runs).where(plan_runs.c.id == run)).first()
            if row is None:
                raise unknown_run(run)
            try:
                _own(connection, row.plan, who)
            except NotFoundError:
                raise unknown_run(run) from None
            return _run_of(row)

    def _tidy(self, connection: Connection, user: str, now: datetime) -> None:
        """Let go of what can no longer be brought back, and of links beyond those kept."""
        connection.execute(sa.delete(plans).where(plans.c.removed_at < now - UNDO))
        links = (
            sa.select(plans.c.id)
            .where(plans.c.owner == user, plans.c.name == "")
            .order_by(plans.c.updated_at.desc(), plans.c.id)
        )
        old = connection.execute(links.offset(KEPT_LINKS)).scalars().all()
        if old:
            connection.execute(sa.delete(plans).where(plans.c.id.in_(old)))


def _row(kept: PlanToKeep) -> dict[str, Any]:
    name = " ".join(kept.name.split())
    if len(name) > LONGEST_NAME:
        raise UsageError(
            f"The name of an audit is longer than {LONGEST_NAME} characters.", next_step="Shorten it."
        )
    text = json.dumps(kept.plan, ensure_ascii=False, separators=(",", ":"))
    if len(text) > _LARGEST_PLAN:
        raise UsageError(
            f"The plan is larger than {_LARGEST_PLAN // 1_000_000} MB.",
            next_step="Choose its documents by bucket or by a condition, and not one by one.",
        )
    return {
        "name": name,
        "question": kept.question,
        "plan": text,
        "parameters": _PARAMETERS.dump_json(kept.parameters).decode(),
        "acl": None if kept.acl is None else sorted(set(kept.acl)),
    }


def _select() -> sa.Select[Any]:
    counted = sa.select(sa.func.count()).where(plan_runs.c.plan == plans.c.id).scalar_subquery()
    return sa.select(plans, counted.label("runs"))


def unknown_audit(id: str) -> NotFoundError:
    """The same of an audit that is none and of one that may not be seen."""
    return NotFoundError(
        f"There is no audit {id!r} that you may see.",
        next_step="Ask whoever sent the link to share it with you, or choose one from the list.",
    )


def _own(connection: Connection, id: str, who: Principal, *, is_removed: bool = False) -> sa.Row[Any]:
    """The row of a plan that this principal may see. Locks it in a transaction that writes."""
    is_there = plans.c.removed_at.is_not(None) if is_removed else plans.c.removed_at.is_(None)
    statement = sa.select(plans).where(plans.c.id == id, is_there)
    is_read_only = connection.get_execution_options().get("postgresql_readonly", False)
    row = connection.execute(statement if is_read_only else statement.with_for_update()).first()
    if row is None or not _may_see(row, who):
        raise unknown_audit(id)
    return row


def _read(connection: Connection, id: str, who: Principal) -> Audit:
    _own(connection, id, who)
    return _audit_of(connection.execute(_select().where(plans.c.id == id)).one())


def _may_see(row: sa.Row[Any], who: Principal) -> bool:
    if who.is_admin or row.owner == who.user:
        return True
    return row.acl is not None and (not row.acl or not who.grantees.isdisjoint(row.acl))


def _require_version(row: sa.Row[Any], expected: int) -> None:
    if row.version != expected:
        raise ConflictError(
            f"{row.updated_by!r} changed this audit on {row.updated_at:%Y-%m-%d at %H:%M:%S} UTC, "
            "after you opened it.",
            user=row.updated_by,
            at=row.updated_at,
            next_step="Nothing is lost: look at theirs and decide again, or save yours under another name.",
        )


def _require_free_name(connection: Connection, name: str, owner: str, but: str) -> None:
    if not name:
        return
    statement = sa.select(plans.c.id).where(
        plans.c.owner == owner, plans.c.name == name, plans.c.removed_at.is_(None), plans.c.id != but
    )
    if connection.execute(statement).first() is not None:
        raise UsageError(
            f"There is an audit {name!r} already.", next_step="Choose another name, or change that one."
        )


def _audit_of(row: sa.Row[Any]) -> Audit:
    return from_row(
        Audit,
        row,
        plan=json.loads(row.plan),
        parameters=_PARAMETERS.validate_json(row.parameters),
        acl=None if row.acl is None else tuple(row.acl),
    )


def _run_of(row: sa.Row[Any]) -> AuditRun:
    result = RunResult.model_validate_json(zlib.decompress(row.result))
    return from_row(
        AuditRun,
        row,
        audit=row.plan,
        audit_version=row.plan_version,
        values={name: tuple(values) for name, values in json.loads(row.parameters).items()},
        value=result.value,
        counts=counts_of(result),
        is_whole=True,
        result=result,
    )


def counts_of(result: RunResult) -> dict[str, int]:
    """Number of documents in each part, of those that belong to the answer, and of those that it cites."""
    counts = dict.fromkeys((*LEDGER_PARTS, "answers", "cited"), 0)
    counts["cited"] = len(result.cited or ())
    for document in result.documents.values():
        if document.part is not None:
            counts[document.part] += 1
        counts["answers"] += document.answers
    return counts


def unknown_run(run: str) -> NotFoundError:
    """The same of a run that is none and of one whose audit may not be seen."""
    return NotFoundError(
        f"There is no run {run!r} that you may see.", next_step="Choose one from the audit's runs."
    )
