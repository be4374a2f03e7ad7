"""One node: what it is, and each of its connections with its words and the way to the place."""

from __future__ import annotations

import streamlit as st

from app import links, state
from app.components.controls import draw_button, draw_page_link
from app.components.shell import plain
from app.presenting.map.view import SIGNS
from app.presenting.wording import brief, counted
from core.domain.evidence.connection import MapEdge, MapNode, in_words
from core.graph.walk import MapWalks

WAYS_FORM = "map-ways"
"""Key of the form of ways, by which it is unfolded."""

_SHOWN = 20


def draw_node(walks: MapWalks, node: MapNode) -> None:
    """Draw it."""
    sign, word, _ = SIGNS[node.kind]
    edges = sorted(walks.map.at[node.id], key=lambda each: (each.kind, -each.probability, each.source))
    st.subheader(plain(node.name), anchor=False)
    st.caption(f"{sign} {word} · {counted(len(edges), 'connection')}")
    if node.forms:
        st.caption(plain("Written as " + ", ".join(brief(each, 60) for each in node.forms[:6])))
    with st.container(horizontal=True):
        if node.document is not None:
            draw_page_link("documents", "Open the document", "description", document=node.document)
        draw_button("Way from here", _go, "from", node.name, icon="trip_origin", key="map-from-here")
        draw_button("Way to here", _go, "to", node.name, icon="location_on", key="map-to-here")
    with st.container(height=400, border=False, key="map-edges"):
        for each in edges[:_SHOWN]:
            draw_edge(walks, each)
        if len(edges) > _SHOWN:
            st.caption(f"{_SHOWN} of {counted(len(edges), 'connection')}. The download has all of them.")


def draw_edge(walks: MapWalks, edge: MapEdge) -> None:
    """A connection as a sentence, its words, and the way to each place."""
    names = walks.map.nodes
    said = plain(in_words(edge, names[edge.source].name, names[edge.target].name))
    lines = [f"{said} :small[{edge.probability:.0%}]"]
    for place in edge.places:
        address = links.span(place.document, place.version, place.quote.span)
        words = plain(brief(place.quote.quote, 160))
        lines.append(f":small[\u201c{words}\u201d, [page {place.quote.span.page_no}]({address})]")
    st.markdown("  \n".join(lines))


def _go(end: str, name: str) -> None:
    """Put a name into the form of ways, and unfold it."""
    state.set_widget(f"map-{end}", name)
    state.set_widget(WAYS_FORM, True)
