"""Figures of a reader on marked questions: fields with polarity, parts, operation, names, sureness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.reader.examples import Item
from core.plan.reader.reading import QuestionReading, ReadSpan, SpanRole

NAMES = (SpanRole.DOCUMENT, SpanRole.PARTY, SpanRole.KIND)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reading held against the true one, part by part."""

    item: Item
    reading: QuestionReading
    fields: bool  # the same fields with the same polarity
    roles: bool  # and in the same parts
    operation: bool
    names: bool  # the same documents, parties and kinds, by overlap

    @property
    def whole(self) -> bool:
        """True where nothing is wrong."""
        return self.roles and self.operation and self.names


def _fields(reading: QuestionReading) -> set[tuple[str, bool]]:
    return {(each.links[0].field.casefold(), each.is_negated) for each in reading.spans if each.links}


def _roles(reading: QuestionReading) -> set[tuple[str, bool, str]]:
    return {
        (each.links[0].field.casefold(), each.is_negated, each.role.value)
        for each in reading.spans
        if each.links
    }


def _names_fit(gold: Sequence[ReadSpan], read: Sequence[ReadSpan]) -> bool:
    def overlaps(one: ReadSpan, other: ReadSpan) -> bool:
        return one.role is other.role and one.start < other.end and other.start < one.end

    return all(any(overlaps(each, other) for other in read) for each in gold) and all(
        any(overlaps(each, other) for other in gold) for each in read
    )


def verdict(item: Item, reading: QuestionReading) -> Verdict:
    """A reading held against the true one."""
    gold = item.reading
    return Verdict(
        item,
        reading,
        _fields(gold) == _fields(reading),
        _roles(gold) == _roles(reading),
        gold.operation is reading.operation,
        _names_fit(gold.of(*NAMES), reading.of(*NAMES)),
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of questions that are right, and the share that may be trusted. sure: coverage at .98 right."""

    count: int
    fields: float
    roles: float
    operation: float
    names: float
    whole: float
    sure: float


def figures(verdicts: Sequence[Verdict], least: float = 0.98) -> Figures:
    """Figures of some verdicts."""
    count = max(1, len(verdicts))

    def share(values: Iterable[bool]) -> float:
        return sum(values) / count

    return Figures(
        len(verdicts),
        share(each.fields for each in verdicts),
        share(each.roles for each in verdicts),
        share(each.operation for each in verdicts),
        share(each.names for each in verdicts),
        share(each.whole for each in verdicts),
        coverage(verdicts, least),
    )


def coverage(verdicts: Sequence[Verdict], least: float) -> float:
    """The largest share of questions, the surest first, of which so many are wholly right."""
    order = sorted(verdicts, key=lambda each: -each.reading.probability)
    right, best = 0, 0
    for number, each in enumerate(order, 1):
        right += each.whole
        if right / number >= least:
            best = number
    return best / max(1, len(order))


def table(by_name: Sequence[tuple[str, Figures]]) -> str:
    """Figures as lines of a table."""
    lines = ["| | questions | fields and polarity | + parts | operation | names | all right | sure at .98 |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for name, each in by_name:
        shares = (each.fields, each.roles, each.operation, each.names, each.whole, each.sure)
        lines.append(f"| {name} | {each.count} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")
    return "\n".join(lines)
