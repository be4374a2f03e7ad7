from __future__ import annotations

from collections.abc import Iterable

from core.domain.certainty.contradiction import ContradictionReport
from core.domain.evidence.connection import ConnectionMap, StatedPlace, in_words
from core.domain.ids import DocumentId
from core.graph import make
from core.graph.make import make_map
from core.store.documents.mentions import MentionPage
from core.store.query.connections import MappedDocument, StatedAmendment, StatedConnections, StatedThing
from core.values.names import normal_name
from tests.support.stated_values import quote

PAGES = {
    "a": "Supply Agreement between ACME Widgets Ltd and Beta Foods GmbH. Site: Gull Lane Depot",
    "b": "Amendment to Supply Agreement of ACME WIDGETS LIMITED",
    "c": "Invoice number: INV-5501, Bank Transfer",
    "d": "Reminder of INV-5501 and KT4711. At Gull Lane Depot.",
    "e": "Unit KT4711. Nothing else.",
}


def place(document: str, words: str) -> StatedPlace:
    return StatedPlace(DocumentId(document), 1, quote(PAGES[document], words))


def party(document: str, name: str, about: str = "supplier") -> StatedThing:
    return StatedThing(place(document, name), "party", name, normal_name(name), about, 0.9)


def value(document: str, words: str, connects: str, about: str) -> StatedThing:
    return StatedThing(place(document, words), connects, words, words, about, 0.9)


STATEMENTS = (
    party("a", "ACME Widgets Ltd"),
    party("a", "Beta Foods GmbH", "customer"),
    party("b", "ACME WIDGETS LIMITED"),
    value("a", "Gull Lane Depot", "", "Site"),
    value("c", "INV-5501", "document", "Invoice number"),
    value("c", "Bank Transfer", "", "Payment"),
)


def stated(*documents: str, statements: Iterable[StatedThing] = STATEMENTS) -> StatedConnections:
    read = {DocumentId(id): MappedDocument(DocumentId(id), f"Paper {id}", "x", 1) for id in documents}
    return StatedConnections(
        read,
        [each for each in statements if each.place.document in read],
        (),
        [StatedAmendment(place("b", "Supply Agreement"), "supply agreement")] if "b" in documents else (),
        {DocumentId("a"): "supply agreement", DocumentId("b"): "supply agreement"},
    )


def made(*documents: str) -> ConnectionMap:
    pages = (MentionPage(DocumentId(id), 1, 1, PAGES[id], id, id) for id in documents)
    return make_map(stated(*documents), lambda: pages, ContradictionReport(()))


def said(map: ConnectionMap) -> set[str]:
    return {in_words(each, map.nodes[each.source].name, map.nodes[each.target].name) for each in map.edges}


def test_what_is_stated_and_what_is_mentioned_connects_on_its_words() -> None:
    map = made(*PAGES)

    assert said(map) == {
        "Paper a names ACME Widgets Ltd as supplier",
        "Paper a names Beta Foods GmbH as customer",
        "Paper b names ACME Widgets Ltd as supplier",
        "Paper b amends Paper a",
        "Paper a states Site: Gull Lane Depot",
        "Paper d mentions Gull Lane Depot",
        "Paper d refers to Paper c",
        "Paper d mentions KT4711",
        "Paper e mentions KT4711",
    }
    for edge in map.edges:
        assert edge.places
        for each in edge.places:
            span = each.quote.span
            assert PAGES[each.document][span.start : span.end] == each.quote.quote


def test_what_one_document_alone_has_is_no_node_save_parties() -> None:
    map = made("a", "c")

    assert {each.name for each in map.nodes.values()} == {
        "Paper a",
        "Paper c",
        "ACME Widgets Ltd",
        "Beta Foods GmbH",
    }
    assert [each.id for each in made("e").nodes.values()] == ["document:e"]
    assert made().nodes == {}


def test_what_goes_beyond_a_bound_is_counted(monkeypatch: object) -> None:
    before = make.MOST_EDGES, make.MOST_CHARACTERS
    try:
        make.MOST_EDGES, make.MOST_CHARACTERS = 2, 100
        map = made(*PAGES)
    finally:
        make.MOST_EDGES, make.MOST_CHARACTERS = before

    assert len(map.edges) == 2
    assert map.left_out["documents whose pages were not looked through for mentions"] == 4
    assert map.left_out["connections beyond the most that are kept"] > 0
