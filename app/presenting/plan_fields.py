"""Fields that the nodes of a plan may name, and the form of their values in widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.ir.hashing import dependants
from core.plan.ir.nodes import Node, Plan, schema_of, spec_of

MOST_DOCUMENTS = 2_000  # that a form lists
_DATE_ASPECTS, _AMOUNT_ASPECTS = ("year", "quarter", "month"), ("unit",)


@dataclass(frozen=True)
class FormSetting:
    """Setting of a node's form. key: begins that of every widget; another forgets them all."""

    plan: Plan
    node: Node
    catalogue: Catalogue
    key: str
    buckets: tuple[str, ...] = field(default=())

    @cached_property
    def schema(self) -> str:
        """The kind of documents that the node asks, "" for any."""
        return schema_of(self.node, {each.id: each for each in self.plan.nodes})

    @cached_property
    def fields(self) -> dict[str, FieldEntry]:
        """The fields that it may name; those that documents state first."""
        named = self.catalogue.schema(self.schema)
        schemas = (named,) if named is not None else self.catalogue.schemas
        found: dict[str, FieldEntry] = {}
        for each in schemas:
            for entry in sorted(each.fields, key=lambda one: -min(one.documents, 1)):
                found.setdefault(entry.name, entry)
        return found

    @cached_property
    def names(self) -> list[str]:
        """Names of fields for conditions, orders and groups."""
        return list(self.fields)

    @property
    def others(self) -> list[str]:
        """The nodes that it may take in: all but itself and what depends on it."""
        behind = {self.node.id}
        if self.node.id in {each.id for each in self.plan.nodes}:
            try:
                behind = set(dependants(self.plan, self.node.id))
            except ValueError:  # a circle: any of them may be what is to be taken out
                behind = {self.node.id}
        return [each.id for each in self.plan.nodes if each.id not in behind or each.id in self.node.inputs]

    @property
    def values(self) -> list[str]:
        """The nodes that give one value, which a condition may compare with."""
        nodes = [self.plan.node(id) for id in self.others]
        return [each.id for each in nodes if spec_of(each).is_value(each)]

    def kind(self, name: str, minus: str = "") -> FieldType | None:
        """The type of what a condition compares; a length of time where it is counted from another date."""
        if minus:
            return FieldType.DURATION
        entry = self.fields.get(name)
        if entry is None and name.endswith(".unit"):
            return FieldType.TEXT
        return entry.type if entry is not None else None

    def title(self, name: str) -> str:
        """A field as people call it, an aspect of it too."""
        stem, _, aspect = name.rpartition(".") if "." in name else (name, "", "")
        entry = self.fields.get(stem or name) or self.fields.get(name)
        if entry is None:
            return name
        return f"{entry.title}, {aspect}" if aspect and entry.name == stem else entry.title

    def known_values(self, name: str) -> list[str]:
        """The texts that a field has somewhere: options, values, parties."""
        entry = self.fields.get(name)
        if entry is None:
            return []
        listed = [
            each.text
            for each in self.catalogue.values
            if each.field == name and (not self.schema or each.schema == self.schema)
        ]
        parties = []
        if entry.type is FieldType.PARTY:
            parties = [each.name for each in self.catalogue.parties if (entry.schema, name) in each.fields]
        return list(dict.fromkeys((*entry.options, *listed, *parties)))

    def groupings(self) -> list[str]:
        """Keys for groups: fields, and aspects of dates and amounts."""
        found = []
        for name in self.names:
            found.append(name)
            entry = self.fields.get(name)
            if entry is None:
                continue
            if entry.type is FieldType.DATE:
                found += [f"{name}.{aspect}" for aspect in _DATE_ASPECTS]
            elif entry.type is FieldType.MONEY:
                found += [f"{name}.{aspect}" for aspect in _AMOUNT_ASPECTS]
        return found

    def documents(self, chosen: Sequence[str] = ()) -> dict[str, str]:
        """Titles of the documents that a scope may name, by id; those chosen are always among them."""
        listed = [each for each in self.catalogue.documents if not self.schema or each.schema == self.schema]
        found = {each.id: each.name for each in listed[:MOST_DOCUMENTS]}
        for id in chosen:
            entry = self.catalogue.document(id)
            found.setdefault(id, (entry.title or entry.source) if entry is not None else id)
        return found


def amount_parts(text: str) -> tuple[str, str]:
    """An amount and its unit: `100000 USD` gives ("100000", "USD")."""
    number, _, unit = text.strip().partition(" ")
    return number, unit.strip()


def plain_number(text: str) -> str:
    """A number as a person types it, without the commas and spaces between its thousands."""
    return text.replace(",", "").replace(" ", "").replace("\u00a0", "").strip()
