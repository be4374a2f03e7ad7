"""The gate of a run: metrics that must not be worse than given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from core.errors import UsageError
from core.evaluate.metrics import METRICS, MetricDirection, MetricFigure


@dataclass(frozen=True, slots=True)
class GateLimit:
    """The worst value of a metric that passes."""

    metric: str
    value: float


def parse_limits(texts: Iterable[str]) -> tuple[GateLimit, ...]:
    """Limits written METRIC=VALUE. Raises UsageError for an unknown metric, and for what is no number."""
    return tuple(_limit(text) for text in texts)


def _limit(text: str) -> GateLimit:
    name, sign, written = (part.strip() for part in text.partition("="))
    if name not in METRICS:
        raise UsageError(f"There is no metric {name!r}.", next_step=f"Choose one of: {', '.join(METRICS)}.")
    try:
        value = Decimal(written) if sign else Decimal("nan")
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite():
        raise UsageError(f"{text!r} is no limit.", next_step=f"Write it as {name}=0.95.")
    return GateLimit(name, float(value))


def failures(limits: Sequence[GateLimit], figures: Iterable[MetricFigure]) -> list[str]:
    """Sentences on the limits that a run does not keep; a figure that could not be computed keeps none."""
    known: Mapping[str, MetricFigure] = {each.name: each for each in figures}
    return [said for each in limits if (said := _failure(each, known[each.metric]))]


def _failure(limit: GateLimit, figure: MetricFigure) -> str:
    metric = METRICS[limit.metric]
    word = "at least" if metric.direction is MetricDirection.HIGHER else "at most"
    wanted = f"{word} {limit.value:g} is expected"
    if figure.value is None:
        return f"{metric.name} could not be computed: {figure.reason} {wanted.capitalize()}."
    # Rounded as it is shown, so that nobody reads that .950 is under .95.
    return (
        f"{metric.name} is {figure.value:.4g}; {wanted}."
        if metric.is_better(limit.value, round(figure.value, 4))
        else ""
    )
