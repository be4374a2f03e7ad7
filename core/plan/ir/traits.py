"""Traits of a plan's nodes: what they ask for that a policy may want a role for, whatever their words are.

What is told by nodes stands in their specifications (`NodeSpec.asks`); this module has what these share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.annotation import Calculation as Function
from core.domain.fields import TEXTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.ir.checks import columns_of
from core.plan.ir.node import (
    Choice,
    Condition,
    Node,
    Reference,
    ScopedNode,
    SelectionNode,
    ancestors,
    clause_parts,
    flattened,
    schema_of,
    without_aspect,
)

COMPUTED = frozenset({Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX})
_KIND, _POLICY = "document_kind", "policy"
_ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class TraitSetting:
    """The plan around a node, and the collection that it asks, by the catalogue of who asks."""

    nodes: Mapping[str, Node]
    catalogue: Catalogue

    def is_money(self, node: Node, name: str) -> bool:
        """True where a field or column of that name holds amounts of money; also where nobody knows it."""
        stem = without_aspect(name)
        if not stem or stem != name:  # `fee.unit` is a currency, `fee` the amount
            return False
        types = {each.type for each in self._fields(node, stem)}
        types |= {column.type for column in columns_of(stem, self.catalogue)}
        return FieldType.MONEY in types or not types

    def asks_absence(self, node: SelectionNode) -> bool:
        """True where a selection chooses documents by what they lack."""
        return any(self._is_absence(node, clause) for clause in node.conditions)

    def asks_presence(self, node: SelectionNode) -> bool:
        """True where a selection chooses documents by whether something stands in them, either way."""
        return any(
            each.op in (Operator.IS, Operator.MISSING) or self._is_clause(node, each.field)
            for each in flattened(node.conditions)
        )

    def is_held_against_policy(self, node: SelectionNode) -> bool:
        """True where documents are compared with a value that is read from a policy."""
        conditions = flattened(node.conditions)
        names = [each.value.node for each in conditions if isinstance(each.value, Reference)]
        return any(self._is_policy(each) for each in ancestors(names, self.nodes).values())

    def _fields(self, node: Node, name: str) -> list[FieldEntry]:
        """The fields of that name of every schema that a node may ask."""
        schema = schema_of(node, self.nodes) if all(id in self.nodes for id in node.inputs) else ""
        schemas = [each for each in self.catalogue.schemas if schema in ("", each.name)]
        return [entry for each in schemas if (entry := each.field(name)) is not None]

    def _is_clause(self, node: Node, name: str) -> bool:
        return any(each.type is FieldType.BOOLEAN for each in self._fields(node, name))

    def _is_absence(self, node: SelectionNode, clause: Condition | Choice) -> bool:
        parts = clause_parts(clause)
        return any(self._lacks(node, each) and not self._completes(node, each, parts) for each in parts)

    def _lacks(self, node: SelectionNode, condition: Condition) -> bool:
        if node.of == "rows" and columns_of(condition.field, self.catalogue):
            return False  # an empty cell of a table
        if condition.op is Operator.MISSING:
            return True
        values = set(condition.texts)
        if condition.op is Operator.IS:
            return _ABSENT in values or not values
        if not self._is_clause(node, condition.field):
            return False
        return condition.op is not Operator.EQUAL or values != {"true"}

    def _completes(self, node: SelectionNode, condition: Condition, parts: tuple[Condition, ...]) -> bool:
        """True where it completes "is not X" of a name by those that have none, or a date by an open end."""
        types = {each.type for each in self._fields(node, condition.field)}
        same = {each.op for each in parts if each.field == condition.field}
        is_name = bool(types) and types <= TEXTS and Operator.NOT_EQUAL in same
        return is_name or (types == {FieldType.DATE} and bool(same & INEQUALITIES))

    def _is_policy(self, node: Node) -> bool:
        if isinstance(node, ScopedNode):
            known = (self.catalogue.document(id) for id in node.scope.documents)
            if any(each is not None and _names_policy(each.kind, each.title) for each in known):
                return True
        conditions = flattened(node.conditions) if isinstance(node, SelectionNode) else []
        return any(each.field == _KIND and _POLICY in " ".join(each.texts).casefold() for each in conditions)


def _names_policy(kind: str, title: str) -> bool:
    return kind == _POLICY or (not kind and _POLICY in title.casefold())
