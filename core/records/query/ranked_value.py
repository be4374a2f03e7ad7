"""The first value of a field in a document: what documents are ordered and compared by."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.fields import FieldType


@dataclass(frozen=True, slots=True)
class RankedValue:
    """The first value of a field in a document: what documents are ordered by."""

    document: str
    type: FieldType
    unit: str
    amount: int | None
    text: str
    key: str
