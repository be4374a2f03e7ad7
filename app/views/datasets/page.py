"""Datasets: the list, one dataset, SQL over all of them, and files to register."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.controls import draw_switch
from app.components.shell import draw_error
from app.panels.jobs import draw_job
from app.views.datasets import actions, listing, one_dataset, register, sql
from core.domain.ids import JobId
from core.domain.trust.permission import Action
from core.errors import NotFoundError

VIEWS = ("List", "SQL")


def page() -> None:
    """Draw the page."""
    if asked := state.from_address("dataset"):
        _draw_one(asked)
        return
    st.title("Datasets", anchor=False)
    if job := state.open_job():
        _draw_job(job)
        return
    found = services.session().datasets.whole()
    of_documents = services.session().datasets.of_documents()
    may_register = services.may(Action.INGEST)
    if not found and not of_documents:
        listing.draw_nothing(may_register=may_register)
    elif draw_switch("View", VIEWS, "view", VIEWS[0]) == "SQL":
        sql.draw_sql([*found], of_documents)
        return
    else:
        listing.draw_list(found, of_documents)
    if may_register:
        register.draw_register(is_first=not found)
        listing.draw_removed(services.session().datasets.list(removed=True))


def _draw_one(asked: str) -> None:
    actions.draw_way_back()
    try:
        found = services.session().datasets.get(asked)
    except NotFoundError as error:
        draw_error(error)
        return
    one_dataset.draw_dataset(found)


def _draw_job(job: JobId) -> None:
    jobs = services.session().jobs
    was_running = not jobs.get(job).state.is_ended

    def panel() -> None:
        found = jobs.get(job)
        draw_job(found)
        if was_running == found.state.is_ended:
            st.rerun()

    st.fragment(panel, run_every=1 if was_running else None)()
