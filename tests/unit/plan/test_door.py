"""Traits of plans: told by their nodes, whatever the words are, and however a plan was edited."""

from __future__ import annotations

import pytest

from core.domain.answer import Kind, Route
from core.domain.trust.permission import Action, Trait
from core.plan.door import request_of
from core.plan.ir.nodes import (
    Aggregate,
    Calculate,
    Choice,
    Combine,
    Compare,
    Condition,
    Hop,
    Join,
    Node,
    Plan,
    Reference,
    Scope,
    Search,
    Select,
)
from core.plan.text_plan import text_plan
from core.search.classify import classify
from tests.support.read_questions import CATALOGUE as COLLECTION
from tests.support.read_questions import planned, questions

CONTRACTS = Scope(schema_name="contracts")
COMPLIANCE, FINANCIAL = {Trait.COMPLIANCE}, {Trait.FINANCIAL_AGGREGATE}


def select(*conditions: Condition | Choice, id: str = "s", **fields: object) -> Select:
    return Select(id=id, purpose="p", scope=CONTRACTS, conditions=conditions, **fields)


def on(field: str, op: str, value: str | tuple[str, ...] | Reference = ()) -> Condition:
    return Condition(field=field, op=op, value=value)


def traits(*nodes: Node) -> set[Trait]:
    return set(request_of(nodes, COLLECTION).traits)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which contracts lack force majeure?", COMPLIANCE),
        ("How many contracts lack force majeure?", COMPLIANCE),
        ("Which contracts exceed our liability policy?", COMPLIANCE),
        ("Which contracts have force majeure?", set()),
        ("Which contracts don't have Halden as vendor?", set()),
        ("What is the average contract value?", FINANCIAL),
        ("What is the total value of contracts expiring in Q4 2024?", FINANCIAL),
        ("Top 3 contracts by value", FINANCIAL),
        ("List all contracts sorted by value", FINANCIAL),
        ("How many contracts are there?", set()),
        ("When does the Supply Agreement expire?", set()),
        ("contracts worth more than $100K", set()),
        ("the most valuable contract without force majeure", COMPLIANCE | FINANCIAL),
    ],
)
def test_questions_have_the_traits_of_their_plans(question: str, expected: set[Trait]) -> None:
    assert set(request_of(planned(question).nodes, COLLECTION).traits) == expected


@pytest.mark.parametrize("question", questions()[::4])
def test_other_words_and_names_of_the_same_nodes_change_nothing(question: str) -> None:
    plan = planned(question)
    names = {node.id: f"n{at}" for at, node in enumerate(plan.nodes)}
    text = plan.model_dump_json()
    for old, new in sorted(names.items(), key=lambda each: -len(each[0])):
        text = text.replace(f'"{old}"', f'"{new}"')
    edited = Plan.model_validate_json(text)
    nodes = [each.model_copy(update={"purpose": "Nothing special", "reason": ""}) for each in edited.nodes]
    for kind in Kind:
        other = edited.model_copy(update={"nodes": tuple(nodes), "kind": kind, "question": "Hello?"})
        assert request_of(other.nodes, COLLECTION) == request_of(plan.nodes, COLLECTION)


HAS = select(on("force_majeure", "=", "true"), id="has")
ALL = select(id="all")
WORTH = Hop(id="worth", purpose="p", inputs=("s",), field="contract_value")


@pytest.mark.parametrize(
    "nodes",
    [
        (select(on("force_majeure", "is-missing")),),
        (select(on("force_majeure", "is", "absent")),),
        (select(on("force_majeure", "=", "false")),),
        (select(on("force_majeure", "!=", "true")),),
        (select(on("force_majeure", "in", ("false", "true"))),),
        (select(on("force_majeure", "~", "f.*")),),
        (select(Choice(any_of=(on("force_majeure", "is-missing"), on("force_majeure", "!=", "true")))),),
        (select(Choice(any_of=(on("insurance", "is-missing"), on("governing_law", "!=", "x")))),),
        (select(Condition(field="insurance", op="is-missing", narrows=True)),),
        (ALL, HAS, Combine(id="c", purpose="p", inputs=("all", "has"), how="difference")),
        (
            ALL,
            Search(id="f", purpose="p", text="force majeure"),
            Combine(id="c", purpose="p", inputs=("all", "f"), how="difference"),
        ),
        (Search(id="f", purpose="p", text="Which contracts are in violation of our policy?"),),
        (
            select(on("document_kind", "=", "policy"), id="limit"),
            Hop(id="hop", purpose="p", inputs=("limit",), field="liability_cap_amount"),
            select(on("liability_cap_amount", ">", Reference(node="hop")), id="over", inputs=("hop",)),
        ),
    ],
)
def test_no_edit_of_a_plan_hides_that_it_asks_what_is_lacking(nodes: tuple[Node, ...]) -> None:
    assert Trait.COMPLIANCE in traits(*nodes)


@pytest.mark.parametrize(
    "nodes",
    [
        (ALL, HAS, Combine(id="c", purpose="p", inputs=("all", "has"), how="intersect")),
        (
            ALL,
            select(on("document_name", "contains", "lease"), id="leases"),
            Combine(id="c", purpose="p", inputs=("all", "leases"), how="difference"),
        ),
        (select(on("force_majeure", "is", "uncertain")),),
        (Search(id="f", purpose="p", text="force majeure"),),
    ],
)
def test_what_is_there_is_asked_without_it(nodes: tuple[Node, ...]) -> None:
    assert traits(*nodes) == set()


def over(function: str, field: str, **fields: object) -> tuple[Node, ...]:
    return (
        select(),
        Aggregate(id="a", purpose="p", inputs=("s",), function=function, field=field, **fields),
    )


@pytest.mark.parametrize(
    "nodes",
    [
        *(over(each, "contract_value") for each in ("sum", "avg", "median", "min", "max")),
        over("sum", "unheard_of"),  # nobody knows that it is no money
        over("sum", "contract_value", group_by=("vendor",)),
        (select(order_by="contract_value", limit=1),),
        (select(order_by="contract_value"),),
        (
            select(),
            Compare(id="c", purpose="p", inputs=("s", "s"), labels=("A", "B"), fields=("contract_value",),
                    outcome="greatest"),
        ),
        (
            select(),
            Compare(id="c", purpose="p", inputs=("s", "s"), labels=("A", "B"), fields=("contract_value",),
                    function="avg"),
        ),
        (select(), WORTH, Calculate(id="c", purpose="p", inputs=("worth", "worth"), how="sum")),
        (
            select(of="rows"),
            Join(id="j", purpose="p", inputs=("s", "s"), left="a", right="b", order_by="contract_value"),
        ),
    ],
)  # fmt: skip
def test_no_edit_of_a_plan_hides_that_it_computes_over_money(nodes: tuple[Node, ...]) -> None:
    assert traits(*nodes) == FINANCIAL


@pytest.mark.parametrize(
    "nodes",
    [
        over("count", ""),
        over("count", "contract_value"),
        over("sum", "payment_period"),
        (select(fields=("contract_value",)),),
        (select(on("contract_value", ">", "100000 USD")),),
        (select(order_by="expiration_date"),),
        (select(), WORTH, Calculate(id="c", purpose="p", inputs=("worth", "worth"), how="equal")),
    ],
)
def test_amounts_are_read_and_documents_counted_without_it(nodes: tuple[Node, ...]) -> None:
    assert traits(*nodes) == set()


def test_a_search_of_texts_is_told_by_what_it_looks_for() -> None:
    question = "Which contracts comply with our travel policy?"
    plan = text_plan(classify(question), question, ())
    assert plan.route is not Route.STRUCTURED

    request = request_of(plan.nodes, COLLECTION)
    assert (request.action, set(request.traits), request.nodes) == (Action.QUERY, COMPLIANCE, {"search"})
