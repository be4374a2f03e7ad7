from __future__ import annotations

import pytest

from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import (
    about_of,
    counted,
    in_titles,
    in_words,
    of_one,
    said_of,
    singular,
    written,
)
from core.domain.answer import Kind, Route
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.results import Stopped
from core.domain.value_text import period
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import Choice, Combine, Condition, Node, Plan, Reference, Scope, Select

FIELDS = (
    FieldEntry("contracts", "contract_value", "Contract value", FieldType.MONEY),
    FieldEntry("contracts", "expiration_date", "Expiration date", FieldType.DATE),
    FieldEntry("contracts", "force_majeure", "Force majeure", FieldType.BOOLEAN),
    FieldEntry("contracts", "governing_law", "Governing law", FieldType.TEXT),
    FieldEntry("contracts", "document_kind", "Kind of document", FieldType.TEXT),
)
CATALOGUE = Catalogue(schemas=(SchemaEntry("contracts", "Contracts", fields=FIELDS),))
FACTS = AnswerFacts(CATALOGUE, {}, "contracts")


def select(*conditions: Condition | Choice, id: str = "a") -> Select:
    return Select(id=id, purpose="", scope=Scope(schema_name="contracts"), conditions=conditions)


def said(*nodes: Node, found: dict[str, str] | None = None) -> str:
    plan = Plan(
        question="q", kind=Kind.AGGREGATE, route=Route.STRUCTURED, nodes=nodes, answer_node=nodes[-1].id
    )
    return said_of(plan, nodes[-1], FACTS, found)


KIND = Condition(field="document_kind", op=Operator.EQUAL, value="agreement", narrows=True)
MAJEURE = Condition(field="force_majeure", op=Operator.EQUAL, value="true")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (MAJEURE, "have force majeure"),
        (Condition(field="force_majeure", op=Operator.MISSING), "lack force majeure"),
        (
            Condition(field="contract_value", op=Operator.GREATER_EQUAL, value="1000000 USD"),
            "have a contract value of at least USD 1,000,000",
        ),
        (
            Condition(field="expiration_date", op=Operator.LESS, value="2025-01-01"),
            "have an expiration date before 1 Jan 2025",
        ),
        (
            Condition(field="expiration_date", op=Operator.BETWEEN, value=("2024-10-01", "2024-12-31")),
            "have an expiration date from 1 Oct 2024 to 31 Dec 2024",
        ),
        (
            Condition(field="governing_law", op=Operator.IN, value=("Texas", "Iowa")),
            "have Texas or Iowa as governing law",
        ),
    ],
)
def test_a_condition_reads_as_a_person_says_it(condition: Condition, words: str) -> None:
    assert said(select(KIND, condition)) == words


def test_several_conditions_say_their_verb_once() -> None:
    texas = Condition(field="governing_law", op=Operator.EQUAL, value="Texas")
    dear = Condition(field="contract_value", op=Operator.GREATER, value="5 USD")
    no_end = Condition(field="expiration_date", op=Operator.MISSING)

    assert said(select(MAJEURE, dear)) == "have both force majeure and a contract value above USD 5"
    assert said(select(MAJEURE, dear, texas)) == (
        "have all of force majeure, a contract value above USD 5 and Texas as governing law"
    )
    assert said(select(MAJEURE, dear, no_end)).endswith("above USD 5, and lack expiration date")
    assert (
        said(select(Choice(any_of=(MAJEURE, dear)))) == "have force majeure or a contract value above USD 5"
    )
    assert said(select(Choice(any_of=(MAJEURE, dear)), texas)) == (
        "have either force majeure or a contract value above USD 5, and Texas as governing law"
    )
    assert said(select(Choice(any_of=(MAJEURE, no_end)), texas)) == (
        "either have force majeure or lack expiration date, and have Texas as governing law"
    )


def test_a_value_that_was_looked_up_stands_in_the_sentence() -> None:
    limit = Condition(field="contract_value", op=Operator.GREATER, value=Reference(node="hop-1"))

    assert said(select(limit), found={"hop-1": "USD 500,000"}) == "have a contract value above USD 500,000"


def test_what_sets_have_in_common_is_joined_as_they_are_combined() -> None:
    law = select(Condition(field="governing_law", op=Operator.EQUAL, value="Texas"), id="b")
    both = (select(MAJEURE), law)

    assert "have force majeure or have Texas" in said(
        *both, Combine(id="c", purpose="", inputs=("a", "b"), how="union")
    )
    assert "but fall outside those that have Texas" in said(
        *both, Combine(id="c", purpose="", inputs=("a", "b"), how="difference")
    )


def test_the_documents_asked_about_are_said_where_they_are_not_all_of_a_kind() -> None:
    law = Condition(field="governing_law", op=Operator.EQUAL, value="Texas", narrows=True)
    node = select(KIND, law, MAJEURE)
    plan = Plan(question="q", kind=Kind.AGGREGATE, route=Route.STRUCTURED, nodes=(node,), answer_node=node.id)

    assert about_of(plan, node, FACTS, unknown=False) == " that have Texas as governing law"
    assert about_of(plan, node, FACTS, unknown=True) == " that have, or may have, Texas as governing law"
    assert about_of(plan, select(KIND, MAJEURE), FACTS, unknown=True) == ""


def test_one_document_has_and_lacks() -> None:
    assert of_one("have a cap and lack notice") == "has a cap and lacks notice"


def test_nouns_of_two_kinds_have_a_singular() -> None:
    assert counted(1, "invoices and receipts") == "1 invoice or receipt"
    assert counted(1204, "policies") == "1,204 policies"
    assert singular("policies") == "policy"


@pytest.mark.parametrize(
    ("key", "words"),
    [("2024-Q4", "Q4 2024"), ("2024-09", "Sep 2024"), ("2024-09-03", "3 Sep 2024"), ("2024", "2024")],
)
def test_periods_read_as_people_write_them(key: str, words: str) -> None:
    assert period(key) == words


def test_amounts_keep_their_exact_digits() -> None:
    assert written("1250000.50 USD", FieldType.MONEY) == "USD 1,250,000.50"
    assert written("30 days", FieldType.DURATION) == "30 days"
    assert written("P3Y", FieldType.DURATION) == "3 years"
    assert written("P1Y6M", FieldType.DURATION) == "1 year 6 months"


def test_messages_name_fields_by_title_and_nodes_by_what_they_are_for() -> None:
    node = select(MAJEURE, id="hop-1").model_copy(update={"purpose": "Read the limit"})
    plan = Plan(question="q", kind=Kind.LOOKUP, route=Route.STRUCTURED, nodes=(node,), answer_node="hop-1")
    why = Stopped(
        node="hop-1",
        reason="It needs 'hop-1': 'contract_value' is 5000.00 USD or contract_value is unknown.",
        options=("5000.00 USD",),
    )

    told = in_words(why, plan, CATALOGUE)

    assert told.reason == (
        "It needs “Read the limit”: “Contract value” is USD 5,000 or contract value is unknown."
    )
    assert told.options == ("USD 5,000",)
    assert in_titles("group by 'contract_value.unit'", CATALOGUE, {}).endswith(
        "the unit or currency of “Contract value”"
    )


@pytest.mark.parametrize("names", [("acme",), ("acme", "beta")])
def test_who_may_stand_in_any_of_several_fields_is_named_once(names: tuple[str, ...]) -> None:
    anywhere = Choice(
        any_of=tuple(
            Condition(field=field, op=Operator.EQUAL, value=name)
            for name in names
            for field in ("governing_law", "document_kind")
        )
    )

    assert said(select(anywhere)) == f"name {' or '.join(names)}"


def test_of_one_what_is_left_out_stays_in_the_plural() -> None:
    assert of_one("fall outside those that have a cap") == "falls outside those that have a cap"
