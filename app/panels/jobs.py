"""Jobs as a person follows them: how far, how fast, how long still, what came of each file, controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import streamlit as st

from app import services, state
from app.components.controls import draw_button, draw_page_link
from app.components.shell import draw_said, guarded, plain
from app.presenting.wording import CANCELLING, JOB, OUTCOME, counted, duration, outcome_of
from core.domain.document import IngestOutcome
from core.domain.ids import JobId
from core.domain.job import IngestItem, Job, JobState
from core.errors import NotFoundError
from core.jobs.kinds import CRAWL, DATASETS, INSTALL, OCR, READ_CELLS
from core.text.file_parts import note_of

OF_FILES = ("ingest", "reingest")
_STEPS = {OCR: "page", READ_CELLS: "call", DATASETS: "byte"}  # of one item; passages else
_UNIT = {READ_CELLS: " documents"}
_LAST = {CRAWL: "address", READ_CELLS: "document"}
ENOUGH = 5  # files done before a time left means anything: the first ones wait for the worker to load
FILLING = ("extract", "retrain", "ocr")  # kinds that fill cells; reading by a model is shown by its own panel
MOST_FILLING, MOST_RUNNING = 4, 3
LOOK_EVERY_S = 2


def draw_job(job: Job) -> None:
    """Progress of the job, the outcome of each file, and the next step."""
    draw_said()
    draw_progress(job)
    try:
        items = services.session().jobs.items(job.id)
    except NotFoundError:
        items = []
    draw_outcomes(items)
    if job.kind == DATASETS:
        draw_page_link("datasets", "See the datasets", "database")
    elif job.state.is_ended:
        draw_next(items)


def follow(job: JobId, draw: Callable[[Job], None], at_end: Callable[[Job], None] = lambda job: None) -> None:
    """Draw a job anew every second until it ends; then, behind `at_end`, the page."""

    def look() -> None:
        now = services.session().jobs.get(job)
        if now.state.is_ended:
            at_end(now)
            st.rerun()
        draw(now)

    st.fragment(look, run_every=1)()


@st.fragment(run_every=LOOK_EVERY_S)
def draw_running() -> None:
    """The ingests that run, whoever began them and in whatever tab, each with its progress and its own page.

    It looks again by itself, so also one is shown that began after the page was drawn.
    """
    with st.container(key="running-ingests"):
        for job in _at_work(OF_FILES, MOST_RUNNING):
            with st.container(border=True):
                draw_progress(job)
                if st.button("Show its files", icon=":material/list:", type="tertiary", key=f"show-{job.id}"):
                    state.to_address(job=job.id)
                    st.rerun()


def draw_filling(kinds: Sequence[str] = FILLING) -> None:
    """Every job of these kinds, the next to end first, until it ends; then the page is drawn again.

    The place is there also while nothing runs: else what stands below would be made anew, and with it lose
    what is being typed.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        for job in _at_work(kinds, MOST_FILLING):
            follow(job.id, _draw_line)


def _at_work(kinds: Sequence[str], most: int) -> Iterator[Job]:
    """The jobs of these kinds that run, the oldest first; behind them, how many more there are."""
    session = services.session()
    if not session.settings.status().open_jobs:
        return
    running = [job for job in session.jobs.list() if job.kind in kinds and not job.state.is_ended]
    yield from running[::-1][:most]
    if len(running) > most:
        st.markdown(f":small[[{len(running) - most:,} more jobs](/jobs)]", width="content")


def _draw_line(job: Job) -> None:
    begun = "waits for its turn" if job.state is JobState.QUEUED else "beginning"
    left_s = time_left(job)
    parts = [
        f"[{plain(job.title or job.kind)}](/jobs?job={job.id})",
        f"{job.done:,} of {job.total:,}{_UNIT.get(job.kind, '')}" if job.total else begun,
        f"about {duration(left_s)} left" if left_s is not None else "",
        "" if services.session().settings.status().worker_alive else "no worker is running, so nothing moves",
    ]
    st.progress(job.share, text=" · ".join(filter(None, parts)), width=400)


@guarded
def load_sample() -> None:
    """Begin to read the sample collection."""
    job = services.session().documents.submit_sample()
    state.flash("The sample collection is being loaded.", job)


def rerun_on_change(*, is_awaited: bool = False) -> None:
    """While a job is open, draw the page again whenever the collection changes; is_awaited: in any case."""
    if not is_awaited and not services.session().settings.status().open_jobs:
        return
    shown = services.bench().data_version()

    def look() -> None:
        if services.bench().data_version() != shown:
            st.rerun()

    st.fragment(look, run_every=2)()


@guarded
def _cancel(job: JobId) -> None:
    services.session().jobs.cancel(job)
    state.note_cancel(job)


@guarded
def resume(job: JobId) -> None:
    """Go on with a job that ended too early."""
    services.session().jobs.resume(job)
    state.note_cancel(job, asked=False)


def draw_progress(job: Job) -> None:
    """One bar and one line; cancel while it runs, resume where that helps."""
    is_cancelling = job.is_cancelling or (state.is_cancelling(job.id) and not job.state.is_ended)
    word = CANCELLING if is_cancelling else JOB[job.state]
    st.markdown(f"**{word}**: {plain(job.title or job.kind)}")
    if not job.state.is_ended:
        if not services.session().settings.status().worker_alive:
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
                _cancel,
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
        draw_button(label, resume, job.id, icon="play_arrow", key=f"resume-{job.id}")


def time_left(job: Job) -> float | None:
    """Seconds left that mean something: after some files, or where the last one is well under way."""
    is_last = job.total - job.done <= 1 and job.current is not None and job.current.left_s is not None
    return job.eta_s if is_last or job.done >= ENOUGH else None


def draw_outcomes(items: Sequence[IngestItem]) -> None:
    """Counts of each outcome, then a row a file: what went wrong first."""
    if not items:
        return
    order = [
        IngestOutcome.FAILED,
        IngestOutcome.UNREADABLE,
        IngestOutcome.UPDATED,
        IngestOutcome.READY,
        IngestOutcome.UNCHANGED,
    ]
    rows = sorted(items, key=lambda item: (order.index(item.outcome), not item.gaps))
    counts = Counter(map(outcome_of, rows))
    st.markdown(" · ".join(f"{said} **{n:,}**" for said, n in counts.items()))
    if alike := services.session().documents.copies([item.document for item in items if item.document]):
        st.caption(f"{counted(len(alike), 'file has', 'files have')} copies, which count once.")
    known = list(dict.fromkeys(OUTCOME.values()))
    with_gaps = [said for said in counts if said not in known]
    columns, of_rows = st.column_config, not any(item.pages for item in rows)  # of rows: those of datasets
    st.dataframe(
        {
            "File": [item.source for item in rows],
            "Outcome": [[outcome_of(item)] for item in rows],
            "Reason": [note_of(item) for item in rows],
            **({} if of_rows else {"Pages": [item.pages for item in rows]}),
            **({} if of_rows else {"Passages": [item.passages for item in rows]}),
            "Bucket": [item.bucket for item in rows],
        },
        hide_index=True,
        height=min(420, 38 + 35 * len(rows)),
        alt="What came of each file",
        column_config={
            "File": columns.TextColumn(width=250),
            "Outcome": columns.MultiselectColumn(
                width=200 if any("," in said for said in with_gaps) else 122,
                options=[*known, *with_gaps],
                color=["blue", "blue", "gray", "violet", "yellow", *("yellow" for _ in with_gaps)],
            ),
            "Reason": columns.TextColumn(width=510),
            "Pages": columns.NumberColumn(width=70),
            "Passages": columns.NumberColumn(width=84),
            "Bucket": columns.TextColumn(width=100),
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
