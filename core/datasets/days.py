"""Order of day and month in columns of days: by all their cells, then by the other columns of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.datasets.problems import Problems
from core.datasets.types import CellKind
from core.values.dates import Order

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BOTH = "Days stand before and behind the month: what is not clear is left as text."


@dataclass(frozen=True, slots=True)
class _Counts:
    """Cells that can only be read with the day first, and with the month first; a cell of either kind."""

    days: int
    months: int
    written: str

    @property
    def order(self) -> Order:
        if bool(self.days) == bool(self.months):
            return ""
        return "dmy" if self.days else "mdy"


def ordered(
    kinds: Sequence[CellKind], heads: Sequence[str], *, db: DuckDBPyConnection, raw: str, problems: Problems
) -> list[CellKind]:
    """The types, where each column of days knows the order of its cells. raw: SQL of the raw file."""
    counted = {at: _counts(db, raw, at) for at, kind in enumerate(kinds) if kind.type == "date"}
    known = {each.order for each in counted.values() if each.order}
    guess: Order = next(iter(known)) if len(known) == 1 else "dmy"
    made = list(kinds)
    for at, each in counted.items():
        order = each.order
        if each.days and each.months:
            problems.add(_BOTH, heads[at])
        elif not order and each.written:
            order = guess
            if "." not in each.written:
                first = "the day" if order == "dmy" else "the month"
                said = f"Which is the day in {each.written} is not clear: {first} is taken to come first."
                problems.add(said, heads[at])
        made[at] = replace(made[at], column=replace(made[at].column, order=order))
    return made


def _counts(db: DuckDBPyConnection, raw: str, at: int) -> _Counts:
    form = r"^(\d{1,2})[./-](\d{1,2})[./-]\d"
    first, second = (f"TRY_CAST(regexp_extract(c{at}, '{form}', {number}) AS INT)" for number in (1, 2))
    counts = f"count(*) FILTER ({first} > 12), count(*) FILTER ({second} > 12)"
    written = f"any_value(c{at}) FILTER ({second} > 0)"
    days, months, example = db.execute(f"SELECT {counts}, {written} FROM {raw}").fetchall()[0]
    return _Counts(days, months, example or "")
