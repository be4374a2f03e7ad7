"""Which field a lookup asks for: "what amount is due" is no date, and payment terms are a period."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.plan.catalogue import FieldEntry
from core.plan.language.syntax.choose import COMPUTED, NUMBERS, Chooser
from core.plan.language.pieces import Fields

_TYPES: dict[str, tuple[FieldType, ...]] = {"when": (FieldType.DATE,), "much": NUMBERS}
_NEARLY = 0.06


def asked_field(chooser: Chooser, fields: Fields, text: str, asks: str) -> FieldEntry | None:
    """The field that is shown; asks: how the question begins. None where the schema has none."""
    entry = chooser.field(fields, text, _TYPES.get(asks, ()))
    if entry is not None:
        return _measured(chooser, fields, entry)
    named = chooser.field(fields, text)
    if asks == "much" and named is not None and named.type is FieldType.DATE:
        return chooser.first(FieldType.MONEY) or named
    return _measured(chooser, fields, named) if named is not None else None


def _measured(chooser: Chooser, fields: Fields, entry: FieldEntry) -> FieldEntry:
    """What a clause measures, where the words name that nearly as well: a period rather than terms."""
    own = [each for each in fields.matches if each.field.schema == chooser.schema.name]
    near = [m.field for m in own if m.field.type in COMPUTED and own[0].weight - m.weight < _NEARLY]
    return near[0] if entry.type is FieldType.BOOLEAN and near and near[0].documents else entry
