"""Our browser components, each registered once; the script and style of each live in `assets/`."""

from __future__ import annotations

import streamlit as st

from app.assets import loader

answer = st.components.v2.component("groundwork_answer", js=loader("answer", "evidence_list", "chart"))
pages = st.components.v2.component("groundwork_pages", js=loader("pages"))
stored_page = st.components.v2.component("groundwork_stored_page", js=loader("stored_page"))
grid = st.components.v2.component("groundwork_grid", js=loader("grid"))
dropzone = st.components.v2.component("groundwork_dropzone", js=loader("dropzone"))
table = st.components.v2.component("groundwork_table", js=loader("table"))
pending = st.components.v2.component("groundwork_pending", js=loader("pending"))
set_in_hand = st.components.v2.component(
    "groundwork_set_in_hand", js=loader("set_in_hand", "answer", "evidence_list")
)
marks = st.components.v2.component("groundwork_marks", js=loader("marks"))
search = st.components.v2.component("groundwork_search", js=loader("search"))
matrix = st.components.v2.component("groundwork_matrix", js=loader("matrix"))
statements = st.components.v2.component("groundwork_statements", js=loader("statements"))
plan = st.components.v2.component("groundwork_plan", js=loader("plan"))
sheet = st.components.v2.component("groundwork_sheet", js=loader("sheet", "evidence_list"))
review = st.components.v2.component("groundwork_review", js=loader("review"))
chart = st.components.v2.component("groundwork_chart", js=loader("chart"))
