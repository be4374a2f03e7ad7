"""Types of columns, told by a sample of their cells, and the SQL that reads cells of such a type.

What most cells are written like is read by SQL; the others by the readers that documents have, one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from core.datasets.names import quoted
from core.domain.fields import FieldType, Special
from core.domain.rows.dataset import ColumnKind
from core.extract.column_types import ColumnType, column_type, names_things, typed_cell
from core.text.words import word_list
from core.values.money import SYMBOLS

_BOOLEANS = frozenset(("true", "false", "yes", "no", "y", "n", "t", "f"))  # as SQL casts them
_KINDS: dict[FieldType | None, ColumnKind] = {
    FieldType.NUMBER: "number",
    FieldType.MONEY: "money",
    FieldType.DATE: "date",
}
_FIELDS = {kind: field for field, kind in _KINDS.items()}
_DAY_FIRST = ("%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y")
_MONTH_FIRST = ("%m/%d/%Y", "%m-%d-%Y")
_ALWAYS = ("%Y-%m-%d", "%Y/%m/%d", "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%B %d, %Y", "%b %d, %Y")
_PLAIN = re.compile(r"[-+]?(?:0|[1-9]\d{0,37})(?:\.\d{1,37})?(?:[eE][-+]?\d{1,2})?")
_TIMES = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S")


@dataclass(frozen=True, slots=True)
class CellKind:
    """A type of a column. column: as the readers of cells take it. currencies: those in a sample of money."""

    type: ColumnKind
    column: ColumnType
    currencies: tuple[str, ...] = ()


def kind_of(head: str, cells: Sequence[str]) -> CellKind:
    """The type of a column by its head and some of its cells that are filled."""
    words = {each.casefold() for each in cells}
    if words and words <= _BOOLEANS:
        return CellKind("boolean", ColumnType(FieldType.BOOLEAN))
    found = column_type(head, cells)
    if found.type in (FieldType.TEXT, None) and not names_things(head) and _are_numbers(cells):
        found = ColumnType(FieldType.NUMBER)
    kind = _KINDS.get(found.type, "text")
    if kind != "money":
        return CellKind(kind, found)
    read = [typed_cell(each, found) for each in cells[:100]]
    units = {each.unit for each in read if each is not None and each.type is FieldType.MONEY and each.unit}
    return CellKind(kind, found, tuple(sorted(units)))


def fast(kind: CellKind, cell: str) -> str:
    """SQL that gives the canonical text of a cell (`cell` is SQL), and NULL where it must be read slowly."""
    if kind.type == "boolean":
        return f"lower(CAST(TRY_CAST({cell} AS BOOLEAN) AS VARCHAR))"
    if kind.type == "date":
        return _date(kind.column, cell)
    if kind.column.has_shares:
        return "NULL"
    return _number(kind.column.is_european, cell, _marks(kind))


def currency(kind: CellKind, cell: str) -> str:
    """SQL that gives the currency of a cell that `fast` reads: NULL where nothing in it says one."""
    cases = "".join(
        f" WHEN regexp_matches({cell}, {quoted(_any(_marks_of(code)))}) THEN {quoted(code)}"
        for code in kind.currencies
    )
    fixed = quoted(kind.column.unit) if kind.column.unit else "NULL"
    return f"CASE{cases} ELSE {fixed} END" if cases else fixed


def reader(kind: CellKind) -> Callable[[str | None], str | None]:
    """Reads a cell as the readers of documents do: its canonical text, money as "12.50|EUR"; or None."""
    wanted: set[FieldType] = {_FIELDS.get(kind.type), kind.column.type} - {None}  # type: ignore[assignment]

    @lru_cache(100_000)
    def read(cell: str | None) -> str | None:
        if not cell:
            return None
        if FieldType.NUMBER in wanted and _PLAIN.fullmatch(cell):
            return f"{Decimal(cell):f}"
        value = typed_cell(cell, kind.column) if wanted else None
        if value is None or value.type not in wanted or not value.text or value.special is not Special.NONE:
            return None
        if value.type is FieldType.NUMBER and value.unit not in ("", kind.column.unit):
            return None
        return f"{value.text}|{value.unit}" if value.type is FieldType.MONEY else value.text

    return read


def _are_numbers(cells: Sequence[str]) -> bool:
    """True of figures that are written as programs write them, however long: 0.000000001, 1e-05."""
    return bool(cells) and all(map(_PLAIN.fullmatch, cells))


def is_blank(cell: str) -> str:
    """SQL that is true of a cell that stands for no value: "n/a", "-"."""
    words = ", ".join(map(quoted, sorted(word_list("tables", "placeholders"))))
    return f"lower({cell}) IN ({words})"


def _date(column: ColumnType, cell: str) -> str:
    own = {"dmy": _DAY_FIRST, "mdy": _MONTH_FIRST}.get(str(column.order).casefold(), ())
    forms = ", ".join(map(quoted, (*_ALWAYS, *_TIMES, *own)))
    return f"CAST(CAST(try_strptime({cell}, [{forms}]) AS DATE) AS VARCHAR)"


def _number(is_european: bool, cell: str, marks: Sequence[str]) -> str:
    group, point = (r"\.", ",") if is_european else (",", r"\.")
    digits = rf"(?:\d{{1,3}}(?:{group}\d{{3}})+|\d{{1,30}})(?:{point}\d{{1,18}})?"
    mark = f"(?:{_any(marks)})" if marks else ""
    form = rf"({mark}\s?)?([-+]?{digits})(\s?{mark})?" if mark else f"([-+]?{digits})"
    plain = f"regexp_replace({cell}, {quoted(mark)}, '')" if mark else cell
    plain = f"replace(trim({plain}), '{group[-1]}', '')"
    plain = f"replace({plain}, ',', '.')" if is_european else plain
    return f"CASE WHEN regexp_full_match({cell}, {quoted(form)}) THEN ltrim({plain}, '+ ') END"


def _marks(kind: CellKind) -> list[str]:
    return [mark for code in kind.currencies for mark in _marks_of(code)]


def _marks_of(code: str) -> list[str]:
    return [code, *(mark for mark, own in SYMBOLS.items() if own == code and len(mark) <= 3)]


def _any(marks: Sequence[str]) -> str:
    return "|".join(re.escape(mark) for mark in sorted(marks, key=len, reverse=True))
