"""A job as a person follows it: how far, how fast, how long still, what came of each file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from app.components.controls import draw_button, draw_page_link
from app.components.shell import plain
from app.presenting.wording import CANCELLING, JOB, OUTCOME, duration
from core.domain.document import IngestOutcome
from core.domain.ids import JobId
from core.domain.job import IngestItem, Job, JobState
from core.jobs.kinds import CRAWL, INSTALL, OCR, READ_CELLS

OF_FILES = ("ingest", "reingest")
_STEPS = {OCR: "page", READ_CELLS: "call"}  # of one item; passages else
_LAST = {CRAWL: "address", READ_CELLS: "document"}
ENOUGH = 5  # files done before a time left means anything: the first ones wait for the worker to load


@dataclass(frozen=True, slots=True)
class JobActions:
    """Actions of a page on a job."""

    cancel: Callable[[JobId], None]
    resume: Callable[[JobId], None]


def draw_progress(job: Job, actions: JobActions, *, is_cancelling: bool, has_worker: bool) -> None:
    """One bar and one line; cancel while it runs, resume where that helps."""
    is_cancelling = job.is_cancelling or (is_cancelling and not job.state.is_ended)
    word = CANCELLING if is_cancelling else JOB[job.state]
    st.markdown(f"**{word}**: {plain(job.title or job.kind)}")
    if not job.state.is_ended:
        if not has_worker:
            st.warning(
                "No worker is running, so nothing moves. `groundwork up` starts one again within seconds; "
                "what is done stays done."
            )
        of_files = job.kind in OF_FILES
        beginning = "Counting the files" if of_files else "Beginning"
        st.progress(job.share, text=f"{job.done:,} of {job.total:,}" if job.total else beginning)
        facts = []
        if job.rate:
            facts.append(f"{job.rate:.1f} a second" if job.rate >= 1 else f"{job.rate * 60:.0f} a minute")
        if (left_s := time_left(job)) is not None:
            facts.append(f"about {duration(left_s)} left")
        if job.current and job.current.total:
            what = _STEPS.get(job.kind, "passage")
            facts.append(f"{job.current.source}: {what} {job.current.done:,} of {job.current.total:,}")
            if left_s is None and job.current.left_s is not None:
                facts.append(f"about {duration(job.current.left_s)} left of this file")
        elif job.current:
            is_step = job.kind == INSTALL
            facts.append(job.current.source if is_step else f"reading {job.current.source}")
        elif job.last_item:
            facts.append(f"last {_LAST.get(job.kind, 'file')}: {job.last_item}")
        if not facts and job.total and of_files:
            facts.append("reading the first files")
        st.caption(plain(" · ".join(facts)) or "Starting")
        with st.container(horizontal=True, vertical_alignment="center"):
            draw_button(
                "Cancelling" if is_cancelling else "Cancel",
                actions.cancel,
                job.id,
                icon="stop_circle",
                disabled=is_cancelling,
                key=f"cancel-{job.id}",
            )
            draw_page_link("ask", "Keep asking meanwhile", "forum")
        if is_cancelling:
            st.caption(
                "The files in hand are finished first. What is done stays."
                if of_files
                else "What is half done is not used."
                if job.kind == INSTALL
                else "The call under way is given up; what was read stays."
                if job.kind == READ_CELLS
                else "The crawl is paused: what is fetched stays, and it can go on from there."
                if job.kind == CRAWL
                else "The index that serves stays as it is."
            )
        return
    if job.error:
        st.error(plain(job.error))
    if job.state in (JobState.FAILED, JobState.CANCELLED, JobState.PARTIAL):
        label = "Try the failed ones again" if job.state is JobState.PARTIAL else "Go on with the rest"
        if job.state is not JobState.PARTIAL and job.total:
            st.caption(f"{job.done:,} of {job.total:,} done")
        draw_button(label, actions.resume, job.id, icon="play_arrow", key=f"resume-{job.id}")


def time_left(job: Job) -> float | None:
    """Seconds left that mean something: after some files, or where the last one is well under way."""
    is_last = job.total - job.done <= 1 and job.current is not None and job.current.left_s is not None
    return job.eta_s if is_last or job.done >= ENOUGH else None


def draw_outcomes(items: Sequence[IngestItem]) -> None:
    """Counts of each outcome, then a row a file: what went wrong first."""
    if not items:
        return
    counts = {outcome: sum(item.outcome is outcome for item in items) for outcome in IngestOutcome}
    st.markdown(" · ".join(f"{OUTCOME[o]} **{n:,}**" for o, n in counts.items() if n))
    order = [
        IngestOutcome.FAILED,
        IngestOutcome.UNREADABLE,
        IngestOutcome.UPDATED,
        IngestOutcome.READY,
        IngestOutcome.UNCHANGED,
    ]
    rows = sorted(items, key=lambda item: order.index(item.outcome))
    columns = st.column_config
    st.dataframe(
        {
            "File": [item.source for item in rows],
            "Outcome": [[OUTCOME[item.outcome]] for item in rows],
            "Reason": [item.reason for item in rows],
            "Pages": [item.pages for item in rows],
            "Passages": [item.passages for item in rows],
            "Bucket": [item.bucket for item in rows],
        },
        hide_index=True,
        height=min(420, 38 + 35 * len(rows)),
        alt="What came of each file",
        column_config={
            "File": columns.TextColumn(width=250),
            "Outcome": columns.MultiselectColumn(
                width=122,
                options=list(dict.fromkeys(OUTCOME.values())),
                color=["blue", "blue", "gray", "violet", "yellow"],
            ),
            "Reason": columns.TextColumn(width="large"),
        },
    )


def draw_next(items: Sequence[IngestItem]) -> None:
    """Next steps once a job is done."""
    ready = [
        i for i in items if i.outcome in (IngestOutcome.READY, IngestOutcome.UPDATED, IngestOutcome.UNCHANGED)
    ]
    if not ready:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_page_link(
            "ask",
            f"Ask about {'this document' if len(ready) == 1 else f'these {len(ready):,} documents'}",
            "forum",
            **{"in": ",".join(sorted({item.bucket for item in ready}))},
            about=(ready[0].document or "") if len(ready) == 1 else "",
        )
        draw_page_link("documents", "See them in the table", "description")
