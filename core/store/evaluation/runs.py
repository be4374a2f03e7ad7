"""Runs of suites, kept case by case: what is measured stays, whatever becomes of the run."""

from __future__ import annotations

import builtins
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from core.errors import NotFoundError
from core.store.database.db import Repository, insert_or_ignore, insert_or_update, slices
from core.store.database.schema import traces
from core.store.database.trust_tables import review_items
from core.store.database.work_tables import (
    evaluation_results,
    evaluation_runs,
    evaluation_suites,
    muted_cases,
)


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run as it is kept. cases: those of its suite at its start, as JSON."""

    id: str
    suite: str
    job: str
    user: str
    with_model: bool
    versions: Mapping[str, Any]
    cases: str
    total: int
    created_at: datetime


class EvaluationRuns(Repository):
    """Keeps runs and their results. Thread-safe."""

    def create(
        self,
        suite: str,
        cases: str,
        total: int,
        versions: Mapping[str, Any],
        *,
        user: str,
        with_model: bool,
        now: datetime | None = None,
    ) -> KeptRun:
        """A new run without results."""
        found = KeptRun(
            f"e{secrets.token_hex(8)}",
            suite,
            "",
            user,
            with_model,
            dict(versions),
            cases,
            total,
            now or datetime.now(UTC),
        )
        values = {name: getattr(found, name) for name in KeptRun.__slots__}
        self._database.run_rows(sa.insert(evaluation_runs).values(**values))
        return found

    def set_job(self, run: str, job: str) -> None:
        """Note the job that does a run."""
        is_run = evaluation_runs.c.id == run
        self._database.run_rows(sa.update(evaluation_runs).where(is_run).values(job=job))

    def get(self, run: str) -> KeptRun:
        """A run. Raises NotFoundError."""
        row = self._database.first(sa.select(evaluation_runs).where(evaluation_runs.c.id == run))
        if row is None:
            raise NotFoundError(
                f"There is no evaluation run {run!r}.", next_step="List them with: groundwork evaluate list"
            )
        return KeptRun(**row._mapping)

    def list(self, limit: int = 100, suite: str = "", user: str = "") -> builtins.list[KeptRun]:
        """Runs, the newest first. suite, user: of that one alone."""
        column = evaluation_runs.c
        wanted = sa.select(evaluation_runs).order_by(column.created_at.desc(), column.id).limit(limit)
        if suite:
            wanted = wanted.where(column.suite == suite)
        if user:
            wanted = wanted.where(column.user == user)
        return [KeptRun(**row._mapping) for row in self._database.rows(wanted)]

    def remove(self, run: str) -> None:
        """Forget a run with its results and their traces. Raises NotFoundError."""
        told = [json.loads(each).get("trace") for each in self.results(run)]
        with self._database.write_rows() as connection:
            for some in slices([each for each in told if each]):
                reviewed = sa.select(review_items.c.trace)
                gone = sa.and_(traces.c.id.in_(some), traces.c.id.not_in(reviewed))
                connection.execute(sa.delete(traces).where(gone))
            connection.execute(sa.delete(evaluation_results).where(evaluation_results.c.run == run))
            done = connection.execute(sa.delete(evaluation_runs).where(evaluation_runs.c.id == run))
        if not done.rowcount:
            raise NotFoundError(f"There is no evaluation run {run!r}.")

    def keep(self, run: str, case: str, ordinal: int, result: str, now: datetime | None = None) -> None:
        """Keep what came of a case; the first result of a run stays."""
        row = {"run": run, "case": case, "ordinal": ordinal, "result": result, "at": now or datetime.now(UTC)}
        with self._database.write_rows() as connection:
            insert_or_ignore(connection, evaluation_results, [row])

    def results(self, run: str) -> builtins.list[str]:
        """Results of a run so far, as JSON, in the order of its suite."""
        column = evaluation_results.c
        wanted = sa.select(column.result).where(column.run == run).order_by(column.ordinal)
        return [str(each) for each in self._database.scalars(wanted)]

    def measured(self, run: str) -> frozenset[str]:
        """Ids of the cases of a run that have a result."""
        column = evaluation_results.c
        return frozenset(self._database.scalars(sa.select(column.case).where(column.run == run)))


@dataclass(frozen=True, slots=True)
class KeptSuite:
    """A suite of this home. cases: as JSON values."""

    name: str
    title: str
    cases: Sequence[Mapping[str, Any]]
    account: str
    updated_at: datetime


class EvaluationSuites(Repository):
    """Keeps the suites of a home, and which cases do not count. Thread-safe."""

    def keep(self, name: str, title: str, cases: Sequence[Mapping[str, Any]], account: str) -> None:
        """Keep a suite in place of an earlier one of its name."""
        row = {"name": name, "title": title, "cases": json.dumps(list(cases)), "account": account}
        with self._database.write_rows() as connection:
            insert_or_update(connection, evaluation_suites, {**row, "updated_at": datetime.now(UTC)})

    def add(self, name: str, case: Mapping[str, Any], account: str) -> None:
        """Add a case to a suite, which is made where it is not there; one of the same id is replaced."""
        column = evaluation_suites.c
        wanted = sa.select(column.title, column.cases).where(column.name == name).with_for_update()
        with self._database.write_rows() as connection:
            row = connection.execute(wanted).first()
            others = [each for each in json.loads(row.cases) if each["id"] != case["id"]] if row else []
            values = {"cases": json.dumps([*others, dict(case)]), "account": account}
            kept = {"name": name, "title": row.title if row else name, **values}
            insert_or_update(connection, evaluation_suites, {**kept, "updated_at": datetime.now(UTC)})

    def remove(self, name: str) -> None:
        """Forget a suite; its runs stay. Raises NotFoundError."""
        is_suite = evaluation_suites.c.name == name
        if not self._database.run_rows(sa.delete(evaluation_suites).where(is_suite)):
            raise NotFoundError(f"There is no suite {name!r} of this home.")

    def list(self, name: str = "") -> builtins.list[KeptSuite]:
        """Every suite of this home, by name. name: of that one alone."""
        wanted = sa.select(evaluation_suites).order_by(evaluation_suites.c.name)
        rows = self._database.rows(wanted.where(evaluation_suites.c.name == name) if name else wanted)
        return [
            KeptSuite(row.name, row.title, json.loads(row.cases), row.account, row.updated_at) for row in rows
        ]

    def mute(self, suite: str, case: str, reason: str, account: str) -> None:
        """Keep that a case does not count, and why."""
        row = {"suite": suite, "case": case, "reason": reason, "account": account, "at": datetime.now(UTC)}
        with self._database.write_rows() as connection:
            insert_or_update(connection, muted_cases, row)

    def unmute(self, suite: str, case: str) -> None:
        """Let a case count again; nothing where it does."""
        column = muted_cases.c
        self._database.run_rows(sa.delete(muted_cases).where(column.suite == suite, column.case == case))

    def muted(self, suite: str = "") -> builtins.list[dict[str, Any]]:
        """Cases that do not count, with suite, case, reason, account and at; of one suite, or of all."""
        wanted = sa.select(muted_cases).order_by(muted_cases.c.suite, muted_cases.c.case)
        if suite:
            wanted = wanted.where(muted_cases.c.suite == suite)
        return [dict(row._mapping) for row in self._database.rows(wanted)]
