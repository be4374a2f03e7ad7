from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import NotFoundError, UsageError
from core.plan.run.tools import Tools
from core.store.database.visibility import Visibility
from tests.support.doors import OPEN
from tests.support.operating import Desk
from tests.support.shelf import Shelf
from tests.support.stated_values import absent, money, present, text, uncertain

ALL = Visibility.everything()
NAMES = [
    "search",
    "search_text",
    "search_semantic",
    "annotations_search",
    "annotations_aggregate",
    "get_document_metadata",
]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    shelf = Shelf(tmp_path)
    desk = Desk(shelf.records, shelf.retriever)
    desk.put("a", fee=present(money("100.00")), law=present(text("Texas")))
    desk.put("b", fee=present(money("50.00")), law=present(text("Ohio")))
    desk.put("c", fee=absent(), law=present(text("Texas")))
    desk.put("d", fee=uncertain(), law=present(text("Texas")))
    desk.put("hidden", fee=present(money("900.00")), law=present(text("Texas")), acl=("board",))
    shelf.put("lease.txt", "Rent is due in May. Dogs are not allowed in the yard.", title="Lease", bucket="x")
    shelf.put("secret.txt", "Rent is due never.", title="Secret", bucket="x", acl=("board",))
    yield desk
    shelf.close()


def call(desk: Desk, name: str, visible: Visibility = ALL, **arguments: Any) -> dict[str, Any]:
    return Tools(desk.operators, desk.records.documents, visible, OPEN).call(name, arguments)


def test_every_tool_has_a_schema_with_its_defaults(desk: Desk) -> None:
    schemas = Tools(desk.operators, desk.records.documents, ALL, OPEN).schemas()
    functions = {each["function"]["name"]: each["function"]["parameters"] for each in schemas}
    assert list(functions) == NAMES
    searching = functions["search_text"]["properties"]
    assert (searching["top_k"]["default"], searching["context_chars"]["default"]) == (20, 400)
    assert {"bucket", "query", "doc_id", "filters"} <= searching.keys()
    assert {"predicates", "group_by", "aggregate"} <= functions["annotations_aggregate"]["properties"].keys()
    assert functions["get_document_metadata"]["required"] == ["doc_id"]


@pytest.mark.parametrize("name", ["search_text", "search_semantic"])
def test_a_search_shows_text_of_the_page_around_each_hit(desk: Desk, name: str) -> None:
    found = call(desk, name, query="when is rent due", bucket="x")
    first = found["hits"][0]
    page = desk.records.documents.page(first["doc_id"], first["version"], first["page"], ALL).text
    assert page[first["start"] : first["end"]] == first["text"]
    assert {hit["title"] for hit in found["hits"]} == {"Lease", "Secret"}
    assert found["is_exhaustive"] is False
    short = call(desk, name, query="when is rent due", bucket="x", context_chars=10, top_k=1)
    assert [len(hit["text"]) for hit in short["hits"]] == [10]


def test_a_search_stays_within_one_document_and_what_may_be_seen(desk: Desk) -> None:
    visible = Visibility(frozenset({"staff"}))
    titles = {hit["title"] for hit in call(desk, "search_text", visible, query="rent due")["hits"]}
    assert titles == {"Lease"}
    secret = desk.records.documents.find("x", "secret.txt")
    assert secret is not None
    assert not call(desk, "search_text", visible, query="rent due", doc_id=str(secret.id))["hits"]
    assert len(call(desk, "search_text", query="rent due", doc_id=str(secret.id))["hits"]) == 1


@pytest.mark.parametrize("written", ["fee >= 60 USD", {"field": "fee", "op": ">=", "value": "60 USD"}])
def test_documents_are_listed_exactly_with_what_is_not_known(desk: Desk, written: object) -> None:
    found = call(
        desk, "annotations_search", Visibility(frozenset({"staff"})), bucket="deals", predicates=[written]
    )
    assert [each["title"] for each in found["documents"]] == ["a"]
    assert (found["total"], found["ledger"]["scope"], found["ledger"]["uncertain"]) == (1, 4, 1)
    ledger = found["ledger"]
    parts = ledger["present"] + ledger["absent"] + ledger["unreadable"] + ledger["uncertain"]
    assert parts == ledger["scope"]


def test_a_list_says_how_many_there_are_where_it_shows_fewer(desk: Desk) -> None:
    found = call(desk, "annotations_search", bucket="deals", top_k=2)
    assert (len(found["documents"]), found["total"]) == (2, 5)


def test_a_field_is_computed_in_groups_over_what_may_be_seen(desk: Desk) -> None:
    arguments = {"bucket": "deals", "aggregate": "sum", "field": "fee", "group_by": ["law"]}
    found = call(desk, "annotations_aggregate", Visibility(frozenset({"staff"})), **arguments)
    values = {tuple(group["key"]): (float(group["value"]), group["unit"]) for group in found["groups"]}
    assert values == {("Texas",): (100.0, "USD"), ("Ohio",): (50.0, "USD")}
    everything = call(desk, "annotations_aggregate", bucket="deals", predicates=["law = Texas"])
    assert everything["groups"][0]["value"] == "4"


def test_a_document_tells_what_it_is_to_who_may_see_it(desk: Desk) -> None:
    id = desk.ids["hidden"]
    assert call(desk, "get_document_metadata", doc_id=id)["title"] == "hidden"
    with pytest.raises(NotFoundError):
        call(desk, "get_document_metadata", Visibility(frozenset({"staff"})), doc_id=id)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("drop_table", {}, "Unknown tool 'drop_table'"),
        ("search_text", {"query": "x", "top_k": 10**6}, "search_text: top_k"),
        ("search_text", {"query": "x", "sql": "select 1"}, "search_text: sql"),
        ("search_semantic", {}, "search_semantic: query"),
        ("annotations_search", {"predicates": ["; drop table cells"]}, "; drop table cells"),
        ("annotations_aggregate", {"aggregate": "delete"}, "annotations_aggregate: aggregate"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(
    desk: Desk, name: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError) as refused:
        call(desk, name, **arguments)
    assert said in refused.value.message
    assert refused.value.next_step
