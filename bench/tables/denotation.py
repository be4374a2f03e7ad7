"""Denotations: what an answer comes to, as a set of values, and whether it is the one that is wanted.

Values are compared as the WikiTableQuestions evaluator does it: numbers by value, dates by their parts, texts
without case, accents, brackets and marks around them. Source: Pasupat & Liang 2015, evaluator of version 1.0.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.domain.answer import Answer

_MARK = re.compile(r"[\u2018\u2019\u00b4`]")
_QUOTE = re.compile(r"[\u201c\u201d]")
_DASH = re.compile(r"[\u2010\u2011\u2012\u2013\u2014\u2212]")
_CITATION = re.compile(r"(?<!^)\[[^\]]*\]$|(?<!^)[\u2022\u2666\u2020\u2021*#+]$")
_DETAILS = re.compile(r"(?<!^)( \([^)]*\))*$")
_NUMBER = re.compile(r"[-+]?\$?[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?|[-+]?\.\d+")
_EPSILON = 1e-6


def normal(text: str) -> str:
    """A text as it is compared."""
    said = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    said = _DASH.sub("-", _QUOTE.sub('"', _MARK.sub("'", said)))
    while True:
        before = said
        said = re.sub(r"((?<!^)\[[^\]]*\]|\[\d+\]|[\u2022\u2666\u2020\u2021*#+])*$", "", said.strip())
        said = re.sub(r"(?<!^)( \([^)]*\))*$", "", said.strip())
        said = re.sub(r'^"([^"]*)"$', r"\1", said.strip())
        if said == before:
            break
    said = said[:-1] if said.endswith(".") else said
    return re.sub(r"\s+", " ", said).lower().strip()


@dataclass(frozen=True, slots=True)
class Denoted:
    """A value with all that it may be compared by."""

    text: str
    number: float | None
    day: tuple[int, int, int] | None

    @classmethod
    def of(cls, text: str) -> Denoted:
        """A value by its text."""
        said = normal(text)
        bare = said.replace(",", "").lstrip("$").rstrip("%")
        try:
            number: float | None = float(bare)
        except ValueError:
            number = None
        return cls(said, number, _day(text.strip()))

    def matches(self, other: Denoted) -> bool:
        """True where both are the same value."""
        if self.text == other.text:
            return True
        if self.number is not None and other.number is not None:
            return abs(self.number - other.number) < _EPSILON
        return self.day is not None and self.day == other.day


def _day(text: str) -> tuple[int, int, int] | None:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        try:
            found = date.fromisoformat(text)
        except ValueError:
            return None
        return found.year, found.month, found.day
    from core.values.dates import find_dates

    found_dates = find_dates(text)
    if (
        len(found_dates) == 1
        and found_dates[0][1] - found_dates[0][0] == len(text)
        and not found_dates[0][2].special
    ):
        day = date.fromisoformat(found_dates[0][2].text)
        return day.year, day.month, day.day
    return None


def is_denoted(wanted: Sequence[str], given: Sequence[str]) -> bool:
    """True where two sets of values are the same."""
    targets = [Denoted.of(each) for each in dict.fromkeys(wanted)]
    values = [Denoted.of(each) for each in dict.fromkeys(given)]
    return len(targets) == len(values) and all(any(t.matches(v) for v in values) for t in targets)


def denotation(answer: Answer) -> list[str]:
    """The values that an answer gives: its one value, else what it lists in the column that was asked for."""
    if answer.value is not None:
        if answer.value.type == "boolean":
            return ["yes" if answer.value.value == "true" else "no"]
        return [answer.value.value]
    table = answer.table
    if table is None or answer.plan is None:
        return []
    node = next((n for n in answer.plan["nodes"] if n["id"] == answer.plan["answer_node"]), None)
    if node is None:
        return []
    if node["type"] == "query":
        step = (answer.plan.get("reading") or {}).get("operation", "query")
        is_written = step == "query"  # its columns are those that were asked, and not what they come of
        cells = table.rows[0] if len(table.rows) == 1 and is_written else [row[0] for row in table.rows]
        return [str(cell) for cell in cells if cell is not None]
    if node["type"] == "aggregate":
        return [str(row[0]) for row in table.rows if row and row[0] is not None]
    names = [column.name for column in table.columns]
    fields = node.get("fields") or []
    keyed = {" ".join(name.split()).casefold(): at for at, name in reversed(list(enumerate(names)))}
    places = [keyed[field] for field in fields if field in keyed] or ([1] if len(names) > 1 else [])
    return [str(row[at]) for row in table.rows for at in places[:1] if row[at] is not None]
