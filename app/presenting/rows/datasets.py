"""Datasets in words and charts: states, types, how a column is spread, results of queries."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from app.presenting.chart import Chart
from core.domain.rows.dataset import Bar, Dataset, DatasetColumn, DatasetState, DocumentTable
from core.domain.wire.datasets import QueryResult

STATES = {
    DatasetState.READY: ("✓ ready", "ready"),
    DatasetState.CHANGED: ("! changed", "gaps"),
    DatasetState.MISSING: ("? file gone", "gaps"),
    DatasetState.REMOVED: ("× removed", "gone"),
}
"""By state what is said, and how it looks."""

STATE_ADVICE = {
    DatasetState.CHANGED: "Its file changed since it was registered. Register it again for a new version.",
    DatasetState.MISSING: "Its file is no longer where it was. What was read of it can still be asked.",
    DatasetState.REMOVED: "It was removed: no query knows it. Answers that cite it can be opened.",
}

_MOST_BARS = 60
_BAR_PX, _EDGE_PX = 26, 70
_LONG = 40
_NUMBERS = ("number", "money")


def table_title(table: DocumentTable) -> str:
    """What a table of documents is called: fields by their schema, several alike by their columns."""
    if table.table.startswith("fields_"):
        return f"Fields: {table.name.removeprefix('fields ')}"
    if len(table.documents) < 2:
        return table.name
    columns = ", ".join(name for name, _ in table.columns[:4])
    return f"{columns}: in {len(table.documents):,} documents, such as {table.name}"


def type_word(column: DatasetColumn) -> str:
    """Type and unit: "money in EUR", "number in kg"."""
    if column.type == "money":
        return f"money in {column.unit}" if column.unit else f"money, currency in {column.currency}"
    return f"{column.type} in {column.unit}" if column.unit else column.type


def range_word(column: DatasetColumn) -> str:
    """Least and greatest value, or what is most frequent."""
    if column.least:
        return column.least if column.least == column.greatest else f"{column.least} to {column.greatest}"
    return ", ".join(f"{bar.label} ({bar.rows:,})" if bar.rows else bar.label for bar in column.often[:3])


def column_chart(column: DatasetColumn) -> Chart | None:
    """Spread of the values of a column; None where nothing is to be seen."""
    if len(column.chart) < 2:
        return None
    name = f"Bar chart: rows by {column.head}. Its values are in the table."
    return _bars(name, column.head, "Rows", [(bar.label, bar.rows) for bar in column.chart])


def result_chart(result: QueryResult) -> Chart | None:
    """Bars of a result with one column of names and one of numbers; None of any other."""
    types = [each["type"] for each in result.columns]
    if len(types) != 2 or types[1] not in _NUMBERS or types[0] in _NUMBERS or len(result.rows) < 2:
        return None
    bars = [(str(name), float(str(value))) for name, value in result.rows[:_MOST_BARS] if value is not None]
    by, of = (each["name"] for each in result.columns)
    return _bars(f"Bar chart: {of} by {by}. Its values are in the table.", by, of, bars)


def spread_of(bars: Sequence[Bar]) -> str:
    """A spread of rows as a line of blocks, for a cell of a table."""
    most = max((bar.rows for bar in bars), default=0)
    return "".join("▁▂▃▄▅▆▇█"[min(7, bar.rows * 8 // (most + 1))] for bar in bars) if most else ""


def title_of(dataset: Dataset) -> str:
    """Title of a dataset on its page."""
    return (
        f"{dataset.name} ({dataset.sheet})"
        if dataset.sheet and dataset.sheet not in dataset.name
        else dataset.name
    )


def cell_word(value: object, type: str) -> str:
    """A value in a cell of a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if type in _NUMBERS:
        try:
            return f"{Decimal(str(value)):,f}"
        except InvalidOperation:
            return str(value)
    return str(value)


def _bars(name: str, by: str, of: str, bars: Sequence[tuple[str, float]]) -> Chart:
    labels = [label if len(label) <= _LONG else f"{label[: _LONG - 1]}…" for label, _ in bars]
    trace: dict[str, Any] = {
        "type": "bar",
        "orientation": "h",
        "y": list(range(len(bars))),
        "x": [value for _, value in bars],
        "marker": {"color": "--st-primary-color"},
        "customdata": labels,
        "hovertemplate": "%{customdata}: %{x:,}<extra></extra>",
    }
    layout = {
        "height": _EDGE_PX + _BAR_PX * len(bars),
        "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
        "bargap": 0.3,
        "showlegend": False,
        "yaxis": {
            "autorange": "reversed",
            "tickvals": list(range(len(bars))),
            "ticktext": labels,
            "showgrid": False,
            "automargin": True,
        },
        "xaxis": {"tickformat": ",", "rangemode": "tozero", "title": {"text": of, "font": {"size": 13}}},
    }
    rows = [{by: label, of: value} for label, value in bars]
    return Chart(name, {"data": [trace], "layout": layout}, rows)
