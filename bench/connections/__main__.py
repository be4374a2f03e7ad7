"""The map held against 60 connections planted among 500 papers, or drawn over strangers' documents.

    python -m bench.connections [--seed 1] [--home DIR] [--show]
    python -m bench.connections --over HOME [--bucket B] [--sample 30]
    python -m bench.connections --size 5000

Papers are written out, ingested and extracted by the product without a model. A planted connection is found
where each of its steps is on the map: an edge between both papers, or one of each to the same node, on words
that the generator wrote. An edge is invented where the generator wrote nothing of the kind, or where its node
joins names of several things. --over: counts of a home's map, and edges drawn to be read by a person.
--size: times over a map of so many made-up nodes. Seed 1 was looked at; others have wordings of their own.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.connections.generate import Entity, Planted, Step, generate
from bench.papers.files import write
from core.domain.certainty.contradiction import ContradictionReport
from core.domain.evidence.connection import (
    ConnectionMap,
    MapEdge,
    MapEdgeKind,
    MapNodeKind,
    StatedPlace,
    in_words,
)
from core.domain.fields import Quote
from core.domain.ids import DocumentId
from core.domain.principal import LOCAL_ADMIN
from core.domain.span import PageSpan
from core.graph.layout import lay_out
from core.graph.make import make_map
from core.graph.walk import MapWalks
from core.store.documents.mentions import MentionPage
from core.store.query.connections import MappedDocument, StatedConnections, StatedThing
from core.workbench import Workbench
from core.workbench.explore.map import MapFilter
from core.workbench.session import Session

BUCKET = "papers"
_DOCUMENTS = (MapEdgeKind.AMENDS, MapEdgeKind.UNDER)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(",", " ").replace(".", "").split())


def _is_of(entity: Entity, text: str) -> bool:
    """True where some words are a way to write an entity."""
    own = _plain(text)
    return any(own in form or form in own for form in map(_plain, entity.forms))


class Measured:
    """A map beside what was planted, its documents by the names of their files."""

    def __init__(self, plant: Planted, map: ConnectionMap, files: dict[str, str]) -> None:
        self.plant, self.map = plant, map
        self.file = {id: files[node.document] for id, node in map.nodes.items() if node.document}
        self.id = {file: id for id, file in self.file.items()}

    def is_found(self, step: Step) -> bool:
        """True where a step is on the map, on its words."""
        one, other = self.id.get(step.one, ""), self.id.get(step.other, "")
        mine = [each for each in self.map.at.get(one, ()) if _is_of(step.entity, each.places[0].quote.quote)]
        theirs = {
            each.other(other)
            for each in self.map.at.get(other, ())
            if _is_of(step.entity, each.places[0].quote.quote)
        }
        return any(each.other(one) == other or each.other(one) in theirs for each in mine)

    def is_invented(self, edge: MapEdge) -> bool:
        """True of an edge for which the generator wrote nothing."""
        one, other = self.file[edge.source], self.file.get(edge.target)
        quote = edge.places[0].quote.quote
        if edge.kind in _DOCUMENTS:
            return (one, other) not in self.plant.amends
        said = [each for each in self.plant.says[one].values() if _is_of(each, quote)]
        if other is not None:
            return not any(each.id in self.plant.says[other] for each in said)
        node = self.map.nodes[edge.target]
        return not any(all(_is_of(each, form) for form in (node.name, *node.forms)) for each in said)


def measure(seed: int, home: Path, session: Session, plant: Planted, *, show: bool) -> None:
    """Print what was found and what was invented."""
    files = {each.id: Path(each.source).name for each in session.documents.list(bucket=BUCKET)}
    began = time.perf_counter()
    walks = session.map.walks(MapFilter(BUCKET))
    made = time.perf_counter() - began
    it = Measured(plant, walks.map, files)
    steps = {each: [it.is_found(step) for step in each.steps] for each in plant.plantings}
    found = sum(all(each) for each in steps.values())
    invented = [each for each in walks.map.edges if it.is_invented(each)]
    print(f"seed {seed}: {found} of {len(steps)} planted connections found on their words;")
    print(f"  {len(invented)} of {len(walks.map.edges)} edges invented; made in {made:.2f} s")
    missed = Counter(each.sort for each, ok in steps.items() if not all(ok))
    for sort, count in sorted(missed.items()):
        print(f"  missed: {count} {sort}")
    if not show:
        return
    for each, ok in steps.items():
        for step, is_found in zip(each.steps, ok, strict=True):
            if not is_found:
                print("  missed", each.sort, step.one, step.other, step.entity.forms)
    for edge in invented:
        print("  invented", it.file[edge.source], _said(walks.map, edge))


def _said(map: ConnectionMap, edge: MapEdge) -> str:
    quote = edge.places[0].quote
    words = in_words(edge, map.nodes[edge.source].name, map.nodes[edge.target].name)
    forms = map.nodes[edge.target].forms
    return f"{words} | p. {quote.span.page_no}: {quote.quote!r} {edge.probability:.2f} {forms or ''}"


def draw(session: Session, bucket: str | None, sample: int) -> None:
    """Counts of a map, and some of its edges with the words around them."""
    began = time.perf_counter()
    map = session.map.walks(MapFilter(bucket)).map
    print(f"{len(map.nodes):,} nodes, {len(map.edges):,} edges in {time.perf_counter() - began:.1f} s")
    print(dict(Counter(each.kind.value for each in map.nodes.values())))
    print(
        dict(Counter((each.kind.value, each.about == "mentioned") for each in map.edges)), dict(map.left_out)
    )
    for edge in random.Random(1).sample(list(map.edges), min(sample, len(map.edges))):
        place = edge.places[0]
        text = session.documents.page(place.document, place.version, place.quote.span.page_no).text
        start, end = place.quote.span.start, place.quote.span.end
        assert text[start:end] == place.quote.quote
        print(_said(map, edge))
        print(
            "      ",
            " ".join(text[max(0, start - 70) : start].split()),
            "[",
            place.quote.quote,
            "]",
            " ".join(text[end : end + 50].split()),
        )


def size(count: int) -> None:
    """Processor times over a made-up map of so many nodes, a fifth of them parties, two edges a document."""
    rng, documents, stated = random.Random(1), {}, []
    names = [f"Party {number:06} Trading" for number in range(count // 5)]
    pages = []
    for number in range(count - len(names)):
        id = DocumentId(f"d{number}")
        documents[id] = MappedDocument(id, f"Paper {number}", "b", 1)
        named = rng.sample(names, min(2, len(names)))
        text = f"Between {' and '.join(f'{each} Ltd' for each in named)}."
        pages.append(MentionPage(id, 1, 1, text, f"Paper {number}", ""))
        for name in named:
            at = text.index(name)
            quote = Quote(PageSpan(1, at, at + len(name)), name)
            place = StatedPlace(id, 1, quote)
            stated.append(StatedThing(place, "party", name, name.casefold(), "party", 0.9))
    began = time.process_time()
    map = make_map(StatedConnections(documents, stated), lambda: pages, ContradictionReport(()))
    print(f"{count:,} nodes: made of statements and pages {time.process_time() - began:.3f} s")
    walks, edges = MapWalks(map), map.edges
    parties = [id for id in map.nodes if id.startswith(MapNodeKind.PARTY)] or [*map.nodes]
    for name, act in (
        ("parts", lambda: walks.parts),
        ("search", lambda: walks.search("Party 17")),
        ("five ways", lambda: walks.paths(parties[0], parties[-1])),
        ("surroundings", lambda: walks.near(parties[0], 2, 80)),
        (
            "layout of 80",
            lambda: lay_out([f"n{n}" for n in range(80)], [(f"n{n}", f"n{n // 3}") for n in range(1, 80)]),
        ),
    ):
        began = time.process_time()
        act()
        print(f"{count:,} nodes, {len(edges):,} edges: {name} {time.process_time() - began:.3f} s")
    print(f"  {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path, help="keep it, or use what is there")
    parser.add_argument("--over", type=Path, help="a home of other documents")
    parser.add_argument("--bucket")
    parser.add_argument("--sample", type=int, default=30)
    parser.add_argument("--size", type=int)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.size:
        size(options.size)
        return
    if options.over:
        with Workbench.open(options.over) as bench:
            draw(bench.for_principal(LOCAL_ADMIN), options.bucket, options.sample)
        return
    plant = generate(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        home, files = options.home or Path(folder) / "home", Path(folder) / "papers"
        files.mkdir()
        write(files, plant.papers)
        with Workbench.open(home) as bench:
            session = bench.for_principal(LOCAL_ADMIN)
            if bench.is_empty():
                session.documents.ingest([files], bucket=BUCKET)
            measure(options.seed, home, session, plant, show=options.show)


if __name__ == "__main__":
    main()
