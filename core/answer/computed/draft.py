"""A computed answer before its citations are checked and numbered."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.answer import Ledger, Table, Value
from core.evidence.base import Span


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A statement over computed or stored values. label stands in front, in bold; spans: what it rests on.

    A line without spans rests on the ledger. row: which one of the table it tells, None for none.
    """

    text: str
    spans: tuple[Span, ...] = ()
    label: str = ""
    row: int | None = None


@dataclass(frozen=True, slots=True)
class ComputedDraft:
    """lead: the answer in one or two sentences. lines: how it came about, a claim each. left_out: how many
    lines are only in the table. is_complete: whether nothing in scope is unknown. confidence: 0 to 1.
    unread: documents that are still being read for what is shown of them.
    """

    lead: DraftLine
    lines: tuple[DraftLine, ...] = ()
    value: Value | None = None
    table: Table | None = None
    ledger: Ledger | None = None
    gaps: tuple[str, ...] = ()
    left_out: int = 0
    unread: tuple[str, ...] = ()
    confidence: float = 1.0
