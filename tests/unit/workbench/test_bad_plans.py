"""Plans that were edited by hand, badly: refused with the node and what to do, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.domain.answer import Status
from core.domain.predicate import Operator
from core.errors import PlanError
from core.plan.ir.nodes import Choice, Combine, Condition, Plan, Scope, Select
from core.plan.ir.validate import Problem
from tests.support.contracts_at_hand import TEXAN, Contracts, contracts_at_hand, plan_for

SQL = "Texas'; DROP TABLE documents; --"


def asking(field: str, op: str, value: object, **changes: Any) -> Plan:
    condition = Condition.model_validate({"field": field, "op": op, "value": value})
    scope = changes.pop("scope", Scope(schema_name="contracts"))
    node = Select(id="a", purpose="p", scope=scope, conditions=(condition,))
    return edited(node.model_copy(update=changes))


def edited(*nodes: Any, answer: str = "") -> Plan:
    """A plan as it may be after edits in memory, which nothing has read."""
    change = {"nodes": nodes, "answer_node": answer or nodes[-1].id}
    return plan_for().model_copy(update=change)


def union(name: str, *inputs: str) -> Combine:
    return Combine(id=name, purpose="p", how="union", inputs=inputs)


MANY = Scope(schema_name="contracts").model_copy(update={"documents": ("d1",) * 1_000_000})
FOREIGN = Scope(schema_name="contracts", documents=("d0123",))
BAD: dict[str, tuple[Plan, str | None, str]] = {
    "a circle": (edited(TEXAN, union("x", "texan", "y"), union("y", "x", "texan")), "y", "circle: 'y' → 'x'"),
    "itself": (edited(TEXAN, union("x", "texan", "x")), "x", "circle"),
    "an unknown node": (edited(TEXAN.model_copy(update={"inputs": ("ghost",)})), "texan", "'ghost'"),
    "an unknown answer": (edited(TEXAN, answer="ghost"), None, "'ghost'"),
    "the same id twice": (edited(TEXAN, TEXAN), "texan", "called 'texan'"),
    "31 nodes": (
        edited(*(TEXAN.model_copy(update={"id": f"n{number}"}) for number in range(31))),
        None,
        "31 nodes, more than 30",
    ),
    "another's document": (asking("governing_law", "=", "Texas", scope=FOREIGN), "a", "no document 'd0123'"),
    "SQL in a date": (asking("effective_date", ">", SQL), "a", "no value of Effective date"),
    "SQL as a field": (asking(SQL, "=", "1"), "a", "There is no field"),
    "SQL as an order": (asking("governing_law", "=", "x", order_by=SQL), "a", "There is no field"),
    "SQL as a bucket": (asking("governing_law", "=", "x", scope=Scope(buckets=(SQL,))), "a", "no bucket"),
    "a million rows": (asking("governing_law", "=", "Texas", limit=1_000_000), "a", "100,?000"),
    "a million documents": (asking("governing_law", "=", "Texas", scope=MANY), "a", "100,?000"),
    "too many values": (
        asking("governing_law", "in", tuple(f"Law {number}" for number in range(501))),
        "a",
        "501 values, more than 500, most of them of 'governing_law'",
    ),
    "no such date": (
        asking("effective_date", "between", ("2024-01-01", "2023-02-30")),
        "a",
        "'2023-02-30' is no",
    ),
    "two currencies": (
        asking("contract_value", "between", ("1000 USD", "2000 EUR")),
        "a",
        "different currencies: USD, EUR",
    ),
    "a currency that is nowhere": (asking("contract_value", ">", "1000 JPY"), "a", "USD and no JPY"),
    "a pattern that is none": (asking("governing_law", "~", "(((("), "a", r"pattern '\(\(\(\(' cannot"),
    "a field that is gone": (asking("force_major", "=", "true"), "a", "no field 'force_major'"),
}


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path_factory.mktemp("bad") / "home") as found:
        yield found


@pytest.mark.parametrize("how", ["run", "import", "save", "change"])
@pytest.mark.parametrize("what", BAD)
def test_a_bad_plan_is_refused_with_its_node_and_what_to_do(at_hand: Contracts, what: str, how: str) -> None:
    bench, (plan, node, said) = at_hand.bench, BAD[what]
    known = next((each for each in bench.local.audits.list() if each.name == "Good"), None)
    known = known or bench.local.audits.save(plan_for(), "Good")
    ways: dict[str, Callable[[], object]] = {
        "run": lambda: bench.run(plan),
        "import": lambda: bench.local.plans.load(plan.model_dump_json()),
        "save": lambda: bench.local.audits.save(plan, what),
        "change": lambda: bench.local.audits.change(known.id, known.version, plan=plan),
    }
    with pytest.raises(PlanError, match=said) as told:
        ways[how]()
    problem = told.value.problems[0]
    assert isinstance(problem, Problem)
    assert node is None or problem.node == node
    assert told.value.next_step
    assert bench.local.audits.get(known.id) == known
    assert [each.name for each in bench.local.audits.list()] == ["Good"]


def test_sql_in_a_text_is_a_text(at_hand: Contracts) -> None:
    answer = at_hand.bench.run(asking("governing_law", "=", SQL))
    assert (answer.status, answer.ledger and answer.ledger.present) == (Status.ANSWERED, 0)
    assert at_hand.bench.local.documents.count() == 10


@pytest.mark.parametrize("times", [1, 50])
def test_as_many_values_as_conditions_may_have_are_asked_all(at_hand: Contracts, times: int) -> None:
    values = ("Texas", *(f"Law {number}" for number in range(500 // times - 1)))
    condition = Condition(field="governing_law", op=Operator.IN, value=values)
    node = TEXAN.model_copy(update={"conditions": (condition,) * times})
    either = TEXAN.model_copy(update={"conditions": (Choice(any_of=(condition,) * times),)})
    for each in (node, either):
        answer = at_hand.bench.run(edited(each))
        assert answer.table is not None
        assert len(answer.table.documents) == 2


def test_eleven_conditions_are_asked_all(at_hand: Contracts) -> None:
    conditions = tuple(
        Condition.model_validate({"field": "governing_law", "op": "!=", "value": f"Law {number}"})
        for number in range(10)
    )
    node = TEXAN.model_copy(update={"conditions": (*conditions, *TEXAN.conditions)})
    answer = at_hand.bench.run(edited(node))
    assert answer.table is not None
    assert len(answer.table.documents) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read as JSON"),
        ("[" * 100_000, "cannot be read as JSON"),
        ("[1]", "holds no plan"),
        ('{"plan": 7}', "holds no plan"),
        ('{"plan": {"question": "q"}}', "kind: field required"),
        ('{"format": 2, "plan": {}}', "format 2, which this version cannot read"),
        ("x" * 8_000_001, "larger than 8 MB"),
    ],
)
def test_a_file_that_holds_no_plan_is_refused(at_hand: Contracts, text: str, said: str) -> None:
    with pytest.raises(PlanError, match=said) as told:
        at_hand.bench.local.plans.load(text)
    assert told.value.next_step


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "question"}, "Node 'texan': .*question"),
        ({"sql": "SELECT 1"}, "Node 'texan': sql: extra inputs are not permitted"),
        (
            {"conditions": [{"field": "governing_law", "op": "LIKE", "value": "x"}]},
            "Node 'texan': conditions.0",
        ),
        ({"id": "DROP TABLE"}, "Node 'DROP TABLE': id"),
        ({"purpose": "\ud800"}, "Node 'texan': purpose"),
    ],
)
def test_a_file_with_a_bad_node_names_it(at_hand: Contracts, change: dict[str, Any], said: str) -> None:
    data = plan_for().model_dump(mode="json")
    data["nodes"][0] |= change
    with pytest.raises(PlanError, match=said) as told:
        at_hand.bench.local.plans.load(json.dumps(data))
    assert told.value.next_step
