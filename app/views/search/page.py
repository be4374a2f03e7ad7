"""Search: the lists behind a search side by side, and how each passage came to its place."""

from __future__ import annotations

import streamlit as st

from app import services
from app.components.controls import draw_page_link, draw_switch
from app.components.shell import plain
from app.presenting.wording import counted
from app.views.search.form import read_form
from app.views.search.lists import Column, draw_lists
from core.domain.inspection import EngineInspection, SearchInspection

LISTS = {"Both": "fused", "Words": "keyword", "Meaning": "meaning"}
ENGINES = {"embedded": "Local files", "weaviate": "Weaviate server"}
TOGETHER = "Side by side"
SAYS = {
    "keyword": "words in common (BM25)",
    "meaning": "likeness of question and passage (cosine)",
    "fused": "what a search gives",
}


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Search", anchor=False)
    query = read_form([bucket.name for bucket in session.documents.buckets()])
    if query is None:
        _draw_nothing(services.bench().data_version() == 0)
        return
    _draw(session.documents.inspect(query))


def _draw_nothing(is_empty: bool) -> None:
    if is_empty:
        st.info("There are no documents to search yet.")
        draw_page_link("ingest", "Add documents", "upload_file")
        return
    st.info(
        "Type a query to see what is found by its words, what by its meaning, and how the two become one "
        "list. Nothing is answered here: this page shows why a passage came first."
    )


def _draw(found: SearchInspection) -> None:
    for away in (engine for engine in found.engines if engine.reason):
        st.warning(
            f"{_called(away)} cannot be asked (E003): a search is answered without it. {plain(away.reason)}",
            icon=":material/cloud_off:",
        )
    for note in (each for each in found.degradations if not any(e.reason for e in found.engines)):
        st.warning(f"{plain(note.message)} ({note.code})", icon=":material/info:")
    asked = [engine for engine in found.engines if not engine.reason]
    if not asked:
        return
    names = [_called(engine) for engine in asked]
    chosen, by = names[0], "fused"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if len(asked) > 1:
            chosen = str(
                draw_switch("Engine", [*names, TOGETHER], "engine", names[0], persist_state="session")
            )
            if chosen == TOGETHER:
                shown = st.selectbox(
                    "List",
                    list(LISTS),
                    key="list",
                    bind="query-params",
                    persist_state="session",
                    width=120,
                    label_visibility="collapsed",
                )
                by = LISTS[shown or "Both"]
        st.markdown(_summary(found, asked), width="content")
    one = asked[names.index(chosen)] if chosen in names else asked[0]
    columns = (
        [_column(engine, by, _called(engine)) for engine in asked]
        if chosen == TOGETHER
        else [
            _column(one, "keyword", "Words"),
            _column(one, "meaning", "Meaning"),
            _column(one, "fused", "Both"),
        ]
    )
    draw_lists(columns, one.terms, found.mode, found.alpha)


def _called(engine: EngineInspection) -> str:
    return ENGINES.get(engine.name, engine.name)


def _column(engine: EngineInspection, by: str, title: str) -> Column:
    found = {"keyword": engine.keyword, "meaning": engine.meaning, "fused": engine.fused}
    is_unused = by != "fused" and not found[by].total and engine.fused.total
    note = "No passage has these words." if by == "keyword" else "Nothing is found."
    if is_unused:
        note = f"{note[:-1]}, or this list was not asked for: the search is by one list alone."
    return Column(title, SAYS[by], by, found[by], note)


def _summary(found: SearchInspection, asked: list[EngineInspection]) -> str:
    """Summary of the search: each engine with its time, and the documents that are named."""
    answered = next(engine for engine in asked if engine.name == found.answered_by)
    took = sum((found.timings_ms or {}).values()) + (answered.timings_ms or {}).get("fused", 0.0)
    parts = [f"Answered by: {_called(answered)} in {took:,.0f} ms"]
    parts.append(counted(answered.fused.total, "passage") + " ranked")
    if found.named_documents:
        titles = ", ".join(f"“{plain(each.title)}”" for each in found.named_documents)
        parts.append(f"The query names {titles}: its passages stand first")
    return " · ".join(parts)
