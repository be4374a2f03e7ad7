"""A table of texts made one of typed columns: numbers exact, money with its currency, all else kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.datasets.base import ROW
from core.datasets.days import ordered
from core.datasets.names import column_names, free, quoted
from core.datasets.problems import Problems
from core.datasets.types import CellKind, currency, fast, is_blank, kind_of, reader
from core.domain.rows.dataset import DatasetColumn
from core.extract.column_types import ColumnType, is_currency_column, is_money_name
from core.values.money import currency_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SAMPLE = 500
_MIN_SHARE = 0.8
_MOST_DIGITS = 38  # of an exact number
_AT_ONCE = 20  # columns of a query
_MOST_CURRENCIES = 100  # of a column, that are told


@dataclass(frozen=True, slots=True)
class CellCounts:
    """What was counted of the cells of a column, read as its type. scale, digits: of its longest numbers."""

    currencies: tuple[str, ...]
    filled: int
    blank: int
    read: int
    scale: int
    digits: int
    timed: int
    lacking: int

    @property
    def is_told(self) -> bool:
        """True where most cells with a value could be read as the type."""
        return self.read > 0 and self.read >= _MIN_SHARE * (self.filled - self.blank)


class TypedTable:
    """Writes the typed columns of a raw file. db: a connection of this process, with its limits set."""

    def __init__(self, db: DuckDBPyConnection, raw: Path, heads: Sequence[str], problems: Problems) -> None:
        self._db, self._raw, self._heads, self._problems = db, quoted(str(raw)), heads, problems
        self._kinds: list[CellKind] = []
        self._currencies_at: tuple[int, ...] = ()
        self._names: tuple[str, ...] = ()
        self._selected: list[str] = []
        self.columns: list[DatasetColumn] = []

    def write(self, target: Path) -> None:
        """Find the types and write the file."""
        samples = self._samples()
        self._kinds = [kind_of(head, cells) for head, cells in zip(self._heads, samples, strict=True)]
        self._kinds = ordered(self._kinds, self._heads, db=self._db, raw=self._raw, problems=self._problems)
        self._take_currency_column(samples)
        self._names = tuple(column_names(self._heads))
        for at, figures in enumerate(self._figures()):
            self._add(at, figures)
        typed = [at for at, kind in enumerate(self._kinds) if kind.type != "text"]
        chosen = f"SELECT {', '.join([ROW, *self._selected])} FROM {self._canonical(typed, whole=True)}"
        self._db.execute(f"COPY ({chosen}) TO {quoted(str(target))} (FORMAT parquet, COMPRESSION zstd)")

    def _samples(self) -> list[list[str]]:
        """Some filled cells of each column, from all over the file; fewer of very many columns."""
        size = max(60, min(SAMPLE, 200_000 // max(1, len(self._heads))))
        rows = self._one(f"SELECT count(*) FROM {self._raw}")[0]
        step = max(1, rows // (2 * size))
        found = self._db.execute(
            f"SELECT * EXCLUDE ({ROW}) FROM {self._raw} WHERE {ROW} % {step} = 0 LIMIT {2 * size}"
        ).fetchall()
        samples = [[row[at] for row in found if row[at]][:size] for at in range(len(self._heads))]
        for at, cells in enumerate(samples):
            if len(cells) < size // 2 and step > 1:
                more = self._db.execute(
                    f"SELECT c{at} FROM {self._raw} WHERE c{at} IS NOT NULL LIMIT {size}"
                ).fetchall()
                samples[at] = [row[0] for row in more]
        return samples

    def _take_currency_column(self, samples: Sequence[Sequence[str]]) -> None:
        """Make numbers money where a column beside them says the currency of each row."""
        beside = [at for at, cells in enumerate(samples) if is_currency_column(self._heads[at], cells)]
        self._currencies_at = tuple(beside[:2])
        for at, kind in enumerate(self._kinds):
            if beside and kind.type == "number" and not kind.column.unit and is_money_name(self._heads[at]):
                self._kinds[at] = CellKind("money", kind.column)
                if len(beside) > 1:
                    said = ", ".join(self._heads[each] for each in beside)
                    self._problems.add(
                        f"Several columns say currencies ({said}), so that its own is not known: where they "
                        "differ its amounts are of both (as EUR/USD), and are not added to others.",
                        self._heads[at],
                    )

    def _figures(self) -> list[CellCounts | None]:
        found: list[CellCounts | None] = [None] * len(self._heads)
        typed = [at for at, kind in enumerate(self._kinds) if kind.type != "text"]
        self._db.create_function("read_currency", _currency_of, ["VARCHAR"], "VARCHAR")
        for at in typed:
            self._register(at)
        for start in range(0, len(typed), _AT_ONCE):
            part = typed[start : start + _AT_ONCE]
            counts = ", ".join(each for at in part for each in _counts(at))
            row: Sequence[Any] = self._one(f"SELECT {counts} FROM {self._canonical(part)}")
            for number, at in enumerate(part):
                *numbers, currencies = row[_COUNTS * number : _COUNTS * (number + 1)]
                found[at] = CellCounts(tuple(sorted(currencies or ())), *(int(each or 0) for each in numbers))
        return found

    def _register(self, at: int) -> None:
        """Let SQL call the reader of a column's cells."""
        from duckdb import PythonExceptionHandling
        from duckdb.func import FunctionNullHandling

        self._db.create_function(
            f"read_{at}",
            reader(self._kinds[at]),
            ["VARCHAR"],
            "VARCHAR",
            null_handling=FunctionNullHandling.SPECIAL,
            exception_handling=PythonExceptionHandling.RETURN_NULL,
        )

    def _one(self, sql: str) -> tuple[Any, ...]:
        return (self._db.execute(sql).fetchall() or [()])[0]  # a result that is not read to its end blocks

    def _canonical(self, part: Sequence[int], *, whole: bool = False) -> str:
        """SQL of the raw rows with canonical texts (k3), and currencies (u3), of some columns beside them."""
        quick = [f"{fast(self._kinds[at], f'c{at}')} AS f{at}" for at in part]
        slow = [f"CASE WHEN f{at} IS NULL THEN read_{at}(c{at}) END AS r{at}" for at in part]
        both = [
            f"coalesce(f{at}, split_part(r{at}, '|', 1)) AS k{at}, {self._unit(at)} AS u{at}" for at in part
        ]
        rows = self._raw if whole else f"(SELECT {', '.join([ROW, *self._needed(part)])} FROM {self._raw})"
        for made in (
            quick,
            slow,
            both,
        ):  # one below the other: written into one another they are planned for long
            rows = f"(SELECT {', '.join(['*', *made])} FROM {rows})"
        return rows

    def _needed(self, part: Sequence[int]) -> list[str]:
        return [f"c{at}" for at in sorted({*part, *self._currencies_at})]

    def _unit(self, at: int) -> str:
        kind = self._kinds[at]
        if kind.type != "money":
            return "NULL"
        marked = f"nullif(split_part(r{at}, '|', 2), '')"
        own = f"CASE WHEN f{at} IS NOT NULL THEN {currency(kind, f'c{at}')} ELSE {marked} END"
        read = [f"read_currency(c{each})" for each in self._currencies_at]
        if not read:
            return own
        said = read[0] if len(read) == 1 else f"concat_ws('/', {read[0]}, nullif({read[1]}, {read[0]}))"
        return f"coalesce({own}, {said})"

    def _add(self, at: int, figures: CellCounts | None) -> None:
        """Choose what is written of a column, and tell what could not be read."""
        kind, head, name = self._kinds[at], self._heads[at], self._names[at]
        if figures is not None and not figures.is_told:
            self._mixed(at, figures)
            kind = self._kinds[at] = CellKind("text", ColumnType(None))
        if kind.column.type is None and figures is None:
            self._problems.add("Its cells are of several types: all are kept as text.", head)
        if figures is None or kind.type == "text":
            self._select(f"c{at}", name, DatasetColumn(name, head, "text"))
            return
        if figures.timed and kind.type == "date":
            self._problems.add(
                f"{figures.timed:,} of its values have a time of day, which is left out.", head
            )
        if figures.blank:
            self._problems.add(
                f"{figures.blank:,} of its cells say that nothing is known (as n/a), and are read as empty.",
                head,
            )
        if figures.digits + figures.scale > _MOST_DIGITS:
            self._problems.add("Its numbers are too long to be exact: they are rounded to 15 digits.", head)
        unit, beside = kind.column.unit, ""
        if kind.type == "money":
            unit, beside = self._currencies(at, figures)
        every = (*figures.currencies[:_MOST_CURRENCIES], *([""] if figures.lacking else [])) if beside else ()
        column = DatasetColumn(name, head, kind.type, unit, beside, currencies=every)
        self._select(_cast(kind, at, figures), name, column)
        if beside and beside not in self._names:
            self._select(f"u{at}", beside, DatasetColumn(beside, f"{head} (currency)", "text"))
        if figures.filled - figures.blank > figures.read:
            self._unread(at, figures)

    def _currencies(self, at: int, figures: CellCounts) -> tuple[str, str]:
        """The one currency of a column, or else the column that says it row by row."""
        head = self._heads[at]
        if figures.lacking:
            self._problems.add(f"{figures.lacking:,} of its amounts name no currency.", head)
        if len(figures.currencies) == 1 and not figures.lacking:
            return figures.currencies[0], ""
        if len(self._currencies_at) == 1 and self._is_of_codes(beside := self._currencies_at[0]):
            return "", self._names[beside]
        if len(figures.currencies) > 1:
            said = ", ".join(figures.currencies)
            self._problems.add(
                f"Its amounts are in several currencies ({said}), which are never added up.", head
            )
        return "", free(f"{self._names[at]}_currency", self._names)

    def _is_of_codes(self, at: int) -> bool:
        """True of a column that writes every currency by its code: EUR, neither eur nor €."""
        odd = f"SELECT count(*) FROM {self._raw} WHERE trim(c{at}) <> read_currency(c{at})"
        return not self._one(odd)[0]

    def _unread(self, at: int, figures: CellCounts) -> None:
        """Keep the cells that are of no such type as texts, in a column beside it."""
        kind, head = self._kinds[at], self._heads[at]
        name = free(f"{self._names[at]}_text", self._names)
        is_left = f"c{at} IS NOT NULL AND k{at} IS NULL AND NOT {is_blank(f'c{at}')}"
        found = self._db.execute(
            f"SELECT {ROW}, c{at} FROM {self._canonical([at])} WHERE {is_left} LIMIT 20"
        ).fetchall()
        said = ", ".join(f"{text[:40]!r}" for _, text in found[:3])
        count = figures.filled - figures.blank - figures.read
        what = f"{count:,} of {figures.filled:,} cells are no {kind.type}, such as {said}; "
        what += f"they stand as text in {name}."
        self._problems.add(what, head, [row for row, _ in found] if count <= 20 else [])
        self._select(
            f"CASE WHEN {is_left} THEN c{at} END", name, DatasetColumn(name, f"{head} (as text)", "text")
        )

    def _mixed(self, at: int, figures: CellCounts) -> None:
        kind = self._kinds[at].type
        if figures.read:
            text = f"Only {figures.read:,} of {figures.filled:,} cells are a {kind}: all are kept as text."
            self._problems.add(text, self._heads[at])

    def _select(self, expression: str, name: str, column: DatasetColumn) -> None:
        self._selected.append(f'{expression} AS "{name}"')
        self.columns.append(column)


@lru_cache(1_000)
def _currency_of(cell: str) -> str:
    """The code of a currency, however it is written; of what is none the cell in capitals."""
    return currency_of(cell) or cell.strip().upper()


_COUNTS = 8


def _counts(at: int) -> tuple[str, ...]:
    cell, canon, unit = f"c{at}", f"k{at}", f"u{at}"
    is_timed = f"regexp_matches({cell}, '\\d:\\d\\d') AND NOT regexp_matches({cell}, '[ T]0?0:00(:00)?$')"
    return (
        f"count({cell})",
        f"count(*) FILTER ({is_blank(cell)} AND {canon} IS NULL)",
        f"count({canon})",
        f"max(length(split_part({canon}, '.', 2)))",
        f"max(length(ltrim(split_part({canon}, '.', 1), '-')))",
        f"count(*) FILTER ({is_timed})",
        f"count(*) FILTER ({canon} IS NOT NULL AND {unit} IS NULL)",
        f"list(DISTINCT {unit}) FILTER ({unit} IS NOT NULL)",
    )


def _cast(kind: CellKind, at: int, figures: CellCounts) -> str:
    """SQL of a cell's value: a number without loss where 38 digits hold it."""
    if kind.type in ("date", "boolean"):
        return f"CAST(k{at} AS {kind.type.upper()})"
    if not figures.scale and figures.digits <= 18:
        return f"CAST(k{at} AS BIGINT)"
    if figures.digits + figures.scale <= _MOST_DIGITS:
        wide = 18 if figures.digits + figures.scale <= 18 else _MOST_DIGITS
        return f"CAST(k{at} AS DECIMAL({wide}, {figures.scale}))"
    return f"CAST(k{at} AS DOUBLE)"
