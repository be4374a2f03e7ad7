"""Ingest: choose a bucket, add files, start, follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.controls import draw_button
from app.components.shell import guarded, plain
from app.panels.jobs import draw_job, draw_running, load_sample
from app.panels.scans import draw_scans
from app.presenting.wording import counted, size
from app.running.uploads import StagedFile, StagedInput, Staging, top_folders
from app.views.ingest.same_names import draw_same_names
from core.domain.document import valid_bucket
from core.domain.ids import DocumentId, JobId
from core.domain.job import JobState, SameNameChoice
from core.errors import UsageError

MOST_NAMED = 5


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Ingest", anchor=False)
    if job := state.open_job():
        _draw_job(job)
        return
    with st.container(key="reading"):
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
    by_folder = _draw_folders(files)
    inputs = services.staging().inputs(batch, bucket, by_folder=by_folder) if bucket else []
    choices: dict[str, SameNameChoice] = {}
    if files and bucket:
        of = {each.name: each.bucket for each in inputs}
        choices = draw_same_names(batch, files, [_bucket_of(file.name, of, bucket) for file in files])
    label = f"Ingest {counted(len(files), 'file')}" if files else "Ingest"
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button(
            label,
            _start,
            batch,
            bucket,
            inputs,
            choices,
            type="primary",
            disabled=not files or not bucket,
            key="start",
        )
        if files:
            draw_button("Clear", _clear, batch, type="tertiary", key="clear")
            total = size(sum(file.size_bytes for file in files))
            into = counted(len({each.bucket for each in inputs}), "bucket") if by_folder else bucket
            st.caption(f"{total} into {into}. A file that is there already stays as it is.")


def _draw_folders(files: list[StagedFile]) -> bool:
    """Whether each folder becomes a bucket, where there are several; their paths are kept anyway."""
    folders = top_folders([file.name for file in files])
    if len(folders) < 2:
        return False
    named = ", ".join(plain(name) for name in folders[:4]) + (" …" if len(folders) > 4 else "")
    return st.checkbox(
        f"A bucket for each of {counted(len(folders), 'folder')}: {named}",
        key="bucket-for-each-folder",
        help="Else all go into the bucket above. The folders stay part of each document's file name.",
    )


def _bucket_of(name: str, buckets: Mapping[str, str], bucket: str) -> str:
    """The bucket of a file: of the input that it is, or in which it lies."""
    parts = name.split("/")
    places = ("/".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((buckets[place] for place in places if place in buckets), bucket)


@guarded
def _start(
    batch: str, bucket: str, inputs: Sequence[StagedInput], choices: Mapping[str, SameNameChoice]
) -> None:
    session, staging = services.session(), services.staging()
    done = [job.id for job in session.jobs.list() if job.state is JobState.DONE]
    staging.sweep(done)
    files = staging.files(batch)
    title = files[0].name if len(files) == 1 else counted(len(files), "file")
    buckets = [each.bucket for each in inputs]
    into = bucket if set(buckets) <= {bucket} else counted(len(set(buckets)), "bucket")
    job = session.documents.submit_ingest(
        [each.path for each in inputs],
        bucket=bucket,
        title=f"{title} into {into}",
        names=[each.name for each in inputs],
        buckets=buckets,
        choices=choices,
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
        _draw_vanished(job)
        draw_scans("ingest")
        draw_button("Ingest more", lambda: state.to_address(job=None), icon="add", key="more")


def _draw_vanished(job: JobId) -> None:
    """Documents whose files the folder does not have any more: a remark, and one button."""
    gone = services.session().documents.vanished(job)
    if not gone:
        return
    with st.container(border=True, key="vanished"):
        have = "document is" if len(gone) == 1 else "documents are"
        named = ", ".join(plain(each.name) for each in gone[:MOST_NAMED])
        more = f" and {len(gone) - MOST_NAMED:,} more" if len(gone) > MOST_NAMED else ""
        st.markdown(f"**{len(gone):,} {have} no longer in the folder**: {named}{more}.")
        draw_button(
            "Take out of the collection",
            _withdraw,
            [each.id for each in gone],
            key="withdraw",
            help="No search, list or count has them then. Answers that cite them still open their pages.",
        )


@guarded
def _withdraw(documents: Sequence[DocumentId]) -> None:
    withdrawn = services.session().documents.withdraw(documents)
    state.flash(f"{counted(len(withdrawn), 'document')} taken out of the collection.")


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
