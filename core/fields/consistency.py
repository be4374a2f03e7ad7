"""Values of one document that contradict one another by their schema's checks: they stay uncertain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.config.fields import FieldDefinition, Relation
from core.domain.fields import (
    MAX_CANDIDATES,
    Candidate,
    CellStatus,
    Finding,
    Special,
    TypedValue,
)
from core.fields.typed import same

_SAID = {
    Relation.AFTER: ("is not after", "come after it"),
    Relation.NOT_BEFORE: ("is before", "not come before it"),
    Relation.BEFORE: ("is not before", "come before it"),
    Relation.NOT_AFTER: ("is after", "not come after it"),
    Relation.AT_MOST: ("is more than", "be at most that"),
    Relation.AT_LEAST: ("is less than", "be at least that"),
    Relation.DIFFERS_FROM: ("is the same as", "differ from it"),
}


@dataclass(frozen=True, slots=True)
class BrokenCheck:
    """Two fields of one document whose values stand otherwise than a check asks.

    field: the one that has the check. said: in a sentence, with both values.
    """

    field: str
    other: str
    relation: Relation
    said: str


def broken_checks(
    definitions: Sequence[FieldDefinition], findings: Mapping[str, Finding]
) -> Iterator[BrokenCheck]:
    """Checks that these findings of one document break, in the order of the fields.

    Only facts are compared: one value each, of the same unit, none of them blank, redacted or perpetual.
    """
    titles = {each.name: each.title for each in definitions}
    for each in definitions:
        own = _fact(findings.get(each.name))
        if own is None:
            continue
        for check in each.checks:
            other = _fact(findings.get(check.field))
            if other is None or _holds(check.relation, own, other):
                continue
            is_not, must = _SAID[check.relation]
            yield BrokenCheck(
                each.name,
                check.field,
                check.relation,
                f"{each.title} ({_shown(own)}) {is_not} {titles.get(check.field, check.field)} "
                f"({_shown(other)}), but should {must}.",
            )


def consistent(
    definitions: Sequence[FieldDefinition],
    findings: Mapping[str, Finding],
    beside: Mapping[str, Finding],
) -> dict[str, Finding]:
    """The findings, those that break a check as candidates with a note of why; none is dropped.

    Doubted is the field that has the check: it was the wrong one far more often (performance.md, "Checks
    between fields"). Where that is one of `beside`, the other is. beside: findings of other fields as they
    count, and verdicts of people on these: compared with, and never doubted here.
    """
    doubts: dict[str, str] = {}
    for each in broken_checks(definitions, {**findings, **beside}):
        doubts.setdefault(each.other if each.field in beside else each.field, each.said)
    return {
        name: doubted(finding, doubts[name]) if name in doubts and name not in beside else finding
        for name, finding in findings.items()
    }


def doubted(finding: Finding, note: str) -> Finding:
    """A fact as candidates only, for a person to decide; any other finding as it is."""
    if finding.status is not CellStatus.PRESENT:
        return finding
    values: tuple[TypedValue | None, ...] = finding.values or (None,)
    own = tuple(
        Candidate(value, (span,), finding.confidence, finding.method)
        for value, span in zip(values, finding.spans, strict=False)
    )
    return replace(
        finding,
        status=CellStatus.UNCERTAIN,
        values=(),
        spans=(),
        candidates=(*own, *finding.candidates)[:MAX_CANDIDATES],
        note=note,
    )


def _fact(finding: Finding | None) -> TypedValue | None:
    """The one value that a finding states and that can be compared; None where there is none."""
    if finding is None or finding.status is not CellStatus.PRESENT or len(finding.values) != 1:
        return None
    value = finding.values[0]
    return None if value.special is not Special.NONE else value


def _holds(relation: Relation, own: TypedValue, other: TypedValue) -> bool:
    """True also where the two cannot be compared."""
    if relation is Relation.DIFFERS_FROM:
        return not same(own, other)
    if own.amount is None or other.amount is None or own.unit != other.unit:
        return True
    if relation is Relation.AFTER:
        return own.amount > other.amount
    if relation is Relation.BEFORE:
        return own.amount < other.amount
    if relation in (Relation.NOT_BEFORE, Relation.AT_LEAST):
        return own.amount >= other.amount
    return own.amount <= other.amount


def _shown(value: TypedValue) -> str:
    return f"{value.text} {value.unit}".strip()
