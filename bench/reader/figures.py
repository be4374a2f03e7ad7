"""Figures of a reader on marked questions: fields with polarity, parts, operation, names, sureness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.reader.examples import POLAR, Item
from core.plan.readers.trained.reading import NUMBERING, QuestionReading, ReadSpan, SpanRole

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


def _overlap(one: ReadSpan, other: ReadSpan) -> bool:
    return one.start < other.end and other.start < one.end


def _names_fit(gold: Sequence[ReadSpan], read: Sequence[ReadSpan]) -> bool:
    def overlaps(one: ReadSpan, other: ReadSpan) -> bool:
        return one.role is other.role and _overlap(one, other)

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


@dataclass(frozen=True, slots=True)
class Told:
    """How often a label was told right. known: of how many it is known for sure."""

    name: str
    known: int
    right: int


def told(verdicts: Sequence[Verdict]) -> list[Told]:
    """Functions, relations and traits of spans over questions whose writers told all labels.

    Of traits those of spans that were read in the same part; relations of turns; numbers by their words.
    """
    labelled = [each for each in verdicts if each.item.is_labelled]
    pairs: dict[str, list[bool]] = {}
    for each in labelled:
        gold, read = each.item.reading, each.reading
        pairs.setdefault("operation", []).append(each.operation)
        pairs.setdefault("function", []).append(gold.function == read.function)
        if gold.function or read.function:
            pairs.setdefault("function, where there is one", []).append(gold.function == read.function)
        if each.item.is_turn and gold.relations and read.relations:
            pairs.setdefault("relation", []).append(gold.relations[0][0] == read.relations[0][0])
        for role in NUMBERING:
            if gold.of(role) or read.of(role):
                pairs.setdefault(role.value, []).append(
                    [gold.text(span) for span in gold.of(role)] == [read.text(span) for span in read.of(role)]
                )
        for span in gold.spans:
            same = next(
                (at for at in read.spans if at.role is span.role and _overlap(at, span)),
                None,
            )
            if same is None:
                continue
            if span.role is SpanRole.ORDER and span.descending is not None:
                pairs.setdefault("descending", []).append(span.descending == same.descending)
            if span.role is SpanRole.VALUE:
                pairs.setdefault("comparison", []).append(span.comparison == same.comparison)
            if span.role in POLAR and (span.either or same.either):
                pairs.setdefault("either", []).append(span.either == same.either)
            if span.role is SpanRole.GROUP:
                pairs.setdefault("part", []).append(span.part == same.part)
    return [Told(name, len(found), sum(found)) for name, found in pairs.items()]


def told_table(rows: Sequence[Told]) -> str:
    """Labels as lines of a table."""
    lines = ["| label | known | right |", "|---|---|---|"]
    return "\n".join(
        [
            *lines,
            *(f"| {each.name} | {each.known} | {each.right / max(1, each.known):.3f} |" for each in rows),
        ]
    )
