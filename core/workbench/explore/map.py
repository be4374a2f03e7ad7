"""The map of the collection: its nodes and edges, ways between two names, and files of it."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import wait
from dataclasses import dataclass
from datetime import datetime

from core.domain.evidence.connection import ConnectionMap, MapNodeKind, MapRoutes
from core.domain.trust.permission import Action
from core.domain.wire.connections import EDGE_HEADS, edge_lines
from core.errors import UsageError
from core.graph.walk import MOST_PATHS, MapWalks, graph_ml
from core.spreadsheet import KINDS, sheet
from core.store.database.visibility import Visibility
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

MOST_NODES = 5_000
"""Nodes of a map that is given as a whole; of more, those with most edges."""


@dataclass(frozen=True, slots=True)
class MapFilter:
    """What of a map is wanted. kinds: of nodes, () for all; documents are always there to connect them.

    least: probability of an edge.
    """

    bucket: str | None = None
    kinds: tuple[MapNodeKind, ...] = ()
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class MapView:
    """A map that can be shown at once. walks: None while the first one is being made.

    as_of: when it was made, where documents have changed since, and it is being renewed; None for one of now.
    done, total: documents that are looked through for the next one; total 0 before that is known.
    """

    walks: MapWalks | None
    as_of: datetime | None = None
    done: int = 0
    total: int = 0

    @property
    def is_current(self) -> bool:
        """True of the map of now."""
        return self.walks is not None and self.as_of is None


class MapService(Service):
    """The map of the documents that the principal may see; a hidden one gives no node, edge or way."""

    def walks(self, wanted: MapFilter) -> MapWalks:
        """The map of now under a filter, to walk on. Blocks for seconds where a large collection changed."""
        return _filtered(self._parts.maps.find(self._of(wanted)), wanted)

    def view(self, wanted: MapFilter, within_s: float = 0.0) -> MapView:
        """The map that can be shown at once; one of now is begun where it is not, and waited for so long."""
        visible = self._of(wanted)
        state = self._parts.maps.state(visible)
        if state.work is not None and within_s:
            wait([state.work.made], within_s)
            state = self._parts.maps.state(visible)
        walks = _filtered(state.map.walks, wanted) if state.map is not None else None
        if state.work is None:
            return MapView(walks)
        as_of = state.map.at if state.map is not None else None
        return MapView(walks, as_of, state.work.done, state.work.total)

    def _of(self, wanted: MapFilter) -> Visibility:
        self._permit(Action.QUERY)
        return self._parts.records.copies.counted_once(self._in_bucket(wanted.bucket))

    def part(
        self, wanted: MapFilter, around: str = "", depth: int = 1, most: int = MOST_NODES
    ) -> ConnectionMap:
        """A part of the map that is small enough to be handed out; `left_out` says what is not in it.

        around: a name or the id of a node, "" for the whole map. Raises NotFoundError, UsageError.
        """
        if not 1 <= depth <= 5 or not 1 <= most <= MOST_NODES:
            raise UsageError(
                f"A depth of {depth} and {most:,} nodes cannot be given.",
                next_step=f"Ask for a depth of 1 to 5, and for 1 to {MOST_NODES:,} nodes.",
            )
        walks = self.walks(wanted)
        at = walks.map.at
        if around:
            ids: Collection[str] = walks.near(walks.named(around)[0].id, depth, most)
        else:
            ids = sorted(at, key=lambda id: (-len(at[id]), id))[:most]
        return _only(walks.map, frozenset(ids))

    def paths(self, wanted: MapFilter, one: str, other: str, most: int = MOST_PATHS) -> MapRoutes:
        """Ways between two names or ids of nodes. Raises NotFoundError where the map has no such name."""
        return self.walks(wanted).routes(one, other, most)

    @recorded("map.export")
    def file(self, wanted: MapFilter, kind: str) -> bytes:
        """The edges with their words ("csv", "xlsx"), or the map ("graphml"). Raises UsageError."""
        map = self.walks(wanted).map
        if kind == "graphml":
            return "\n".join(graph_ml(map)).encode()
        if kind not in KINDS:
            raise UsageError(
                f"A map cannot be written as {kind!r}.", next_step="Choose graphml, csv or xlsx."
            )
        return sheet(kind, EDGE_HEADS, edge_lines(map))


def _filtered(whole: MapWalks, wanted: MapFilter) -> MapWalks:
    if not wanted.kinds and not wanted.least:
        return whole
    kinds = frozenset({*wanted.kinds, MapNodeKind.DOCUMENT} if wanted.kinds else MapNodeKind)
    return whole.filtered.get_or_make(
        (kinds, wanted.least),
        lambda: whole.within(lambda node: node.kind in kinds, lambda edge: edge.probability >= wanted.least),
    )


def _only(map: ConnectionMap, ids: frozenset[str]) -> ConnectionMap:
    """The nodes of these ids with what connects them."""
    if len(ids) == len(map.nodes):
        return map
    nodes = {id: map.nodes[id] for id in sorted(ids)}
    edges = [each for each in map.edges if each.source in ids and each.target in ids]
    left = {"nodes that were not asked for": len(map.nodes) - len(nodes)}
    return ConnectionMap(nodes, edges, {**map.left_out, **left})
