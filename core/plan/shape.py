"""The shape of a question: what kind of question it is, with its names, amounts and dates left out.

Two questions of one shape ask the same of other values. What makes the sense of a question stays in its shape
(negations, comparisons, computations, fields), because vectors of sentences tell those apart badly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.domain.fields import FieldType, TypedValue
from core.plan.ir.nodes import Choice, Condition, Node, OtherField, Plan, Reference, ScopedNode, SelectionNode
from core.plan.language.pieces import (
    Ask,
    Aspect,
    Bridge,
    Comparator,
    Comparing,
    Computed,
    Connective,
    DayRange,
    DocumentSet,
    FieldSenses,
    Grouping,
    Negator,
    Noun,
    Ordering,
    Parties,
    Piece,
    Policy,
    Quantity,
    Statistic,
    Top,
    UnknownWord,
    Values,
)
from core.plan.language.reading.read import ParsedQuestion

_ALIKE = {"which": "list", "what": "list", "one": "list"}
_STANDS_FOR = {"party": "a company", "document": "a document", "value": "something", "date": "some time"}


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """text: equal for questions of one shape. slots: the values left out, in order, by name.

    unknown: the words that nothing is called by. masked: the question with plain words for its values.
    """

    text: str
    slots: Mapping[str, str]
    unknown: str
    masked: str


def shape_of(reading: ParsedQuestion) -> QuestionShape:
    """The shape of a question that was read."""
    parts: list[str] = []
    slots: dict[str, str] = {}
    said: list[str] = []
    unknown: list[str] = []
    for piece in reading.pieces:
        values = list(_values(piece))
        if values:
            kind = values[0][0]
            for name, value in values:
                slots[f"{name}{sum(each.startswith(name) for each in slots) + 1}"] = value
            parts.append(f"<{kind}>")
            said.append(_STANDS_FOR.get(kind, "some amount"))
            continue
        said.append(piece.text)
        if isinstance(piece.meaning, UnknownWord):
            unknown.append(piece.text)
        word = _word(piece)
        if word and not (word == "?" and parts[-1:] == ["?"]):
            parts.append(word)
    return QuestionShape(" ".join(parts), slots, " ".join(unknown), " ".join(said))


def with_slots(plan: Plan, old: Mapping[str, str], new: Mapping[str, str]) -> Plan | None:
    """The plan with other values in the places of those that differ; None where one of them has no place."""
    if list(old) != list(new):
        return None
    other = {value: new[name] for name, value in old.items() if value != new[name]}
    if len({value for name, value in old.items() if value != new[name]}) < sum(
        value != new[name] for name, value in old.items()
    ):
        return None  # one value in two places, which are to be two
    met: set[str] = set()
    nodes = tuple(_swapped(node, other, met) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes}) if met == set(other) else None


def _values(piece: Piece) -> Iterator[tuple[str, str]]:
    """Values of a piece in its question, as conditions write them."""
    meaning = piece.meaning
    if isinstance(meaning, Quantity):
        yield meaning.value.type.value, _amount(meaning.value)
    elif isinstance(meaning, DayRange):
        if meaning.hint:
            return
        yield "date", meaning.first.isoformat() if meaning.first else ""
        yield "date", meaning.last.isoformat() if meaning.last else ""
    elif isinstance(meaning, Parties):
        yield "party", meaning.parties[0].name
    elif isinstance(meaning, DocumentSet):
        yield "document", meaning.documents[0].id
    elif isinstance(meaning, Values):
        yield "value", meaning.values[0].text


def _amount(value: TypedValue) -> str:
    plain = value.text[:-3] if value.text.endswith(".00") else value.text
    return f"{plain} {value.unit}".strip() if value.type is not FieldType.DURATION else value.text


def _word(piece: Piece) -> str:
    """Contribution of a piece to the shape; "" where it has none."""
    meaning = piece.meaning
    if isinstance(meaning, Comparator):
        return meaning.op.value
    if isinstance(meaning, Negator):
        return "lack" if meaning.lacks else "other-than" if meaning.is_other else "not"
    if isinstance(meaning, Connective):
        return {"nor": "or", "but": "and", ",": "and"}.get(meaning.word, meaning.word)
    if isinstance(meaning, Statistic):
        return f"{meaning.name.value}{'-time' if meaning.of_time else ''}"
    if isinstance(meaning, Top):
        return f"top-{meaning.count}{'-' if meaning.descending is False else '+'}"
    if isinstance(meaning, Noun):
        return f"noun:{meaning.schema}:{meaning.kind}"
    if isinstance(meaning, FieldSenses):
        return f"field:{meaning.matches[0].field.name}" if meaning.matches else ""
    if isinstance(meaning, Ask):
        return f"ask:{_ALIKE.get(meaning.how, meaning.how)}"
    if isinstance(meaning, DayRange):
        return f"period:{meaning.hint}"
    if isinstance(meaning, Aspect):
        return f"by-{meaning.name}"
    if isinstance(meaning, Policy):
        return f"policy:{'-'.join(meaning.words)}"
    if isinstance(meaning, Computed):
        return f"than-{meaning.function.value}"
    if isinstance(meaning, Bridge):
        return "home"
    plain: dict[type, str] = {Grouping: "each", Ordering: "sorted", Comparing: "compare", UnknownWord: "?"}
    return plain.get(type(meaning), "")


def _swapped(node: Node, other: Mapping[str, str], met: set[str]) -> Node:
    """A node with other values in its conditions, its documents and its words."""

    def swap(value: str) -> str:
        for old, new in other.items():
            if not old:
                continue
            if value == old or value.startswith(f"{old} "):
                met.add(old)
                return new + value[len(old) :]
        return value

    def condition(each: Condition) -> Condition:
        if isinstance(each.value, Reference | OtherField):
            return each
        value = swap(each.value) if isinstance(each.value, str) else tuple(swap(one) for one in each.value)
        return each.model_copy(update={"value": value})

    change: dict[str, object] = {}
    if isinstance(node, ScopedNode) and node.scope.documents:
        documents = tuple(swap(id) for id in node.scope.documents)
        change["scope"] = node.scope.model_copy(update={"documents": documents})
    if isinstance(node, SelectionNode):
        change["conditions"] = tuple(
            condition(each)
            if isinstance(each, Condition)
            else Choice(any_of=tuple(condition(one) for one in each.any_of))
            for each in node.conditions
        )
    purpose = node.purpose
    for old, new in other.items():
        if old:
            purpose = purpose.replace(old, new)
    return node.model_copy(update={**change, "purpose": purpose[:300]})
