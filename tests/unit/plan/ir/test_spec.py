from __future__ import annotations

from core.plan.ir.node import ancestors
from core.plan.ir.nodes import Aggregate, Condition, Hop, Node, Scope, Select
from core.plan.ir.spec import TraitSetting
from tests.support.known_collection import known_collection

SELECT = Select(
    id="s",
    purpose="p",
    scope=Scope(schema_name="contracts"),
    conditions=(Condition(field="force_majeure", op="=", value="true"),),
)
SUM = Aggregate(id="a", purpose="p", inputs=("s",), function="sum", field="contract_value")


def setting(*nodes: Node) -> TraitSetting:
    return TraitSetting({node.id: node for node in nodes}, known_collection())


def test_money_is_known_by_the_fields_of_the_documents_that_are_asked() -> None:
    given = setting(SELECT, SUM)

    assert given.is_money(SUM, "contract_value")
    assert not given.is_money(SUM, "payment_period")
    assert not given.is_money(SUM, "contract_value.unit")  # the currency, not the amount
    assert not given.is_money(SUM, "")
    assert given.is_money(SUM, "unheard_of")


def test_an_input_that_is_not_in_the_plan_leaves_every_schema_possible() -> None:
    assert setting(SUM).is_money(SUM, "contract_value")


def test_the_nodes_before_one_are_found_once_also_in_a_circle() -> None:
    one = Hop(id="one", purpose="p", inputs=("two",), field="vendor")
    two = Hop(id="two", purpose="p", inputs=("one", "gone"), field="vendor")

    assert ancestors(["one", "two"], {"one": one, "two": two}).keys() == {"one", "two"}


def test_presence_and_absence_of_a_clause_are_told_apart() -> None:
    given = setting(SELECT)

    assert given.asks_presence(SELECT)
    assert not given.asks_absence(SELECT)
    assert not given.is_held_against_policy(SELECT)
