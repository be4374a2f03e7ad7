"""A table with those that go with it: whose rows are asked, and which columns either brings in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import given_name
from core.plan.tables.query import UsedKey
from core.plan.tables.vocabulary import TableKey, TableVocabulary


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A table that goes with another by a key. is_looked_up: each row of the other has one row here."""

    key: TableKey
    words: TableVocabulary
    is_looked_up: bool


@dataclass(frozen=True, slots=True)
class WideTable:
    """A table whose rows are asked, with tables beside it."""

    words: TableVocabulary
    neighbours: tuple[Neighbour, ...] = ()

    @property
    def tables(self) -> tuple[TableVocabulary, ...]:
        """The table that is asked, then the others."""
        return (self.words, *(each.words for each in self.neighbours))

    def is_own(self, column: ColumnWords) -> bool:
        """True where a column is of the table that is asked."""
        return column.table is self.words.table

    def beside(self, column: ColumnWords) -> Neighbour | None:
        """The other table that a column is of."""
        return next((each for each in self.neighbours if column.table is each.words.table), None)

    def names_of(self, column: ColumnWords) -> ColumnWords | None:
        """The names of what a column of codes refers to, in the table that the codes are looked up in."""
        for each in self.neighbours:
            if each.is_looked_up and each.key.left is column:
                named = [c for c in each.words.of_kind(ColumnKind.NAME) if c is not each.key.right]
                return named[0] if named else None
        return None

    def given_name_of(self, name: ColumnWords) -> ColumnWords | None:
        """The column of given names beside one of family names; None where there is none."""
        beside = self.beside(name)
        return given_name(beside.words if beside is not None else self.words, name)

    def used(self, neighbour: Neighbour, *, shows: bool, lacks: bool = False) -> UsedKey:
        """The key by which rows of a neighbour come in. shows: its columns are wanted; lacks: it has none."""
        how: Literal["with", "matching", "without"] = "without" if lacks else "with" if shows else "matching"
        return UsedKey(neighbour.key, neighbour.words, neighbour.is_looked_up, how)


def wide_table(words: TableVocabulary, keys: list[tuple[TableKey, TableVocabulary]], most: int) -> WideTable:
    """The table with at most so many others, each once."""
    found: dict[int, Neighbour] = {}
    for key, other in keys:
        is_looked_up = key.left.table is words.table
        if id(other) not in found and len(found) < most:
            found[id(other)] = Neighbour(key, other, is_looked_up)
    return WideTable(words, tuple(found.values()))
