"""Ways between two names: the form that asks for them, and each way step by step on its words."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import state
from app.components.controls import draw_button
from app.components.map_graph import draw_map
from app.components.shell import draw_error, plain
from app.presenting.map.view import of_paths
from app.presenting.wording import counted
from app.views.map.node import WAYS_FORM, draw_edge
from core.domain.evidence.connection import MapNode, MapRoutes
from core.errors import GroundworkError
from core.graph.walk import LONGEST_PATH, MapWalks


def draw_path_form() -> None:
    """Two names, and the button that looks for ways between them; the address has them once it is pressed."""
    with (
        st.expander(
            "How are two of them connected?",
            expanded=bool(state.from_address("from")),
            key=WAYS_FORM,
            on_change="rerun",
        ),
        st.form("map-way", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        for key, label in (("from", "From"), ("to", "To")):
            if state.widget(f"map-{key}") is None:
                state.set_widget(f"map-{key}", state.from_address(key))
            st.text_input(
                label, key=f"map-{key}", placeholder="Name of a party, document, product", width=300
            )
        st.form_submit_button("Find the ways", icon=":material/route:", on_click=_find)


def _find() -> None:
    one, other = (str(state.widget(f"map-{end}") or "").strip() for end in ("from", "to"))
    if one and other:
        state.to_address(node=None, part=None, rows=None, **{"from": one, "to": other})
    else:
        state.complain("Two names are needed.", "Write one into each box.")


def draw_path(walks: MapWalks, one: str, other: str, open: Callable[[str], None]) -> None:
    """Draw the ways between two names."""
    bar = st.container(horizontal=True, vertical_alignment="center")
    with bar:
        draw_button("Whole map", _close, icon="arrow_back", key="map-whole")
    try:
        routes = walks.routes(one, other)
    except GroundworkError as error:
        draw_error(error)
        return
    if not routes.paths:
        st.info(_nothing(routes))
        return
    first, last = plain(routes.one.name), plain(routes.other.name)
    with bar:
        st.markdown(f"**{counted(len(routes.paths), 'way')}** from {first} to {last}")
    drawing, beside = st.columns([3, 2])
    with drawing:
        draw_map(of_paths(walks, routes.paths), routes.one.id, open)
        if routes.others:
            named = ", ".join(plain(each.name) for each in routes.others)
            st.caption(f"The names could mean others, too: {named}.")
    with beside, st.container(height=560, border=False, key="map-steps"):
        for number, path in enumerate(routes.paths, 1):
            st.markdown(f"**Way {number}** · {counted(len(path.edges), 'step')}")
            for edge in path.edges:
                draw_edge(walks, edge)


def _nothing(routes: MapRoutes) -> str:
    def said(node: MapNode) -> str:
        return plain(node.name)

    if routes.one.id == routes.other.id:
        return f"Both names mean {said(routes.one)}. Give another one."
    return (
        f"Nothing connects {said(routes.one)} with {said(routes.other)}, over {LONGEST_PATH} steps at most. "
        "Try without filters, or in all buckets."
    )


def _close() -> None:
    state.to_address(**{"from": None, "to": None})
