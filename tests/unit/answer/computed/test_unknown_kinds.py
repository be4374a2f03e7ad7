from __future__ import annotations

import pytest

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import ledger_of
from core.answer.computed.unknown_kinds import with_unknown_kinds
from core.domain.answer import Kind, Route
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import Plan, Scope, Select

CATALOGUE = Catalogue(
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
    return with_unknown_kinds(draft, plan, CATALOGUE)


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
