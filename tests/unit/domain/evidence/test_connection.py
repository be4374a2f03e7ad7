from __future__ import annotations

import pytest

from core.domain.evidence.connection import (
    MENTIONED,
    ConnectionMap,
    MapEdge,
    MapEdgeKind,
    MapNode,
    MapNodeKind,
    in_words,
)


@pytest.mark.parametrize(
    ("kind", "about", "said"),
    [
        (MapEdgeKind.NAMES, "Supplier", "A names B as supplier"),
        (MapEdgeKind.NAMES, MENTIONED, "A names B"),
        (MapEdgeKind.STATES, "Site", "A states Site: B"),
        (MapEdgeKind.STATES, MENTIONED, "A mentions B"),
        (MapEdgeKind.REFERS, "Invoice number", "A refers to B"),
        (MapEdgeKind.AMENDS, "amends", "A amends B"),
        (MapEdgeKind.UNDER, "stands under", "A stands under B"),
        (MapEdgeKind.CONTRADICTS, "Total", "A contradicts B in Total"),
    ],
)
def test_an_edge_is_a_sentence(kind: MapEdgeKind, about: str, said: str) -> None:
    assert in_words(MapEdge("a", "b", kind, about, 0.9, ()), "A", "B") == said


def test_edges_stand_at_both_ends_and_documents_know_their_id() -> None:
    paper = MapNode("document:d:1", MapNodeKind.DOCUMENT, "Paper")
    party = MapNode("party:acme", MapNodeKind.PARTY, "ACME")
    edge = MapEdge(paper.id, party.id, MapEdgeKind.NAMES, "", 0.9, ())
    map = ConnectionMap({paper.id: paper, party.id: party}, [edge])

    assert map.at == {paper.id: [edge], party.id: [edge]}
    assert (paper.document, party.document) == ("d:1", None)
    assert edge.other(paper.id) == party.id
