"""Jobs that fill cells, as one line with its progress, on the pages whose fields and cells they change."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import services
from app.components.job import ENOUGH
from app.components.shell import plain
from app.components.wording import duration
from core.domain.ids import JobId

KINDS = ("extract", "retrain", "ocr")


def draw_filling() -> None:
    """The newest job that fills cells, until it ends; then the page is drawn again."""
    bench, principal = services.bench(), services.current_principal()
    if not bench.status(principal).running_jobs:
        return
    running = [job for job in bench.jobs(principal) if job.kind in KINDS and not job.state.is_ended]
    if running:
        st.fragment(_following(running[0].id), run_every=1)()


def _following(job: JobId) -> Callable[[], None]:
    def follow() -> None:
        bench, principal = services.bench(), services.current_principal()
        now = bench.job(job, principal)
        if now.state.is_ended:
            st.rerun()
        parts = [plain(now.title or now.kind)]
        parts.append(f"{now.done:,} of {now.total:,}" if now.total else "beginning")
        if now.eta_s is not None and now.done >= ENOUGH:
            parts.append(f"about {duration(now.eta_s)} left")
        if not bench.status(principal).worker_alive:
            parts.append("no worker is running, so nothing moves")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(now.share, text=" · ".join(parts), width=520)
            st.markdown(f"[Follow the job](/jobs?job={job})", width="content")

    return follow
