"""Plans over rows as nodes of SQL: their tables, sets of documents around them, and what nobody can say."""

from __future__ import annotations

from typing import Any

import pytest

from core.plan.ir.nodes import Aggregate, Condition, Hop, Note, Plan, Query, Scope, Select
from core.plan.ir.nodes.registry import NODES
from core.plan.ir.validate import validate
from core.plan.operators.as_query import as_query
from core.plan.operators.row_conditions import UnsaidError
from tests.support.compact_readings import TABLES, plan_of, read

ROWS = {"purpose": "p", "of": "rows", "tables": ("d1|0",)}
OPEN = Select.model_validate(
    {"id": "open", **ROWS, "conditions": (Condition(field="status", op="=", value="open"),)}
)


def plan(*nodes: Any, answer: str) -> Plan:
    """A plan of these nodes, as somebody may have saved it."""
    made = plan_of(read("count", is_rows=True, where=["Status = open"]), TABLES)
    notes = (Note(phrase="open", reading="status open", node="open"),)
    return made.model_copy(update={"nodes": nodes, "answer_node": answer, "notes": notes, "reading": None})


def sum_of(*inputs: str, id: str = "sum", **more: Any) -> Aggregate:
    return Aggregate.model_validate(
        {"id": id, "purpose": "p", "inputs": inputs, "function": "sum", "field": "qty", **more}
    )


def test_nodes_over_rows_are_one_of_sql_that_the_gate_lets_through() -> None:
    made = as_query(plan(OPEN, sum_of("open"), answer="sum"), TABLES)
    (node,) = made.nodes
    assert isinstance(node, Query)
    assert "sum(" in node.sql
    assert (made.answer_node, made.notes[0].node) == ("sum", "sum")
    assert not validate(made, TABLES)
    assert as_query(made, TABLES) == made


def test_documents_around_rows_stay_and_narrow_the_tables() -> None:
    around = Select(id="around", purpose="p", scope=Scope(documents=("d1",)))
    rows = OPEN.model_copy(update={"inputs": ("around",)})
    made = as_query(plan(around, rows, sum_of("open"), answer="sum"), TABLES)
    assert [node.id for node in made.nodes] == ["around", "sum"]
    assert made.nodes[1].inputs == ("around",)
    assert not validate(made, TABLES)


def test_tables_out_of_the_scope_are_not_asked() -> None:
    with pytest.raises(UnsaidError):
        as_query(plan(OPEN.model_copy(update={"scope": Scope(documents=("d4",))}), answer="open"), TABLES)


def test_the_name_of_a_group_that_is_looked_up_is_said_within() -> None:
    most = sum_of("all", id="most", group_by=("customer",), top=1)
    name = Hop(id="name", purpose="p", inputs=("most",), field="customer")
    condition = {"field": "customer", "op": "=", "value": {"from": "name"}}
    own = Select.model_validate({"id": "own", **ROWS, "inputs": ("name",), "conditions": (condition,)})
    made = as_query(plan(Select(id="all", **ROWS), most, name, own, answer="own"), TABLES)
    (node,) = made.nodes
    assert isinstance(node, Query)
    assert " IN (SELECT " in node.sql
    assert not validate(made, TABLES)


def test_different_values_are_listed_where_a_list_is_asked() -> None:
    made = as_query(
        plan_of(read("list", is_rows=True, asked=["Product"], function="distinct"), TABLES), TABLES
    )
    assert isinstance(made.nodes[0], Query)
    assert made.nodes[0].sql.startswith("SELECT DISTINCT ")
    assert "count(" not in made.nodes[0].sql


def test_a_plan_without_rows_is_as_it_was() -> None:
    made = plan(Select(id="s", purpose="p"), answer="s")
    assert as_query(made, TABLES) is made


def test_every_kind_of_node_but_that_of_matched_rows_can_be_begun() -> None:
    assert [each.type for each in NODES if not each.begins] == ["join"]
