"""The map made from what documents state and what their pages mention."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from core.domain.certainty.contradiction import ContradictionReport, ContradictionState, ValueStatement
from core.domain.evidence.connection import (
    MENTIONED,
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
from core.graph.mentions import FoundPhrase, Phrase, PhraseFinder, numbers_in
from core.graph.same_names import one_names
from core.store.documents.mentions import MentionPage
from core.store.query.connections import StatedConnections, StatedThing
from core.values.names import legal_form, normal_name
from core.values.naming.party import is_blank, party_name

MOST_EDGES = 400_000
MOST_CHARACTERS = 100_000_000
"""Characters of pages that are looked through for mentions: some 6 s."""

_MOST_PLACES = 3
_MOST_NUMBERS = 500_000
_RARE, _LEAST_RARE = 0.03, 10
_MENTIONED, _ALONE, _AMENDING, _GUESSED = 0.9, 0.85, 0.9, 0.7
_STATES = {ContradictionState.OPEN: 0.9, ContradictionState.POSSIBLE: 0.5, ContradictionState.RESOLVED: 0.7}
_KINDS = {
    "product": MapNodeKind.PRODUCT,
    "place": MapNodeKind.PLACE,
    "number": MapNodeKind.NUMBER,
    "document": MapNodeKind.NUMBER,
}


@dataclass
class _Draft:
    """A map as it grows. owners: by the key of a number the documents whose own it is, with its words."""

    nodes: dict[str, MapNode] = field(default_factory=dict)
    edges: dict[tuple[str, str, MapEdgeKind], MapEdge] = field(default_factory=dict)
    owners: dict[str, dict[DocumentId, StatedThing]] = field(default_factory=lambda: defaultdict(dict))
    left_out: Counter[str] = field(default_factory=Counter)

    def connect(
        self,
        source: str,
        target: str,
        kind: MapEdgeKind,
        about: str,
        probability: float,
        *places: StatedPlace,
    ) -> None:
        """Add an edge, or its words to the one that is there."""
        key = (source, target, kind)
        known = self.edges.get(key)
        if source == target or (known is None and len(self.edges) >= MOST_EDGES):
            self.left_out["connections beyond the most that are kept"] += source != target
            return
        if known is not None:
            about, probability = known.about or about, max(known.probability, probability)
            places = (*known.places, *(each for each in places if each not in known.places))
        self.edges[key] = MapEdge(source, target, kind, about, probability, places[:_MOST_PLACES])


def make_map(
    stated: StatedConnections,
    pages: Callable[[], Iterable[MentionPage]],
    contradictions: ContradictionReport,
) -> ConnectionMap:
    """The map of some documents: nodes without an edge are documents alone.

    pages: of the same documents, read only where there are several. A name, number or value that is no
    product and no place is on the map where two documents have it; a party, product or place that one states.
    """
    draft = _Draft()
    for each in stated.documents.values():
        id = _document(each.id)
        draft.nodes[id] = MapNode(id, MapNodeKind.DOCUMENT, each.name, each.bucket)
    if not stated.is_whole:
        draft.left_out["statements beyond the most that are read"] += 1
    phrases = [*_add_parties(draft, stated.statements), *_add_values(draft, stated)]
    for kin in stated.kinships:
        about = "amends" if kin.kind is MapEdgeKind.AMENDS else "stands under"
        draft.connect(
            _document(kin.place.document), _document(kin.base), kin.kind, about, kin.probability, kin.place
        )
    if len(stated.documents) > 1:
        _add_mentions(draft, phrases, pages(), len(stated.documents))
    _add_amendments(draft, stated)
    _add_contradictions(draft, contradictions)
    _resolve_numbers(draft)
    return _without_single(draft)


def _document(id: DocumentId) -> str:
    return f"{MapNodeKind.DOCUMENT}:{id}"


def _key(kind: MapNodeKind, text: str) -> str:
    return f"{kind}:{' '.join(text.casefold().split())}"


# --- parties


def _add_parties(draft: _Draft, statements: Iterable[StatedThing]) -> list[Phrase]:
    parties = [each for each in statements if each.connects == "party" and not is_blank(each.text)]
    same = one_names({each.key for each in parties})
    labels = [each for each in statements if not each.connects and legal_form(each.text)]
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for each in [*parties, *labels]:
        key = each.key if each.connects else normal_name(each.text)
        if key not in same:
            continue
        forms[same[key]][each.text] += 1
        exact = 1.0 if same[key] == key else 0.8
        id = f"{MapNodeKind.PARTY}:{same[key]}"
        source = _document(each.place.document)
        draft.connect(source, id, MapEdgeKind.NAMES, each.about, each.probability * exact, each.place)
    for name, written in forms.items():
        id = f"{MapNodeKind.PARTY}:{name}"
        draft.nodes[id] = MapNode(
            id, MapNodeKind.PARTY, _shown(written), forms=tuple(sorted(written)) if len(written) > 1 else ()
        )
    return [
        Phrase(f"{MapNodeKind.PARTY}:{whole}", name, is_name=True, needs_form=" " not in name)
        for name, whole in same.items()
        if len(name) > 2
    ]


def _shown(written: Counter[str]) -> str:
    """The form of a name that most documents write, of several the longest that is not in capitals."""
    most = max(written.values())
    return max(
        (name for name, count in written.items() if count == most),
        key=lambda name: (not name.isupper(), len(name), name),
    )


# --- products, places, numbers and values


def _add_values(draft: _Draft, stated: StatedConnections) -> Iterator[Phrase]:
    """Nodes and edges of them; gives the phrases by which they are mentioned."""
    known = {
        " ".join(each.text.casefold().split()): _KINDS[each.connects]
        for each in stated.statements
        if each.connects in _KINDS
    }
    for each in stated.statements:
        kind = _KINDS.get(each.connects) or known.get(" ".join(each.text.casefold().split()))
        kind = kind or _kind_of(each.text)
        if (
            each.connects == "party"
            or kind is None
            or _is_empty(each.text)
            or _key(MapNodeKind.PARTY, normal_name(each.text)) in draft.nodes
        ):
            continue
        id = _key(kind, each.text)
        if each.connects == "document":
            draft.owners[id][each.place.document] = each
        if id not in draft.nodes:
            draft.nodes[id] = MapNode(id, kind, each.text)
            if _is_told(each.text, kind):
                yield Phrase(
                    id, each.text, is_name=kind is not MapNodeKind.NUMBER and not _has_digit(each.text)
                )
        source = _document(each.place.document)
        draft.connect(source, id, MapEdgeKind.STATES, each.about, each.probability, each.place)


def _is_empty(text: str) -> bool:
    """True of the label of another line ("Serial no.:"), and of letters that stand for nothing ("TBD")."""
    return ":" in text or (len(text) < _LEAST_NAME and not _has_digit(text))


def _kind_of(text: str) -> MapNodeKind | None:
    """The kind of thing that the text of a label is by itself: a number, a name; None for other words."""
    if text.casefold() in numbers_in(text):
        return MapNodeKind.NUMBER
    words = [word for word in text.split() if len(word) > 3]
    is_name = len(words) > 1 and all(word[0].isupper() and word.isalpha() for word in words)
    is_short = len(text.split()) <= _MOST_WORDS
    return MapNodeKind.VALUE if is_name and is_short and party_name(text) else None  # no office, no term


_MOST_WORDS, _LEAST_NAME = 6, 5
_LEAST_BARE = 6  # digits of a number without letters that is looked for in prose


def _is_told(text: str, kind: MapNodeKind) -> bool:
    """True of words that mean this thing wherever they stand: several of a name, or a number of its own."""
    plain = "".join(each for each in text if each.isalnum())
    if plain.isdigit() or kind is MapNodeKind.NUMBER:
        return len(plain) >= (_LEAST_BARE if plain.isdigit() else 4) and _has_digit(plain)
    return (_has_digit(plain) and len(plain) > 3) or _kind_of(text) is MapNodeKind.VALUE


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


# --- mentions


def _add_mentions(draft: _Draft, phrases: list[Phrase], pages: Iterable[MentionPage], documents: int) -> None:
    finder, left = PhraseFinder(phrases), MOST_CHARACTERS
    numbers: dict[str, dict[DocumentId, StatedPlace]] = defaultdict(dict)
    most = max(_LEAST_RARE, int(documents * _RARE))
    unread = set()
    for page in pages:
        left -= len(page.text)
        if left < 0:
            unread.add(page.document)
            continue
        source = _document(page.document)
        for found in finder.find(page.text):
            kind = MapEdgeKind.NAMES if found.node.startswith(MapNodeKind.PARTY) else MapEdgeKind.STATES
            if (source, found.node, kind) not in draft.edges:
                sure = _GUESSED if found.node.startswith(MapNodeKind.VALUE) else _MENTIONED
                draft.connect(source, found.node, kind, MENTIONED, sure, _place(page, found))
        for key, found in numbers_in(page.text).items():
            held = numbers[key] if key in numbers or len(numbers) < _MOST_NUMBERS else None
            if held is not None and len(held) <= most:
                held.setdefault(page.document, _place(page, found))
    _add_numbers(draft, numbers, most)
    if unread:
        draft.left_out["documents whose pages were not looked through for mentions"] = len(unread)


def _add_numbers(draft: _Draft, numbers: dict[str, dict[DocumentId, StatedPlace]], most: int) -> None:
    """Numbers that no field and no label states, where some documents write the same."""
    known = {id.partition(":")[2] for id in draft.nodes}
    for key, places in numbers.items():
        if not 1 < len(places) <= most or key in known:
            continue
        id = _key(MapNodeKind.NUMBER, key)
        draft.nodes[id] = MapNode(id, MapNodeKind.NUMBER, next(iter(places.values())).quote.quote)
        for document, place in places.items():
            draft.connect(_document(document), id, MapEdgeKind.STATES, MENTIONED, _ALONE, place)


def _place(page: MentionPage, found: FoundPhrase) -> StatedPlace:
    span = PageSpan(page.page, found.start, found.end)
    return StatedPlace(page.document, page.version, Quote(span, page.text[found.start : found.end]))


# --- amendments


def _add_amendments(draft: _Draft, stated: StatedConnections) -> None:
    """Have each amendment amend the one document of its bucket that has the title and most of its parties."""
    called: dict[tuple[str, str], set[DocumentId]] = defaultdict(set)
    changing = {each.place.document for each in stated.amendments}
    for id, title in stated.titles.items():
        if id in stated.documents and id not in changing:
            called[stated.documents[id].bucket, title].add(id)
    parties: dict[str, set[str]] = defaultdict(set)
    for edge in draft.edges.values():
        if edge.kind is MapEdgeKind.NAMES:
            parties[edge.source].add(edge.target)
    for each in stated.amendments:
        own = each.place.document
        shared = {
            base: len(parties[_document(own)] & parties[_document(base)])
            for base in called[stated.documents[own].bucket, each.title]
        }
        best = [base for base, count in shared.items() if count and count == max(shared.values())]
        if len(best) == 1:
            draft.connect(
                _document(own), _document(best[0]), MapEdgeKind.AMENDS, "amends", _AMENDING, each.place
            )


# --- contradictions, and what is left in the end


def _add_contradictions(draft: _Draft, report: ContradictionReport) -> None:
    """Edges between the documents of two sides, the earlier one first."""
    for each in report.contradictions:
        sides = [side for side in each.sides if side.quote and _document(side.document.id) in draft.nodes]
        for one, other in pairwise(sides):
            draft.connect(
                _document(one.document.id),
                _document(other.document.id),
                MapEdgeKind.CONTRADICTS,
                each.title,
                _STATES[each.state],
                *(place for side in (one, other) for place in _side(side)),
            )


def _side(side: ValueStatement) -> Iterator[StatedPlace]:
    if side.quote is not None:
        yield StatedPlace(side.document.id, side.document.version, side.quote)


def _resolve_numbers(draft: _Draft) -> None:
    """Have who gives the own number of one document refer to that."""
    alone = {id: next(iter(some.items())) for id, some in draft.owners.items() if len(some) == 1}
    for (source, target, kind), edge in list(draft.edges.items()):
        if target not in alone:
            continue
        del draft.edges[source, target, kind]
        owner, own = alone[target]
        about = edge.about if edge.about != MENTIONED else own.about
        places = (*edge.places[:1], own.place)
        draft.connect(source, _document(owner), MapEdgeKind.REFERS, about, edge.probability, *places)
    for id in alone:
        draft.nodes.pop(id, None)


def _without_single(draft: _Draft) -> ConnectionMap:
    """The map without numbers and values that one document alone has, or so many that they tell nothing."""
    documents = sum(each.kind is MapNodeKind.DOCUMENT for each in draft.nodes.values())
    counts = Counter(each.target for each in draft.edges.values())
    most = max(_LEAST_RARE, int(documents * _RARE))
    dropped = set()
    for id, each in draft.nodes.items():
        is_weak = each.kind in (MapNodeKind.NUMBER, MapNodeKind.VALUE)
        if is_weak and not 1 < counts[id] <= most:
            dropped.add(id)
            draft.left_out["numbers and names that too many documents share"] += counts[id] > most
    nodes = {id: each for id, each in draft.nodes.items() if id not in dropped}
    edges = [each for each in draft.edges.values() if each.target in nodes and each.source in nodes]
    return ConnectionMap(nodes, edges, {why: n for why, n in draft.left_out.items() if n})
