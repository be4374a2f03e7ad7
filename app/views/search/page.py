"""Search: the lists behind a search side by side, and how each passage came to its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import services
from app.components import mounts
from app.components.controls import draw_page_link, draw_switch
from app.components.shell import plain
from app.presenting.wording import counted
from core.domain.search import (
    EngineInspection,
    InspectedList,
    InspectedPassage,
    InspectedTerm,
    SearchInspection,
    SearchQuery,
)

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


ALL = "All buckets"
MODES = {"Both": "hybrid", "Words": "keyword", "Meaning": "semantic"}
SHOWN = 20


def read_form(buckets: list[str]) -> SearchQuery | None:
    """The query that the widgets and the address ask for; None while nothing is typed."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="search-form"):
        text = st.text_input(
            "Query",
            key="q",
            type="search",
            bind="query-params",
            persist_state="session",
            placeholder="Words or a question",
            label_visibility="collapsed",
        )
        bucket = st.selectbox(
            "Bucket",
            [ALL, *buckets],
            key="within",
            bind="query-params",
            persist_state="session",
            width=180,
            label_visibility="collapsed",
        )
        mode = draw_switch("Search by", list(MODES), "by", "Both", persist_state="session")
        alpha = st.slider(
            "Weight of meaning (alpha)",
            0.0,
            1.0,
            0.5,
            0.05,
            key="alpha",
            bind="query-params",
            persist_state="session",
            width=220,
            disabled=mode != "Both",
            help="0 counts the words alone, 1 the meaning alone.",
        )
    if not (text or "").strip():
        return None
    chosen = () if bucket in (None, ALL) else (str(bucket),)
    return SearchQuery(str(text), mode=MODES[mode or "Both"], alpha=alpha, top_k=SHOWN, buckets=chosen)


TEXT = 360  # characters of a passage that a list shows


@dataclass(frozen=True, slots=True)
class Column:
    """One list. by: keyword, meaning or fused; note: what stands in place of entries where there are none."""

    title: str
    says: str
    by: str
    found: InspectedList
    note: str


def draw_lists(columns: Sequence[Column], terms: Sequence[InspectedTerm], mode: str, alpha: float) -> None:
    """The words that were looked for, and the columns."""
    mounts.search(
        key="search-lists",
        data={
            "mode": mode,
            "alpha": alpha,
            "terms": [
                {"term": t.term, "weight": t.weight, "idf": round(t.idf, 2), "name": t.is_of_name}
                for t in terms
            ],
            "columns": [
                {
                    "title": column.title,
                    "says": column.says,
                    "by": column.by,
                    "total": column.found.total,
                    "note": column.note,
                    "entries": [_entry(entry) for entry in column.found.entries],
                }
                for column in columns
            ],
        },
    )


def _entry(entry: InspectedPassage) -> dict[str, Any]:
    place = {
        "document": entry.document,
        "version": str(entry.version),
        "page": str(entry.page),
        "start": str(entry.start),
        "end": str(entry.end),
    }
    return {
        "id": entry.passage,
        "rank": entry.rank,
        "title": entry.title or entry.source,
        "source": entry.source,
        "page": entry.page,
        "section": " › ".join(entry.section),
        "text": entry.text[:TEXT] + ("…" if len(entry.text) > TEXT else ""),
        "score": entry.score,
        "keyword": entry.keyword,
        "cosine": entry.cosine,
        "sentence": entry.sentence_cosine,
        "ranks": {"keyword": entry.keyword_rank, "meaning": entry.meaning_rank, "fused": entry.fused_rank},
        "parts": [entry.named_part, entry.meaning_part, entry.keyword_part],
        "full": entry.full_match,
        "href": f"documents?{urlencode(place)}",
    }
