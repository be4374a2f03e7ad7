from __future__ import annotations

import pytest

from core.domain.annotation import Calculation as Function
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.errors import PlanError
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.plan.ir.nodes import (
    Aggregate,
    Combine,
    Compare,
    Condition,
    Hop,
    Node,
    Reference,
    Scope,
    Search,
    Select,
)
from core.plan.ir.validate import check, validate
from tests.support.plans import plan_of

VALUE = "contract_value"
CATALOGUE = Catalogue(
    schemas=(
        SchemaEntry(
            "contracts",
            "Contracts",
            fields=(
                FieldEntry(
                    "contracts", "contract_value", "Contract value", FieldType.MONEY, units=("USD", "EUR")
                ),
                FieldEntry("contracts", "expiration_date", "Expiration date", FieldType.DATE),
                FieldEntry("contracts", "governing_law", "Governing law", FieldType.TEXT),
                FieldEntry("contracts", "force_majeure", "Force majeure", FieldType.BOOLEAN),
            ),
        ),
    ),
    documents=(DocumentEntry("d1", "Supply Agreement", "supply.txt", "contracts", "contracts"),),
)


def _select(name: str = "contracts", *conditions: Condition, inputs: tuple[str, ...] = ()) -> Select:
    scope = Scope(schema_name="contracts")
    return Select(id=name, purpose="p", scope=scope, conditions=conditions, inputs=inputs)


def _condition(field: str, op: str, value: str | tuple[str, ...] | Reference = ()) -> Condition:
    return Condition(field=field, op=Operator(op), value=value)


def _messages(*nodes: Node) -> list[str]:
    return [f"{each.node}: {each.message}" for each in validate(plan_of(*nodes), CATALOGUE)]


def test_a_plan_that_can_run_has_no_problem() -> None:
    limit = Hop(id="limit", purpose="p", inputs=("contracts",), field="contract_value")
    above = _select("above", _condition("contract_value", ">", Reference(node="limit")), inputs=("limit",))
    total = Aggregate(
        id="total", purpose="p", inputs=("above",), function=Function.SUM, field="contract_value"
    )
    assert _messages(_select(), limit, above, total) == []


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (_condition("contract_valeu", ">", "1 USD"), "There is no field 'contract_valeu' in contracts."),
        (_condition("expiration_date", "<", "2024-02-31"), "'2024-02-31' is no value of Expiration date."),
        (_condition("contract_value", ">", "1'; DROP TABLE documents"), "is no value of Contract value."),
        (_condition("contract_value", ">", "100000 CHF"), "holds USD, EUR and no CHF."),
        (_condition("contract_value", "between", ("1 USD",)), "needs another number of values."),
        (_condition("governing_law", ">", "Delaware"), "holds texts, which are not compared by >."),
        (_condition("contract_value", ">", Reference(node="nowhere")), "which is not an input of it."),
    ],
)
def test_a_condition_that_cannot_be_asked_names_its_node_and_the_reason(
    condition: Condition, message: str
) -> None:
    (found,) = _messages(_select("contracts", condition))
    assert found.startswith("contracts: ")
    assert message in found


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ((_select(), Combine(id="c", purpose="p", inputs=("contracts",), how="union")), "needs at least two"),
        (
            (_select(), Aggregate(id="a", purpose="p", inputs=("contracts",), function=Function.SUM)),
            "a: A sum needs a field.",
        ),
        (
            (
                _select(),
                Aggregate(
                    id="a",
                    purpose="p",
                    inputs=("contracts",),
                    function=Function.SUM,
                    field="governing_law",
                ),
            ),
            "a: Governing law holds texts, which have no sum.",
        ),
        (
            (
                _select(),
                Compare(
                    id="c", purpose="p", inputs=("contracts",), labels=("A", "B"), fields=("governing_law",)
                ),
            ),
            "c: It has 1 input and 2 labels.",
        ),
        (
            (Search(id="s", purpose="p", text="x", scope=Scope(documents=("other",))),),
            "There is no document 'other'",
        ),
        ((Search(id="s", purpose="p", text="x", scope=Scope(buckets=("hr",))),), "There is no bucket 'hr'"),
        ((Hop(id="h", purpose="p", field="contract_value"),), "h: It has no input to read from."),
    ],
)
def test_a_node_that_is_wired_wrongly_is_named(nodes: tuple[Node, ...], message: str) -> None:
    assert any(message in found for found in _messages(*nodes))


def test_a_circle_is_refused() -> None:
    first, second = _select("one", inputs=("two",)), _select("two", inputs=("one",))
    (found,) = _messages(first, second)
    assert "circle" in found


def test_four_hops_are_one_too_many() -> None:
    hops = [Hop(id=f"h{at}", purpose="p", inputs=("contracts",), field="contract_value") for at in range(4)]
    assert _messages(_select(), *hops) == ["h3: The plan has 4 hops, more than 3."]


def test_checking_raises_with_every_problem() -> None:
    plan = plan_of(_select("contracts", _condition("a", "=", "1"), _condition("b", "=", "1")))
    with pytest.raises(PlanError, match="And 1 more") as caught:
        check(plan, CATALOGUE)
    assert len(caught.value.problems) == 2
