"""Sets of columns that come with a schema: by what its fields hold, and by the groups that it names."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.fields import CellStatus, FieldType
from core.domain.matrix import FieldCounts, MatrixColumn

_LEAST = 2  # columns of a set: a single one is found by its name
_NAMES = (FieldType.PARTY, FieldType.DATE)


def built_in_sets(columns: Sequence[MatrixColumn]) -> dict[str, list[str]]:
    """Names of fields by the name of a set, in the order of the schema.

    Names and dates, money, measures and clauses, then the schema's own groups that hold something else.
    """
    first = columns[0].group if columns else ""
    purses = {each.group for each in columns if each.type is FieldType.MONEY and each.group}
    kinds = {
        "Names and dates": [
            each.name
            for each in columns
            if each.type in _NAMES or (each.group == first and each.type is not FieldType.BOOLEAN)
        ],
        "Money": [
            each.name
            for each in columns
            if each.type is FieldType.MONEY
            or (each.group in purses and each.type in (FieldType.NUMBER, FieldType.DURATION))
        ],
        "Measures": [each.name for each in columns if each.type is FieldType.NUMBER],
        "Clauses": [each.name for each in columns if each.type is FieldType.BOOLEAN],
    }
    groups: dict[str, list[str]] = {}
    for each in columns:
        if each.group and each.group not in kinds:
            groups.setdefault(each.group, []).append(each.name)
    found: dict[str, list[str]] = {}
    for name, fields in (kinds | groups).items():
        if _LEAST <= len(fields) < len(columns) and fields not in found.values():
            found[name] = fields
    return found


def filled_first(columns: Sequence[MatrixColumn], counts: dict[str, FieldCounts]) -> list[MatrixColumn]:
    """The columns in which any document has a value or a best guess, then the others; each in their order."""
    return sorted(columns, key=lambda each: not _is_filled(counts.get(each.name)))


def _is_filled(counts: FieldCounts | None) -> bool:
    return counts is not None and bool(counts.statuses.get(CellStatus.PRESENT, 0) or counts.guessed)
