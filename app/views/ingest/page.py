"""Ingest: choose a bucket, add files, start, follow."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.controls import draw_button
from app.components.shell import guarded, plain
from app.panels.jobs import draw_job, draw_running, load_sample
from app.panels.scans import draw_scans
from app.presenting.wording import counted, size
from app.running.uploads import StagedFile, Staging
from core.domain.document import valid_bucket
from core.domain.ids import JobId
from core.domain.job import JobState
from core.errors import UsageError


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Ingest", anchor=False)
    with st.container(key="reading"):
        if job := state.open_job():
            _draw_job(job)
            return
        draw_running()
        draw_scans("ingest")
        bucket = _draw_bucket([found.name for found in session.documents.buckets()])
        batch = state.batch() or Staging.new_batch()
        state.batch.set(batch)
        _draw_dropzone(batch)
        _draw_start(services.staging().files(batch), bucket, batch)
        if not session.settings.status().documents:
            st.divider()
            st.markdown("No documents at hand? The sample collection shows every kind.")
            draw_button("Load the sample collection", load_sample, key="load-sample")


def _draw_start(files: list[StagedFile], bucket: str, batch: str) -> None:
    label = f"Ingest {counted(len(files), 'file')}" if files else "Ingest"
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button(
            label, _start, batch, bucket, type="primary", disabled=not files or not bucket, key="start"
        )
        if files:
            draw_button("Clear", _clear, batch, type="tertiary", key="clear")
            total = size(sum(file.size_bytes for file in files))
            st.caption(
                f"{total} into {bucket}. A file that is there already stays; a changed one gets a version."
            )


@guarded
def _start(batch: str, bucket: str) -> None:
    session, staging = services.session(), services.staging()
    done = [job.id for job in session.jobs.list() if job.state is JobState.DONE]
    staging.sweep(done)
    files = staging.files(batch)
    title = files[0].name if len(files) == 1 else counted(len(files), "file")
    paths = staging.paths(batch)
    job = session.documents.submit_ingest(
        paths, bucket=bucket, title=f"{title} into {bucket}", names=[path.name for path in paths]
    )
    staging.link(batch, job)
    state.batch.set(None)
    state.to_address(job=job)


def _clear(batch: str) -> None:
    services.staging().discard(batch)
    state.batch.set(None)


def _draw_job(job: JobId) -> None:
    session = services.session()
    was_running = not session.jobs.get(job).state.is_ended

    def panel() -> None:
        found = session.jobs.get(job)
        draw_job(found)
        if was_running == found.state.is_ended:
            st.rerun()

    st.fragment(panel, run_every=1 if was_running else None)()
    if not was_running:
        draw_scans("ingest")
        draw_button("Ingest more", lambda: state.to_address(job=None), icon="add", key="more")


def _draw_bucket(buckets: Sequence[str]) -> str:
    """The bucket chosen or typed; "" where its name cannot be one."""
    names = list(dict.fromkeys(["default", *buckets]))
    chosen = st.selectbox(
        "Bucket",
        names,
        key="bucket-for-ingest",
        accept_new_options=True,
        width=320,
        persist_state="session",
        help="A bucket keeps documents of one kind together. Choose one, or type the name of a new one.",
    )
    try:
        return valid_bucket(" ".join((chosen or "").split()))
    except UsageError as error:
        st.warning(f"{plain(error.message)} {plain(error.next_step)}")
        return ""


def _draw_dropzone(batch: str) -> None:
    """The place to drop files; the page runs again when they have arrived."""
    mounts.dropzone(key="dropzone", data={"batch": batch}, on_arrived_change=lambda: None)
