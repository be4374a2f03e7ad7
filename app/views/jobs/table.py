"""The table of jobs: a click on a row opens the job below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app import state
from app.components import mounts
from app.components.job import time_left
from app.components.shell import moment
from app.presenting.crawl_words import run_word, state_word
from app.presenting.wording import CANCELLING, JOB, duration
from core.domain.crawl.ledger import CrawlRun, CrawlState, UrlState
from core.domain.ids import JobId
from core.domain.job import Job, JobState

LOOK = {
    JobState.QUEUED: "idle",
    JobState.RUNNING: "ready",
    JobState.DONE: "ready",
    JobState.PARTIAL: "failed",
    JobState.FAILED: "unreadable",
    JobState.CANCELLED: "idle",
}
HEIGHT = 340  # px, where the open job stands below


def draw_jobs(
    found: Sequence[Job],
    runs: Mapping[JobId, CrawlRun],
    opened: JobId | None,
    pick: Callable[[JobId], None],
) -> None:
    """Newest first. A column that no row fills is left out. runs: of crawls, by their job."""
    key = "jobs-table"

    def sent() -> Any:
        return state.sent(key, "open")["id"]

    rows = [_row(job, runs.get(job.id)) for job in found]
    columns: list[dict[str, object]] = [
        {"key": "title", "label": "Job", "width": 220},
        {"key": "run", "label": "Run", "width": 170},
        {"key": "state", "label": "State", "width": 160, "kind": "state"},
        {"key": "done", "label": "Done", "width": 130},
        {"key": "started", "label": "Started", "width": 130},
        {"key": "left", "label": "Time left", "width": 120},
        {"key": "last", "label": "Last item", "width": 220},
        {"key": "error", "label": "Error", "width": 260, "kind": "words"},
    ]
    filled = {name for row in rows for name, value in row["cells"].items() if value}
    mounts.table(
        key=key,
        data={
            "name": "jobs",
            "label": "Jobs",
            "ticks": False,
            "most": HEIGHT if opened else None,
            "columns": [{**column, "sort": None} for column in columns if column["key"] in filled],
            "rows": rows,
            "sort": "",
            "descending": True,
            "first": 1,
            "total": len(rows),
            "size": max(1, len(rows)),
            "open": opened or "",
            "chosen": [],
        },
        on_open_change=lambda: pick(JobId(str(sent()))),
    )


def _row(job: Job, run: CrawlRun | None) -> dict[str, Any]:
    runs = not job.state.is_ended
    eta_s = time_left(job) if runs and not job.is_cancelling else None
    share = f" · {round(100 * job.share)} %" if runs and job.total else ""
    failed = run.counts.get(UrlState.FAILED.value, 0) if run is not None and job.state.is_ended else 0
    word, look = JOB[job.state], LOOK[job.state]
    if failed and job.state in (JobState.DONE, JobState.PARTIAL):
        word, look = state_word(CrawlState(job.state.value), failed)
    cells = {
        "title": job.title or job.kind,
        "run": "" if run is None else run_word(run),
        "state": CANCELLING if job.is_cancelling else word,
        "done": f"{job.done:,} of {job.total:,}{share}" if job.total else "",
        "started": moment(job.created_at),
        "left": "" if eta_s is None else duration(eta_s),
        "last": job.last_item if runs else "",
        "error": job.error or "",
    }
    hover = {"started": job.created_at.isoformat(timespec="seconds")}
    return {"id": job.id, "state": look, "note": "", "cells": cells, "hover": hover}
