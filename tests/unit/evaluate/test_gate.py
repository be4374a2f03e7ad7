from __future__ import annotations

import pytest

from core.errors import UsageError
from core.evaluate.gate import failures, parse_limits
from core.evaluate.metrics import MetricFigure


def figure(name: str, value: float | None) -> MetricFigure:
    return MetricFigure(name=name, value=value, reason="" if value is not None else "Nothing was asked.")


@pytest.mark.parametrize(
    ("limit", "value", "is_kept"),
    [
        ("exact=.95", 0.95, True),
        ("exact=.95", 0.94996, True),  # shown as .950
        ("exact=.95", 0.9499, False),
        ("silently_wrong=.03", 0.03, True),
        ("silently_wrong=.03", 0.04, False),
        ("p95_ms = 800", 801, False),
        ("mrr=0", None, False),
    ],
)
def test_a_limit_is_kept_where_the_figure_is_not_worse(
    limit: str, value: float | None, is_kept: bool
) -> None:
    [parsed] = parse_limits([limit])

    assert (failures([parsed], [figure(parsed.metric, value)]) == []) is is_kept


@pytest.mark.parametrize("text", ["exact", "exact=", "exact=much", "exact=nan", "exact=inf", "speed=1", ""])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_limits([text])
