"""Scans that wait to be read: one button that says what it costs, and does it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import guarded
from app.panels.jobs import draw_progress, follow
from app.presenting.wording import counted, duration
from core.domain.job import Job
from core.domain.trust.permission import Action
from core.jobs.kinds import INSTALL
from core.workbench.services.jobs import SECONDS_A_PAGE, ScanOffer


def draw_scans(place: str, *, always: bool = False, beside: bool = False) -> None:
    """The scans that wait with their button, for who may have them read; else nothing.

    place: where it stands, for its key. always: also where none waits, as long as it is not installed.
    beside: it stands on a page that shows it in full as well, so a job at work is one line here.
    """
    if not services.may(Action.INGEST):
        return
    offer = services.session().scans.offer()
    if offer.job is not None and (offer.documents or always):
        if beside:
            st.caption("Text recognition is at work.")
        else:
            follow(offer.job.id, partial(_draw_work, place), _say_end)
        return
    if not offer.documents and (offer.is_installed or not always):
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"scans-{place}"):
        st.markdown(_waiting(offer), width="content")
        if st.button("Read scans", icon=":material/document_scanner:", key=f"read-scans-{place}"):
            _confirm(offer)


def _waiting(offer: ScanOffer) -> str:
    if not offer.documents:
        return "Text recognition is not installed: scans stay unreadable."
    what = counted(offer.documents, "scan")
    verb = "is an image" if offer.documents == 1 else "are images"
    return f"**{what}** ({counted(offer.pages, 'page')}) {verb} without text."


@st.dialog("Read scans")
def _confirm(offer: ScanOffer) -> None:
    if not offer.is_installed:
        st.markdown(
            "Text recognition is installed into the Python environment that runs this program: about "
            f"**{offer.download_mb} MB** to download, **{offer.disk_mb} MB** of disk. "
            "Packages that are there already stay as they are. After that it works without a network."
        )
    if offer.documents:
        st.markdown(
            f"Then {counted(offer.pages, 'page')} of {counted(offer.documents, 'scan')} are read, about "
            f"{SECONDS_A_PAGE} s a page of one core: some **{duration(offer.seconds)}** in all. "
            "Questions can be asked meanwhile."
        )
    with st.container(horizontal=True):
        label = "Read them" if offer.is_installed else "Install and read"
        label = label if offer.documents else "Install"
        if draw_button(label, guarded(_read), type="primary", key="confirm-read-scans"):
            st.rerun()
        if st.button("Not now", key="no-read-scans"):
            st.rerun()


def _read() -> None:
    job = services.session().scans.read()
    state.flash("Text recognition is at work.", job)


def _draw_work(place: str, job: Job) -> None:
    with st.container(border=True, key=f"scans-job-{place}"):
        draw_progress(job)


def _say_end(job: Job) -> None:
    if job.error:
        state.complain(job.error, "")
    elif job.kind == INSTALL:
        state.flash("Text recognition is installed.", job.id)
