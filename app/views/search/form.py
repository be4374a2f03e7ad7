"""Form of a search: query, bucket, lists and their weights; the address carries them."""

from __future__ import annotations

import streamlit as st

from app.components.controls import draw_switch
from core.domain.search import SearchQuery

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
