from __future__ import annotations

import networkx as nx
import pytest

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
from core.graph import walk
from core.graph.walk import MapWalks, graph_ml

PLACE = StatedPlace(DocumentId("d"), 1, Quote(PageSpan(1, 0, 4), "ACME"))


def walks(*pairs: tuple[str, str], more: tuple[str, ...] = ()) -> MapWalks:
    """A map of documents d… and parties."""
    ids = dict.fromkeys((*(id for pair in pairs for id in pair), *more))
    nodes = {}
    for id in ids:
        kind = MapNodeKind.DOCUMENT if id.startswith("document:") else MapNodeKind.PARTY
        nodes[id] = MapNode(id, kind, id.partition(":")[2].title())
    edges = [MapEdge(one, other, MapEdgeKind.NAMES, "party", 0.9, (PLACE,)) for one, other in pairs]
    return MapWalks(ConnectionMap(nodes, edges))


CHAIN = (
    ("document:1", "party:acme widgets"),
    ("document:1", "party:delta"),
    ("document:2", "party:delta"),
    ("document:2", "party:beta foods"),
)


def test_ways_lead_over_what_connects_shortest_first() -> None:
    found = walks(*CHAIN, ("document:3", "party:acme widgets"), ("document:3", "party:beta foods"))
    ways = found.paths("party:acme widgets", "party:beta foods")

    assert [[each.id for each in way.nodes[1:-1]] for way in ways] == [
        ["document:3"],
        ["document:1", "party:delta", "document:2"],
    ]
    assert all(edge.places for way in ways for edge in way.edges)


def test_a_way_past_what_everybody_names_comes_last() -> None:
    hub = [(f"document:{number}", "party:hub") for number in range(10, 60)]
    sides = [
        ("document:10", "party:a"),
        ("document:11", "party:b"),
        ("document:1", "party:a"),
        ("document:1", "party:m"),
        ("document:2", "party:m"),
        ("document:2", "party:b"),
    ]
    [first, *_] = walks(*hub, *sides).paths("party:a", "party:b")

    assert "party:hub" not in [each.id for each in first.nodes]


@pytest.mark.parametrize("other", ["party:acme widgets", "party:alone", "party:unknown"])
def test_no_way_leads_to_itself_to_what_is_alone_or_unknown(other: str) -> None:
    assert walks(*CHAIN, more=("party:alone",)).paths("party:acme widgets", other) == []


def test_a_way_has_no_more_steps_than_the_most() -> None:
    long = [(f"document:{number}", f"party:{at}") for number in range(12) for at in (number, number + 1)]

    assert walks(*long).paths("party:0", "party:12") == []
    assert len(walks(*long).paths("party:0", "party:4")[0].edges) == walk.LONGEST_PATH


def test_names_are_found_whole_by_their_beginning_and_nearly() -> None:
    found = walks(*CHAIN)

    assert [each.id for each in found.search("ACME Widgets Ltd")] == ["party:acme widgets"]
    assert [each.id for each in found.search("beta")] == ["party:beta foods"]
    assert [each.id for each in found.search("acmee widgets")] == ["party:acme widgets"]
    assert found.search("  ") == found.search("zzz") == []


def test_parts_hold_every_node_once_however_large_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = (*CHAIN, ("document:8", "party:x"), ("document:9", "party:x"))
    for most in (20_000, 0):
        monkeypatch.setattr(walk, "_CLUSTERED", most)
        for least in (60_000, 0):
            monkeypatch.setattr(walk, "_PROPAGATED", least)
            found = walks(*pairs, more=("party:alone",))
            held = [node for part in found.parts for node in part.nodes]
            assert sorted(held) == sorted(found.map.nodes)
            assert found.parts[-1].id == "alone"
    assert walks().parts == []


def test_what_is_near_and_what_fits_a_filter_are_parts_of_the_map() -> None:
    found = walks(*CHAIN)
    parties = found.within(lambda node: node.id != "party:delta", lambda edge: True)

    assert set(found.near("party:delta")) == {"party:delta", "document:1", "document:2"}
    assert len(found.near("party:delta", depth=2, most=4)) == 4
    assert parties.paths("party:acme widgets", "party:beta foods") == []
    assert found.between_parts([found.parts[0]]) == {}


def test_graphml_can_be_read_again_and_has_the_words() -> None:
    graph = nx.parse_graphml("\n".join(graph_ml(walks(*CHAIN).map)))

    assert set(graph) == set(walks(*CHAIN).map.nodes)
    assert {data["quote"] for *_, data in graph.edges(data=True)} == {"ACME"}
