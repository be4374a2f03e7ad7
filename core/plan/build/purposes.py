"""Purposes of nodes in plain English."""

from __future__ import annotations

from core.domain.annotation import Aggregate
from core.domain.predicate import Operator
from core.plan.catalogue import SchemaEntry
from core.plan.ir.nodes import Choice, Condition, OtherField, Reference
from core.plan.language.lexicon.lexicon import KIND

_OPERATORS = {
    Operator.GREATER: "above",
    Operator.GREATER_EQUAL: "at least",
    Operator.LESS: "below",
    Operator.LESS_EQUAL: "at most",
    Operator.NOT_EQUAL: "other than",
    Operator.EQUAL: "",
    Operator.CONTAINS: "mentioning",
    Operator.MATCHES: "matching",
    Operator.IN: "",
}
_FUNCTIONS = {
    Aggregate.COUNT: "Count",
    Aggregate.SUM: "Add up",
    Aggregate.AVG: "Average",
    Aggregate.MEDIAN: "Find the median of",
    Aggregate.MIN: "Find the lowest",
    Aggregate.MAX: "Find the highest",
    Aggregate.DISTINCT: "Count the different values of",
}
LONGEST = 300


def title_of(schema: SchemaEntry | None, name: str) -> str:
    """A field as people call it, in the middle of a sentence."""
    stem, _, aspect = name.partition(".")
    entry = schema.field(stem) if schema else None
    title = (entry.title if entry else stem.replace("_", " ")).lower()
    return f"{aspect} of {title}" if aspect else title


def condition_text(condition: Condition, schema: SchemaEntry | None) -> str:
    """A condition for a person: "governing law New York", "without force majeure"."""
    title, value = title_of(schema, condition.field), condition.value
    if condition.minus:
        title = f"time from {title_of(schema, condition.minus)} to {title}"
    if condition.op is Operator.MISSING:
        return f"without {title}"
    if condition.op is Operator.IS:
        return f"with {title}"
    if isinstance(value, Reference):
        return f"{title} {_OPERATORS.get(condition.op, '')} the value of {value.node}".replace("  ", " ")
    if isinstance(value, OtherField):
        return " ".join(part for part in (title, _sign(condition.op), title_of(schema, value.field)) if part)
    if condition.op is Operator.EQUAL and value == "true":
        return f"with {title}"
    if condition.op is Operator.BETWEEN and isinstance(value, tuple):
        return f"{title} from {value[0]} to {value[1]}"
    said = " or ".join(value) if isinstance(value, tuple) else value
    if condition.op is Operator.EQUAL and isinstance(value, str) and condition.field == KIND:
        return f"which are of the kind {said}"
    return " ".join(part for part in (title, _OPERATORS.get(condition.op, condition.op.value), said) if part)


def _sign(op: Operator) -> str:
    return _OPERATORS.get(op, op.value) or "the same as"


def conditions_text(conditions: tuple[Condition | Choice, ...], schema: SchemaEntry | None) -> str:
    """Several conditions for a person."""
    parts = []
    for each in conditions:
        if isinstance(each, Choice):
            parts.append(" or ".join(dict.fromkeys(condition_text(one, schema) for one in each.any_of)))
        elif each.field != KIND or len(conditions) == 1:
            parts.append(condition_text(each, schema))
    return ", and ".join(parts)


def select_text(noun: str, conditions: tuple[Condition | Choice, ...], schema: SchemaEntry | None) -> str:
    """What a Select is for."""
    said = conditions_text(conditions, schema)
    return _short(f"Find {noun}" + (f": {said}" if said else ""))


def aggregate_text(
    function: Aggregate, field: str, groups: tuple[str, ...], noun: str, schema: SchemaEntry | None
) -> str:
    """What an Aggregate is for."""
    what = title_of(schema, field) if field else noun
    by = " and ".join(title_of(schema, each) for each in groups)
    return _short(f"{_FUNCTIONS[function]} {what}" + (f" for each {by}" if by else ""))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
