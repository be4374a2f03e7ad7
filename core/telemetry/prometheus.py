"""The measures in the format that Prometheus reads."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.errors import NotFoundError
from core.telemetry.measures import ALL, TALLY, Figure, Measure, Tally, Times

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def exposition(figures: Sequence[Figure] = (), tally: Tally = TALLY) -> bytes:
    """All measures, those of the process and `figures` as text. Raises NotFoundError without the package."""
    try:
        from prometheus_client import CollectorRegistry, generate_latest
    except ImportError:
        raise NotFoundError(
            "Metrics are not installed.", next_step="Install them: pip install 'groundwork[telemetry]'."
        ) from None
    registry = CollectorRegistry()
    registry.register(_Measured(tally, figures))
    return bytes(generate_latest(registry) + generate_latest(_of_process()))


@functools.cache
def _of_process() -> Any:
    """Memory, processor time, open files and garbage collections."""
    from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


class _Measured:
    """A collector, as the package calls what it asks for metrics."""

    def __init__(self, tally: Tally, figures: Sequence[Figure]) -> None:
        self._tally, self._figures = tally, figures

    def collect(self) -> Iterator[Any]:
        """Each measure with its numbers."""
        for measure in ALL:
            yield _times(measure, self._tally) if measure.bounds else _count(measure, self._tally)
        yield from _figures(self._figures)


def _count(measure: Measure, tally: Tally) -> Any:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    kind = GaugeMetricFamily if measure.can_fall else CounterMetricFamily
    family = kind(measure.name, measure.help, labels=measure.labels)
    for labels, value in sorted(tally.counted(measure).items()):
        family.add_metric(labels, value)
    return family


def _times(measure: Measure, tally: Tally) -> Any:
    from prometheus_client.core import HistogramMetricFamily

    family = HistogramMetricFamily(measure.name, measure.help, labels=measure.labels)
    for labels, times in sorted(tally.timed(measure).items(), key=lambda pair: pair[0]):
        family.add_metric(labels, list(_buckets(measure, times)), times.total)
    return family


def _buckets(measure: Measure, times: Times) -> Iterator[tuple[str, float]]:
    """Upper bounds with how many are at most that; the last one is of all."""
    so_far = 0
    for bound, count in zip((*map(str, measure.bounds), "+Inf"), times.counts, strict=True):
        so_far += count
        yield bound, so_far


def _figures(figures: Iterable[Figure]) -> Iterator[Any]:
    from prometheus_client.core import GaugeMetricFamily

    families: dict[str, Any] = {}
    for each in figures:
        if each.name not in families:
            families[each.name] = GaugeMetricFamily(each.name, each.help, labels=list(each.labels))
        families[each.name].add_metric(list(each.labels.values()), each.value)
    yield from families.values()
