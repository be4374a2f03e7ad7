"""Positions of a plan's nodes in a drawing: layers from left to right, or down, with few crossings.

Source: Sugiyama, Tagawa, Toda 1981, Methods for visual understanding of hierarchical system structures:
layers by the longest way, points where an edge passes a layer, order by the mean place of the neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 236, 104  # of a node
BETWEEN, APART = 60, 22  # two layers, two nodes of a layer
BETWEEN_DOWN = 40  # two layers that stand below each other
EDGE = 14  # around all
SWEEPS = 6
_Point = tuple[str, str, int]  # an edge that passes a layer: from, to, layer
_Item = str | _Point


@dataclass(frozen=True, slots=True)
class _Size:
    """Of a node, along the layers and across them, and the room between two layers."""

    along: int
    across: int
    between: int

    def begin(self, layer: int) -> int:
        return EDGE + layer * (self.along + self.between)

    def of(self, item: _Item) -> int:
        return self.across if isinstance(item, str) else 0


_TO_THE_RIGHT = _Size(WIDTH, HEIGHT, BETWEEN)
_DOWN = _Size(HEIGHT, WIDTH, BETWEEN_DOWN)


@dataclass(frozen=True, slots=True)
class Placed:
    """A node with its upper left corner, its layer from the first, and its place in it."""

    id: str
    x: int
    y: int
    layer: int
    place: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """An edge as the points that it passes, from the far side of one node to the near side of another."""

    source: str
    target: str
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole drawing; nodes and edges in the order given."""

    width: int
    height: int
    nodes: tuple[Placed, ...]
    edges: tuple[Drawn, ...]


def lay_out(inputs: Mapping[str, Sequence[str]], *, down: bool = False) -> Layout:
    """The drawing of nodes by id, each with the ids that it takes in. Circles are drawn with edges back.

    down: layers stand below each other, for where there is little room beside.
    """
    size = _DOWN if down else _TO_THE_RIGHT
    layer = _layers(inputs)
    if not layer:
        return Layout(0, 0, (), ())
    edges = [(source, target) for target, names in inputs.items() for source in names if source in inputs]
    rows, neighbours = _rows(layer, edges)
    _sort(rows, neighbours)
    tops = _tops(rows, neighbours, size)
    shift = EDGE - min(tops.values())
    tops = {item: top + shift for item, top in tops.items()}
    places = {item: at for row in rows for at, item in enumerate(row)}
    along = size.begin(max(layer.values())) + size.along + EDGE
    across = max(top + size.of(item) for item, top in tops.items()) + EDGE

    def turned(point: tuple[int, int]) -> tuple[int, int]:
        return (point[1], point[0]) if down else point

    nodes = tuple(
        Placed(id, *turned((size.begin(layer[id]), tops[id])), layer[id], places[id]) for id in inputs
    )
    drawn = tuple(
        Drawn(source, target, tuple(map(turned, _points(source, target, layer, tops, size))))
        for source, target in edges
    )
    return Layout(*turned((along, across)), nodes, drawn)


def _layers(inputs: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """For each node how many nodes stand before it on the longest way; what is in a circle goes last."""
    found: dict[str, int] = {}
    waiting = list(inputs)
    while waiting:
        ready = [id for id in waiting if all(name in found or name not in inputs for name in inputs[id])]
        for id in ready or waiting[:1]:
            found[id] = 1 + max((found[name] for name in inputs[id] if name in found), default=-1)
        waiting = [id for id in waiting if id not in found]
    return found


def _rows(
    layer: Mapping[str, int], edges: Sequence[tuple[str, str]]
) -> tuple[list[list[_Item]], dict[_Item, list[_Item]]]:
    """The items of each layer, and what each is connected with in the layers beside."""
    rows: list[list[_Item]] = [[] for _ in range(max(layer.values()) + 1)]
    for id, at in layer.items():
        rows[at].append(id)
    neighbours: dict[_Item, list[_Item]] = {id: [] for id in layer}
    for source, target in edges:
        before: _Item = source
        for at in range(layer[source] + 1, layer[target]):
            point = (source, target, at)
            rows[at].append(point)
            neighbours[point] = []
            _connect(neighbours, before, point)
            before = point
        if layer[source] < layer[target]:
            _connect(neighbours, before, target)
    return rows, neighbours


def _connect(neighbours: dict[_Item, list[_Item]], one: _Item, other: _Item) -> None:
    neighbours[one].append(other)
    neighbours[other].append(one)


def _sort(rows: list[list[_Item]], neighbours: Mapping[_Item, Sequence[_Item]]) -> None:
    """Order each layer by the mean place of its neighbours, forth and back."""
    for sweep in range(SWEEPS):
        for at in range(1, len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1):
            beside = rows[at - 1] if sweep % 2 == 0 else rows[at + 1]
            places = {item: place for place, item in enumerate(beside)}
            own = {item: place for place, item in enumerate(rows[at])}
            rows[at].sort(key=lambda item: (_mean(neighbours[item], places, own[item]), own[item]))


def _mean(of: Sequence[_Item], places: Mapping[_Item, int], default: int) -> float:
    found = [places[each] for each in of if each in places]
    return sum(found) / len(found) if found else default


def _tops(
    rows: list[list[_Item]], neighbours: Mapping[_Item, Sequence[_Item]], size: _Size
) -> dict[_Item, int]:
    """Begin of each node across the layers: as near to the middle of its neighbours as there is room."""
    tops: dict[_Item, int] = {}
    for row in rows:
        height = sum(size.of(item) + APART for item in row) - APART
        top = -height // 2
        for item in row:
            tops[item] = top
            top += size.of(item) + APART
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else list(reversed(rows)):
            wanted = {item: _wanted(item, neighbours[item], tops, size) for item in row}
            _settle(row, wanted, tops, size)
    return tops


def _wanted(item: _Item, of: Sequence[_Item], tops: Mapping[_Item, int], size: _Size) -> int:
    if not of:
        return tops[item]
    middle = sum(tops[each] + size.of(each) // 2 for each in of) // len(of)
    return middle - size.of(item) // 2


def _settle(row: list[_Item], wanted: Mapping[_Item, int], tops: dict[_Item, int], size: _Size) -> None:
    """Put a layer where its items want to be, in their order, and none on another."""
    below: int | None = None
    for item in row:
        tops[item] = wanted[item] if below is None else max(wanted[item], below)
        below = tops[item] + size.of(item) + APART
    pushed = sum(tops[item] - wanted[item] for item in row) // len(row)
    for item in row:
        tops[item] -= pushed  # what pushed one another down stands around its middle again


def _points(
    source: str, target: str, layer: Mapping[str, int], tops: Mapping[_Item, int], size: _Size
) -> tuple[tuple[int, int], ...]:
    found = [(size.begin(layer[source]) + size.along, tops[source] + size.across // 2)]
    for at in range(layer[source] + 1, layer[target]):
        top = tops[(source, target, at)]
        found += [(size.begin(at), top), (size.begin(at) + size.along, top)]
    return (*found, (size.begin(layer[target]), tops[target] + size.across // 2))
