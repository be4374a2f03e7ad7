"""The parts that a home runs on, and its backup."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path

from core.config.llm_choices import (
    ModelChoice,
    describe_choices,
    fixed_choices,
    key_origin,
    with_choices,
)
from core.config.models import LlmSettings, Settings
from core.domain.document import DocumentStatus
from core.domain.job import Job, JobState
from core.domain.llm.report import KindTest, ModelHistory, ModelSpending, ModelTestReport
from core.domain.trust.permission import Action
from core.errors import UsageError
from core.jobs.queue import is_worker_alive
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.telemetry.measures import Figure
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.status import WorkbenchStatus, count_jobs, left_out_here
from core.workbench.wiring import Parts


class SettingsService(Service):
    """State of the home as a whole."""

    @property
    def values(self) -> Settings:
        """Settings as they were loaded."""
        return self._parts.settings

    @recorded("home.backup")
    def backup(self, file: Path) -> int:
        """Write everything but the index and secrets to one file; gives its size in bytes."""
        self._permit(Action.CONFIGURE, "make backups")
        from core.workbench.backup import backup

        return backup(self._parts, file)

    @property
    def llm(self) -> LlmSettings:
        """Settings of language models that hold now: of environment, page and file."""
        return self._parts.models_of_home.settings

    @property
    def model_choices(self) -> tuple[ModelChoice, ...]:
        """Every choice of models as it holds now, with where it was decided."""
        chosen = self._parts.records.model_calls.choices()
        return describe_choices(self.values.llm, self.llm, chosen)

    @property
    def model_key_origin(self) -> str:
        """Variable or file that the key of the model server comes from, "" without one; never the key."""
        return key_origin(self.llm)

    def model_history(self, days: int = 14) -> ModelHistory:
        """What was spent on each of the last days (UTC), by role, and why calls were lost: one's own, of an
        admin all.
        """
        return self._parts.records.model_calls.history(self._principal, days)

    @recorded("settings.test_model")
    def test_model(
        self,
        on_test: Callable[[KindTest], None] = lambda test: None,
        on_begin: Callable[[Callable[[], None]], None] = lambda cancel: None,
    ) -> ModelTestReport:
        """Make one small call of each kind. Blocks, at most 45 s. Raises RefusedError, UsageError.

        on_test: gets each kind as soon as it was tried. on_begin: gets what breaks the test off.
        """
        self._permit(Action.CONFIGURE, "test the language model")
        settings = self._parts.models_of_home.require()
        from core.llm.trial import try_server  # with the first test, not before

        records, user = self._parts.records.model_calls, self._principal.user
        return try_server(settings, lambda call: records.add(call, user), on_test=on_test, on_begin=on_begin)

    def model_use(self, limit: int = 50) -> ModelSpending:
        """Tokens, cost and refusals of today (UTC), and the newest calls: one's own, of an admin all."""
        records = self._parts.records.model_calls
        recent = tuple(records.recent(self._principal, limit))
        return records.day().model_copy(update={"recent": recent, "token_limit": self.llm.tokens_per_day})

    @recorded("settings.choose_model", "choices")
    def choose_model(self, **choices: str) -> LlmSettings:
        """Choose server or models, by the names in CHOOSABLE; gives the settings that hold now.

        "" takes a choice back, so that file or default hold again. Raises RefusedError, and UsageError for a
        choice that is none or that the environment decides.
        """
        self._permit(Action.CONFIGURE, "choose language models")
        fixed = fixed_choices()
        for name in choices:
            if name in fixed:
                raise UsageError(
                    f"{fixed[name]} in the environment decides {name!r}.",
                    next_step=f"Change it there, or remove {fixed[name]} and start again.",
                )
        records = self._parts.records.model_calls
        wanted = {**records.choices(), **{name: value.strip() for name, value in choices.items()}}
        kept = {name: value for name, value in wanted.items() if value}
        with_choices(self.values.llm, kept)
        records.choose(kept, self._principal.user)
        return self.llm

    def figures(self) -> tuple[Figure, ...]:
        """Numbers of the home as they stand now, for whoever watches it. Raises RefusedError for others."""
        self._permit(Action.CONFIGURE, "watch the home")
        return figures_of(self._parts, self.status(), self.model_use(0))

    def status(self) -> WorkbenchStatus:
        """Engine, encoder, counts and the worker; cheap enough for every page."""
        parts = self._parts
        engine = parts.engines.passages.status()
        records, visible = parts.records.documents, self._visible
        running, queued = count_jobs(parts.records)
        return WorkbenchStatus(
            engine=engine.engine,
            encoder=engine.encoder.name,
            mode=parts.models_of_home.name or "offline",
            data_version=parts.records.changes.data_version(),
            documents=records.count(parts.records.copies.counted_once(visible)),
            passages=records.totals(visible).passages,
            index_passages=engine.passages,
            running_jobs=running,
            queued_jobs=queued,
            worker_alive=is_worker_alive(parts.records),
            home=os.fspath(parts.settings.home),
            search_note=parts.engines.degradation(),
            left_out=left_out_here(),
        )


_LATELY = timedelta(hours=24)
_MOST_JOBS = 500


def figures_of(
    parts: Parts, status: WorkbenchStatus, spent: ModelSpending, now: datetime | None = None
) -> tuple[Figure, ...]:
    """Each with its name, help and labels. spent: by language models today (UTC)."""
    now = now or datetime.now(UTC)
    engine = {"engine": status.engine}
    found = [
        Figure("groundwork_info", "Always 1.", 1, {"version": metadata.version("groundwork"), **engine}),
        Figure("groundwork_worker_up", "1 where a worker is there.", float(status.worker_alive)),
        Figure(
            "groundwork_search_degraded",
            "1 where another engine than the configured one answers.",
            float(bool(status.search_note)),
        ),
        Figure("groundwork_passages", "Passages in the records.", status.passages),
        Figure("groundwork_index_passages", "Passages in the index that answers.", status.index_passages),
        Figure("groundwork_audit_entries", "Entries of the audit log.", parts.records.audit_log.count()),
        Figure("groundwork_model_tokens_today", "Tokens of models since midnight UTC.", spent.tokens),
        Figure("groundwork_model_token_limit", "Most of them in a day; 0: no limit.", spent.token_limit),
        *(
            Figure("groundwork_model_calls_today", "Calls of models by outcome.", value, {"outcome": name})
            for name, value in (
                ("refused", spent.refused),
                ("failed", spent.failed),
                ("done", spent.calls - spent.refused - spent.failed),
            )
        ),
    ]
    with suppress(OSError):
        disk = shutil.disk_usage(parts.settings.home)
        found.append(Figure("groundwork_disk_free_bytes", "Free space where the home is.", disk.free))
        found.append(Figure("groundwork_disk_bytes", "All space where the home is.", disk.total))
    return (*found, *_documents(parts), *_jobs(parts.records.jobs.list(limit=_MOST_JOBS), now))


def _documents(parts: Parts) -> list[Figure]:
    count, all_of_them = parts.records.documents.count, Visibility.everything()
    return [
        Figure(
            "groundwork_documents",
            "Documents by status.",
            count(all_of_them, DocumentQuery(status=each, with_gone=True)),
            {"status": each.value},
        )
        for each in DocumentStatus
    ]


def _jobs(jobs: Iterable[Job], now: datetime) -> list[Figure]:
    """Of jobs that wait, run, or ended within a day, and how long the oldest has waited."""
    open_states = (JobState.QUEUED, JobState.RUNNING)
    counts: Counter[JobState] = Counter()
    waiting = [0.0]
    for job in jobs:
        if job.state in open_states or now - job.updated_at <= _LATELY:
            counts[job.state] += 1
        if job.state is JobState.QUEUED:
            waiting.append((now - job.created_at).total_seconds())
    return [
        *(
            Figure(
                "groundwork_jobs", "Jobs open, or ended within a day.", counts[each], {"state": each.value}
            )
            for each in JobState
        ),
        Figure("groundwork_job_waits_seconds", "How long the oldest job waits for a worker.", max(waiting)),
    ]
