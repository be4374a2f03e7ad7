from __future__ import annotations

from app.views.matrix.sides import BETWEEN, OF_MODEL, around, between_documents, of_model
from core.domain.certainty.contradiction import StatingDocument, ValueContradiction, ValueStatement
from core.domain.ids import DocumentId
from core.domain.matrix import CellDispute, WorkItem
from tests.support.stated_values import absent, money, present, quote

PAGE = f"{'before ' * 40}the total is 10 USD{' after' * 40}"


def test_both_sorts_are_shown_side_by_side_and_found_by_their_words() -> None:
    documents = [StatingDocument(DocumentId(each), f"Bill {each}", 1, "b", "invoices") for each in "ab"]
    sides = tuple(
        ValueStatement(document, money(amount), quote(PAGE, "10 USD"))
        for document, amount in zip(documents, ("10", "12"), strict=True)
    )
    [one] = between_documents([ValueContradiction("ACME", "total", "Total", sides)], frozenset({"total"}))
    item = WorkItem(DocumentId("a"), "tax", "Bill a", False, 0.9)
    [other] = of_model([CellDispute(item, present(money("1")), absent())], {"tax": "Tax"})

    assert (one.sort, one.values, one.documents) == (BETWEEN, "USD 10 \u2260 USD 12", "Bill a \u00b7 Bill b")
    assert [side.cell for side in one.sides] == ["a.total", "b.total"]
    assert (one.has("acme 12"), one.has("acme 13")) == (True, False)
    assert (other.sort, other.values, len(other.lines)) == (OF_MODEL, "USD 1 \u2260 absent", 2)


def test_words_around_a_quote_are_cut_between_words() -> None:
    before, after = around(PAGE, quote(PAGE, "10 USD"))

    assert before.startswith("\u2026 before")
    assert before.endswith("the total is ")
    assert after.endswith("after \u2026")
    assert around("10 USD", quote("10 USD", "10 USD")) == ("", "")
