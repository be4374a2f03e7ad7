from __future__ import annotations

import pytest

from core.domain.answer import Answer, ConfidenceLabel, Status
from tests.support.library import Library, ask

PUMPS = """Spare parts of the Tarnow mill

Part | In stock | Price EUR | Next delivery
Valve VX-310 | 12 | 48.50 | 3 March 2027
Valve VX-311 | 7 | 51.00 | 9 April 2027
Filter F-20 | 90 | 6.20 | 1 May 2027

The valve VX-309 is no longer sold.
"""
HOURS = """Employee | Week 7 | Week 8 | Month total
Employee: P. Ranta | Week 7: 38:10 | Week 8: 40:20 | Month total: 158:30
Employee: O. Blum | Week 7: 36:05 | Week 8: 31:45 | Month total: 141:15
"""
ORDER = """Shipping order

Consignee: Ostrow Mills

Insurance (choose one):

[ ] none

[x] up to CHF 9,000

[ ] full value

Packing: [x] crate [ ] pallet [x] foil

Payment terms: 45 days net
"""
CHECKS = """Point | Yes | No
Doors close by themselves | [x] | [ ]
Alarm heard in the yard | [ ] | [x]
"""


def answer(question: str, *texts: str) -> Answer:
    library = Library()
    for number, text in enumerate(texts):
        library.add(f"paper-{number}.txt", text, title=f"Paper {number}")
    return ask(library, question)


def value(given: Answer) -> str:
    return given.value.value if given.value is not None else ""


@pytest.mark.parametrize(
    ("text", "question", "cell", "row"),
    [
        (PUMPS, "When is the next delivery of the valve VX-311?", "2027-04-09", "Valve VX-311 | 7"),
        (PUMPS, "How many valves VX-310 are in stock?", "12", "Valve VX-310 | 12"),
        (HOURS, "What is the month total of O. Blum?", "141:15", "Employee: O. Blum"),
        (HOURS, "How long did P. Ranta work in week 8?", "40:20", "Employee: P. Ranta"),
    ],
)
def test_the_row_with_the_names_answers_with_the_column_asked_for(
    text: str, question: str, cell: str, row: str
) -> None:
    given = answer(question, text)
    assert value(given) == cell
    assert given.confidence_label is not ConfidenceLabel.LOW
    assert any(row in citation.quote for citation in given.claims[0].citations)


def test_a_claim_says_its_row_and_column() -> None:
    given = answer("What is the price of the filter F-20?", PUMPS)
    assert given.claims[0].text.startswith("Filter F-20, Price EUR: ")
    assert given.claims[0].citations[0].quote == "Part | In stock | Price EUR | Next delivery"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Which insurance is ticked in the shipping order?", "[x] up to CHF 9,000"),
        ("Which packing is chosen in the shipping order?", "[x] foil"),
        ("What are the payment terms of the shipping order?", "Payment terms: 45 days net"),
    ],
)
def test_a_form_answers_with_what_was_filled_in(question: str, words: str) -> None:
    given = answer(question, ORDER)
    assert words in given.claims[0].text
    assert "[ ]" not in given.claims[0].text


def test_a_box_in_a_column_is_found_by_its_head() -> None:
    given = answer("Which point is marked No?", CHECKS)
    assert "Alarm heard in the yard" in given.claims[0].text
    assert "Doors" not in given.claims[0].text


def test_two_labels_asked_for_are_both_said() -> None:
    given = answer("Which packing and which payment terms does the shipping order state?", ORDER)
    assert [claim.citations[0].quote.split(":")[0] for claim in given.claims] == ["Packing", "Payment terms"]


def test_no_row_stands_for_one_with_another_code() -> None:
    for code in ("VX-31", "VX-399", "X-310"):
        given = answer(f"What is the price of the valve {code}?", PUMPS)
        assert given.value is None
        assert given.confidence_label is ConfidenceLabel.LOW


def test_rows_that_fit_equally_are_all_said() -> None:
    text = (
        "Site | Contact | Phone\nHarbour | L. Moe | 4410\nHarbour | K. Ness | 4417\nQuarry | B. Lie | 4433\n"
    )
    given = answer("What is the phone of the Harbour site?", text)
    assert given.status is Status.PARTIAL
    assert given.confidence_label is ConfidenceLabel.LOW
    assert [claim.citations[-1].quote[-4:] for claim in given.claims] == ["4410", "4417"]


def test_an_entry_that_lacks_a_name_of_the_question_is_not_sure() -> None:
    given = answer("What is the month total of O. Blum in Tampere?", HOURS)
    assert given.confidence_label is ConfidenceLabel.LOW


def test_a_sentence_that_names_more_goes_before_a_row() -> None:
    given = answer("Which valve VX-309 price holds?", PUMPS)
    assert "no longer sold" in given.claims[0].text


def test_what_is_deleted_in_a_row_is_not_cited() -> None:
    rows = ("Course | Room | Fee", "Welding | C4 | [deleted: EUR 510] EUR 495", "Grinding | C6 | EUR 90")
    text = "\n".join(rows)
    given = answer("What does the course Welding cost?", text)
    assert (value(given), given.value and given.value.unit) == ("495.00", "EUR")
    assert "510" not in given.claims[0].text
