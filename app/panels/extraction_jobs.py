"""Jobs that fill cells, as one line with its progress, on the pages whose fields and cells they change."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import services
from app.components.job import time_left
from app.components.shell import plain
from app.presenting.wording import duration
from core.domain.ids import JobId
from core.domain.job import JobState

KINDS = ("extract", "retrain", "ocr")  # reading cells by a model is shown by its own panel
MOST = 4


def draw_filling() -> None:
    """Every job that fills cells, the next to end first, until it ends; then the page is drawn again.

    The place is there also while nothing runs: else what stands below would be made anew, and with it lose
    what is being typed.
    """
    session = services.session()
    with st.container(horizontal=True, vertical_alignment="center"):
        if not session.settings.status().open_jobs:
            return
        running = [job for job in session.jobs.list() if job.kind in KINDS and not job.state.is_ended]
        for job in running[::-1][:MOST]:
            st.fragment(_following(job.id), run_every=1)()
        if len(running) > MOST:
            st.markdown(f":small[[{len(running) - MOST:,} more jobs](/jobs)]", width="content")


def _following(job: JobId) -> Callable[[], None]:
    def follow() -> None:
        session = services.session()
        now = session.jobs.get(job)
        if now.state.is_ended:
            st.rerun()
        parts = [f"[{plain(now.title or now.kind)}](/jobs?job={job})"]
        begun = "waits for its turn" if now.state is JobState.QUEUED else "beginning"
        parts.append(f"{now.done:,} of {now.total:,}" if now.total else begun)
        if (left_s := time_left(now)) is not None:
            parts.append(f"about {duration(left_s)} left")
        if not session.settings.status().worker_alive:
            parts.append("no worker is running, so nothing moves")
        st.progress(now.share, text=" · ".join(parts), width=400)

    return follow
