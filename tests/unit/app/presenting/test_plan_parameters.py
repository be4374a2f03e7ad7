from __future__ import annotations

from app.presenting.plan_fields import FormSetting
from app.presenting.plan_parameters import Parameters, parameters_of
from core.domain.answer import Kind, Route
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import Aggregate, Choice, Condition, Node, Plan, Reference, Scope, Search, Select

FIELDS = (
    FieldEntry("deeds", "price", "Price", FieldType.MONEY),
    FieldEntry("deeds", "signed", "Signed on", FieldType.DATE),
    FieldEntry("deeds", "ended", "Ended on", FieldType.DATE),
    FieldEntry("deeds", "sealed", "Sealed", FieldType.BOOLEAN),
)
CATALOGUE = Catalogue(schemas=(SchemaEntry("deeds", "Deeds", fields=FIELDS),))
IN_DEEDS = Scope(schema_name="deeds")


def said(node: Node) -> Parameters:
    source = Select(id="first", purpose="p", scope=IN_DEEDS)
    plan = Plan(
        question="q", kind=Kind.AGGREGATE, route=Route.STRUCTURED, nodes=(source, node), answer_node=node.id
    )
    return parameters_of(FormSetting(plan, node, CATALOGUE, "key"))


def conditions(*given: Condition | Choice) -> list[str]:
    node = Select(id="n", purpose="p", scope=IN_DEEDS, conditions=given)
    return [words for name, words in said(node) if name == "Condition"]


def test_conditions_are_said_with_amounts_and_dates_as_people_write_them() -> None:
    assert conditions(
        Condition(field="price", op=">", value="2500000 EUR"),
        Condition(field="signed", op="between", value=("2021-01-05", "2021-03-31")),
        Condition(field="sealed", op="=", value="true"),
        Condition(field="ended", op="is-missing", value=()),
    ) == [
        "Price above EUR 2,500,000",
        "Signed on between 5 Jan 2021 and 31 Mar 2021",
        "Sealed is Yes",
        "Ended on is not stated",
    ]


def test_alternatives_times_between_dates_and_looked_up_values_are_said() -> None:
    assert conditions(
        Choice(
            any_of=(
                Condition(field="price", op="<", value=Reference(node="limit")),
                Condition(field="ended", op=">", value="60 days", minus="signed"),
            )
        )
    ) == ["Price below the value of limit or Ended on, time since signed on above 60 days"]


def test_what_says_nothing_is_left_out() -> None:
    node = Aggregate(id="n", purpose="p", inputs=("first",), function="sum", field="price")
    assert said(node) == [("Takes in", "first"), ("Computes", "Sum"), ("Of", "Price")]


def test_a_search_says_by_what_it_finds() -> None:
    found = dict(said(Search(id="n", purpose="p", text="late fees", mode="hybrid", alpha=0.7, top_k=20)))

    assert found["By"] == "Words and meaning, alpha 0.7"
    assert found["At most"] == "20 passages"
