"""Our browser components, each registered once; the script and style of each live in `assets/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app.assets import loader


def _component(name: str, *styles: str) -> Callable[..., Any]:
    """What mounts a component, whose data goes in a list of one.

    In the parts of a mapping Streamlit looks for tables, and imports pandas to do so (.4 s, 75 MB).
    """
    mount = st.components.v2.component(f"groundwork_{name}", js=loader(name, *styles))
    return lambda *, data, **options: mount(data=[data], **options)


answer = _component("answer", "evidence_list", "chart")
pages = _component("pages")
stored_page = _component("stored_page")
grid = _component("grid")
dropzone = _component("dropzone")
table = _component("table")
pending = _component("pending")
set_in_hand = _component("set_in_hand", "answer", "evidence_list")
marks = _component("marks")
search = _component("search")
matrix = _component("matrix")
statements = _component("statements")
plan = _component("plan")
sheet = _component("sheet", "evidence_list")
review = _component("review")
chart = _component("chart")
map = _component("map")
