"""Promise level of one question: clauses decided by other lines than those that their cells were put by."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from core.domain.facts import head_probability
from core.domain.fields import Candidate, Cell, CellStatus, FieldType, Finding, PromiseLevel, TypedValue
from core.domain.llm.cells import MODEL

HEAD, WORDS = "head", "missing words"
"""Methods of clauses: a trained head; an absence that the words of a text allow where a head is not sure."""

NO_WORDS = "No word that such a clause needs stands in the text, every page of which was read."
ALWAYS_WITH_REASON = "Every sentence that lets a party end the contract names a reason."
LACKING = frozenset({NO_WORDS, ALWAYS_WITH_REASON})
"""Notes of clauses that are absent wherever their head is not sure."""

TRUE = TypedValue(FieldType.BOOLEAN, "true", 1)


@dataclass(frozen=True, slots=True)
class ClauseLimit:
    """Lines of one clause field in one bucket: absent below the one, present from the other."""

    bucket: str
    field: str
    absent_below: float
    present_from: float


@dataclass(frozen=True, slots=True)
class QuestionPromise:
    """A promise level with its lines. Clauses without a line, and what people decided, stay as they are."""

    level: PromiseLevel
    limits: tuple[ClauseLimit, ...]

    def limit(self, bucket: str, field: str) -> ClauseLimit | None:
        """Lines of a field in a bucket; None where the level does not decide it."""
        return _by_place(self).get((bucket, field))

    def range_of(self, field: str) -> tuple[float, float] | None:
        """The lowest line of a field over all buckets, and the highest; None where it has none."""
        own = [each for each in self.limits if each.field == field]
        if not own:
            return None
        return min(each.absent_below for each in own), max(each.present_from for each in own)

    def cell(self, cell: Cell, bucket: str) -> Cell:
        """The cell as this level decides it."""
        limit = self.limit(bucket, cell.field) if cell.review is None else None
        if limit is None:
            return cell
        finding = at_limits(cell.finding, limit.absent_below, limit.present_from)
        return cell if finding is cell.finding else replace(cell, finding=finding)


@cache
def _by_place(promise: QuestionPromise) -> dict[tuple[str, str], ClauseLimit]:
    return {(each.bucket, each.field): each for each in promise.limits}


def at_limits(finding: Finding, absent_below: float, present_from: float) -> Finding:
    """What extraction would say of a clause by these lines; the same finding where they change nothing.

    What a language model decided stands at every level: it was asked because the head was not sure.

    It needs the head's probability, which a finding keeps whatever decided it: an absence by words and an
    earlier method's doubt have it in their candidates.
    """
    p = None if finding.method == MODEL else clause_probability(finding)
    if p is None:
        return finding
    heads = _of_head(finding, p)
    is_own = finding.method in (HEAD, WORDS)
    if p < absent_below:
        status = CellStatus.ABSENT if is_own else finding.status
    elif p >= present_from and heads:
        status = CellStatus.PRESENT
    else:
        lacks = is_own and (finding.method == WORDS or finding.note in LACKING)
        status = CellStatus.ABSENT if lacks else CellStatus.UNCERTAIN
    if status is finding.status:
        return finding
    note = finding.note if finding.note in LACKING else ""
    if status is CellStatus.PRESENT:
        return Finding(status, (TRUE,), heads[0].spans, p, HEAD, heads[1:], note)
    confidence = 1 - p if status is CellStatus.ABSENT else max(p, 1 - p)
    return Finding(status, confidence=round(confidence, 4), method=HEAD, candidates=heads, note=note)


def clause_probability(finding: Finding) -> float | None:
    """The probability that a head gave a clause, whatever decided it; None where no head was asked."""
    if finding.method == HEAD:
        known = head_probability(finding)
        return None if known is None else round(known, 4)
    return next((each.confidence for each in finding.candidates if each.method == HEAD), None)


def _of_head(finding: Finding, p: float) -> tuple[Candidate, ...]:
    """The sentences that a head looked at, its best first."""
    own = tuple(each for each in finding.candidates if each.method == HEAD and each.spans)
    if finding.status is not CellStatus.PRESENT or not finding.spans:
        return own
    return (Candidate(None, finding.spans[:1], p, HEAD), *own)
