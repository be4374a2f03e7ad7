"""Walks over a map: what is near a node, ways between two, parts that hang together. By networkx."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from core.cache import Cache
from core.domain.evidence.connection import (
    ConnectionMap,
    MapEdge,
    MapNode,
    MapNodeKind,
    MapPart,
    MapPath,
    MapRoutes,
)
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.values.names import normal_name

if TYPE_CHECKING:
    from networkx import Graph

MOST_PATHS, LONGEST_PATH = 5, 8
_CLUSTERED, _PROPAGATED = 20_000, 60_000  # edges: of more, what is connected at all is one part
_SEED = 1
_KEPT = 4  # parts of a map by a filter, with what was worked out for them


class MapWalks:
    """Walks over one map. What is worked out is kept; thread-safe, for two that ask at once find the same."""

    def __init__(self, map: ConnectionMap) -> None:
        self.map = map
        self.filtered: Cache[Hashable, MapWalks] = Cache(_KEPT)

    @cached_property
    def _graph(self) -> Graph[str]:
        """The map for networkx. An edge is as long as its ends are common: a way past a hub tells little."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(self.map.nodes)
        at = self.map.at
        for each in self.map.edges:
            many = max(len(at[each.source]), len(at[each.target]))
            graph.add_edge(
                each.source, each.target, weight=1.0 + math.log2(max(1, many)) / 4 - each.probability / 4
            )
        return graph

    @cached_property
    def documents(self) -> frozenset[DocumentId]:
        """The documents of the map."""
        return frozenset(id for node in self.map.nodes.values() if (id := node.document) is not None)

    def warm(self) -> None:
        """Work out what a page and a search need."""
        _ = self._graph, self._lines, self._names, self.parts, self.documents

    @cached_property
    def _lines(self) -> list[tuple[str, str]]:
        """The names of each node in small letters, with its id."""
        nodes = self.map.nodes.values()
        return [("\n".join((each.name, *each.forms)).casefold(), each.id) for each in nodes]

    @cached_property
    def _names(self) -> list[str]:
        """All names in small letters, each with a space behind it, in order."""
        return sorted({f"{name} " for line, _ in self._lines for name in line.split("\n")})

    def search(self, words: str, most: int = 20) -> list[MapNode]:
        """The nodes that some words name, the surest first: the same name, then those that have the words."""
        plain = " ".join(words.casefold().split())
        if not plain:
            return []
        party = f"{MapNodeKind.PARTY}:{normal_name(words)}"
        scored = [(_fit(line, plain), id) for line, id in self._lines if id != party]
        at = self.map.at
        found = sorted(
            (each for each in scored if each[0]), key=lambda each: (-each[0], -len(at[each[1]]), each)
        )
        ids = [*([party] if party in self.map.nodes else []), *(id for _, id in found)]
        return [self.map.nodes[id] for id in (ids or self._alike(normal_name(words)))[:most]]

    def is_known(self, name: str) -> bool:
        """True of words that name a node by its whole name, or by the whole words with which names begin."""
        plain = " ".join(name.casefold().split())
        if f"{MapNodeKind.PARTY}:{normal_name(name)}" in self.map.nodes:
            return True
        at = bisect_left(self._names, f"{plain} ")
        return bool(plain) and at < len(self._names) and self._names[at].startswith(f"{plain} ")

    def named(self, name: str) -> list[MapNode]:
        """The nodes that a name or the id of one means, the surest first. Raises NotFoundError."""
        found = [self.map.nodes[name]] if name in self.map.nodes else self.search(name)
        if not found:
            raise NotFoundError(
                f"Nothing on the map is called {name[:80]!r}.",
                next_step="Look for a part of the name, or in another bucket.",
            )
        return found

    def routes(self, one: str, other: str, most: int = MOST_PATHS) -> MapRoutes:
        """Ways between two names or ids of nodes, 20 at most. Raises NotFoundError for an unknown one."""
        first, second = self.named(one), self.named(other)
        paths = self.paths(first[0].id, second[0].id, min(most, 20))
        others = (each for own in (first, second) for each in own[1:] if each.kind is own[0].kind)
        return MapRoutes(first[0], second[0], tuple(paths), tuple(islice(others, 6)))

    def _alike(self, name: str) -> list[str]:
        """The parties whose names are spelt much like one."""
        from rapidfuzz import fuzz, process

        keys = [id.partition(":")[2] for id in self.map.nodes if id.startswith(MapNodeKind.PARTY)]
        found = process.extract(name, keys, scorer=fuzz.token_sort_ratio, score_cutoff=80, limit=5)
        return [f"{MapNodeKind.PARTY}:{key}" for key, *_ in found]

    def paths(self, one: str, other: str, most: int = MOST_PATHS) -> list[MapPath]:
        """Ways between two nodes, shortest first, none over LONGEST_PATH edges; [] where none leads there."""
        import networkx as nx

        if one == other or one not in self._graph or other not in self._graph:
            return []
        near = nx.single_source_shortest_path_length(self._graph, one, cutoff=LONGEST_PATH)
        if other not in near:
            return []
        rest = nx.single_source_shortest_path_length(self._graph, other, cutoff=LONGEST_PATH)
        on_way = {
            node for node, far in near.items() if far + rest.get(node, LONGEST_PATH + 1) <= near[other] + 2
        }
        inside = self._graph.subgraph(on_way)
        ways = nx.shortest_simple_paths(inside, one, other, weight="weight")
        return [self._path(way) for way in islice(ways, most) if len(way) <= LONGEST_PATH + 1]

    def _path(self, way: list[str]) -> MapPath:
        edges = tuple(self._between(one, other)[0] for one, other in pairwise(way))
        return MapPath(tuple(self.map.nodes[id] for id in way), edges)

    def _between(self, one: str, other: str) -> list[MapEdge]:
        """The edges between two nodes, the surest first."""
        few = min(one, other, key=lambda id: len(self.map.at[id]))
        found = [each for each in self.map.at[few] if {each.source, each.target} == {one, other}]
        return sorted(found, key=lambda each: -each.probability)

    def near(self, node: str, depth: int = 1, most: int = 100) -> list[str]:
        """The node and those around it, at most `most`: nearest first, then those with most edges."""
        found, edge = {node: 0}, [node]
        for far in range(1, depth + 1):
            beside = {each.other(id) for id in edge for each in self.map.at[id]} - found.keys()
            edge = sorted(beside, key=lambda id: (-len(self.map.at[id]), id))[: most - len(found)]
            found |= dict.fromkeys(edge, far)
        return list(found)[:most]

    @cached_property
    def parts(self) -> list[MapPart]:
        """All nodes by what they hang together with, large ones first; those without an edge are one."""
        import networkx as nx

        graph = self._graph
        alone = sorted(nx.isolates(graph))
        joined = graph.subgraph(set(graph) - set(alone))
        if len(self.map.edges) <= _CLUSTERED:
            groups: Iterable[set[str]] = nx.community.louvain_communities(joined, weight=None, seed=_SEED)
        elif len(self.map.edges) <= _PROPAGATED:
            groups = nx.community.fast_label_propagation_communities(joined, seed=_SEED)
        else:
            groups = nx.connected_components(joined)
        ordered = sorted((sorted(each) for each in groups), key=lambda each: (-len(each), each))
        made = [self._part(nodes) for nodes in ordered]
        return [*made, MapPart("alone", "Without a connection", tuple(alone))] if alone else made

    def _part(self, nodes: list[str]) -> MapPart:
        at = self.map.at
        first = max(
            nodes, key=lambda id: (self.map.nodes[id].kind is not MapNodeKind.DOCUMENT, len(at[id]), id)
        )
        return MapPart(first, self.map.nodes[first].name, tuple(nodes))

    def between_parts(self, parts: Collection[MapPart]) -> dict[tuple[str, str], int]:
        """By two of some parts the number of edges between them."""
        part_of = {node: each.id for each in parts for node in each.nodes}
        counts: dict[tuple[str, str], int] = {}
        for each in self.map.edges:
            one, other = part_of.get(each.source), part_of.get(each.target)
            if one and other and one != other:
                pair = (min(one, other), max(one, other))
                counts[pair] = counts.get(pair, 0) + 1
        return counts

    def within(self, keep: Callable[[MapNode], bool], keep_edge: Callable[[MapEdge], bool]) -> MapWalks:
        """Walks over the nodes and edges that fit; edges need both their ends."""
        nodes = {id: each for id, each in self.map.nodes.items() if keep(each)}
        edges = [
            each
            for each in self.map.edges
            if each.source in nodes and each.target in nodes and keep_edge(each)
        ]
        return MapWalks(ConnectionMap(nodes, edges, self.map.left_out))


def _fit(line: str, plain: str) -> int:
    """How well words name a node of these names, 0 to 3."""
    names = line.split("\n")
    if plain in names:
        return 3
    if not all(word in line for word in plain.split()):
        return 0
    return 2 if any(each.startswith(plain) for each in names) else 1


def graph_ml(map: ConnectionMap) -> Iterator[str]:
    """The map as GraphML, line by line, with the words of each edge."""
    import networkx as nx

    graph: Graph[str] = nx.MultiDiGraph()
    for node in map.nodes.values():
        graph.add_node(node.id, name=_plain(node.name), kind=node.kind.value, bucket=node.bucket)
    for each in map.edges:
        quote = each.places[0].quote
        graph.add_edge(
            each.source,
            each.target,
            kind=each.kind.value,
            about=_plain(each.about),
            probability=each.probability,
            document=each.places[0].document,
            page=quote.span.page_no,
            quote=_plain(quote.quote),
        )
    yield from nx.generate_graphml(graph)


def _plain(text: str) -> str:
    """The text without signs that XML does not take."""
    return "".join(each for each in text if each.isprintable() or each in "\t\n")
