"""Figures of runs over time as a chart, with the table that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.presenting.chart import Chart
from app.presenting.evaluation.words import figure_text
from core.evaluate.measured import EvaluationRun
from core.evaluate.metrics import METRICS, MetricUnit

_COLOURS = ("--st-blue-color", "--st-orange-color")
_HEIGHT = 300


def trend_chart(runs: Sequence[EvaluationRun], metric: str) -> Chart:
    """A line for runs without a model, and one for those with one. runs: the oldest first."""
    known = METRICS[metric]
    data = [
        line
        for with_model, colour in zip((False, True), _COLOURS, strict=True)
        if (line := _line([each for each in runs if each.with_model is with_model], metric, colour))
    ]
    rows = [
        {
            "Run": each.id,
            "When": each.created_at.isoformat(timespec="minutes"),
            "Model": (each.versions.model or "with a model") if each.with_model else "none",
            "Version": each.versions.product,
            "Data": f"{each.versions.data_version:,}",
            "Cases": f"{each.done:,} of {each.total:,}",
            known.title: figure_text(each.figure(metric)),
        }
        for each in runs
    ]
    name = f"Line chart: {known.title} of {len(runs):,} runs over time. Its values are in the table."
    return Chart(name, {"data": data, "layout": _layout(known.title, known.unit)}, rows)


def _line(runs: Sequence[EvaluationRun], metric: str, colour: str) -> dict[str, Any]:
    """The points of some runs that have the figure; {} for none."""
    points = [(each, each.figure(metric)) for each in runs if each.figure(metric).value is not None]
    if not points:
        return {}
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": "With the model" if points[0][0].with_model else "Without a model",
        "x": [each.created_at.isoformat() for each, _ in points],
        "y": [figure.value for _, figure in points],
        "ids": [each.id for each, _ in points],
        "customdata": [each.id for each, _ in points],
        "line": {"color": colour, "width": 2},
        "marker": {"color": colour, "size": 9},
        "hovertemplate": "%{x|%-d %b %Y %H:%M}: %{y:.4~g}<extra></extra>",
    }


def _layout(title: str, unit: MetricUnit) -> dict[str, Any]:
    is_share = unit is MetricUnit.SHARE
    said = title if is_share else f"{title} ({unit.value})"
    return {
        "height": _HEIGHT,
        "margin": {"l": 60, "r": 20, "t": 20, "b": 40},
        "xaxis": {"type": "date", "gridcolor": "--st-border-color", "automargin": True},
        "yaxis": {
            "title": {"text": said},
            "gridcolor": "--st-border-color",
            "range": [-0.02, 1.02] if is_share else None,
            "rangemode": "tozero",
            "automargin": True,
        },
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.12},
    }
