from __future__ import annotations

from app.presenting.map.view import MOST, MOST_PARTS, around, has_parts, of_part, of_paths, overview
from core.domain.evidence.connection import (
    ConnectionMap,
    MapEdge,
    MapEdgeKind,
    MapNode,
    MapNodeKind,
    StatedPlace,
)
from core.domain.fields import Quote
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.graph.walk import MapWalks

PLACE = StatedPlace(DocumentId("d"), 1, Quote(PageSpan(1, 0, 4), "ACME"))


def walks(*stars: int, alone: int = 0) -> MapWalks:
    """Parties, each with so many documents that name it."""
    nodes = {f"document:x{n}": MapNode(f"document:x{n}", MapNodeKind.DOCUMENT, f"X{n}") for n in range(alone)}
    edges = []
    for party, documents in enumerate(stars):
        id = f"party:p{party}"
        nodes[id] = MapNode(id, MapNodeKind.PARTY, f"Party {party}")
        for number in range(documents):
            paper = f"document:{party}-{number}"
            nodes[paper] = MapNode(paper, MapNodeKind.DOCUMENT, f"Paper {number}")
            edges.append(MapEdge(paper, id, MapEdgeKind.NAMES, "buyer", 0.6, (PLACE,)))
    return MapWalks(ConnectionMap(nodes, edges))


def test_a_small_map_is_drawn_whole_and_says_what_is_alone() -> None:
    shown = overview(walks(3, 2, alone=1))

    assert len(shown.nodes) == 7
    assert {each.words for each in shown.edges} >= {"Paper 0 names Party 0 as buyer"}
    assert all(each.is_faint for each in shown.edges)
    assert shown.note == "1 node has no connection."
    assert not has_parts(shown)


def test_a_large_map_is_drawn_as_parts_that_open_and_counts_the_rest() -> None:
    found = walks(*[3] * 40, MOST + 20)
    shown = overview(found)
    part = of_part(found, shown.nodes[0].id)

    assert has_parts(shown)
    assert len(shown.nodes) == MOST_PARTS
    assert "6 smaller parts with 24 nodes are not drawn." in shown.note
    assert part is not None
    assert len(part.nodes) == MOST
    assert part.note == f"{MOST} of {MOST + 21} nodes, those nearest to its middle."
    assert of_part(found, "party:unknown") is None


def test_a_node_stands_with_its_neighbours_and_ways_from_left_to_right() -> None:
    found = walks(4, MOST + 5)

    assert len(around(found, "party:p0").nodes) == 5
    assert "6 nodes beside it are not drawn" in around(found, "party:p1").note
    paths = found.paths("document:0-0", "document:0-1")
    assert [each.x for each in of_paths(found, paths).nodes] == [-1.0, 0.0, 1.0] or {
        each.id: each.x for each in of_paths(found, paths).nodes
    } == {"document:0-0": -1.0, "party:p0": 0.0, "document:0-1": 1.0}
