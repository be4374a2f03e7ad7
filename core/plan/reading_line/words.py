"""Words for the parts of a reading: conditions with their values, and the documents that are asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.value_text import shown
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, SchemaEntry
from core.plan.ir.node import (
    Choice,
    Condition,
    Node,
    OtherField,
    Reference,
    SelectionNode,
    clause_parts,
    without_aspect,
)
from core.plan.ir.verbalise import KIND, OPERATORS
from core.plan.kinds import NAME
from core.text.nouns import plural
from core.text.titles import phrase
from core.values.canonical import read_value

MOST_VALUES = 4  # of a list that a part names
_CALLED = {"agreement": "contract"}
"""Kinds of documents that people call by another word."""
_ASPECTS = {"unit": "currency"}


def kind_word(kind: str) -> str:
    """Documents of a kind, as people call several: `purchase_order` -> `purchase orders`."""
    return plural(_CALLED.get(kind, kind.replace("_", " ")))


def either(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or 12 more`."""
    if len(words) > MOST_VALUES:
        words = [*words[: MOST_VALUES - 1], f"{len(words) - MOST_VALUES + 1:,} more"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}" if words else ""


@dataclass(frozen=True, slots=True)
class PartWords:
    """Words for conditions on documents of a schema ("" for any), or on rows of tables."""

    catalogue: Catalogue
    schema: str
    of_rows: bool = False

    def _entry(self, name: str) -> FieldEntry | ColumnEntry | None:
        if not self.of_rows:
            return self.catalogue.field(without_aspect(name), self.schema)
        columns = (each for table in self.catalogue.tables for each in table.columns)
        return next((each for each in columns if name in (each.key, each.name)), None)

    def type_of(self, name: str) -> FieldType:
        """The type of what a condition on that name compares; text where it is not known."""
        is_unit = name != without_aspect(name) and name.endswith(".unit")
        entry = self._entry(name) if not is_unit else None
        return entry.type if entry is not None else FieldType.TEXT

    def title(self, name: str) -> str:
        """A field or column as a line names it: `year of effective date`."""
        entry, stem = self._entry(name), without_aspect(name)
        aspect = name[len(stem) + 1 :]
        if self.of_rows:
            return (entry.name if entry is not None else name).replace("_", " ")
        said = phrase(entry.title) if isinstance(entry, FieldEntry) else stem.replace("_", " ")
        return f"{_ASPECTS.get(aspect, aspect)} of {said}" if aspect else said

    def clause(self, clause: Condition | Choice) -> str:
        """A condition, or several of which one must hold; without the title where it is the same again."""
        parts = clause_parts(clause)
        first = parts[0]
        if len(parts) == 1:
            return self.condition(first)
        if organisations := self._on_any_side(parts):
            return f"with {either(organisations)}"
        if other := negated_value(clause):
            return self.condition(other)
        if all(each.op is Operator.CONTAINS and each.field == NAME for each in parts):
            return self._called([str(each.value) for each in parts])
        words = [self.condition(each) for each in parts]
        title = f"{self.title(first.field)} "
        same = all(each.field == first.field for each in parts)
        rest = [each.removeprefix(title) if same else each for each in words[1:]]
        return either([words[0], *dict.fromkeys(rest)])

    def condition(self, condition: Condition) -> str:
        """One condition: `governing law Delaware`, `no force majeure`, `contract value above USD 100,000`."""
        title, op, value = self.title(condition.field), condition.op, condition.value
        if condition.minus:
            other = self.title(condition.minus)
            title = f"{title} less {other}" if self.of_rows else f"time from {other} to {title}"
        if op is Operator.MISSING or (op, value) == (Operator.EQUAL, "false"):
            return f"no {title}"
        if (op, value) in ((Operator.IS, "present"), (Operator.EQUAL, "true")):
            return f"with {title}"
        if op is Operator.IS:
            return f"{title} {value}"
        if op is Operator.CONTAINS and condition.field == NAME:
            return self._called([str(value)])
        if op is Operator.EQUAL and isinstance(value, OtherField):
            return f"{title} the same as {self.title(value.field)}"
        return f"{title} {self.value(condition)}".strip()

    def value(self, condition: Condition) -> str:
        """The value with its comparison, as a person may write it: `after 3 Oct 2024`, `Texas or Iowa`."""
        value, op = condition.value, condition.op
        kind = self.type_of(condition.field)
        kind = FieldType.DURATION if condition.minus and kind is FieldType.DATE else kind
        words = OPERATORS[op]
        sign = words.date if kind is FieldType.DATE and words.date else words.purpose
        if isinstance(value, Reference):
            return f"{sign} that".strip()
        if isinstance(value, OtherField):
            return f"{sign} {self.title(value.field)}".strip()
        values = condition.texts
        if op in (Operator.MISSING, Operator.IS) or not values:
            return ""
        if op is Operator.BETWEEN and len(values) == 2:
            low, high = (self._shown(each, kind) for each in values)
            return period(*values) if kind is FieldType.DATE else f"from {low} to {high}"
        said = [self._shown(each, kind) for each in values]
        if op in (Operator.CONTAINS, Operator.MATCHES):
            return f"{sign} “{either(said)}”"
        if op is Operator.NOT_EQUAL:
            return f"not {either(said)}"
        return f"{sign} {either(said)}".strip() if op is not Operator.IN else either(said)

    def written(self, condition: Condition) -> str:
        """The value as it stands in a box where it can be changed: `Texas`, `after 3 Oct 2024`, `lease`."""
        value, plain = condition.value, (Operator.CONTAINS, Operator.MATCHES, Operator.NOT_EQUAL)
        if condition.op not in plain or not isinstance(value, str | tuple):
            return self.value(condition)
        kind = self.type_of(condition.field)
        return either([self._shown(each, kind) for each in condition.texts])

    def _shown(self, text: str, kind: FieldType) -> str:
        if kind is FieldType.PARTY:
            return next((each.name for each in self.catalogue.parties if each.normal == text), text)
        value = read_value(text, kind)
        return shown(value) if value is not None else text

    def _on_any_side(self, parts: tuple[Condition, ...]) -> list[str]:
        """The organisations that alternatives look for in the same several fields; [] for any others."""
        fields: dict[str, set[str]] = {}
        for each in parts:
            is_named = each.op is Operator.EQUAL and self.type_of(each.field) is FieldType.PARTY
            if not is_named or not isinstance(each.value, str | Reference):
                return []
            fields.setdefault(self.value(each), set()).add(each.field)
        sides = list(fields.values())
        are_same = len(sides[0]) > 1 and all(each == sides[0] for each in sides)
        return list(fields) if are_same else []

    def _called(self, words: list[str]) -> str:
        """The noun that stands for words of a title, else that it has them."""
        schema = self.catalogue.schema(self.schema)
        nouns = [each.word for each in schema.nouns if set(each.titles) == set(words)] if schema else []
        return plural(max(nouns, key=len)) if nouns else f"called {either([f'“{word}”' for word in words])}"


def negated_value(clause: Condition | Choice) -> Condition | None:
    """The condition of a clause that says "another value, or none"; None for any other clause."""
    parts = clause_parts(clause)
    if len(parts) < 2 or parts[0].op is not Operator.NOT_EQUAL:
        return None
    rest = {(each.field, each.op, each.value) for each in parts[1:]}
    none, unsure = (parts[0].field, Operator.MISSING, ()), (parts[0].field, Operator.IS, "uncertain")
    return parts[0] if none in rest and rest <= {none, unsure} else None


def subject_words(schema: SchemaEntry | None, kind: Condition | None) -> str:
    """The documents asked about: `contracts`, `amendments`, `invoices and receipts`, `documents`."""
    if kind is not None and isinstance(kind.value, str | tuple):
        said = either([kind_word(each) for each in kind.texts])
        if said:
            return f"not {said}" if kind.op is Operator.NOT_EQUAL else said
    return phrase(schema.title) if schema is not None else "documents"


def is_kind(clause: Condition | Choice) -> bool:
    """True for the condition that says of which kind the documents are."""
    said = (Operator.EQUAL, Operator.IN)
    return isinstance(clause, Condition) and clause.field == KIND and clause.op in said


def asks_rows(node: Node, nodes: Mapping[str, Node]) -> SelectionNode | None:
    """The selection of rows whose columns a node asks, itself or right behind it; None for documents."""
    beside = (node, *(nodes[id] for id in node.inputs))
    return next((each for each in beside if isinstance(each, SelectionNode) and each.of == "rows"), None)


def period(first: str, last: str) -> str:
    """Days from one to another, both included: `in 2025`, `in Q1 2025`, `in Mar 2025`, `from ... to ...`."""
    try:
        low, high = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        return f"from {first} to {last}"
    behind = min(high, date.max - timedelta(days=1)) + timedelta(days=1)
    months = (behind.year - low.year) * 12 + behind.month - low.month
    if low.day == 1 and behind.day == 1:
        if months == 12 and low.month == 1:
            return f"in {low.year}"
        if months == 3 and low.month % 3 == 1:
            return f"in Q{low.month // 3 + 1} {low.year}"
        if months == 1:
            return f"in {low:%b} {low.year}"
    return f"from {low.day} {low:%b} {low.year} to {high.day} {high:%b} {high.year}"
