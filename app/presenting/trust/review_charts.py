"""Charts of reviews as Plotly figures in variables of the theme, and the tables that say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.presenting.chart import Chart
from core.domain.trust.review import FLAG_WORDS
from core.review.agreement import FlagPrecision, ReviewerAgreement

_ROW_PX, _EDGE_PX = 40, 70


def precision_chart(found: Sequence[FlagPrecision]) -> Chart:
    """A point a reason, with its interval: the share of its answers that were not wholly right."""
    known = [each for each in found if each.found.checked]
    shares = [each.found.share or 0.0 for each in known]
    bounds = [each.found.interval for each in known]
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "Precision",
            "y": [FLAG_WORDS[each.reason] for each in known],
            "x": shares,
            "marker": {"color": "--st-blue-color", "size": 11},
            "error_x": {
                "type": "data",
                "symmetric": False,
                "array": [bound.high - share for share, bound in zip(shares, bounds, strict=True)],
                "arrayminus": [share - bound.low for share, bound in zip(shares, bounds, strict=True)],
                "color": "--st-blue-color",
                "thickness": 2,
            },
            "hovertemplate": "%{y}: %{x:.0%} were wrong, or partly<extra></extra>",
        }
    ]
    rows = [
        {
            "Flagged for": FLAG_WORDS[each.reason],
            "Reviewed": f"{each.found.checked:,}",
            "Wrong or partly": f"{each.found.right:,}",
            "Precision": "not known" if each.found.share is None else _percent(each.found.share),
            "95 % interval": _interval(each),
            "Still open": f"{each.open:,}",
        }
        for each in found
    ]
    name = "Precision by reason with its 95 % interval. Its values are in the table."
    return Chart(name, {"data": data, "layout": _layout(len(known), [-0.02, 1.02], ".0%")}, rows)


def agreement_chart(found: Sequence[ReviewerAgreement]) -> Chart:
    """A bar for each two reviewers: Cohen's kappa."""
    known = [each for each in found if each.kappa is not None]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": "Kappa",
            "y": [_pair(each) for each in known],
            "x": [each.kappa for each in known],
            "marker": {"color": "--st-green-color"},
            "hovertemplate": "%{y}: kappa %{x:.2f}<extra></extra>",
        }
    ]
    rows = [
        {
            "Reviewers": _pair(each),
            "Judged by both": f"{each.judged:,}",
            "Agreed": f"{each.agreed:,} ({_percent(each.agreed / each.judged)})",
            "Cohen's kappa": "not defined" if each.kappa is None else f"{each.kappa:.2f}",
        }
        for each in found
    ]
    name = "Bar chart: agreement of reviewers, Cohen's kappa. Its values are in the table."
    return Chart(name, {"data": data, "layout": _layout(len(known), [-1.04, 1.04], ".1f")}, rows)


def _layout(rows: int, bounds: list[float], ticks: str) -> dict[str, Any]:
    # A little wider than the scale, so that a mark at its end is not cut.
    return {
        "height": _EDGE_PX + _ROW_PX * max(1, rows),
        "margin": {"l": 8, "r": 16, "t": 12, "b": 8},
        "hovermode": "closest",
        "showlegend": False,
        "bargap": 0.4,
        "xaxis": {"range": bounds, "zeroline": False, "tickformat": ticks, "nticks": 6},
        "yaxis": {"automargin": True, "autorange": "reversed", "showgrid": False},
    }


def _pair(each: ReviewerAgreement) -> str:
    return f"{each.one} and {each.other}"


def _interval(each: FlagPrecision) -> str:
    if not each.found.checked:
        return ""
    bound = each.found.interval
    return f"{_percent(bound.low)} to {_percent(bound.high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
