"""Measures of hand-made answers and searches, each worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from core.domain.answer import (
    Answer,
    Citation,
    Claim,
    Column,
    Kind,
    Ledger,
    LedgerDocuments,
    Route,
    Status,
    Table,
    Value,
    Verdict,
)
from core.evaluate.measures import (
    FilePlace,
    broken_citations,
    context_precision,
    retrieval,
    unfounded_claims,
)

PAGE = (
    "The lease ends on 31 December 2024.\nThe rent is USD 1,200.00 a month.\nitem: Van | amount_usd: 350.00"
)
NAMES = {"d1": "Warehouse lease"}


def page(document: str, version: int, number: int) -> str | None:
    return PAGE if (document, version, number) == ("d1", 1, 1) else None


def cite(quote: str, n: int = 1, **changes: Any) -> Citation:
    start = PAGE.index(quote)
    place = {"document": "d1", "title": "Lease", "source": "lease.txt", "version": 1, "page": 1}
    return Citation(n=n, **{**place, "start": start, "end": start + len(quote), "quote": quote, **changes})


def claim(text: str, *quotes: str, verdict: Verdict = Verdict.SUPPORTED) -> Claim:
    return Claim(
        text=text, verdict=verdict, citations=tuple(cite(each, n) for n, each in enumerate(quotes, 1))
    )


def answer(*claims: Claim, **fields: Any) -> Answer:
    values = {
        "question": "What is the rent of the lease?",
        "trace_id": "t",
        "data_version": 1,
        "status": Status.ANSWERED,
        "kind": Kind.LOOKUP,
        "route": Route.HYBRID,
        "text": " ".join(f"{each.text} [{at.n}]" for each in claims for at in each.citations),
        "claims": claims,
    }
    return Answer(**{**values, **fields})


RENT, END = "The rent is USD 1,200.00 a month.", "The lease ends on 31 December 2024."
COMPUTED = Verdict.COMPUTED


@pytest.mark.parametrize(
    ("due", "places", "precision", "recall", "rank"),
    [
        ([FilePlace("a")], ["b", "a", "a", "c"], 0.2, 1, 0.5),
        ([FilePlace("a"), FilePlace("z")], ["a"], 0.1, 0.5, 1),
        ([FilePlace("a")], ["b"] * 50 + ["a"], 0, 0, 0),
        ([FilePlace("a", 2)], ["a"], 0, 0, 0),  # another page
    ],
)
def test_retrieval_is_measured_by_the_places_that_are_due(
    due: list[FilePlace], places: list[str], precision: float, recall: float, rank: float
) -> None:
    found = retrieval(due, [FilePlace(each, 1) for each in places])

    assert found is not None
    assert (found.precision, found.recall, found.reciprocal_rank) == (precision, recall, rank)


def test_without_a_place_that_is_due_there_is_no_measure() -> None:
    assert retrieval([], [FilePlace("a", 1)]) is None


def test_context_precision_falls_with_what_stands_before_the_right_places() -> None:
    assert context_precision([True, False, True]) == pytest.approx((1 + 2 / 3) / 2)
    assert context_precision([False]) == 0
    assert context_precision([]) is None


def test_a_count_of_the_plan_and_a_value_of_its_condition_may_be_told() -> None:
    condition = {"field": "date", "op": "between", "value": ["2024-01-01", "2024-03-31"]}
    plan = {"nodes": [{"conditions": [condition], "ran": {"rows": 90, "hits": 7}}]}
    told, other = (
        answer(claim(f"{n} rows have a date from 1 Jan 2024 to 31 Mar 2024.", verdict=COMPUTED), plan=plan)
        for n in (7, 8)
    )

    assert unfounded_claims(told, NAMES, page) == ()
    assert len(unfounded_claims(other, NAMES, page)) == 1


def test_a_value_that_stands_in_no_claim_is_told() -> None:
    right, wrong = (
        answer(claim(RENT, RENT), value=Value(type="money", value=amount, unit="USD"))
        for amount in ("1200.00", "1300.00")
    )

    assert unfounded_claims(right, NAMES, page) == ()
    assert unfounded_claims(wrong, NAMES, page) == ("1300.00 USD: it stands in no claim",)


def test_a_citation_is_right_where_the_stored_page_says_its_quote() -> None:
    good = answer(claim(RENT, RENT))
    moved = answer(Claim(text=RENT, verdict=Verdict.SUPPORTED, citations=(cite(RENT, start=1, end=30),)))
    other = answer(Claim(text=RENT, verdict=Verdict.SUPPORTED, citations=(cite(RENT, version=2),)))

    assert broken_citations(good, page) == (1, ())
    assert [len(broken_citations(each, page)[1]) for each in (moved, other)] == [1, 1]
    assert broken_citations(answer(claim(RENT, RENT), text=f"{RENT} [1][7]"), page) == (
        2,
        ("[7] stands in the text and is no citation",),
    )


@pytest.mark.parametrize(
    "right",
    [
        answer(claim(RENT, RENT)),
        answer(claim("Warehouse lease: The rent is USD 1,200.00 a month.", RENT)),
        answer(claim("Warehouse lease: 2024-12-31", END, verdict=COMPUTED)),
        answer(claim("Van: USD 350", "350.00", verdict=COMPUTED)),
        answer(
            claim("3 of 8 contracts lack it.", verdict=COMPUTED),
            ledger=Ledger(
                field="x",
                scope=8,
                present=5,
                absent=3,
                unreadable=0,
                uncertain=0,
                documents=LedgerDocuments(),
            ),
        ),
        answer(
            claim("The sum is USD 40.00; ACME leads by USD 20.00.", verdict=COMPUTED),
            value=Value(type="money", value="40.00", unit="USD"),
            table=Table(
                columns=(Column(name="Name", type="text"), Column(name="Sum", type="number")),
                rows=(("ACME", "30", "USD"), ("Beta", "10", "USD")),
            ),
        ),
        answer(
            claim("Vehicle: Truck 14; total gallons: 59.9 gallons", verdict=COMPUTED),
            table=Table(
                columns=(Column(name="Vehicle", type="text"), Column(name="total gallons", type="number")),
                rows=(("Truck 14", "59.9"),),
            ),
        ),
    ],
)
def test_a_claim_that_stands_in_what_it_rests_on_is_founded(right: Answer) -> None:
    assert unfounded_claims(right, NAMES, page) == ()


@pytest.mark.parametrize(
    "wrong",
    [
        answer(claim("The rent is USD 1,300.00 a month.", RENT)),  # another figure
        answer(claim("The lease ends on 30 December 2024.", END)),  # another day
        answer(claim("The tenant pays for heating and repairs of the roof.", RENT)),  # other words
        answer(claim(RENT)),  # rests on nothing
        answer(
            Claim(text=RENT, verdict=Verdict.SUPPORTED, citations=(cite(RENT, version=2),))
        ),  # no such page
        answer(claim("Van: USD 360", "350.00", verdict=COMPUTED)),
        answer(claim("Omega Corp: USD 350", "350.00", verdict=COMPUTED)),
        answer(
            claim("4 of 8 contracts lack it.", verdict=COMPUTED),
            ledger=Ledger(
                field="x",
                scope=8,
                present=5,
                absent=3,
                unreadable=0,
                uncertain=0,
                documents=LedgerDocuments(),
            ),
        ),
        answer(
            claim("The sum is USD 41.00.", verdict=COMPUTED),
            value=Value(type="money", value="40.00", unit="USD"),
        ),
        answer(
            claim("Vehicle: Truck 14; total gallons: 59.9 kg", verdict=COMPUTED),
            table=Table(
                columns=(Column(name="Vehicle", type="text"), Column(name="total gallons", type="number")),
                rows=(("Truck 14", "59.9"),),
            ),
        ),
    ],
)
def test_a_claim_that_does_not_is_told_with_the_reason(wrong: Answer) -> None:
    said, *_ = unfounded_claims(wrong, NAMES, page)

    assert said.startswith(wrong.claims[0].text)
