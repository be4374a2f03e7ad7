"""The table of jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import state
from app.components.job import ENOUGH
from app.components.wording import JOB, counted, duration
from core.domain.ids import JobId
from core.domain.job import Job


def draw_jobs(found: Sequence[Job], picked: Callable[[JobId | None], None]) -> None:
    """Newest first; a chosen row shows the job below."""
    running = sum(not job.state.is_ended for job in found)
    st.markdown(f"**{counted(len(found), 'job')}**" + (f", {running:,} running" if running else ""))
    ids = [job.id for job in found]
    key = f"jobs-{len(ids)}"

    def changed() -> None:
        rows = state.widget(key, {}).get("selection", {}).get("rows", [])
        picked(ids[rows[0]] if rows and rows[0] < len(ids) else None)

    columns = st.column_config
    st.dataframe(
        {
            "Job": [job.title or job.kind for job in found],
            "State": [[JOB[job.state]] for job in found],
            "Progress": [job.done / job.total if job.total else float(job.state.is_ended) for job in found],
            "Done": [f"{job.done:,} of {job.total:,}" for job in found],
            "Time left": [
                duration(job.eta_s)
                if job.eta_s is not None and job.done >= ENOUGH and not job.state.is_ended
                else ""
                for job in found
            ],
            "Started": [job.created_at for job in found],
            "Last file": [job.last_item for job in found],
            "Error": [job.error or "" for job in found],
        },
        key=key,
        hide_index=True,
        height=min(420, 38 + 35 * len(found)),
        selection_mode="single-row",
        on_select=changed,
        alt="Jobs",
        column_config={
            "Job": columns.TextColumn(width="medium"),
            "State": columns.MultiselectColumn(
                width=150,
                options=list(JOB.values()),
                color=["gray", "blue", "blue", "yellow", "violet", "gray"],
            ),
            "Progress": columns.ProgressColumn(width="small", format="percent", min_value=0.0, max_value=1.0),
            "Started": columns.DatetimeColumn(width=160, format="D MMM YYYY, HH:mm"),
        },
    )
