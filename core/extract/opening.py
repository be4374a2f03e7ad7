"""Fields that are read first: names, parties and dates, as far as rules alone find them.

By them a document is recognised and put in time, and they need neither the clause heads nor any vectors: over
contracts they take about a third of the time of all fields.
"""

from __future__ import annotations

from core.config.fields import FieldDefinition, Schema
from core.domain.fields import FieldType

_TYPES = frozenset({FieldType.PARTY, FieldType.DATE})
_NAMING_RULES = frozenset({"document_name"})
_SLOW = frozenset({"head", "semantic", "words"})


def opening_fields(schema: Schema) -> tuple[str, ...]:
    """Names of the fields of a schema that are read first, in its order; () where it has none."""
    return tuple(each.name for each in schema.fields if is_opening(each))


def is_opening(definition: FieldDefinition) -> bool:
    """True where a field is a party, a date or a name, and no trained or compared meaning decides it."""
    if not definition.extractors or any(each.method in _SLOW for each in definition.extractors):
        return False
    rules = (each.rule for each in definition.extractors if each.method == "rule")
    return definition.type in _TYPES or any(each in _NAMING_RULES for each in rules)
