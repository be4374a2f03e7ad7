"""How readings of a field become a finding: one that agrees is a fact, several that differ are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.config.fields import FieldDefinition
from core.domain.fields import Candidate, CellStatus, FieldType, Finding, TypedValue
from core.extract.base import DocumentText
from core.extract.values.decide import sentence_at
from core.fields.typed import boolean_value, is_usable, same

MAX_CANDIDATES = 5
MAX_VALUES = 200
"""Values of a field that takes a list; a longer list is cut, and says so."""

_UNSURE = 0.5


@dataclass(frozen=True, slots=True)
class Reading:
    """A value (None for a clause) and where it stands in the joined text; confidence 0 to 1."""

    start: int
    end: int
    value: TypedValue | None
    confidence: float


def decide(
    document: DocumentText, definition: FieldDefinition, readings: Sequence[Reading], method: str
) -> Finding | None:
    """What the readings of one method come to, in their order; None for none.

    A field of one value with readings that differ is uncertain: they are its candidates.
    """
    if not readings:
        return None
    if definition.type is FieldType.BOOLEAN:
        return _clause(document, readings, method)
    if definition.many:
        return _many(document, readings, method)
    usable = [each for each in readings if each.value is not None and is_usable(each.value)]
    kept = usable or list(readings)
    distinct = _distinct(kept)
    if usable and len(distinct) == 1:
        first = distinct[0]
        value = first.value
        return Finding(
            status=CellStatus.PRESENT,
            values=(value,) if value is not None else (),
            spans=(document.quote(first.start, first.end),),
            confidence=first.confidence,
            method=method,
        )
    return Finding(
        status=CellStatus.UNCERTAIN,
        confidence=_UNSURE,
        method=method,
        candidates=candidates_of(document, distinct, method),
        note=_why(distinct),
    )


def amount_first(document: DocumentText, clause: Finding, amount: Finding | None) -> Finding:
    """A clause that is present with the sentence of its amount as the first span."""
    if clause.status is not CellStatus.PRESENT or amount is None:
        return clause
    named = amount.spans[:1] or [each.spans[0] for each in amount.candidates[:1] if each.value and each.spans]
    if not named or amount.status is CellStatus.ABSENT:
        return clause
    sentence = document.quote(*sentence_at(document.text, *document.span(named[0])))
    others = tuple(each for each in clause.spans if each != sentence)
    return replace(clause, spans=(sentence, *others)[:MAX_CANDIDATES])


def candidates_of(document: DocumentText, readings: Sequence[Reading], method: str) -> tuple[Candidate, ...]:
    """Readings as candidates, at most five."""
    return tuple(
        Candidate(each.value, (document.quote(each.start, each.end),), each.confidence, method)
        for each in readings[:MAX_CANDIDATES]
    )


def _clause(document: DocumentText, readings: Sequence[Reading], method: str) -> Finding:
    first = readings[0]
    value = first.value or boolean_value(True, document.text[first.start : first.end][:200])
    return Finding(
        status=CellStatus.PRESENT,
        values=(value,),
        spans=tuple(document.quote(each.start, each.end) for each in readings[:MAX_CANDIDATES]),
        confidence=first.confidence,
        method=method,
    )


def _many(document: DocumentText, readings: Sequence[Reading], method: str) -> Finding | None:
    kept = [each for each in _distinct(readings) if each.value is not None and is_usable(each.value)]
    if not kept:
        return None
    shown = kept[:MAX_VALUES]
    return Finding(
        status=CellStatus.PRESENT,
        values=tuple(each.value for each in shown if each.value is not None),
        spans=tuple(document.quote(each.start, each.end) for each in shown),
        confidence=min(each.confidence for each in shown),
        method=method,
        note="" if len(kept) <= MAX_VALUES else f"Only the first {MAX_VALUES} values are kept.",
    )


def _distinct(readings: Sequence[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    seen: set[tuple[str, str, str]] = set()
    for each in readings:
        if each.value is None:
            kept.append(each)
            continue
        key = (each.value.normal or each.value.text.casefold(), each.value.unit, each.value.special.value)
        if key in seen or any(other.value and same(other.value, each.value) for other in kept[:20]):
            continue
        seen.add(key)
        kept.append(each)
    return kept


def _why(distinct: Sequence[Reading]) -> str:
    if len(distinct) > 1:
        return f"The document states {len(distinct)} different values."
    value = distinct[0].value
    special = value.special.value if value is not None else ""
    return {
        "blank": "The document leaves this blank.",
        "redacted": "The document has this redacted.",
        "ambiguous": "What the document states can be read in two ways.",
    }.get(special, "The value could not be read with certainty.")
