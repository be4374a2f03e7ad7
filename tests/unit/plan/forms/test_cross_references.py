"""Papers that are told by a number on another paper."""

from __future__ import annotations

from datetime import date

import pytest

from core.plan.ir.nodes import Plan
from core.plan.planner import RulePlanner
from tests.support.known_collection import known_collection


class _Written:
    def holds(self, phrase: str, buckets: tuple[str, ...] = ()) -> bool:
        return True

    def of(self, document: str) -> str:
        return "Invoice number: 88\nPurchase order: KT-4410\nThe total is $90." if document == "d11" else ""


def planned(question: str) -> object:
    return RulePlanner(known_collection(), None, date(2024, 11, 22), texts=_Written()).plan(question)


@pytest.mark.parametrize(
    "question",
    [
        "By when did the work on the purchase order named in invoice 88 have to be finished?",
        "By what day had the work under the purchase order on invoice 88 to be done?",
        "What does the purchase order cited on invoice 88 say?",
        "What work was asked for in the purchase order behind invoice 88?",
        "Where was the crew sent by the purchase order given on Brightwater invoice 88?",
        "What was promised in the purchase order that was mentioned in invoice 88?",
        "Who wrote the purchase order that invoice 88 refers to?",
        "Why was the purchase order invoice 88 cites delayed?",
        "Explain the purchase order listed on invoice 88",
        "Where does the purchase order for invoice 88 go?",
    ],
)
def test_a_number_takes_the_place_of_the_words_that_describe_a_paper(question: str) -> None:
    plan = planned(question)
    assert isinstance(plan, Plan)
    assert "order KT-4410" in plan.question
    assert "invoice 88" not in plan.question
    assert any("KT-4410" in note.reading for note in plan.notes)


@pytest.mark.parametrize(
    "question",
    [
        "What is the purchase order number on invoice 88?",
        "What is the total of invoice 88?",
        "When is invoice 88 due?",
        "Which contract names the vendor that issued invoice 88?",
    ],
)
def test_what_stands_on_the_paper_itself_is_asked_of_it(question: str) -> None:
    plan = planned(question)
    assert not isinstance(plan, Plan) or plan.question == question
