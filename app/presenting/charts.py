"""Groups and series of an answer as a Plotly figure: bars for groups, lines for time, a panel a unit."""

from __future__ import annotations

import functools
import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from html import escape
from importlib import resources
from typing import Any

from core.domain.answer import Answer, Table
from core.domain.value_text import period
from core.text.titles import phrase

PALETTE = ("#1d4fb8", "#8a5a00", "#0b6e66", "#a3197f", "#5a6166", "#b34700", "#4b7f1f", "#6a3fb5")
MOST_BARS, MOST_PERIODS, MOST_UNITS, MOST_SERIES = 40, 240, 4, 8
MOST_UPRIGHT = 5  # bars that stand beside a table and keep their names level
LONG_LABEL = 14  # characters from which on bars lie, so that their names can be read
MOST_UNIT_TICKS = 10
BAR_PX, PANEL_PX, EDGE_PX, BETWEEN_PX = 26, 230, 90, 62
_TOTALS = ("Number", "Sum")  # of which a period without any is 0, and not a gap
_STEPS = {"year": 1, "quarter": 4, "month": 12}
_WRITTEN = {"year": r"(\d{4})", "quarter": r"(\d{4})-Q([1-4])", "month": r"(\d{4})-(\d\d)"}
PERIODS = (*_STEPS, "day")


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a group, or of a group in a series."""

    label: str
    series: str
    unit: str
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """name: read aloud for the picture. figure: `data` and `layout`, in the colours of a light page.

    note: what of the table it leaves out; "" where it has all.
    """

    name: str
    figure: dict[str, Any]
    note: str = ""


def chart_of(answer: Answer) -> Chart | None:
    """The chart of an answer that is groups with a number each; None of any other."""
    table = answer.table
    if table is None or table.documents or len(table.rows) < 2:
        return None
    types = [column.type for column in table.columns]
    at = next((i for i, kind in enumerate(types) if i and kind in ("number", "money")), 0)
    points = _points(table, at) if 0 < at <= 2 else []
    units = list(dict.fromkeys(point.unit for point in points))
    if len(units) > MOST_UNITS or len(points) == len(units):  # a lone bar compares nothing
        return None
    of, by = table.columns[at].name, table.columns[0].name
    panels = [_labels([p for p in points if p.unit == unit], types[0]) for unit in units]
    given = len({point.label for point in points})
    shown = len({label for labels in panels for label in labels} & {point.label for point in points})
    note = f"The {shown:,} largest groups are drawn; the table has all {given:,}." if shown < given else ""
    kind = "Line" if types[0] in PERIODS else "Bar"
    name = f"{kind} chart: {phrase(of)} by {phrase(by)}. Its values are in the table."
    return Chart(name, _figure(points, dict(zip(units, panels, strict=True)), table, of), note)


def _points(table: Table, at: int) -> list[Point]:
    names = [column.name for column in table.columns]
    unit_at = names.index("Unit") if "Unit" in names else None
    found = []
    for row in table.rows:
        try:
            value = float(Decimal(str(row[at])))
        except InvalidOperation:
            continue
        unit = str(row[unit_at] or "") if unit_at is not None else ""
        found.append(Point(str(row[0]), str(row[1]) if at == 2 else "", unit, value))
    return found


def _labels(points: Sequence[Point], aspect: str) -> list[str]:
    """Labels of the axis: periods without gaps, or the largest groups in the order of the table."""
    labels = list(dict.fromkeys(point.label for point in points))
    if aspect in PERIODS:
        return _filled([label for label in labels if label[:1].isdigit()], aspect)
    if len(labels) <= MOST_BARS:
        return labels
    sums = {label: sum(p.value for p in points if p.label == label) for label in labels}
    kept = set(sorted(labels, key=lambda label: -sums[label])[:MOST_BARS])
    return [label for label in labels if label in kept]


def _filled(labels: Sequence[str], aspect: str) -> list[str]:
    """The periods in order, with those between the first and the last that have no value."""
    ordered = sorted(labels)
    if aspect not in _STEPS or not ordered:
        return ordered
    found = [re.fullmatch(_WRITTEN[aspect], label) for label in (ordered[0], ordered[-1])]
    if found[0] is None or found[1] is None:
        return ordered
    steps = _STEPS[aspect]
    first, last = (int(m[1]) * steps + (int(m[2]) - 1 if steps > 1 else 0) for m in found if m)
    if last - first >= MOST_PERIODS:
        return ordered
    return [_period(number, steps) for number in range(first, last + 1)]


def _period(number: int, steps: int) -> str:
    year, rest = divmod(number, steps)
    return {1: f"{year:04}", 4: f"{year:04}-Q{rest + 1}", 12: f"{year:04}-{rest + 1:02}"}[steps]


def _figure(points: Sequence[Point], panels: dict[str, list[str]], table: Table, of: str) -> dict[str, Any]:
    is_time = table.columns[0].type in PERIODS
    lies = not is_time and any(
        len(labels) > MOST_UPRIGHT or any(len(label) > LONG_LABEL for label in labels)
        for labels in panels.values()
    )
    series = list(dict.fromkeys(point.series for point in points))
    joined = len(series) > MOST_SERIES
    data: list[dict[str, Any]] = []
    layout = _layout(table, of, panels, lies=lies, has_legend=not joined and len(series) > 1)
    if of == "Number" and max(point.value for point in points) <= MOST_UNIT_TICKS:
        layout["xaxis" if lies else "yaxis"]["dtick"] = 1  # there are no halves of documents
    for number, (unit, labels) in enumerate(panels.items()):
        axes = {"xaxis": f"x{number + 1}", "yaxis": f"y{number + 1}"} if number else {}
        empty = 0.0 if is_time and of in _TOTALS else None
        for at, name in enumerate([""] if joined else series):
            sums: dict[str, float] = {}
            for point in points:
                if point.unit == unit and (joined or point.series == name):
                    sums[point.label] = sums.get(point.label, 0.0) + point.value
            names, values = [period(label) for label in labels], [sums.get(label, empty) for label in labels]
            colour = PALETTE[(at if len(series) > 1 and not joined else number) % len(PALETTE)]
            data.append(
                {**_trace(names, values, colour, is_time=is_time, lies=lies), **axes, "name": name or of}
            )
            data[-1]["hovertemplate"] = _hover(unit, lies=lies, name=name)
            data[-1]["showlegend"] = number == 0
    return {"data": data, "layout": layout}


def _trace(
    labels: list[str], values: list[float | None], colour: str, *, is_time: bool, lies: bool
) -> dict[str, Any]:
    if is_time:
        line = {"color": colour, "width": 2}
        return {"type": "scatter", "mode": "lines+markers", "x": labels, "y": values, "line": line}
    marker = {"color": colour}
    if lies:
        return {"type": "bar", "orientation": "h", "y": labels, "x": values, "marker": marker}
    return {"type": "bar", "x": labels, "y": values, "marker": marker}


def _hover(unit: str, *, lies: bool, name: str) -> str:
    label, value = ("%{y}", "%{x:,}") if lies else ("%{x}", "%{y:,}")
    of = f"{escape(name)}, " if name else ""
    return f"{of}{label}: {escape(unit)} {value}<extra></extra>".replace(":  ", ": ")


def _layout(
    table: Table, of: str, panels: dict[str, list[str]], *, lies: bool, has_legend: bool
) -> dict[str, Any]:
    heights = _heights(panels, lies=lies)
    layout: dict[str, Any] = {
        "margin": {"l": 8, "r": 16, "t": 28 if has_legend else 12, "b": 8},
        "showlegend": has_legend,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "bargap": 0.3,
        "hovermode": "closest",
        "height": sum(heights) + BETWEEN_PX * (len(heights) - 1) + EDGE_PX,
        "font": {"size": 13},
        "dragmode": False,
    }
    count = len(panels)
    total = sum(heights) + BETWEEN_PX * (count - 1)
    for number, unit in enumerate(panels):
        above = sum(heights[:number]) + BETWEEN_PX * number  # between them stand an axis and its name
        domain = [max(0.0, 1 - (above + heights[number]) / total), 1 - above / total]
        tail = str(number + 1) if number else ""
        measure: dict[str, Any] = {
            "title": {"text": f"{of} ({unit})" if unit else of, "standoff": 8, "font": {"size": 13}},
            "rangemode": "tozero",
            "tickformat": ",~s" if unit else ",",
            "automargin": True,
            "zeroline": True,
        }
        names: dict[str, Any] = {"type": "category", "automargin": True, "showgrid": False}
        if number + 1 == count or lies:
            names["title"] = {"text": table.columns[0].name, "standoff": 8, "font": {"size": 13}}
        if lies:
            names["autorange"] = "reversed"
        across, up = (measure, names) if lies else (names, measure)
        layout[f"xaxis{tail}"] = {**across, "anchor": f"y{tail}"}
        layout[f"yaxis{tail}"] = {**up, "anchor": f"x{tail}", "domain": domain}
    return layout


def _heights(panels: dict[str, list[str]], *, lies: bool) -> list[int]:
    """Heights of the panels within their axes: bars that lie are as thick in one panel as in another."""
    if not lies:
        return [PANEL_PX - EDGE_PX] * len(panels)
    least = PANEL_PX - EDGE_PX if len(panels) == 1 else 0
    return [max(least, BAR_PX * len(labels)) for labels in panels.values()]


def chart_page(answer: Answer, chart: Chart) -> str:
    """The chart as a page of its own, with all that it needs in it."""
    figure = json.dumps(chart.figure).replace("<", "\\u003c")
    title, note = escape(answer.question), escape(chart.note)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<script>{_script()}</script>"
        '<body style="font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem">'
        f'<h1 style="font-size:1.2rem">{title}</h1>'
        f'<div id="chart" role="img" aria-label="{escape(chart.name)}"></div>'
        f"<p>{note}</p><script>const figure = {figure};"
        'Plotly.newPlot("chart", figure.data, figure.layout, {responsive: true});</script></body></html>'
    )


@functools.cache
def plotly_gzipped() -> bytes:
    """Plotly for the browser, from the package: nothing is fetched from elsewhere."""
    return gzip.compress(_script().encode(), 6)


def _script() -> str:
    return resources.files("plotly").joinpath("package_data", "plotly.min.js").read_text("utf-8")
