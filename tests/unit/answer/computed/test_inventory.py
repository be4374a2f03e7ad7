from __future__ import annotations

import pytest

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.inventory import (
    compose_inventory,
    is_inventory,
    is_inventory_count,
    with_unknown_kinds,
)
from core.answer.computed.lists import ledger_of
from core.domain.answer import Kind, Route
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, DocumentEntry, SchemaEntry
from core.plan.ir.nodes import Aggregate, Plan, Scope, Select

CATALOGUE = Catalogue(
    schemas=(
        SchemaEntry("contracts", "Contracts", ("contracts",)),
        SchemaEntry("invoices", "Invoices and receipts", ("invoices",)),
    ),
    documents=(
        DocumentEntry("a", "Supply", "a.txt", "contracts", "contracts", "agreement"),
        DocumentEntry("b", "Change", "b.txt", "contracts", "contracts", "amendment"),
        DocumentEntry("c", "Tires", "c.pdf", "invoices", "invoices", "receipt", unreadable="a scan"),
        DocumentEntry("d", "Notes", "d.txt", "other"),
    ),
)


def test_everything_is_listed_with_what_could_not_be_read() -> None:
    draft = compose_inventory(Documents(present=frozenset("abd"), unreadable=frozenset("c")), CATALOGUE)
    assert draft.lead.text == (
        "There are 4 documents: 2 contracts, 1 invoice or receipt and 1 other document. "
        "1 of them could not be read."
    )
    assert draft.table is not None
    assert [row[:2] for row in draft.table.rows] == [
        ("Change", "contract (amendment)"),
        ("Notes", None),
        ("Supply", "contract"),
        ("Tires", "receipt"),
    ]
    assert draft.ledger is not None
    assert (draft.ledger.scope, draft.ledger.present, draft.ledger.unreadable) == (4, 3, 1)
    found = Documents(present=frozenset("abd"), unreadable=frozenset("c"))
    count = compose_inventory(found, CATALOGUE, is_count=True)
    assert (count.lead, count.value and count.value.value) == (draft.lead, "4")


def test_an_empty_collection_is_said_to_be_empty() -> None:
    draft = compose_inventory(Documents(), CATALOGUE)
    assert (draft.lead.text, draft.confidence) == ("There are no documents here yet.", 0.0)


def test_a_selection_that_asks_for_something_is_no_inventory() -> None:
    assert is_inventory(Select(id="s", purpose=""))
    assert not is_inventory(Select(id="s", purpose="", scope=Scope(schema_name="contracts")))
    assert not is_inventory(Select(id="s", purpose="", limit=3))


@pytest.mark.parametrize(("scope", "is_all"), [(Scope(), True), (Scope(schema_name="contracts"), False)])
def test_the_count_of_all_documents_counts_what_their_list_has(scope: Scope, is_all: bool) -> None:
    count = Aggregate(id="c", purpose="", inputs=("s",), function="count")
    nodes = (Select(id="s", purpose="", scope=scope), count)
    plan = Plan(question="q", kind=Kind.AGGREGATE, route=Route.STRUCTURED, nodes=nodes, answer_node="c")
    assert is_inventory_count(count, plan) is is_all


BESIDE = Catalogue(
    documents=(
        DocumentEntry("a", "A", "a.txt", "deals", "contracts"),
        DocumentEntry("b", "B", "b.txt", "more", "contracts"),
        DocumentEntry("c", "C", "c.txt", "bills", "invoices"),
        *(
            DocumentEntry(id, id, f"{id}.pdf", bucket, unreadable="a scan", is_of_unknown_kind=True)
            for id, bucket in (("x", "deals"), ("y", "more"), ("z", "bills"))
        ),
    )
)


READ = Documents(present=frozenset("ab"))


def beside(scope: Scope, found: Documents = READ) -> ComputedDraft:
    plan = Plan(
        question="q",
        kind=Kind.COMPLIANCE,
        route=Route.STRUCTURED,
        nodes=(Select(id="s", purpose="", scope=scope),),
        answer_node="s",
    )
    draft = ComputedDraft(lead=DraftLine("There are 2 contracts."), ledger=ledger_of(found, "law"))
    return with_unknown_kinds(draft, plan, BESIDE)


def test_they_are_counted_and_named_beside_the_scope_where_documents_of_its_kind_are() -> None:
    draft = beside(Scope(schema_name="contracts"))
    assert draft.ledger is not None
    assert (draft.ledger.scope, draft.ledger.unknown_kind) == (2, 2)
    assert draft.ledger.documents.unknown_kind == ("x", "y")
    assert draft.gaps == (
        "2 documents of the buckets “deals” and “more” could not be read; their kinds are unknown.",
    )


def test_only_the_buckets_that_were_asked_count() -> None:
    draft = beside(Scope(schema_name="contracts", buckets=("deals", "bills")))
    assert draft.gaps == ("1 document of the bucket “deals” could not be read; its kind is unknown.",)


@pytest.mark.parametrize(
    "scope",
    [
        Scope(),
        Scope(schema_name="contracts", documents=("a",)),
        Scope(schema_name="contracts", readable=True),
        Scope(schema_name="manuals"),
    ],
)
def test_a_scope_that_has_them_or_cannot_have_them_says_nothing(scope: Scope) -> None:
    assert beside(scope).gaps == ()


def test_what_is_in_the_ledger_is_not_told_twice() -> None:
    found = Documents(present=frozenset("ab"), unreadable=frozenset("x"))
    draft = beside(Scope(schema_name="contracts"), found)
    assert draft.ledger is not None
    assert draft.ledger.documents.unknown_kind == ("y",)
