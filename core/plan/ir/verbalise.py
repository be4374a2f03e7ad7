"""Conditions and purposes of nodes in plain English, with one table of the words of operators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.annotation import Calculation
from core.domain.predicate import Operator
from core.plan.catalogue import SchemaEntry
from core.plan.ir.node import Choice, Condition, OtherField, Reference

KIND = "document_kind"


@dataclass(frozen=True, slots=True)
class OperatorWords:
    """An operator in words. form: between a field and a value, in a form ("at least").

    date: there, of days ("on or after"). purpose: there, in the purpose of a node (""). limit: behind a thing
    in a sentence, where it bounds that ("a cap of at least"); "" where it does not.
    """

    form: str
    purpose: str = ""
    limit: str = ""
    date: str = ""


OPERATORS: Mapping[Operator, OperatorWords] = {
    Operator.EQUAL: OperatorWords("is"),
    Operator.NOT_EQUAL: OperatorWords("is not", "other than"),
    Operator.GREATER: OperatorWords("above", "above", "above", "after"),
    Operator.GREATER_EQUAL: OperatorWords("at least", "at least", "of at least", "on or after"),
    Operator.LESS: OperatorWords("below", "below", "below", "before"),
    Operator.LESS_EQUAL: OperatorWords("at most", "at most", "of at most", "on or before"),
    Operator.BETWEEN: OperatorWords("between", "between"),
    Operator.IN: OperatorWords("is one of"),
    Operator.CONTAINS: OperatorWords("contains", "mentioning"),
    Operator.MATCHES: OperatorWords("matches the pattern", "matching"),
    Operator.MISSING: OperatorWords("is not stated"),
    Operator.IS: OperatorWords("is in the state"),
}
_FUNCTIONS = {
    Calculation.COUNT: "Count",
    Calculation.SUM: "Add up",
    Calculation.AVG: "Average",
    Calculation.MEDIAN: "Find the median of",
    Calculation.MIN: "Find the lowest",
    Calculation.MAX: "Find the highest",
    Calculation.DISTINCT: "Count the different values of",
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
        other = title_of(schema, condition.minus)
        title = f"time from {other} to {title}" if schema else f"{title} less {other}"
    if condition.op is Operator.MISSING:
        return f"without {title}"
    if condition.op is Operator.IS:
        return f"with {title}"
    word = OPERATORS[condition.op].purpose
    if isinstance(value, Reference):
        return " ".join(part for part in (title, word, "the value found") if part)
    if isinstance(value, OtherField):
        return f"{title} {word or 'the same as'} {title_of(schema, value.field)}"
    if condition.op is Operator.EQUAL and value == "true":
        return f"with {title}"
    said = values_text(condition)
    if condition.op is Operator.BETWEEN and isinstance(value, tuple):
        return f"{title} {said}"
    if condition.op is Operator.EQUAL and isinstance(value, str) and condition.field == KIND:
        return f"which are of the kind {said}"
    return " ".join(part for part in (title, word, said) if part)


def values_text(condition: Condition) -> str:
    """The values of a condition as purposes say them; "" where another node or field gives them."""
    texts = condition.texts
    if condition.op is Operator.BETWEEN and len(texts) > 1:
        return f"from {texts[0]} to {texts[1]}"
    return " or ".join(texts)


def limit_text(op: Operator, *, is_date: bool = False) -> str:
    """An operator behind the thing that it bounds: `of at least`, of days `on or after`; "" for no bound."""
    words = OPERATORS[op]
    return words.date if is_date else words.limit


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
    """Purpose of a Select, in words."""
    said = conditions_text(conditions, schema)
    return _short(f"Find {noun}" + (f": {said}" if said else ""))


def aggregate_text(
    function: Calculation, field: str, groups: tuple[str, ...], noun: str, schema: SchemaEntry | None
) -> str:
    """Purpose of an Aggregate, in words."""
    what = title_of(schema, field) if field else noun
    by = " and ".join(title_of(schema, each) for each in groups)
    return _short(f"{_FUNCTIONS[function]} {what}" + (f" for each {by}" if by else ""))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
