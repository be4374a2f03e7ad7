"""Probability that a whole reading is right, from how sure its parts are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.domain.passage import Vector
from core.plan.reader.logistic import LogisticRegression
from core.plan.reader.reading import ReadSpan, SpanRole

SIGNS = (
    "operation",
    "operation margin",
    "weakest span",
    "all spans",
    "weakest polarity",
    "weakest link",
    "all links",
    "weakest tag",
    "least known",
    "spans",
    "length",
    "bare",
)
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class PartialSureness:
    """Sureness of the parts of one reading. words: how many the question has; weakest_tag: of a span."""

    operations: tuple[float, ...]
    spans: tuple[ReadSpan, ...]
    polarities: tuple[float, ...]
    weakest_tag: float
    words: int


def signs(sureness: PartialSureness) -> Vector:
    """The signs by which a whole reading is judged."""

    def log(value: float) -> float:
        return float(np.log(max(value, _LEAST)))

    best = sureness.operations[0] if sureness.operations else 1.0
    second = sureness.operations[1] if len(sureness.operations) > 1 else 0.0
    spans = [log(each.probability) for each in sureness.spans]
    links = [log(each.links[0].probability) for each in sureness.spans if each.links]
    polarities = [log(each) for each in sureness.polarities]
    is_bare = not any(each.role is not SpanRole.DOCUMENT for each in sureness.spans)
    return np.array(
        [
            log(best),
            best - second,
            min(spans, default=0.0),
            sum(spans),
            min(polarities, default=0.0),
            min(links, default=0.0),
            sum(links),
            log(sureness.weakest_tag),
            min((log(each.known) for each in sureness.spans), default=0.0),
            len(sureness.spans) / 4,
            min(sureness.words, 60) / 20,
            float(is_bare),
        ],
        dtype=np.float32,
    )


class Confidence(LogisticRegression):
    """Logistic regression of "the whole reading is right" over its signs."""

    __slots__ = ()
    SIGNS = SIGNS

    def probability(self, sureness: PartialSureness) -> float:
        """The calibrated probability of a reading."""
        return self.of_signs(signs(sureness))
