"""Places of nodes on a plane. By networkx."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from networkx import Graph

Place = tuple[float, float]
_SEED = 1
_WIDE = 1.5  # width of the plane over its height
_MANY = 60  # nodes from which fewer turns must do


def lay_out(nodes: Collection[str], edges: Iterable[tuple[str, str]]) -> dict[str, Place]:
    """Places of some nodes, -1 to 1 in both directions; the same for the same ones.

    What hangs together is laid out by itself, large groups first, and the groups stand in rows.
    """
    import networkx as nx

    graph: Graph[str] = nx.Graph()
    graph.add_nodes_from(sorted(nodes))
    graph.add_edges_from(sorted(edges))
    groups = sorted(map(sorted, nx.connected_components(graph)), key=lambda each: (-len(each), each))
    boxes = _in_rows([math.sqrt(len(each)) for each in groups])
    found: dict[str, Place] = {}
    for group, (left, top, size) in zip(groups, boxes, strict=True):
        for id, (x, y) in _of_group(graph, group).items():
            found[id] = (left + size * (0.5 + 0.38 * x), top + size * (0.5 + 0.38 * y))
    return _stretched(found)


def _of_group(graph: Graph[str], group: Sequence[str]) -> dict[str, Place]:
    import networkx as nx

    if len(group) == 1:
        return {group[0]: (0.0, 0.0)}
    turns = 80 if len(group) < _MANY else 40
    at = nx.spring_layout(graph.subgraph(group), seed=_SEED, iterations=turns, k=1.8 / math.sqrt(len(group)))
    return {id: (float(x), float(y)) for id, (x, y) in at.items()}


def _in_rows(sizes: Sequence[float]) -> list[tuple[float, float, float]]:
    """Squares of these sides, largest first, in rows: left, top and side of each."""
    width = max(max(sizes, default=1.0), math.sqrt(sum(each * each for each in sizes) * _WIDE))
    found: list[tuple[float, float, float]] = []
    left = top = height = 0.0
    for size in sizes:
        if left and left + size > width * 1.001:
            left, top, height = 0.0, top + height, 0.0
        found.append((left, top, size))
        left, height = left + size, max(height, size)
    return found


def _stretched(at: dict[str, Place]) -> dict[str, Place]:
    """The places over the whole plane."""

    def spread(values: Sequence[float]) -> tuple[float, float]:
        low, high = min(values), max(values)
        return (low + high) / 2, (high - low) / 2 or 1.0

    if not at:
        return {}
    (x0, wide), (y0, tall) = spread([x for x, _ in at.values()]), spread([y for _, y in at.values()])
    return {id: ((x - x0) / wide, (y - y0) / tall) for id, (x, y) in at.items()}
