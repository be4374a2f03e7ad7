"""Numbers of a home as it stands: what waits, what is away, what fills up."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib import metadata

from core.domain.document import DocumentStatus
from core.domain.job import Job, JobState
from core.domain.llm.report import ModelSpending
from core.records.base import DocumentQuery
from core.records.database.visibility import Visibility
from core.telemetry.measures import Figure
from core.workbench.status import WorkbenchStatus
from core.workbench.wiring import Parts

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
