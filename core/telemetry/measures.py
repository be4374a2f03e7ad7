"""Measures of this process, and the numbers that they have come to since it started.

Kept in plain numbers: the client package of Prometheus takes .2 to .4 s to import, which the first page would
wait for. `core.telemetry.prometheus` reads them when somebody asks.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

OTHER = "other"
MOST_SERIES = 300  # of one measure; what comes after it is counted as OTHER
_VALUE = re.compile(r"[A-Za-z0-9_./ :-]{0,40}")
_QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SLOW = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 45.0, 120.0)


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is counted. bounds: upper ones in seconds, of a measure of times; () of a count.

    can_fall: a number that goes up and down.
    """

    name: str
    help: str
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    can_fall: bool = False


REQUESTS = Measure("groundwork_http_requests", "Requests answered.", ("area", "method", "status"))
REQUEST_TIMES = Measure(
    "groundwork_http_request_seconds", "Seconds until a response begins.", ("area",), _QUICK
)
SOCKETS = Measure("groundwork_websockets_open", "WebSockets that are open: one a page.", can_fall=True)
QUESTIONS = Measure(
    "groundwork_questions", "Questions and plans that ended.", ("kind", "route", "outcome", "model")
)
QUESTION_TIMES = Measure(
    "groundwork_question_seconds", "Seconds until the answer stands.", ("kind", "model"), _SLOW
)
STAGE_TIMES = Measure("groundwork_stage_seconds", "Seconds of one stage of a question.", ("stage",), _SLOW)
DEGRADATIONS = Measure("groundwork_degradations", "Answers that were given with less, by code.", ("code",))
JOBS = Measure("groundwork_jobs_ended", "Jobs that this process carried to their end.", ("kind", "state"))
ALL = (REQUESTS, REQUEST_TIMES, SOCKETS, QUESTIONS, QUESTION_TIMES, STAGE_TIMES, DEGRADATIONS, JOBS)

Labels = tuple[str, ...]


@dataclass(slots=True)
class Times:
    """Times of one series. counts: by bound, the last one above all of them; total: their sum in seconds."""

    counts: list[int]
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the home as it stands when it is asked for, such as how many jobs wait."""

    name: str
    help: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


class Tally:
    """Numbers by measure and labels. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards both: a sum is read and written
        self._counts: dict[Measure, dict[Labels, float]] = {}
        self._times: dict[Measure, dict[Labels, Times]] = {}

    def count(self, measure: Measure, *labels: str, by: float = 1) -> None:
        """Count once more, or `by`. labels: in the order of the measure's."""
        with self._lock:
            series = self._counts.setdefault(measure, {})
            key = _key(measure, labels, series)
            series[key] = series.get(key, 0.0) + by

    def time(self, measure: Measure, seconds: float, *labels: str) -> None:
        """Count a time in seconds."""
        with self._lock:
            series = self._times.setdefault(measure, {})
            key = _key(measure, labels, series)
            if key not in series:
                series[key] = Times([0] * (len(measure.bounds) + 1))
            series[key].counts[bisect_left(measure.bounds, seconds)] += 1
            series[key].total += seconds

    def counted(self, measure: Measure) -> dict[Labels, float]:
        """Numbers of a count by labels; {} where nothing was counted."""
        with self._lock:
            return dict(self._counts.get(measure, {}))

    def timed(self, measure: Measure) -> dict[Labels, Times]:
        """Times of a measure by labels."""
        with self._lock:
            series = self._times.get(measure, {})
            return {key: Times(list(each.counts), each.total) for key, each in series.items()}


def _key(measure: Measure, labels: Sequence[str], series: Mapping[Labels, object]) -> Labels:
    """The labels as they are kept: of plain signs, and no more of them than a server of metrics takes."""
    if len(labels) != len(measure.labels):
        raise ValueError(f"{measure.name} has {len(measure.labels)} labels, not {len(labels)}")
    key = tuple(each if _VALUE.fullmatch(each) else OTHER for each in labels)
    return key if key in series or len(series) < MOST_SERIES else (OTHER,) * len(key)


def known(value: str, values: Iterator[str] | Sequence[str] | frozenset[str]) -> str:
    """The value where it is one of those; OTHER else."""
    return value if value in values else OTHER


TALLY = Tally()
"""That of this process."""
