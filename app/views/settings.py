"""Settings: what this home runs on, to read."""

from __future__ import annotations

import streamlit as st

from app import services
from app.components.facts import Fact, draw_facts
from app.components.wording import counted
from core.workbench import WorkbenchStatus


def _engine(status: WorkbenchStatus) -> str:
    names = {"embedded": "in local files", "weaviate": "Weaviate"}
    name = names.get(status.engine, status.engine)
    return f"{name}. {status.search_note}" if status.search_note else name


def page() -> None:
    """Draw the page."""
    bench = services.bench()
    status, settings = bench.status(), bench.settings
    st.title("Settings", anchor=False)
    with st.container(key="reading"):
        draw_facts(
            "Now",
            "Part",
            [
                Fact("Search engine", _engine(status), not status.search_note),
                Fact("Encoder", status.encoder),
                Fact("Answers", f"{status.mode}: composed from quotes, no language model, no network"),
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
                Fact("Data version", f"{status.data_version:,}"),
                Fact("Jobs running", f"{status.running_jobs:,}"),
            ],
        )
        draw_facts(
            "Chosen in groundwork.toml",
            "Setting",
            [
                Fact("Home", str(settings.home)),
                Fact("Chunking profile", settings.ingest.profile),
                Fact("Largest file", f"{settings.ingest.max_file_mb:,} MB"),
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
                Fact(
                    "Database",
                    "SQLite in the home folder"
                    if not settings.records.url.get_secret_value()
                    else "a server, as configured",
                ),
            ],
        )
        st.caption(
            "To change one, edit groundwork.toml in the home folder or set GROUNDWORK_SECTION__KEY, and "
            "start again. `groundwork doctor` checks all of it."
        )
