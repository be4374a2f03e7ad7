"""Settings: what this home runs on, and what can be done for its search index."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.shell import draw_said, guarded
from app.panels.jobs import draw_job
from app.panels.lags import draw_lags
from app.panels.scans import draw_scans
from app.presenting.wording import counted
from app.views.settings.accounting import draw_accounting
from app.views.settings.facts import Fact, draw_facts
from app.views.settings.index_state import IndexActions, draw_engine
from app.views.settings.models import draw_models
from core.domain.trust.permission import Action
from core.workbench import WorkbenchStatus


def _engine(status: WorkbenchStatus) -> str:
    names = {"embedded": "in local files", "weaviate": "Weaviate"}
    name = names.get(status.engine, status.engine)
    return f"{name}. {status.search_note}" if status.search_note else name


def _answers(status: WorkbenchStatus) -> str:
    if status.mode == "offline":
        return "offline: composed from quotes, no language model, no network"
    return f"written by {status.mode}, every sentence checked; from quotes alone where it fails"


def _sign_in() -> str:
    """How people sign in, in words."""
    if not services.needs_sign_in():
        return "none: only this machine is served, to whoever is at it. Add an account on the page People"
    chosen = services.bench().settings.sign_in
    return (
        f"local accounts, and {chosen.label} at {chosen.issuer}" if chosen.has_provider else "local accounts"
    )


def page() -> None:
    """Draw the page."""
    session = services.session()
    status, settings = session.settings.status(), services.bench().settings
    st.title("Settings", anchor=False)
    with st.container(key="reading"):
        draw_facts(
            "Now",
            "Part",
            [
                Fact("Search engine", _engine(status), not status.search_note),
                *(
                    [Fact("Database", f"reachable. {session.index.database()}", True)]
                    if services.may(Action.CONFIGURE)
                    else []
                ),
                Fact("Encoder", status.encoder),
                Fact("Answers", _answers(status)),
                Fact(
                    "Worker",
                    "alive"
                    if status.worker_alive
                    else "not running: files wait until one starts; run `groundwork up`",
                    status.worker_alive,
                ),
                Fact(
                    "Collection",
                    f"{counted(status.documents, 'document')}, {counted(status.passages, 'passage')}",
                    status.documents > 0,
                ),
                *([Fact("Sign-in", _sign_in())] if services.may(Action.CONFIGURE) else []),
                *([Fact("Plug-ins left out", " ".join(status.left_out), False)] if status.left_out else []),
                Fact("Data version", f"{status.data_version:,}"),
                Fact("Jobs", f"{status.running_jobs:,} running, {status.queued_jobs:,} queued"),
            ],
        )
        lags = st.container()  # filled last: it counts what lacks vectors
        draw_scans("settings", always=True)
        draw_models()
        draw_accounting()
        index = st.container()  # filled last: a server may take its deadline to answer
        draw_facts(
            "Chosen in groundwork.toml",
            "Setting",
            [
                Fact("Home", str(settings.home)),
                Fact("Chunking profile", settings.ingest.profile),
                Fact("Largest file", f"{settings.ingest.max_file_mb:,} MB"),
                Fact("Hidden cells of workbooks", settings.ingest.hidden_cells),
                Fact("Passages read per search", f"{settings.retrieval.pool:,}"),
                Fact(
                    "Looks for a named document first",
                    "yes" if settings.retrieval.resolve_documents else "no",
                ),
                Fact(
                    "Quotes in an answer, at most",
                    f"{settings.answer.max_claims:,} (lists and steps may have more)",
                ),
                Fact("Longest question", counted(settings.answer.max_question_chars, "character")),
            ],
        )
        st.caption(
            "To change one, edit groundwork.toml in the home folder or set GROUNDWORK_SECTION__KEY, and "
            "start again. `groundwork doctor` checks all of it."
        )
    if services.may(Action.CONFIGURE):
        with lags:
            draw_lags(session.experiments.staleness(), at="settings")
    if services.may(Action.CONFIGURE) and services.may(Action.INGEST):  # its repairs are jobs
        with index:
            _draw_index()


def _draw_index() -> None:
    """The engines with their actions, live while a repair or a rebuild runs."""
    session = services.session()
    was_busy = any(
        not job.state.is_ended and job.kind in ("repair", "reindex") for job in session.jobs.list()
    )

    def panel() -> None:
        draw_said()
        with st.spinner("Asking the search index"):
            overview = session.index.overview()
        if was_busy != overview.is_busy:
            st.rerun()
        actions = IndexActions(repair=guarded(_repair), rebuild=guarded(_rebuild))
        if overview.job is not None:
            draw_job(overview.job)
        for engine in overview.engines:
            draw_engine(engine, overview, actions)

    st.fragment(panel, run_every=2 if was_busy else None)()


def _repair(engine: str) -> None:
    job = services.session().index.submit_repair(engine)
    state.flash("The search index is being checked.", job)


def _rebuild(engine: str) -> None:
    job = services.session().index.submit_reindex(engine)
    state.flash("A new search index is being built beside the one that serves.", job)
