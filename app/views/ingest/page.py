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
from app.running.uploads import StagedFile, Staging
from app.views.ingest.same_names import draw_same_names
from core.domain.document import bucket_at, valid_bucket
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
    folders = _draw_folders(services.staging().folders(batch, bucket)) if bucket else {}
    choices: dict[str, SameNameChoice] = {}
    if files and bucket:
        choices = draw_same_names(batch, files, [bucket_at(file.name, folders, bucket) for file in files])
    label = f"Ingest {counted(len(files), 'file')}" if files else "Ingest"
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button(
            label,
            _start,
            batch,
            bucket,
            folders,
            choices,
            type="primary",
            disabled=not files or not bucket,
            key="start",
        )
        if files:
            draw_button("Clear", _clear, batch, type="tertiary", key="clear")
            total = size(sum(file.size_bytes for file in files))
            into = counted(len(set(folders.values())), "bucket") if folders else bucket
            st.caption(f"{total} into {into}. A file that is there already stays as it is.")


def _draw_folders(folders: Mapping[str, str]) -> Mapping[str, str]:
    """The folders, where there are several and each is to be a bucket; their paths are kept anyway."""
    if len(folders) < 2:
        return {}
    named = ", ".join(plain(place.rpartition("/")[2]) for place in list(folders)[:4])
    is_wanted = st.checkbox(
        f"A bucket for each of {counted(len(folders), 'folder')}: {named}{' …' if len(folders) > 4 else ''}",
        key="bucket-for-each-folder",
        help="Else all go into the bucket above. The folders stay part of each document's file name.",
    )
    return folders if is_wanted else {}


@guarded
def _start(
    batch: str, bucket: str, folders: Mapping[str, str], choices: Mapping[str, SameNameChoice]
) -> None:
    session, staging = services.session(), services.staging()
    done = [job.id for job in session.jobs.list() if job.state is JobState.DONE]
    staging.sweep(done)
    files, paths = staging.files(batch), staging.paths(batch)
    title = files[0].name if len(files) == 1 else counted(len(files), "file")
    into = counted(len(set(folders.values())), "bucket") if folders else bucket
    job = session.documents.submit_ingest(
        paths,
        bucket=bucket,
        title=f"{title} into {into}",
        names=[path.name for path in paths],
        folders=folders,
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
