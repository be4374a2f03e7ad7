"""Replies of a planning model, and the plans that are made of them."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.plan.ir.nodes import Plan
from core.plan.model.conversion import plan_from
from core.plan.model.reply import PlanReply

TODAY = date(2026, 3, 1)
EMPTY: dict[str, Any] = {
    "purpose": "Find them",
    "inputs": [],
    "kind": "",
    "documents": [],
    "conditions": [],
    "shows": [],
    "how": "",
    "field": "",
    "group_by": [],
    "order_by": "",
    "descending": False,
    "limit": 0,
    "text": "",
    "wordings": [],
    "labels": [],
}
UNSORTED: dict[str, Any] = {
    "need": "collection",
    "form": "other",
    "document_kind": "",
    "buckets": [],
    "constraints": [],
    "questions": [],
    "output": "any",
    "fallback": [],
    "wordings": [],
}


def step(id: str, do: str, **parts: Any) -> dict[str, Any]:
    return {"id": id, "do": do, **EMPTY, **parts}


def condition(field: str, op: str, *values: str, either: int = 0) -> dict[str, Any]:
    return {"field": field, "op": op, "values": list(values), "either": either}


def reply(*steps: dict[str, Any], answer: str = "", kind: str = "aggregate", **parts: Any) -> PlanReply:
    return PlanReply.model_validate(
        {
            **UNSORTED,
            "decision": "plan",
            "kind": kind,
            "reading": "As it was read.",
            "steps": list(steps),
            "answer": answer or steps[-1]["id"],
            "left_out": [],
            **parts,
        }
    )


def planned(*steps: dict[str, Any], **parts: Any) -> Plan:
    return plan_from(reply(*steps, **parts), "q", (), {"d1": "real-id"}, TODAY)


QUESTION = "How many contracts are under Delaware law?"
GOOD = reply(
    step("s1", "select", kind="contracts", conditions=[condition("governing_law", "=", "Delaware")]),
    step("s2", "aggregate", inputs=["s1"], how="count"),
).model_dump(mode="json")
UNKNOWN = reply(
    step("s1", "select", kind="contracts", conditions=[condition("planet", "=", "Mars")])
).model_dump(mode="json")
