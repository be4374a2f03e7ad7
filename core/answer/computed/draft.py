"""A computed answer before its citations are checked and numbered, and its typed values."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from core.domain.answer import Ledger, Table, Value
from core.domain.fields import FieldType, TypedValue
from core.domain.value_text import shown
from core.search.evidence.base import Span


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A statement over computed or stored values. label stands in front, in bold; spans: what it rests on.

    A line without spans rests on the ledger. row: which one of the table it tells, None for none. is_quote:
    its text is the words of the document. chain: lines of the same number stand or fall together, 0 for none.
    """

    text: str
    spans: tuple[Span, ...] = ()
    label: str = ""
    row: int | None = None
    is_quote: bool = False
    chain: int = 0


@dataclass(frozen=True, slots=True)
class ComputedDraft:
    """lead: the answer in one or two sentences. lines: how it came about, a claim each. left_out: how many
    lines are only in the table. is_complete: whether nothing in scope is unknown. confidence: 0 to 1.
    unread: documents that are still being read for what is shown of them. scope: which documents count, where
    the text has to say it. converts_to: a currency that an answer in several may be asked in.
    """

    lead: DraftLine
    lines: tuple[DraftLine, ...] = ()
    value: Value | None = None
    table: Table | None = None
    ledger: Ledger | None = None
    gaps: tuple[str, ...] = ()
    left_out: int = 0
    unread: tuple[str, ...] = ()
    scope: str = ""
    converts_to: str = ""
    confidence: float = 1.0


Type = Literal["number", "money", "date", "text", "boolean"]


def cell_value(value: TypedValue) -> Value | None:
    """A stored value as a direct answer; None where something stands in its place, such as a blank."""
    if value.special:
        return None
    if value.type is FieldType.DURATION:
        return Value(type="text", value=shown(value))
    return Value(type=_type_of(value.type.value), value=value.text, unit=value.unit or None)


def computed_value(text: str, unit: str, kind: str) -> Value:
    """A computed value as a direct answer; `kind` is the type of the values that it was computed of."""
    if kind == FieldType.DURATION:
        return Value(type="number", value=text, unit=unit or "days")
    if kind == FieldType.MONEY:
        amount = Decimal(text)
        places = max(2, -int(amount.as_tuple().exponent))  # cents are always written
        return Value(type="money", value=f"{amount:.{places}f}", unit=unit or None)
    return Value(type=_type_of(kind), value=text, unit=unit or None)


def _type_of(kind: str) -> Type:
    for known in ("number", "money", "date", "boolean"):
        if kind == known:
            return known
    return "text"
