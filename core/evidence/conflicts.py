"""Documents that state different values of one field of one subject, for the same time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

ALWAYS = ("", "9999-12-31")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a document states of a field of a subject.

    key: equal for values that mean the same, with their unit. shown: as a person reads it. starts, ends: the
    days from and to which it holds, as ISO 8601; of one that says nothing of it "" and the last day.
    """

    subject: str
    field: str
    document: str
    key: str
    shown: str
    starts: str = ALWAYS[0]
    ends: str = ALWAYS[1]

    def overlaps(self, other: Statement) -> bool:
        """Whether both hold on some day."""
        return self.starts <= other.ends and other.starts <= self.ends


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Statements of one subject and field of which each contradicts another, by value and document."""

    subject: str
    field: str
    statements: tuple[Statement, ...]


def find_conflicts(
    statements: Iterable[Statement], replaced: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[Disagreement, ...]:
    """Every disagreement, by subject and field, whatever the order of the statements.

    replaced: by field and document, which other one states what holds in its place (an amendment): what a
    replaced document states counts no longer, and its subject is that of what replaces it.
    """
    amended = replaced or {}
    groups: dict[tuple[str, str], set[Statement]] = {}
    for each in statements:
        if each.document not in amended.get(each.field, {}):
            groups.setdefault((each.subject, each.field), set()).add(each)
    found = []
    for (subject, field), group in sorted(groups.items()):
        against = {
            each
            for pair in combinations(sorted(group, key=_place), 2)
            if pair[0].key != pair[1].key
            and pair[0].document != pair[1].document
            and pair[0].overlaps(pair[1])
            for each in pair
        }
        if against:
            found.append(Disagreement(subject, field, tuple(sorted(against, key=_place))))
    return tuple(found)


def _place(statement: Statement) -> tuple[str, str, str]:
    return statement.key, statement.document, statement.starts
