"""Columns of a field in a file: its value in a form that programs compute with, and what is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from core.domain.certainty.guess import guesses_of
from core.domain.fields import WITH_UNITS, Cell, CellStatus, FieldType, Finding, Quote, TypedValue
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixColumn
from core.domain.value_text import day_of, shown, shown_all
from core.spreadsheet import is_exact


def place_address(
    address: str, document: DocumentId | str, version: int | None = None, quote: Quote | None = None
) -> str:
    """Address of a document's page for people, or of a place on it. address: of this home."""
    asked: dict[str, str | int] = {"document": document}
    if version is not None:
        asked["version"] = version
    if quote is not None:
        span = quote.span
        asked |= {"page": span.page_no, "start": span.start, "end": span.end}
    return f"{address}/documents?{urlencode(asked)}"


def titles(columns: Iterable[MatrixColumn]) -> dict[str, str]:
    """By name the title of each field; where several have the same, with the name behind it."""
    columns = list(columns)
    counts = Counter(each.title.casefold() for each in columns)
    return {
        each.name: each.title if counts[each.title.casefold()] == 1 else f"{each.title} ({each.name})"
        for each in columns
    }


def value_heads(column: MatrixColumn) -> tuple[str, ...]:
    """What the head of each column of values of a field ends with."""
    if column.type in WITH_UNITS:
        return "", " unit"
    return ("", " ISO 8601") if column.type is FieldType.DURATION else ("",)


def cell_values(cell: Cell | None, column: MatrixColumn) -> list[Any]:
    """The value, and beside it its unit or ISO 8601 where the column has such; empty unless it is present.

    Several are joined with semicolons; one that a spreadsheet computes with exactly is a number, or a day.
    """
    width = len(value_heads(column))
    if cell is None or cell.finding.status is not CellStatus.PRESENT:
        return [""] * width
    values = cell.finding.values
    if column.type is FieldType.DURATION:
        return [shown_all(values), "; ".join(dict.fromkeys(each.text for each in values if each.text))]
    if column.type in WITH_UNITS:
        return list(_measured(values))
    if column.type is FieldType.DATE:
        return [_days(values)]
    return [shown_all(values)]


def _days(values: Sequence[TypedValue]) -> date | str:
    """One day as a day; several as ISO 8601."""
    days = [None if each.special else day_of(each.text) for each in values]
    if len(days) == 1 and days[0] is not None:
        return days[0]
    return "; ".join(
        shown(each) if day is None else day.isoformat() for each, day in zip(values, days, strict=True)
    )


def _measured(values: Sequence[TypedValue]) -> tuple[Decimal | str, str]:
    """An amount with its unit; of several units all in words."""
    only = values[0].decimal if len(values) == 1 and not values[0].special else None
    if only is not None and is_exact(only):
        return only, values[0].unit
    units = {each.unit for each in values}
    if len(units) > 1:
        return shown_all(values), ""
    return "; ".join(shown(each) if each.special else each.text for each in values), next(iter(units), "")


def best_guess(finding: Finding) -> tuple[str, float | str]:
    """Of an undecided cell its likeliest reading and how probable that is; of any other nothing."""
    guesses = guesses_of(finding)
    return (shown(guesses[0].value), round(guesses[0].probability, 4)) if guesses else ("", "")
