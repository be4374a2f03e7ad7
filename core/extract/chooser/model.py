"""A chooser: how likely each value that a text may state is the right one.

Two stages. A linear one over the words around each candidate; then, over (document, value), boosted trees and
a logistic regression, whose logits are averaged, over what the linear stage says of all places of the value,
what the rules say of it, and how its rivals fare. Calibration by Platt (1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.extract.chooser.option import ChoosableValue
from core.extract.clauses.calibrate import sigmoid
from core.extract.clauses.heads import Trees

Floats = NDArray[np.float64]

COMMON = 13
"""Measures of a value that every field has, before the best candidate's own facts."""

_NOTHING = -6.0


@dataclass(frozen=True, slots=True)
class Words:
    """The linear stage. weights: (models, COLUMNS); bias: (models,)."""

    weights: NDArray[np.float32] = field(repr=False)
    bias: NDArray[np.float32]

    def score(self, options: Sequence[ChoosableValue]) -> Floats:
        """(options, models) logits; a row has unit length, whatever the number of its columns."""
        scores = np.zeros((len(options), len(self.bias)))
        for row, option in enumerate(options):
            columns = np.array(option.columns, np.int64)
            scores[row] = self.weights[:, columns].sum(axis=1) / np.sqrt(max(1, len(columns))) + self.bias
        return scores


@dataclass(frozen=True, slots=True)
class Judged:
    """A value with its calibrated probability of being right. options: its places, the likeliest first."""

    group: str
    probability: float
    options: tuple[ChoosableValue, ...]

    @property
    def rule(self) -> float:
        """The rules' confidence of it."""
        return max(option.rule for option in self.options)


def grouped(options: Sequence[ChoosableValue]) -> dict[str, list[int]]:
    """The indices of the options of each value, in reading order."""
    groups: dict[str, list[int]] = {}
    for index, option in enumerate(options):
        groups.setdefault(option.group, []).append(index)
    return groups


def measure(options: Sequence[ChoosableValue], scores: Floats) -> tuple[list[str], Floats]:
    """The values, and of each (COMMON + facts,) measures.

    scores: (options, models) of the linear stage, of which the first counts for ranks.
    """
    groups = grouped(options)
    names = list(groups)
    models = scores.shape[1] if len(options) else 1
    width = len(options[0].facts) if options else 0
    rows = np.zeros((len(names), COMMON + 2 * (models - 1) + width))
    best = {name: max(indices, key=lambda index: scores[index, 0]) for name, indices in groups.items()}
    tops = np.array([scores[best[name], 0] for name in names])
    rules = np.array([max(options[index].rule for index in groups[name]) for name in names])
    for at, name in enumerate(names):
        indices = groups[name]
        own = np.sort(scores[indices, 0])[::-1]
        rivals = np.delete(tops, at)
        rival_rules = np.delete(rules, at)
        rows[at, :COMMON] = (
            own[0],
            own[1] if len(own) > 1 else _NOTHING,
            np.logaddexp.reduce(own),
            np.log1p(len(indices)),
            rules[at],
            rival_rules.max(initial=0.0),
            rules[at] - rival_rules.max(initial=0.0),
            own[0] - rivals.max(initial=_NOTHING),
            float((rivals > own[0]).sum()),
            np.log1p(len(names)),
            float(min(indices)) / max(1, len(options)),
            float((rival_rules > rules[at]).sum()),
            own.mean(),
        )
        extra = scores[indices, 1:]
        rows[at, COMMON : COMMON + models - 1] = extra.max(axis=0)
        rows[at, COMMON + models - 1 : COMMON + 2 * (models - 1)] = scores[best[name], 1:]
        rows[at, COMMON + 2 * (models - 1) :] = options[best[name]].facts
    return names, rows


@dataclass(frozen=True, slots=True)
class ValueStage:
    """The second stage. mean, deviation, weights: (measures,) of the regression, with `bias`.

    runs: how many boosted models `trees` holds. slope, offset: of the calibration.
    """

    mean: Floats
    deviation: Floats
    weights: Floats
    bias: float
    trees: Trees
    runs: int
    slope: float = 1.0
    offset: float = 0.0

    def logits(self, rows: Floats) -> Floats:
        """(values,) before calibration."""
        linear = ((rows - self.mean) / self.deviation) @ self.weights + self.bias
        if not self.runs:
            return np.asarray(linear)
        return np.asarray((linear + self.trees.predict(rows) / self.runs) / 2)

    def probabilities(self, rows: Floats) -> Floats:
        """(values,), calibrated."""
        return sigmoid(self.slope * self.logits(rows) + self.offset)


def judge(
    options: Sequence[ChoosableValue], scores: Floats, probabilities: Floats, *, exclusive: bool = True
) -> list[Judged]:
    """The values of a document, likeliest first; equal ones in reading order.

    scores: of the linear stage, by which the places of a value are ordered. exclusive: only one of the values
    can be right, so that their probabilities may not sum to more than 1.
    """
    groups = grouped(options)
    shares = probabilities / max(1.0, float(probabilities.sum())) if exclusive else probabilities
    found = [
        Judged(
            name,
            float(share),
            tuple(options[index] for index in sorted(indices, key=lambda each: -scores[each, 0])),
        )
        for (name, indices), share in zip(groups.items(), shares, strict=True)
    ]
    return sorted(found, key=lambda each: -each.probability)


@dataclass(frozen=True, slots=True)
class GivingLimits:
    """Probabilities from which a value is given: by this reader alone, and where the rules give the same."""

    given_from: float
    agreed_from: float

    def give(self, probability: float, agrees: bool) -> bool:
        """True where a value of that probability is given."""
        return probability >= (min(self.agreed_from, self.given_from) if agrees else self.given_from)


@dataclass(frozen=True, slots=True)
class ValueChooser:
    """Of one field. exclusive: a document states one value of it."""

    words: Words
    stage: ValueStage
    limits: GivingLimits
    exclusive: bool = True

    def judge(self, options: Sequence[ChoosableValue]) -> list[Judged]:
        """The values of a document, likeliest first."""
        if not options:
            return []
        scores = self.words.score(options)
        _, rows = measure(options, scores)
        return judge(options, scores, self.stage.probabilities(rows), exclusive=self.exclusive)
