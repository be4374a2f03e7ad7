"""Changes of a reading: each gives a plan that says what was changed, or says why it cannot be."""

from __future__ import annotations

from datetime import date

import pytest

from core.domain.answer import Kind, PartAction
from core.domain.predicate import Operator
from core.errors import UsageError
from core.plan.catalogue import FieldEntry
from core.plan.ir.nodes import Choice, Condition, Plan
from core.plan.ir.validate import validate
from core.plan.reading_line.changes import ReadingChange, changed, condition_of
from core.plan.reading_line.parts import PartWords, reading_parts, reading_text
from tests.support.read_questions import CATALOGUE, planned, questions

TODAY = date(2024, 10, 1)
HOW_MANY = "How many contracts governed by Texas law have no force majeure?"
TRIED: dict[str, tuple[str, ...]] = {
    "field": ("governing_law", "contract_value", "force_majeure", "total", "nothing"),
    "value": ("in 2025", "above 5 USD", "Texas", "7", ""),
    "operation": ("list", "count", "exists", "group:governing_law", "sum:contract_value", "dance:total"),
    "subject": ("", "invoices", "contracts/amendment", "nothing"),
}


def turned(question: str, at: int, action: PartAction, to: str = "") -> Plan:
    plan = planned(question)
    part = reading_parts(plan, CATALOGUE)[at]
    change = ReadingChange(node=part.node, kind=part.kind, places=part.places, action=action, to=to)
    return changed(plan, change, CATALOGUE, TODAY)


def line(question: str, at: int, action: PartAction, to: str = "") -> str:
    return reading_text(turned(question, at, action, to), CATALOGUE)


@pytest.mark.parametrize(
    ("question", "at", "action", "to", "said"),
    [
        (HOW_MANY, 1, "remove", "", "contracts · no force majeure · count"),
        (HOW_MANY, 2, "there", "", "contracts · governing law Texas · with force majeure · count"),
        (HOW_MANY, 2, "field", "insurance", "contracts · governing law Texas · no insurance · count"),
        (HOW_MANY, 1, "is_not", "", "contracts · governing law not Texas · no force majeure · count"),
        (HOW_MANY, 1, "missing", "", "contracts · no governing law · no force majeure · count"),
        (HOW_MANY, 1, "value", "new york", "contracts · governing law New York · no force majeure · count"),
        (HOW_MANY, 3, "operation", "list", "contracts · governing law Texas · no force majeure · list"),
        (HOW_MANY, 3, "operation", "exists",
         "contracts · governing law Texas · no force majeure · is there any"),
        (HOW_MANY, 3, "operation", "sum:contract_value",
         "contracts · governing law Texas · no force majeure · sum of contract value"),
        (HOW_MANY, 3, "operation", "group:vendor",
         "contracts · governing law Texas · no force majeure · by vendor · count"),
        (HOW_MANY, 0, "subject", "contracts/amendment",
         "amendments · governing law Texas · no force majeure · count"),
        (HOW_MANY, 0, "subject", "", "documents · governing law Texas · no force majeure · count"),
        ("Which contracts don't have Halden as vendor?", 1, "is", "",
         "contracts · vendor Halden Corporation · list"),
        ("Which contracts don't have Halden as vendor?", 1, "value", "Brightwater LLC",
         "contracts · vendor not Brightwater LLC · list"),
        ("contracts other than those with Halden", 1, "is", "",
         "contracts · parties Halden Corporation · list"),
        ("contracts other than those with Halden", 1, "value", "Brightwater LLC",
         "contracts · parties not Brightwater LLC · list"),
        ("List all Halden contracts", 1, "is_not", "", "contracts · without Halden Corporation · list"),
        ("List all Halden contracts", 1, "field", "vendor", "contracts · vendor Halden Corporation · list"),
        ("List all Halden contracts", 1, "value", "Brightwater LLC",
         "contracts · with Brightwater LLC · list"),
        ("contracts worth more than $100K", 1, "is_not", "",
         "contracts · contract value at most USD 100,000 · list"),
        ("contracts worth more than $100K", 1, "field", "liability_cap_amount",
         "contracts · liability cap above USD 100,000 · list"),
        ("contracts worth more than $100K", 1, "field", "insurance", "contracts · with insurance · list"),
        ("contracts expiring in 2025", 1, "value", "in 2026", "contracts · expiration date in 2026 · list"),
        ("contracts expiring in 2025", 1, "is_not", "",
         "contracts · expiration date before 1 Jan 2025 or after 31 Dec 2025 · list"),
        ("Top 3 contracts by value", 1, "value", "5",
         "contracts · 5 with the highest contract value · list"),
        ("Top 3 contracts by value", 1, "turn", "", "contracts · 3 with the lowest contract value · list"),
        ("Top 3 contracts by value", 1, "remove", "", "contracts · list"),
        ("Top 3 contracts by value", 1, "field", "expiration_date",
         "contracts · 3 with the latest expiration date · list"),
        ("average contract value by governing law", 1, "remove", "", "contracts · average contract value"),
        ("average contract value by governing law", 1, "field", "vendor",
         "contracts · by vendor · average contract value"),
        ("average contract value by governing law", 2, "field", "liability_cap_amount",
         "contracts · by governing law · average liability cap"),
        ("What is the value of the Supply Agreement?", 1, "remove", "",
         "contracts · contract value · look up"),
        ("What is the value of the Supply Agreement?", 2, "field", "governing_law",
         "contracts · Supply Agreement · governing law · look up"),
        ("Which is wider, the S-300 or the S-500?", 3, "field", "weight",
         "datasheets · model S-300 · model S-500 · weight · which has the most"),
        ("contracts with a value above average", 2, "remove", "", "contracts · list"),
        ("contracts valued in US dollars", 1, "value", "eur",
         "contracts · currency of contract value EUR · list"),
    ],
)  # fmt: skip
def test_a_change_gives_the_reading_that_was_chosen(
    question: str, at: int, action: PartAction, to: str, said: str
) -> None:
    plan = turned(question, at, action, to)

    assert reading_text(plan, CATALOGUE) == said
    assert validate(plan, CATALOGUE) == ()
    assert Plan.model_validate(plan.model_dump(mode="json")) == plan


def test_what_is_asked_whether_there_is_any_is_answered_yes_or_no() -> None:
    plan = turned(HOW_MANY, 3, "operation", "exists")

    assert (plan.kind, plan.decides) == (Kind.LOOKUP, "any")


def test_the_purposes_of_changed_nodes_are_worded_anew() -> None:
    plan = turned(HOW_MANY, 2, "field", "insurance")

    assert "insurance" in plan.node("select-1").purpose
    assert "force majeure" not in plan.node("select-1").purpose


def test_nodes_that_nothing_needs_any_more_are_gone() -> None:
    plan = turned("contracts with a value above average", 2, "remove")

    assert [node.type for node in plan.nodes] == ["select"]
    assert plan.nodes[0].inputs == ()


@pytest.mark.parametrize(
    ("question", "at", "action", "to", "why"),
    [
        (HOW_MANY, 0, "subject", "invoices", "Invoices and receipts have no field “Governing law”."),
        (HOW_MANY, 1, "value", "", "Governing law needs a value."),
        (HOW_MANY, 3, "operation", "dance:total", "There is no operation 'dance'."),
        (HOW_MANY, 3, "operation", "avg:total", "Contracts have no field “Total”."),
        ("Top 3 contracts by value", 1, "field", "governing_law", "Governing law has no highest and lowest."),
        ("Top 3 contracts by value", 1, "value", "many", "“many” is no number of lines."),
        (HOW_MANY, 0, "remove", "", "This part of the reading cannot be changed so any more."),
        ("contracts other than those with Halden", 1, "value", "Halden, Brightwater LLC",
         "One value can be left out at a time."),
    ],
)  # fmt: skip
def test_what_cannot_be_says_why_in_plain_words(
    question: str, at: int, action: PartAction, to: str, why: str
) -> None:
    with pytest.raises(UsageError) as refused:
        turned(question, at, action, to)

    assert refused.value.message == why
    assert refused.value.next_step


def tried(plan: Plan, change: ReadingChange) -> Plan | UsageError:
    try:
        return changed(plan, change, CATALOGUE, TODAY)
    except UsageError as error:
        return error


def test_every_change_of_every_plan_gives_a_plan_or_says_why_not() -> None:
    for plan in map(planned, questions()):
        for part in reading_parts(plan, CATALOGUE):
            at = {"node": part.node, "kind": part.kind, "places": part.places}
            for action in part.actions:
                for to in TRIED.get(action, ("",)):
                    change = ReadingChange.model_validate({**at, "action": action, "to": to})
                    found = tried(plan, change)
                    if isinstance(found, UsageError):
                        assert found.message, (plan.question, change)
                        continue
                    assert reading_parts(found, CATALOGUE), (plan.question, change)
                    assert all(each.message for each in validate(found, CATALOGUE)), (plan.question, change)


def field(name: str, schema: str = "contracts") -> FieldEntry:
    entry = CATALOGUE.field(name, schema)
    assert entry is not None
    return entry


def read(text: str, name: str, before: Condition | None = None) -> Condition | Choice:
    before = before or Condition(field=name, op=Operator.EQUAL, value="")
    return condition_of(text, field(name), before, CATALOGUE, TODAY)


def said(text: str, name: str) -> str:
    return PartWords(CATALOGUE, "contracts").clause(read(text, name)).removeprefix(f"{name} ")


@pytest.mark.parametrize(
    ("text", "name", "op", "value"),
    [
        ("in 2025", "expiration_date", Operator.BETWEEN, ("2025-01-01", "2025-12-31")),
        ("2025", "expiration_date", Operator.BETWEEN, ("2025-01-01", "2025-12-31")),
        ("Q4 2024", "expiration_date", Operator.BETWEEN, ("2024-10-01", "2024-12-31")),
        ("after 3 Oct 2024", "expiration_date", Operator.GREATER, "2024-10-03"),
        ("3 October 2024", "expiration_date", Operator.EQUAL, "2024-10-03"),
        ("above 100k USD", "contract_value", Operator.GREATER, "100000 USD"),
        ("at most 5,000 euros", "contract_value", Operator.LESS_EQUAL, "5000 EUR"),
        ("at least 60 days", "payment_period", Operator.GREATER_EQUAL, "P60D"),
        ("halden", "vendor", Operator.EQUAL, "halden"),
        ("Halden Corporation", "vendor", Operator.EQUAL, "halden"),
        ("texas", "governing_law", Operator.EQUAL, "Texas"),
        ("Texas or New York", "governing_law", Operator.IN, ("Texas", "New York")),
        ("the law of Mars", "governing_law", Operator.CONTAINS, "the law of Mars"),
    ],
)
def test_a_value_is_read_as_questions_are(text: str, name: str, op: Operator, value: object) -> None:
    found = read(text, name)

    assert isinstance(found, Condition)
    assert (found.op, found.value) == (op, value)


def test_two_amounts_are_a_range() -> None:
    found = read("from 10,000 USD to 20,000 USD", "contract_value")

    assert isinstance(found, Condition)
    assert (found.op, found.value) == (Operator.BETWEEN, ("10000 USD", "20000 USD"))


def test_several_months_are_alternatives() -> None:
    assert isinstance(read("June 2025 or September 2025", "expiration_date"), Choice)


def test_a_bare_amount_is_compared_as_before() -> None:
    before = Condition(field="contract_value", op=Operator.GREATER, value="100000 USD")
    found = read("250,000 USD", "contract_value", before)

    assert isinstance(found, Condition)
    assert found.op is Operator.GREATER


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  ", "contract_value"),
        ("a lot", "contract_value"),
        ("whenever", "expiration_date"),
        ("1 USD, 2 USD and 3 USD", "contract_value"),
        ("between 5 USD", "contract_value"),
        ("not in 2025", "expiration_date"),
        ("Nobody Known Ltd", "vendor"),
        ("brochure", "document_kind"),
    ],
)
def test_what_is_no_value_is_refused_with_an_example(text: str, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        read(text, name)

    assert refused.value.next_step
