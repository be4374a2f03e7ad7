"""Probabilities that a whole reading is right, and that words mean any field: regressions over named signs.

The probabilities of links compare fields with each other, so that one of them always comes out best; of a
"dress code" nothing here may be known. `Existence` weighs how near the best field is by itself: fitted on
words whose field was there, and on the same words with their field taken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from core.domain.passage import Matrix, Vector
from core.plan.reader.decode import WordSpan, logistic
from core.plan.reader.linker import FEATURES
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
EXISTING = (SpanRole.CONDITION, SpanRole.ASKED)
"""Parts of which the words name a field; those of others hold values, of which other readers know."""

_LEAST = 1e-4
_FAR = 20.0
_SCALE = 10.0  # of log odds, so that they are as large as the cosines beside them


@dataclass(frozen=True, slots=True)
class LogisticRegression:
    """Weights, one for each of the signs of its class, and a bias."""

    SIGNS: ClassVar[tuple[str, ...]] = ()

    weights: tuple[float, ...]
    bias: float

    def of_signs(self, row: Vector) -> float:
        """The calibrated probability of what it was fitted on, given its signs."""
        return logistic(float(np.dot(row, np.array(self.weights, dtype=np.float32))) + self.bias)

    def as_facts(self) -> dict[str, Any]:
        """Its numbers, as JSON."""
        return {"weights": dict(zip(self.SIGNS, self.weights, strict=True)), "bias": self.bias}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The regression that `as_facts` wrote. Raises KeyError where a sign is missing."""
        return cls(tuple(float(facts["weights"][name]) for name in cls.SIGNS), float(facts["bias"]))


class Confidence(LogisticRegression):
    """Logistic regression of "the whole reading is right" over its signs."""

    __slots__ = ()
    SIGNS = SIGNS


class Existence(LogisticRegression):
    """Logistic regression of "a field is meant" over the linker's features of the best field."""

    __slots__ = ()
    SIGNS = (*FEATURES, "score", "margin")


def signs(
    operations: Sequence[float], spans: Sequence[ReadSpan], tagged: Iterable[WordSpan], words: int
) -> Vector:
    """The signs by which a whole reading is judged.

    operations: probabilities, best first; tagged: the spans as they were before they were linked; words: how
    many the question has.
    """

    def log(value: float) -> float:
        return float(np.log(max(value, _LEAST)))

    tagged = tuple(tagged)
    best, second = operations[0], operations[1] if len(operations) > 1 else 0.0
    said = [log(each.probability) for each in spans]
    links = [log(each.links[0].probability) for each in spans if each.links]
    return np.array(
        [
            log(best),
            best - second,
            min(said, default=0.0),
            sum(said),
            min((log(max(each.negated, 1 - each.negated)) for each in tagged), default=0.0),
            min(links, default=0.0),
            sum(links),
            min((log(each.probability) for each in tagged), default=0.0),
            min((log(each.known) for each in spans), default=0.0),
            len(spans) / 4,
            min(words, 60) / 20,
            float(all(each.role is SpanRole.DOCUMENT for each in spans)),
        ],
        dtype=np.float32,
    )


def existence_signs(features: Matrix, scores: Vector) -> Vector:
    """(len(Existence.SIGNS),) of the best of some candidates.

    features: (candidates, len(FEATURES)); scores: their log odds.
    """
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    margin = float(scores[best] - scores[order[1]]) if len(order) > 1 else _FAR
    return np.array([*features[best], scores[best] / _SCALE, min(margin, _FAR) / _SCALE], dtype=np.float32)
