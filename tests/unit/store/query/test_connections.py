from __future__ import annotations

from core.config.schema_store import shipped_schemas
from core.domain.certainty.contradiction import ContradictionReport
from core.domain.evidence.connection import in_words
from core.graph.make import make_map
from core.graph.maps import Maps
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.mapped import papers

SCHEMAS = tuple(shipped_schemas().values())
GUEST = Visibility(frozenset())


def test_statements_stand_on_their_words_and_only_visible_documents_state_any(records: Records) -> None:
    ids = papers(records)
    found = records.connections.read(Visibility.everything(), SCHEMAS)
    guest = records.connections.read(GUEST, SCHEMAS)

    assert found.is_whole
    assert {(each.connects, each.text) for each in found.statements} == {
        ("party", "ACME Widgets Ltd"),
        ("party", "Delta Freight GmbH"),
        ("party", "Beta Foods Inc."),
        ("party", "ACME WIDGETS LIMITED"),
        ("party", "Gamma Optics LLC"),
        ("number", "PO-77123"),
        ("document", "INV-5501"),
        ("product", "HX-900"),
    }
    assert all(each.place.quote.quote == each.text for each in found.statements)
    assert ids["minutes.txt"] not in guest.documents
    assert {each.text for each in found.statements} - {each.text for each in guest.statements} == {
        "ACME WIDGETS LIMITED",
        "Gamma Optics LLC",
    }


def test_a_hidden_document_gives_no_node_no_edge_and_no_way(records: Records) -> None:
    papers(records)
    maps = Maps(records, lambda: SCHEMAS)
    whole, seen = maps.find(Visibility.everything()), maps.find(GUEST)

    assert whole.paths("party:acme widgets", "party:gamma optics")
    assert "party:gamma optics" not in seen.map.nodes
    assert seen.search("Gamma Optics") == []
    assert "ACME WIDGETS LIMITED" not in seen.map.nodes["party:acme widgets"].forms
    [way, *_] = seen.paths("party:acme widgets", "party:beta foods")
    assert [each.name for each in way.nodes if each.document is None] == [
        "ACME Widgets Ltd",
        "Delta Freight GmbH",
        "Beta Foods Inc.",
    ]
    assert maps.find(GUEST) is seen


def test_a_map_is_made_anew_once_something_changed(records: Records) -> None:
    ids = papers(records)
    maps = Maps(records, lambda: SCHEMAS)
    before = maps.find(GUEST)
    records.documents.remove([ids["order.txt"]])

    assert before.paths("party:acme widgets", "party:beta foods")
    assert maps.find(GUEST).paths("party:acme widgets", "party:beta foods") == []


def test_numbers_products_and_references_connect_over_pages(records: Records) -> None:
    papers(records)
    stated = records.connections.read(GUEST, SCHEMAS)
    map = make_map(stated, lambda: records.mentions.pages(GUEST), ContradictionReport(()))
    said = {in_words(each, each.source[:4], map.nodes[each.target].name) for each in map.edges}

    assert "docu mentions HX-900" in said
    assert "docu states Purchase order: PO-77123" in said
    assert "docu mentions PO-77123" in said
    assert sum("refers to" in each for each in said) == 1
