"""Profile of a column once its values are typed: keys, extremes, what is frequent, how it is spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.datasets.names import quoted
from core.datasets.problems import Problems
from core.domain.rows.dataset import Bar, DatasetColumn

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ORDERED = ("number", "money", "date")
_BARS = 12
_OFTEN = 5
_EXAMPLES = 5
_LONGEST = 120  # characters of an example
SKETCH = 128
"""Most hashes of a column."""

_HASHES = 1 << 52
_MOST_SKETCHES = 200
_LEAST_SHARED = 3  # different values below which nothing is told of joins
_EXACT_UP_TO = 5_000_000  # rows; above, different values are counted approximately
_NEARLY = 0.9
_WIDE, _AT_ONCE = 100, 50  # columns
_PART = "part"


@dataclass(frozen=True, slots=True)
class Profile:
    """The columns of a Parquet file, described. db: a connection with its limits set.

    table: one of the connection with some of the columns, which is read instead.
    """

    db: DuckDBPyConnection
    file: Path
    rows: int
    problems: Problems
    table: str = ""

    def of(self, columns: Sequence[DatasetColumn]) -> tuple[DatasetColumn, ...]:
        """The same columns with all that is known of them."""
        described: list[DatasetColumn] = []
        if len(columns) <= _WIDE:
            described += self._with_sketches(columns, _MOST_SKETCHES)
        for start in range(0, len(columns) if len(columns) > _WIDE else 0, _AT_ONCE):
            # Each query over a wide file reads the places of all its columns first, which takes long.
            some = columns[start : start + _AT_ONCE]
            listed = ", ".join(f'"{each.name}"' for each in some)
            self.db.execute(f"CREATE OR REPLACE TEMP TABLE {_PART} AS SELECT {listed} FROM {self._source}")
            left = _MOST_SKETCHES - sum(bool(each.sketch) for each in described)
            described += replace(self, table=_PART)._with_sketches(some, left)
        for column in described:
            if not column.filled and self.rows:
                self.problems.add("No row has a value in it.", column.head)
        return tuple(described)

    def _with_sketches(self, columns: Sequence[DatasetColumn], most: int) -> Sequence[DatasetColumn]:
        described = [self._described(column) for column in columns]
        likely = [
            each for each in described if each.type in ("text", "number") and each.distinct >= _LEAST_SHARED
        ]
        names = {each.name for each in likely[: max(0, most)]}
        return [
            replace(each, sketch=self._sketch(each)) if each.name in names else each for each in described
        ]

    @property
    def _source(self) -> str:
        return self.table or quoted(str(self.file))

    def _described(self, column: DatasetColumn) -> DatasetColumn:
        name, is_ordered = f'"{column.name}"', column.type in _ORDERED
        extremes = f"min({name})::VARCHAR, max({name})::VARCHAR" if is_ordered else "NULL, NULL"
        filled, distinct, least, greatest = self._row(
            f"SELECT count({name}), approx_count_distinct({name}), {extremes}"
        )
        if filled and distinct > _NEARLY * filled and self.rows <= _EXACT_UP_TO:
            distinct = self._row(f"SELECT count(DISTINCT {name})")[0]
        distinct = min(distinct, filled)
        often = (
            self._bars(f"{name}::VARCHAR", f"ORDER BY 2 DESC, 1 LIMIT {_OFTEN}")
            if 0 < distinct < filled
            else ()
        )
        found = self._rows(
            f"SELECT DISTINCT {name}::VARCHAR",
            f"WHERE {name} IS NOT NULL",
            f"LIMIT {_EXAMPLES}",
            within=2_000,
        )
        return replace(
            column,
            filled=filled,
            distinct=distinct,
            is_key=filled == distinct == self.rows > 1 and self.rows <= _EXACT_UP_TO,
            least=least or "",
            greatest=greatest or "",
            examples=tuple(row[0][:_LONGEST] for row in found),
            often=often,
            chart=self._chart(column, distinct) if is_ordered and least != greatest else often,
        )

    def _chart(self, column: DatasetColumn, distinct: int) -> tuple[Bar, ...]:
        """Rows by equal ranges of a column's values, each named by its ends; by value of few."""
        name = f'"{column.name}"'
        if distinct <= _BARS:
            return self._bars(f"{name}::VARCHAR", f"ORDER BY min({name})")
        value = f"epoch({name})" if column.type == "date" else f"{name}::DOUBLE"
        low, high = self._row(f"SELECT min({value}), max({value})")
        if not high > low:
            return ()
        width = (high - low) / _BARS
        place = f"least({_BARS - 1}, floor(({value} - ({low!r})) / {width!r}))"
        least, most = f"min({name})::VARCHAR", f"max({name})::VARCHAR"
        label = f"CASE WHEN {least} = {most} THEN {least} ELSE {least} || ' to ' || {most} END"
        rows = self._rows(
            f"SELECT {label}, count(*), {place} AS place",
            f"WHERE {name} IS NOT NULL",
            "GROUP BY place ORDER BY place",
        )
        return tuple(Bar(str(text), count) for text, count, _ in rows)

    def _sketch(self, column: DatasetColumn) -> tuple[int, ...]:
        """The least hashes of a column's values: of two columns that share values they share as many."""
        value = f'hash(lower(trim("{column.name}"::VARCHAR))) >> 12'
        rows = self._rows(
            f"SELECT DISTINCT {value}", f'WHERE "{column.name}" IS NOT NULL', f"ORDER BY 1 LIMIT {SKETCH}"
        )
        return tuple(row[0] for row in rows)

    def _bars(self, label: str, order: str) -> tuple[Bar, ...]:
        rows = self._rows(f"SELECT {label}, count(*)", f"WHERE {label} IS NOT NULL", f"GROUP BY 1 {order}")
        return tuple(Bar(text[:_LONGEST], count) for text, count in rows)

    def _row(self, select: str) -> tuple[Any, ...]:
        return self._rows(select, "", "")[0]

    def _rows(self, select: str, where: str, rest: str, within: int = 0) -> list[tuple[Any, ...]]:
        source = f"(SELECT * FROM {self._source} LIMIT {within})" if within else self._source
        return self.db.execute(f"{select} FROM {source} {where} {rest}").fetchall()


def shared(one: DatasetColumn, other: DatasetColumn) -> float:
    """Share of the values of the column with fewer that the other has too, about; 0 where it is not known."""
    if not one.sketch or not other.sketch or (one.type == "text") != (other.type == "text"):
        return 0.0
    # Only hashes up to the smaller of the two last ones are known of both.
    bound = min(_bound(one), _bound(other))
    mine, theirs = ({each for each in column.sketch if each <= bound} for column in (one, other))
    fewer = min(len(mine), len(theirs))
    return len(mine & theirs) / fewer if fewer >= _LEAST_SHARED else 0.0


def distinct_of(sketch: Sequence[int]) -> int:
    """Different values of a column by the least of their hashes; about, where there are more than these."""
    if len(sketch) < SKETCH:
        return len(sketch)
    return round((SKETCH - 1) * _HASHES / sketch[-1])  # Bar-Yossef et al. 2002, Counting distinct elements


def _bound(column: DatasetColumn) -> int:
    return column.sketch[-1] if len(column.sketch) >= SKETCH else 2**64
