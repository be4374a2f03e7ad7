"""The marking that a question is shown with first: what its plan made of which words."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of as read
from core.plan.reader.markup import marked
from core.plan.reader.to_reading import reading_of
from core.plan.teaching.first_marking import first_marking
from core.plan.teaching.marking import marked_reading
from tests.support.compact_readings import COLLECTION, TODAY


def first(schema: str, operation: str, said: str) -> str:
    """The first marking of a question that is read so, as it stands in a file of marked questions."""
    reading = reading_of(read(operation, said, schema), COLLECTION, TODAY)
    marking = first_marking(reading, COLLECTION)
    return f"{marking.schema_name} {marking.operation} {marked(marked_reading(reading.question, marking))}"


@pytest.mark.parametrize(
    "line",
    [
        "contracts list Which deals [governed by Texas law]{=governing_law} lack [insurance]{-insurance}?",
        "contracts list contracts not [governed by New York law]{!governing_law}",
        "contracts list Which contracts do not [expire in 2025]{!expiration_date}?",
        "contracts count How many [expire in 2025]{=expiration_date} and lack [insurance]{-insurance}?",
        "contracts count How many different [vendors]{?vendor} do we have?",
        "contracts compute average [contract value]{?contract_value} of the contracts with [Halden]{party}",
        "contracts group sum of [contract values]{?contract_value} per [customer]{by customer}",
        "contracts rank Which contract has the [highest value]{order contract_value}?",
        "contracts lookup When does the [Halden cleaning contract]{doc} [end]{?expiration_date}?",
        "contracts exists Is there any contract without [insurance]{-insurance}?",
        "contracts list contracts with a [value between $50,000 and $150,000]{=contract_value}",
        "invoices list Which [invoices]{kind} are [due in the next 30 days]{=due_date}?",
        "manuals text What does the manual say about torque?",
    ],
)
def test_a_question_is_marked_as_it_was_read(line: str) -> None:
    schema, operation, said = line.split(" ", 2)

    assert first(schema, operation, said) == line


def test_words_whose_field_another_kind_has_are_not_marked() -> None:
    reading = reading_of(read("list", "invoices with a [total]{?total}", "invoices"), COLLECTION, TODAY)
    moved = reading.model_copy(update={"kind": "contracts", "asked": (), "question": "with a total"})

    assert first_marking(moved, COLLECTION).marks == ()


def test_without_any_field_the_kind_is_that_of_most_documents() -> None:
    assert first("", "text", "what about torque?") == "contracts text what about torque?"
