"""Replies of a model that reads questions, right and wrong, as a server sends them."""

from __future__ import annotations

from datetime import date
from typing import Any

TODAY = date(2026, 3, 1)
QUESTION = "How many contracts are under Delaware law?"


def condition(field: str, op: str, *values: str, words: str = "") -> dict[str, Any]:
    return {"field": field, "op": op, "values": list(values), "words": words}


def step(operation: str, **parts: Any) -> dict[str, Any]:
    return {"id": "answer", "operation": operation, **parts}


def reply(*steps: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {"need": "collection", "reading": "As it was read.", "steps": list(steps), **parts}


GOOD = reply(
    step(
        "count",
        kind="contracts",
        conditions=[condition("governing_law", "=", "Delaware", words="under Delaware law")],
    )
)
TEXAN = reply(
    step(
        "list",
        kind="contracts",
        conditions=[condition("governing_law", "=", "Texas", words="beneath Texan rules")],
    ),
    left_out=["floral"],
)
UNKNOWN = reply(step("list", kind="contracts", conditions=[condition("planet", "=", "Mars")]))
TEXT = reply(step("text"))
