"""Changes of the conditions of a plan."""

from __future__ import annotations

import pytest

from core.plan.conversation.alteration import (
    ClauseClass,
    add_clauses,
    clause_class,
    complement,
    excludes,
    listing,
    opposite,
    replace_clauses,
    widen,
    without_fields,
)
from core.plan.conversation.restriction import own_clauses
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Choice, Plan
from tests.support.conversations import CATALOGUE, plan_of
from tests.support.known_collection import in_a_line
from tests.support.operating import condition

TEXAN = plan_of("How many contracts are governed by Texas law?")


def said(plan: Plan | None) -> str:
    assert plan is not None
    return in_a_line(plan)


@pytest.mark.parametrize(
    ("new", "old", "is_so"),
    [
        (("governing_law", "=", "Texas"), ("governing_law", "=", "Germany"), True),
        (("governing_law", "=", "Texas"), ("vendor", "=", "halden"), False),
        (("agreement_date", ">", "2010-01-01"), ("agreement_date", "<", "2020-01-01"), False),
        (("agreement_date", ">", "2020-01-01"), ("agreement_date", "<", "2010-01-01"), True),
        (("agreement_date", ">", "2010-01-01"), ("agreement_date", ">", "2020-01-01"), True),
        (("agreement_date", "between", ("2019-01-01", "2019-12-31")),
         ("agreement_date", "between", ("2018-01-01", "2018-12-31")), True),
        (("agreement_date", ">", "2019-06-01"),
         ("agreement_date", "between", ("2019-01-01", "2019-12-31")), False),
        (("contract_value", "<", "500000 USD"), ("contract_value", ">", "500000 USD"), True),
        (("force_majeure", "is-missing"), ("force_majeure", "=", "true"), True),
    ],
)  # fmt: skip
def test_a_condition_that_takes_the_place_of_another(
    new: tuple[str, ...], old: tuple[str, ...], is_so: bool
) -> None:
    assert excludes(condition(*new), condition(*old)) is is_so


def test_what_conditions_are_about() -> None:
    def of(*parts: str) -> ClauseClass:
        return clause_class(condition(*parts), "contracts", CATALOGUE)

    assert of("force_majeure", "=", "true") is ClauseClass.PRESENCE
    assert of("contract_value", "is", "present") is ClauseClass.PRESENCE
    assert of("vendor", "=", "halden") is ClauseClass.PARTY
    assert of("expiration_date", "<", "2025-01-01") is ClauseClass.DATE
    assert of("contract_value", ">", "5 USD") is ClauseClass.AMOUNT
    assert of("governing_law", "=", "Texas") is ClauseClass.TEXT
    assert of("document_name", "contains", "supply") is ClauseClass.OTHER


def test_a_further_condition_keeps_what_is_computed() -> None:
    made = add_clauses(TEXAN, (condition("force_majeure", "=", "true"),), CATALOGUE)
    assert said(made) == (
        "contracts[document_kind = agreement; governing_law = Texas; force_majeure = true] -> count()"
    )


def test_a_further_condition_on_an_end_of_an_order_stands_behind_it() -> None:
    first = plan_of("Which two contracts have the highest value?")
    made = add_clauses(first, (condition("force_majeure", "=", "true"),), CATALOGUE)
    assert made is not None
    assert [len(node.inputs) for node in made.nodes] == [0, 1]
    assert made.answer_node == made.nodes[1].id


def test_a_condition_is_put_in_the_place_of_one_that_it_excludes() -> None:
    made = replace_clauses(TEXAN, (condition("governing_law", "=", "Germany"),), CATALOGUE, by_class=False)
    assert said(made) == "contracts[document_kind = agreement; governing_law = Germany] -> count()"
    other = (condition("force_majeure", "=", "true"),)
    assert replace_clauses(TEXAN, other, CATALOGUE, by_class=True) is None


def test_a_condition_is_put_in_the_place_of_one_of_its_class_where_that_is_wanted() -> None:
    plan = plan_of("Which contracts under Texas law have a force majeure clause?")
    other = (condition("insurance", "=", "true"),)
    assert replace_clauses(plan, other, CATALOGUE, by_class=False) is None
    made = replace_clauses(plan, other, CATALOGUE, by_class=True)
    assert said(made) == "contracts[document_kind = agreement; governing_law = Texas; insurance = true]"


def test_a_condition_is_widened_by_an_alternative() -> None:
    made = widen(TEXAN, (condition("governing_law", "=", "Germany"),), CATALOGUE)
    assert "governing_law in Texas .. Germany" in said(made)
    assert widen(TEXAN, (condition("force_majeure", "=", "true"),), CATALOGUE) is None


def test_a_condition_is_taken_out() -> None:
    made = without_fields(TEXAN, {"governing_law"}, CATALOGUE)
    assert said(made) == "contracts[document_kind = agreement] -> count()"
    assert without_fields(TEXAN, {"insurance"}, CATALOGUE) is None


def test_the_opposite_of_several_conditions_is_a_choice() -> None:
    turned = opposite((condition("force_majeure", "=", "true"), condition("governing_law", "=", "Texas")))
    assert turned is not None
    assert isinstance(turned[0], Choice)
    assert opposite((condition("document_name", "contains", "supply"),)) is None


def test_the_others_keep_what_was_asked_about() -> None:
    made = add_clauses(TEXAN, (condition("force_majeure", "=", "true"),), CATALOGUE)
    assert made is not None
    assert "governing_law = Texas; force_majeure is-missing" in said(complement(made, CATALOGUE))


def test_the_others_of_an_end_of_an_order_are_the_rest_of_it() -> None:
    made = complement(plan_of("Which two contracts have the highest value?"), CATALOGUE)
    assert "difference" in said(made)


def test_what_is_computed_over_can_be_listed() -> None:
    made = listing(TEXAN)
    base = base_of(made)
    assert base is not None
    assert (made.answer_node, own_clauses(base)) == (base.id, own_clauses(base_of(TEXAN) or base))
