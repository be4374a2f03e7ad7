"""The JSON of maps and of ways on them, and edges as lines of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.domain.evidence.connection import ConnectionMap, MapEdge, MapNode, MapPath
from core.domain.wire.fields import quote_json

EDGE_HEADS = ("from", "kind", "to", "about", "probability", "document", "page", "start", "end", "words")
"""Heads of a table with a line for every edge."""


def node_json(node: MapNode) -> dict[str, Any]:
    """A node; `forms` are the ways in which its name is written."""
    return {
        "id": node.id,
        "kind": node.kind.value,
        "name": node.name,
        "document": node.document,
        "bucket": node.bucket or None,
        "forms": list(node.forms),
    }


def edge_json(edge: MapEdge) -> dict[str, Any]:
    """An edge with the places whose words state it."""
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind.value,
        "about": edge.about,
        "probability": round(edge.probability, 3),
        "places": [
            {"document": each.document, "version": each.version, **quote_json(each.quote)}
            for each in edge.places
        ],
    }


def map_json(map: ConnectionMap) -> dict[str, Any]:
    """A map."""
    return {
        "nodes": [node_json(each) for each in map.nodes.values()],
        "edges": [edge_json(each) for each in map.edges],
        "left_out": dict(map.left_out),
    }


def paths_json(
    one: MapNode, other: MapNode, paths: Sequence[MapPath], others: Sequence[MapNode]
) -> dict[str, Any]:
    """Ways between two nodes, best first."""
    return {
        "from": node_json(one),
        "to": node_json(other),
        "paths": [
            {
                "nodes": [node_json(each) for each in way.nodes],
                "edges": [edge_json(each) for each in way.edges],
            }
            for way in paths
        ],
        "others": [node_json(each) for each in others],
    }


def edge_lines(map: ConnectionMap) -> Iterator[tuple[str, ...]]:
    """A line for each edge, as EDGE_HEADS names the columns."""
    for each in map.edges:
        place = each.places[0]
        span = place.quote.span
        yield (
            map.nodes[each.source].name,
            each.kind.value,
            map.nodes[each.target].name,
            each.about,
            f"{each.probability:.2f}",
            str(place.document),
            str(span.page_no),
            str(span.start),
            str(span.end),
            place.quote.quote,
        )
