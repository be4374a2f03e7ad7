"""The marking that a question is shown with first: what its plan made of which words."""

from __future__ import annotations

import pytest

from core.plan.ir.nodes import Plan
from core.plan.planner import RulePlanner
from core.plan.reader.markup import marked
from core.plan.teaching.first_marking import first_marking
from core.plan.teaching.marking import reading_of
from tests.support.known_readings import COLLECTION, KNOWN, TODAY


def first(question: str) -> str:
    """The first marking of a question, as it stands in a file of marked questions."""
    planned = RulePlanner(COLLECTION, today=TODAY).plan(question)
    plan = planned if isinstance(planned, Plan) else None
    marking = first_marking(question, plan, KNOWN, TODAY)
    return f"{marking.schema_name} {marking.operation} {marked(reading_of(question, marking))}"


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
        "invoices list Which invoices are [due in the next 30 days]{=due_date}?",
    ],
)
def test_a_plan_marks_the_words_that_it_took(line: str) -> None:
    schema, operation, said = line.split(" ", 2)
    plain = "".join(part.split("]")[0] if "]" in part else part for part in _plain(said))

    assert first(plain) == f"{schema} {operation} {said}"


def _plain(said: str) -> list[str]:
    text = said
    while "{" in text:
        start, end = text.index("{"), text.index("}")
        text = text[:start] + text[end + 1 :]
    return [text.replace("[", "").replace("]", "")]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Which contracts have a blorp clause?", "contracts list Which contracts have a blorp clause?"),
        (
            "How many contracts lack insurance and a blorp clause?",
            "contracts count How many contracts lack [insurance]{-insurance} and a blorp clause?",
        ),
        ("What does the manual say about torque?", "manuals list What does the manual say about torque?"),
    ],
)
def test_without_a_plan_over_fields_it_marks_what_words_name(question: str, line: str) -> None:
    assert first(question) == line
