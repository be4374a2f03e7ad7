"""What CUAD's lawyers say of 200 contracts, as a table, and the right answers of questions from it alone.

A condition is JSON: the name of a field (the clause is there), or a list that begins with what is meant:
["not", c], ["and", c, ...], ["or", c, ...], ["law", place], ["before", field, day], ["after", field, day],
["year", field, year], ["between", field, first, last], ["stated", field], ["longer", length, days],
["equal", length, days], ["party", name], ["in", file, ...]. Nothing that answers questions takes part here.
Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.extract.clauses.head_names import CUAD_YES_NO

if TYPE_CHECKING:
    import pandas as pd

HERE = Path(__file__).parent
SUITES = {"generated": HERE / "generated.jsonl", "written": HERE / "written.jsonl"}
DATES = {
    "agreement_date": "Agreement Date-Answer",
    "effective_date": "Effective Date-Answer",
    "expiration_date": "Expiration Date-Answer",
}
LENGTHS = {
    "renewal_term": "Renewal Term-Answer",
    "notice_period_to_terminate_renewal": "Notice Period To Terminate Renewal- Answer",
}
_LENGTH = re.compile(r"(?:succ\w+ )?(\d+) (day|week|month|year)s?", re.IGNORECASE)
_DAYS = {"day": 1.0, "week": 7.0, "month": 365.2425 / 12, "year": 365.2425}
PLACES = {
    "British Columbia": "British Columbia, Canada",
    "British Columbia,Canada": "British Columbia, Canada",
    "Province of Ontario, Canada": "Ontario, Canada",
    "Delaware, Illinois": "Delaware",
    "Massachussets": "Massachusetts",
    "China": "People's Republic of China",
    "England, United Kingdom": "England",
}
"""Labels that name a place which other labels name otherwise."""


@dataclass(frozen=True, slots=True)
class Question:
    """gives: "documents", "count" or "laws" (how many contracts each law governs)."""

    id: str
    shape: str
    question: str
    where: Any
    gives: str = "documents"


def questions(suite: str) -> list[Question]:
    """The questions of a suite, in order."""
    lines = SUITES[suite].read_text(encoding="utf-8").splitlines()
    return [Question(**json.loads(line)) for line in lines]


class Labels:
    """The labels by file. `frame`: a column for each clause, date, length; `laws`: a tuple of places."""

    def __init__(self, *folders: Path) -> None:
        import pandas as pd

        files = [pd.read_csv(each / "labels.csv", dtype=str, keep_default_na=False) for each in folders]
        said = pd.concat(files).sort_values("File").set_index("File")
        found = {name: said[f"{title}-Answer"].str.strip() == "Yes" for name, title in CUAD_YES_NO.items()}
        for name, column in DATES.items():
            found[name] = said[column].map(day_of)
        for name, column in LENGTHS.items():
            found[name] = said[column].map(days_of)
        found["laws"] = said["Governing Law-Answer"].map(places_of)
        found["parties"] = said["Parties-Answer"].str.casefold()
        self.said = said
        self.frame = pd.DataFrame(found)

    def documents(self, condition: Any) -> frozenset[str]:
        """The files of which a condition holds."""
        holds = self._holds(condition)
        return frozenset(self.frame.index[holds])

    def laws(self, condition: Any = None) -> dict[str, int]:
        """How many of the contracts each law governs; one that names two counts for both."""
        chosen = self.frame if condition is None else self.frame[self._holds(condition)]
        counted = chosen["laws"].explode().dropna().value_counts()
        return {str(place): int(count) for place, count in counted.items()}

    def _holds(self, condition: Any) -> pd.Series[bool]:
        found: pd.Series[bool]
        if isinstance(condition, str):
            found = self.frame[condition]
            return found
        how, *parts = condition
        if how == "not":
            found = ~self._holds(parts[0])
        elif how in ("and", "or"):
            found = self._holds(parts[0])
            for part in parts[1:]:
                found = found & self._holds(part) if how == "and" else found | self._holds(part)
        elif how == "law":
            found = self.frame["laws"].map(lambda places: parts[0] in places).astype(bool)
        elif how == "party":
            found = self.frame["parties"].map(lambda names: parts[0].casefold() in names).astype(bool)
        elif how == "in":
            found = self.frame.index.to_series().isin(parts)
        else:
            found = self._dated(how, *parts)
        return found

    def undated(self, field: str) -> frozenset[str]:
        """The files whose label of a date is there and names no whole day."""
        label = self.said[DATES[field]].str.strip()
        return frozenset(self.frame.index[(label != "") & self.frame[field].isna()])

    def _dated(self, how: str, field: str, *limits: Any) -> pd.Series[bool]:
        if how == "stated":
            column = "Governing Law-Answer" if field == "governing_law" else DATES[field]
            stated: pd.Series[bool] = self.said[column].str.strip(" ;[]") != ""
            return stated
        tests: dict[str, Callable[[Any], bool]] = {
            "before": lambda day: bool(day) and day < limits[0],
            "after": lambda day: bool(day) and day > limits[0],
            "between": lambda day: bool(day) and limits[0] <= day <= limits[1],
            "year": lambda day: str(day).startswith(f"{limits[0]}-"),
            "longer": lambda days: bool(days) and days > limits[0] + 1,
            "equal": lambda days: bool(days) and abs(days - limits[0]) < 1,
        }
        if how not in tests:
            raise ValueError(f"{how!r} is no condition")
        return (
            self.frame[field].map(lambda said: bool(said == said and said) and tests[how](said)).astype(bool)
        )


def day_of(label: str) -> str | None:
    """The day that a label such as 7/11/06 or 31/12/2008 names, ISO 8601; None for no whole day."""
    parts = label.strip().split("/")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    month, day, year = (int(part) for part in parts)
    if month > 12:
        month, day = day, month
    if year < 100:
        year += 1900 if year > 70 else 2000
    return f"{year:04d}-{month:02d}-{day:02d}"


def days_of(label: str) -> float | None:
    """The days of a length such as "successive 2 years"; None for none, and for several."""
    found = _LENGTH.fullmatch(label.strip())
    return float(found[1]) * _DAYS[found[2].lower()] if found else None


def places_of(label: str) -> tuple[str, ...]:
    """The places that a label names; () for none, and for one that is left out in the text."""
    parts = [part.strip() for part in label.split(";")]
    return tuple(dict.fromkeys(PLACES.get(part, part) for part in parts if part and part != "[]"))


def names_of(label: str) -> Sequence[str]:
    """The parties of a label, without the words by which the contract goes on to call them."""
    found = [part.split("(")[0].strip(" ,") for part in label.split(";")]
    return [name for name in dict.fromkeys(found) if len(name) > 2]
