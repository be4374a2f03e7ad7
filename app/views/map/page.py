"""Map: what documents name and state, drawn, searched and walked, each connection on its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from app import services, state
from app.components.controls import draw_address_choice, draw_button, draw_exports, draw_page_link
from app.components.map_graph import draw_map
from app.components.shell import moment, plain
from app.components.table import column, draw_table, row
from app.presenting.map.view import SIGNS, ShownMap, around, has_parts, of_part, overview
from app.presenting.wording import counted
from app.views.map.node import draw_node
from app.views.map.path import draw_path, draw_path_form
from core.domain.evidence.connection import MapEdgeKind, MapNode, MapNodeKind
from core.graph.walk import MapWalks
from core.workbench.explore.map import MapFilter

PART = 50
_HEIGHT, _MOST_FOUND = 560, 1_000
_MOST_BUCKETS = 3  # whose contradictions are linked
_WAIT_S, _LOOK_EVERY_S = 0.5, 1.0  # for a map that is being made: most are there before
_LEAST = {"": "Any", "0.7": "70 %", "0.85": "85 %", "0.95": "95 %"}
_PLACE = ("node", "part", "from", "to", "rows")


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Map", anchor=False)
    buckets = [each.name for each in session.documents.buckets()]
    if not buckets or not session.documents.count():
        _draw_without_documents()
        return
    wanted = _draw_filters(buckets)
    view = session.map.view(wanted, _WAIT_S)
    if not view.is_current:
        st.fragment(_draw_making, run_every=_LOOK_EVERY_S)(wanted, view.as_of)
    if (walks := view.walks) is None:
        return
    if not walks.map.edges:
        st.info(
            "Nothing connects these documents yet, as far as their fields and texts are read. "
            "Connected are documents that name one party, product or place, that amend one another or give "
            "one another's number."
        )
        return
    draw_path_form()
    _draw(walks, wanted)


def _draw_without_documents() -> None:
    """What the map is of, and where datasets are joined, which are no part of it."""
    datasets = services.session().datasets.list()
    said = "The map shows what connects documents: parties, products, places and numbers that several name."
    if datasets:
        said += (
            f" Here are no documents yet, only {counted(len(datasets), 'dataset')}: "
            "which columns of datasets share values stands with each of them, under Joins."
        )
    else:
        said += " There are no documents yet."
    st.info(said)
    with st.container(horizontal=True):
        draw_page_link("ingest", "Add documents", "upload_file")
        if datasets:
            draw_page_link("datasets", "Datasets", "database")


def _draw_making(wanted: MapFilter, as_of: datetime | None) -> None:
    """How far the next map is; the page is drawn anew once it is there."""
    now = services.session().map.view(wanted)
    if now.is_current or now.as_of != as_of:
        st.rerun()
    said = (
        f"{now.done:,} of {counted(now.total, 'document')} looked through" if now.total else "reading fields"
    )
    if as_of is not None:
        said = f"As of {moment(as_of)}. Documents have changed since, and the map is being renewed: {said}."
    else:
        said = f"The map is being made: {said}."
    st.progress(now.done / now.total if now.total else 0.0, said)


def _draw_filters(buckets: Sequence[str]) -> MapFilter:
    names = {
        kind.value: several for kind, (_, _, several) in SIGNS.items() if kind is not MapNodeKind.DOCUMENT
    }
    with st.container(horizontal=True, vertical_alignment="bottom", key="map-filters"):
        all_of = {"": "All buckets", **{each: each for each in buckets}}
        draw_address_choice("Bucket", "bucket", all_of, 180, "map-bucket", *_PLACE)
        draw_address_choice("Show", "kind", {"": "Everything", **names}, 180, "map-kind", *_PLACE)
        draw_address_choice("Sure at least", "least", _LEAST, 150, "map-least", *_PLACE)
        st.text_input(
            "Find",
            key="words",
            bind="query-params",
            placeholder="Name, number, product",
            type="search",
            width=240,
        )
    bucket, kind, least = (state.from_address(name) for name in ("bucket", "kind", "least"))
    return MapFilter(
        bucket if bucket in buckets else None,
        (MapNodeKind(kind),) if kind in names else (),
        float(least) if least in _LEAST and least else 0.0,
    )


def _draw(walks: MapWalks, wanted: MapFilter) -> None:
    one, other = state.from_address("from"), state.from_address("to")
    node, part = state.from_address("node"), state.from_address("part")
    if one and other:
        draw_path(walks, one, other, open_node)
        return
    shown, title = _chosen(walks, node, part)
    _draw_bar(walks, wanted, title, is_whole=not (node or part))
    drawing, beside = st.columns([3, 2])
    with drawing:
        draw_map(shown, node, partial(_open, is_parts=has_parts(shown)))
        for said in (
            shown.note,
            *(f"{count:,} {why} are left out." for why, count in walks.map.left_out.items()),
        ):
            if said:
                st.caption(plain(said))
    with beside:
        if node in walks.map.nodes and not state.from_address("words"):
            draw_node(walks, walks.map.nodes[node])
        else:
            _draw_table(walks, shown)


def _chosen(walks: MapWalks, node: str, part: str) -> tuple[ShownMap, str]:
    """Drawing with its title: around a node, a part, or the whole."""
    if node in walks.map.nodes:
        return around(walks, node), walks.map.nodes[node].name
    if node:
        st.warning("What the link points to is not on this map: it may be in another bucket, or gone.")
    if part and (found := of_part(walks, part)) is not None:
        return found, found.label
    return overview(walks), ""


def _draw_bar(walks: MapWalks, wanted: MapFilter, title: str, *, is_whole: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if not is_whole:
            draw_button("Whole map", _open_whole, icon="arrow_back", key="map-whole")
            st.markdown(f"**{plain(title)}**", width="content")
        nodes, edges = len(walks.map.nodes), len(walks.map.edges)
        of = "" if is_whole else "Of "
        st.caption(f"{of}{counted(nodes, 'node')}, {counted(edges, 'connection')}", width="content")
        name = f"map-{wanted.bucket or 'all'}"
        make = partial(services.session().map.file, wanted)
        draw_exports("map", name, make, "Download every connection with its words")
        st.download_button(
            "GRAPHML",
            partial(make, "graphml"),
            f"{name}.graphml",
            "application/graphml+xml",
            key="map-graphml",
            icon=":material/download:",
            help="Download the map for a program that draws graphs",
        )
        for bucket, count in _contradicting(walks).most_common(_MOST_BUCKETS):
            to = {"bucket": bucket, "part-of-matrix": "Contradictions"}
            within = "" if wanted.bucket else f" in {plain(bucket)}"
            said = f"{counted(count, 'pair')} of documents that contradict each other{within}"
            draw_page_link("matrix", said, "rule", **to)


def _contradicting(walks: MapWalks) -> Counter[str]:
    """By bucket the number of pairs of documents on the map with a contradiction, resolved or not."""
    nodes = walks.map.nodes
    kind = MapEdgeKind.CONTRADICTS
    return Counter(nodes[each.source].bucket for each in walks.map.edges if each.kind is kind)


def _draw_table(walks: MapWalks, shown: ShownMap) -> None:
    """The nodes that are found or drawn, or all parts, those with most connections first."""
    words = state.from_address("words")
    is_parts = not words and has_parts(shown)
    if words:
        lines = [_row(walks, each) for each in walks.search(words, _MOST_FOUND)]
    elif is_parts:
        parts = (each for each in walks.parts if len(each.nodes) > 1)
        lines = [row(each.id, {"name": each.name, "edges": f"{len(each.nodes):,}"}) for each in parts]
    else:
        nodes = sorted(shown.nodes, key=lambda each: (-each.weight, each.name))
        lines = [_row(walks, walks.map.nodes[each.id]) for each in nodes]
    if not lines:
        st.info("Nothing on the map has these words in its name.")
        return
    rows = state.from_address("rows")
    first = (max(1, int(rows)) - 1) * PART if rows.isdecimal() else 0
    draw_table(
        "map-nodes",
        "map-nodes",
        "Parts" if is_parts else "Nodes",
        [
            column("name", "Part around" if is_parts else "Name", 200, least=120),
            *([] if is_parts else [column("kind", "Kind", 100)]),
            column("edges", "Nodes" if is_parts else "Connections", 108, right=True),
        ],
        lines[first : first + PART],
        first=first + 1,
        total=len(lines),
        size=PART,
        most=_HEIGHT,
        open=lambda sent: _open(str(sent["id"]), is_parts=is_parts),
        part=lambda sent: state.to_address(rows=int(sent["n"])),
    )


def _row(walks: MapWalks, node: MapNode) -> dict[str, object]:
    sign, word, _ = SIGNS[node.kind]
    cells = {"name": node.name, "kind": f"{sign} {word}", "edges": f"{len(walks.map.at[node.id]):,}"}
    return row(node.id, cells)


def _open(id: str, *, is_parts: bool) -> None:
    if is_parts:
        state.to_address(part=id, node=None, rows=None)
    else:
        open_node(id)


def open_node(id: str) -> None:
    """Show what is around a node."""
    state.set_widget("words", "")
    state.to_address(node=id, rows=None, **{"from": None, "to": None})


def _open_whole() -> None:
    state.to_address(**dict.fromkeys(_PLACE))
