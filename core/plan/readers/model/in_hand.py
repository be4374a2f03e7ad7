"""Result set that a conversation has in hand, and its reading as the model writes readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.domain.predicate import Operator
from core.plan.reading import Combination, ReadCondition, ReadField, Reading, ReadName, Step

COMBINING: dict[Combination, str] = {"less": "-", "plus": "+", "times": "*", "per": "/"}
"""Signs between two columns of a row, by what is made of them."""
_OPS = {Operator.IS: "present", Operator.MISSING: "missing"}
_PLAIN = {"id", "operation", "kind", "function", "within", "sides", "labels", "text"}
"""Parts of a step that are written alike."""


@dataclass(frozen=True, slots=True)
class ReadInHand:
    """The last answer, which a question may go on from.

    reading: how its question was read, None where text answered. documents: ids, in the order in which they
    were shown; count: of all in the set, rows where these are asked about. answer: what it came to, in words.
    """

    question: str = ""
    reading: Reading | None = None
    documents: tuple[str, ...] = ()
    count: int = 0
    answer: str = ""

    @property
    def is_rows(self) -> bool:
        """True where rows of tables are in hand."""
        return self.reading is not None and (self.reading.is_rows or bool(self.reading.tables))


def as_reply(
    reading: Reading, documents: Mapping[str, str], tables: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The steps of a reading as a model would have written them, without what is empty.

    documents, tables: short ids by ids; what has none is left out.
    """
    return [_step(each, documents, tables) for each in reading.all_steps]


def _step(step: Step, documents: Mapping[str, str], tables: Mapping[str, str]) -> dict[str, Any]:
    order, having = step.order, step.having
    by = {} if order is None else order.model_dump(include={"descending", "limit", "skip"})
    by |= {"field": _field(order.field)} if order is not None and order.field else {}
    parts = step.model_dump(mode="json", include=_PLAIN) | {
        "tables": list(dict.fromkeys(tables[each] for each in step.tables if each in tables)),
        "on": list(map(_field, step.on)),
        "names": [_name(each, documents) for each in step.names],
        "conditions": list(map(_condition, step.conditions)),
        "asked": list(map(_field, step.asked)),
        "groups": list(map(_field, step.groups)),
        "having": {"op": having.op.value, "value": having.values[0]} if having and having.values else {},
        "order": _full(by),
        "outcome": step.outcome.value if step.sides else "",
    }
    return _full(parts)


def _full(parts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in parts.items() if value not in ("", [], {}, 0, False)}


def _field(field: ReadField) -> str:
    """As a model writes it: "expiration_date.year", "Actual - Budget", "Fuel / Km * 100"."""
    scale = f" * {field.scale}" if field.scale > 1 else ""
    other = f" {COMBINING[field.combined]} {field.other}{scale}" if field.combined else ""
    return f"{field.name}.{field.part}" if field.part else f"{field.name}{other}"


def _name(name: ReadName, documents: Mapping[str, str]) -> dict[str, Any]:
    ids = [documents[each] for each in name.documents if each in documents]
    return _full({"words": name.words, "role": name.role, "documents": ids, "not": name.negated})


def _condition(read: ReadCondition) -> dict[str, Any]:
    is_plain = not read.values and read.of_field is None
    op = _OPS.get(read.op, read.op.value) if is_plain else read.op.value
    return _full(
        {
            "field": _field(read.field),
            "op": op,
            "values": list(read.values) if read.of_field is None else [f"@{_field(read.of_field)}"],
            "not": read.negated,
            "either": read.either,
            "words": read.words,
        }
    )
