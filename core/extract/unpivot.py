"""Tables whose columns are years, quarters or months, once more with a row for each of them.

"Region | Jan | Feb" says of each region what January and February came to. As rows of "Region | Month |
Value" the same can be asked by month: the highest, the sum of a quarter, the change from one to the next.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from core.domain.fields import AMOUNTS, AnnotationRow, Quote, RowCell
from core.extract.base import DocumentText
from core.fields.typed import text_value
from core.text.patterns import any_case
from core.values.dates import MONTH
from core.values.numbers import parse_number

UNPIVOTED = 100_000
"""Tables that were made of others count from here: `UNPIVOTED + 3` is made of table 3."""

MOST_ROWS = 20_000
_LEAST_COLUMNS = 2
_YEAR = r"(?:FY\s?)?(?:19|20)\d\d"
_PERIODS = (
    ("Quarter", any_case(rf"(?:{_YEAR}[\s/-]?Q[1-4]|Q[1-4](?:[\s/-]?(?:{_YEAR}|\d\d))?)")),
    ("Half", any_case(rf"(?:{_YEAR}[\s/-]?H[12]|H[12](?:[\s/-]?{_YEAR})?)")),
    (
        "Month",
        any_case(rf"{MONTH}\.?(?:[\s/-]?(?:{_YEAR}|'?\d\d))?|(?:19|20)\d\d-(?:0[1-9]|1[0-2])"),
    ),
    ("Year", re.compile(_YEAR)),
)
_BRACKET = re.compile(r"[(\[][^)\]]*[)\]]")


@dataclass(frozen=True, slots=True)
class _PeriodName:
    """A column's name in its parts: the kind of period, the period, and what else it says."""

    kind: str
    period: str
    rest: str


def unpivoted(document: DocumentText, rows: Sequence[AnnotationRow]) -> list[AnnotationRow]:
    """A row for each period of each row of such tables; [] where there is none."""
    found: list[AnnotationRow] = []
    for number, group in groupby(
        (row for row in rows if 0 <= row.table < UNPIVOTED), key=lambda row: row.table
    ):
        found += _of_table(document, number, list(group), MOST_ROWS - len(found))
    return found


def _of_table(
    document: DocumentText, number: int, rows: Sequence[AnnotationRow], most: int
) -> list[AnnotationRow]:
    names = dict.fromkeys(cell.column for row in rows for cell in row.cells)
    known = {name: parts for name in names if (parts := _parts(name)) is not None}
    chosen = _chosen(known, rows)
    if not chosen:
        return []
    periods = list(dict.fromkeys(parts.period for parts in chosen.values()))
    if len(rows) * len(periods) > most:
        return []
    kind = next(iter(chosen.values())).kind
    made: list[AnnotationRow] = []
    for row in rows:
        others = tuple(c for c in row.cells if c.column not in known and c.value.type not in AMOUNTS)
        for period in periods:
            cells = [c for c in row.cells if c.column in chosen and chosen[c.column].period == period]
            if not cells or not others:
                continue
            value = parse_number(re.sub(r"[^\d]", "", period)) if kind == "Year" else text_value(period)
            if value is None:
                continue
            head = RowCell(kind, value, _quote_of(document, cells[0], period))
            values = tuple(RowCell(chosen[c.column].rest, c.value, c.quote) for c in cells)
            made.append(AnnotationRow(UNPIVOTED + number, len(made), (*others, head, *values), row.is_total))
    return made


def _chosen(known: dict[str, _PeriodName], rows: Sequence[AnnotationRow]) -> dict[str, _PeriodName]:
    """The columns of one kind of period that hold amounts, where at least two say the same but for it."""
    numeric = {
        name
        for name in known
        if any(cell.column == name and cell.value.type in AMOUNTS for row in rows for cell in row.cells)
    }
    kinds = [known[name].kind for name in numeric]
    for kind in dict.fromkeys(kinds):
        of_kind = {name: known[name] for name in known if name in numeric and known[name].kind == kind}
        sizes = Counter(parts.rest for parts in of_kind.values())
        found = {name: parts for name, parts in of_kind.items() if sizes[parts.rest] >= _LEAST_COLUMNS}
        if found:
            return found
    return {}


def _parts(name: str) -> _PeriodName | None:
    """The parts of a name that says a period as a word of its own."""
    for kind, pattern in _PERIODS:
        for match in pattern.finditer(name):
            before, behind = name[: match.start()], name[match.end() :]
            if (before and before[-1].isalnum()) or (behind and behind[0].isalnum()):
                continue
            rest = " ".join(f"{before} {behind}".split()).strip(" -/,.:|")
            unit = _BRACKET.search(rest)
            if not rest or (unit is not None and not _BRACKET.sub("", rest).strip()):
                rest = f"Value {unit[0]}" if unit is not None else "Value"
            return _PeriodName(kind, match[0].strip(), rest)
    return None


def _quote_of(document: DocumentText, cell: RowCell, period: str) -> Quote:
    """The period as it stands before its value, or in the head above; else the value itself."""
    start, _ = document.span(cell.quote)
    at = document.text.rfind(period, document.offset(cell.quote.span.page_no, 0), start)
    return document.quote(at, at + len(period)) if at >= 0 else cell.quote
