"""Probability that words mean any field of a catalogue at all: of a "dress code" nothing here may be known.

The probabilities of links compare fields with each other, so that one of them always comes out best. This one
weighs how near the best field is by itself: a logistic regression over the linker's features, fitted on words
whose field was there, and on the same words with their field taken away.
"""

from __future__ import annotations

import numpy as np

from core.domain.passage import Matrix, Vector
from core.plan.reader.linker import FEATURES
from core.plan.reader.logistic import LogisticRegression
from core.plan.reader.reading import SpanRole

SIGNS = (*FEATURES, "score", "margin")
ROLES = (SpanRole.CONDITION, SpanRole.ASKED)
"""Parts of which the words name a field; those of others hold values, of which other readers know."""


def existence_signs(features: Matrix, scores: Vector) -> Vector:
    """(len(SIGNS),) of the best of some candidates.

    features: (candidates, len(FEATURES)); scores: their log odds.
    """
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    margin = float(scores[best] - scores[order[1]]) if len(order) > 1 else _FAR
    return np.array([*features[best], scores[best] / _SCALE, min(margin, _FAR) / _SCALE], dtype=np.float32)


_FAR = 20.0
_SCALE = 10.0  # of log odds, so that they are as large as the cosines beside them


class Existence(LogisticRegression):
    """Logistic regression of "a field is meant" over its signs."""

    __slots__ = ()
    SIGNS = SIGNS
