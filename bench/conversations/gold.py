"""The right answers of the turns of a conversation, from labels or from the truth about the sample.

A line of a file is {"id", "turns": [{"question", "where", "gives", "field", "document", ...}]}. where: the
condition that the documents in hand fulfil after the turn, as in `bench.plans.gold`, with ["party", name]
and ["in", file, ...] beside; of the sample also ["supplier", name], ["customer", name], [">", field, n] and
["period", field, "this year"], which is relative to the day of the run.
gives: what the turn has to give (`bench.conversations.scoring`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from datetime import date
from pathlib import Path
from typing import Any, Protocol

from bench.plans.gold import DATES, Labels, names_of

Shown = str | int | tuple[str, ...] | None
_BINARY = {"not", "and", "or"}


@dataclass(frozen=True, slots=True)
class TurnGold:
    """A question of a conversation. more: further keys of its line, by what `gives` needs."""

    question: str
    where: Any
    gives: str
    field: str = ""
    document: str = ""
    more: Mapping[str, Any] = attribute(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConversationGold:
    """A conversation with what each turn has to give."""

    id: str
    turns: tuple[TurnGold, ...]


def conversations(file: Path) -> list[ConversationGold]:
    """The conversations of a file, in order."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            data = json.loads(line)
            found.append(ConversationGold(data["id"], tuple(_turn(each) for each in data["turns"])))
    return found


def _turn(data: Mapping[str, Any]) -> TurnGold:
    own = ("question", "where", "gives", "field", "document")
    more = {name: value for name, value in data.items() if name not in own}
    return TurnGold(
        data["question"],
        data.get("where"),
        data["gives"],
        data.get("field") or "",
        data.get("document") or "",
        more,
    )


class Truth(Protocol):
    """What is true of the documents of a collection, by file."""

    def files(self) -> Sequence[str]:
        """Every file that there is something to say of."""
        ...

    def fulfils(self, file: str, condition: Any) -> bool:
        """True where a condition holds of a file."""
        ...

    def value(self, file: str, name: str) -> Shown:
        """What a file states in a field; None where it states nothing."""
        ...

    def laws(self, file: str) -> tuple[str, ...]:
        """The laws that govern a file."""
        ...


def documents(truth: Truth, condition: Any) -> frozenset[str]:
    """The files of which a condition holds; all of them for None."""
    return frozenset(file for file in truth.files() if condition is None or truth.fulfils(file, condition))


class LabelTruth:
    """What lawyers say of the labelled contracts."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._sets: dict[str, frozenset[str]] = {}

    def files(self) -> Sequence[str]:
        """Every labelled file."""
        return [str(each) for each in self._labels.frame.index]

    def fulfils(self, file: str, condition: Any) -> bool:
        """True where a condition holds of a file."""
        if isinstance(condition, list) and condition[0] in _BINARY:
            return _joined(self, file, condition)
        if isinstance(condition, list) and condition[0] == "party":
            stated = self._labels.said.loc[file, "Parties-Answer"]
            return str(condition[1]).casefold() in str(stated).casefold()
        if isinstance(condition, list) and condition[0] == "in":
            return any(file.startswith(str(each)) for each in condition[1:])
        key = json.dumps(condition)
        if key not in self._sets:
            self._sets[key] = self._labels.documents(condition)
        return file in self._sets[key]

    def value(self, file: str, name: str) -> Shown:
        """What a file is labelled with in a field."""
        if name in DATES:
            day = self._labels.frame.loc[file, name]
            return day if isinstance(day, str) and day else None
        if name == "governing_law":
            return self.laws(file) or None
        if name == "parties":
            return tuple(names_of(str(self._labels.said.loc[file, "Parties-Answer"])))
        return "yes" if self.fulfils(file, name) else None

    def laws(self, file: str) -> tuple[str, ...]:
        """The laws that a label names."""
        found: tuple[str, ...] = self._labels.frame["laws"][file]
        return found


class SampleTruth:
    """What is true of the contracts of the sample collection."""

    def __init__(self, contracts: Mapping[str, Mapping[str, Any]]) -> None:
        self._contracts = contracts

    def files(self) -> Sequence[str]:
        """The contracts that can be read."""
        return list(self._contracts)

    def fulfils(self, file: str, condition: Any) -> bool:
        """True where a condition holds of a contract."""
        said = self._contracts[file]
        if isinstance(condition, str):
            return bool(said[condition])
        how, *parts = condition
        if how in _BINARY:
            return _joined(self, file, condition)
        if how == "law":
            return str(parts[0]) in str(said["governing_law"])
        if how in ("supplier", "customer"):
            return str(parts[0]) in str(said[how])
        if how == "party":
            return any(str(parts[0]) in str(said[side]) for side in ("supplier", "customer"))
        if how == "period":
            first, end = period_of(str(parts[1]), date.today())
            return said[parts[0]] is not None and first.isoformat() <= str(said[parts[0]]) < end.isoformat()
        name, limit = parts
        found = said[name]
        if found is None:
            return False
        if how == "year":
            return str(found).startswith(f"{limit}-")
        if how in ("before", "after"):
            return str(found) < str(limit) if how == "before" else str(found) > str(limit)
        if said["currency"] != "USD":
            return False
        holds = {">": found > limit, "<": found < limit, ">=": found >= limit}
        return bool(holds[how])

    def value(self, file: str, name: str) -> Shown:
        """What a contract states in a field."""
        found = self._contracts[file][name]
        return found if found is None or isinstance(found, str) else int(found)

    def laws(self, file: str) -> tuple[str, ...]:
        """The law of a contract, without the words in front of the place."""
        said = str(self._contracts[file]["governing_law"])
        return (said.rsplit(" of ", 1)[-1],)


def period_of(phrase: str, today: date) -> tuple[date, date]:
    """First day of a calendar year, quarter or month around today, and the first day behind it."""
    which, unit = phrase.split()
    step = {"last": -1, "this": 0, "next": 1}[which]
    months = {"year": 12, "quarter": 3, "month": 1}[unit]
    begin = 12 * today.year + (today.month - 1) // months * months + step * months
    return _first_of(begin), _first_of(begin + months)


def _first_of(month: int) -> date:
    """First day of a month that is counted from the year 0."""
    return date(month // 12, month % 12 + 1, 1)


def _joined(truth: Truth, file: str, condition: Any) -> bool:
    how, *parts = condition
    if how == "not":
        return not truth.fulfils(file, parts[0])
    holds = [truth.fulfils(file, part) for part in parts]
    return all(holds) if how == "and" else any(holds)


def ranked(truth: Truth, among: frozenset[str], order: str) -> list[str]:
    """The files that state a field, by its value, the least first; ties by file."""
    stating = [file for file in among if truth.value(file, order) is not None]
    return sorted(stating, key=lambda file: (truth.value(file, order), file))


def end_of(truth: Truth, among: frozenset[str], how: str, order: str) -> list[frozenset[str]]:
    """The sets of files that "first:3" of an order may be: one, and with ties all equal to the last.

    The first are the latest, or the largest, as in `bench.kept_contracts`.
    """
    side, _, number = how.partition(":")
    files = ranked(truth, among, order)
    files = files[::-1] if side == "first" else files
    count = int(number)
    plain = files[:count]
    if len(files) <= count:
        return [frozenset(plain)]
    edge = truth.value(plain[-1], order)
    tied = [file for file in files if truth.value(file, order) == edge]
    return [frozenset(plain), frozenset({*plain, *tied})]
