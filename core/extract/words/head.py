"""A small head of one field: learnt from people's verdicts, and deciding only where it has been right.

A logistic regression over three views of a sentence: the signs of the ranking, its mean vector, and its
words, hashed. Each is scaled so that the few verdicts of one person cannot carry a weight far. A document's
score is that of its best sentence. Scores of documents become probabilities by a logistic curve over scores
that each document got from the verdicts on all others (cross-validation, a document left out at a time;
source: Platt 1999). Lines between absent, undecided and present are drawn where of the documents beyond them,
judged in that way, enough were right: (right + 4 x expected) / (all + 4) >= RIGHT, where the curve's own mean
probability counts like four documents; at most one in ten, or one, may be wrong, at least four must lie
beyond, and no line comes nearer to even odds than 0.7. Among 54 rules this one was chosen on 26 categories of
CUAD that bench.custom_fields does not ask for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.passage import Matrix
from core.extract.words.ranking import SIGNS
from core.extract.words.units import Floats

RIGHT = 0.90
"""Share of decided documents that must be right, by a cautious estimate."""

_EXPECTED_WEIGHT, _LEAST_BEYOND, _NEAREST_LINE = 4.0, 4, 0.7

LEAST_VERDICTS = 20
"""Documents that must be judged before anything is decided."""

LOOKED_AT = 24
"""Sentences of a document, by the ranking, that a head weighs."""

WORDS = 1024
# Chosen on 26 categories of CUAD in 60 contracts, none of which bench.custom_fields asks for.
_SIGN_SCALE, _VECTOR_SCALE, _WORD_SCALE = 0.5, 3.0, 2.0
_RIDGE = 1.0
_NEVER_PRESENT, _NEVER_ABSENT = 1.01, -0.01


@dataclass(frozen=True, slots=True)
class Candidates:
    """Sentences of one document, best first by the ranking. units: which they are.

    signs: (k, SIGNS); vectors: (k, d); words: (k, WORDS) of unit norm; prior: (k,) scores of the ranking.
    """

    units: tuple[int, ...]
    signs: Floats
    vectors: Matrix
    words: Matrix
    prior: Floats

    def __len__(self) -> int:
        return len(self.units)


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A document with a person's verdict. stated: rows of its candidates that state the field; () for none.

    is_stated: also where the sentence that states it is no candidate.
    """

    candidates: Candidates
    is_stated: bool
    stated: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WordHead:
    """A head of one field. slope, shift: from a document's score to a probability.

    absent_below, present_from: lines between which nothing is decided. figures: what was measured of it.
    disputed: keys of sentences that people judged both ways; a document with one of them is not decided.
    """

    signs: Floats
    vectors: Floats
    words: Floats
    bias: float
    slope: float = 1.0
    shift: float = 0.0
    absent_below: float = _NEVER_ABSENT
    present_from: float = _NEVER_PRESENT
    figures: Mapping[str, Any] = field(default_factory=dict)
    disputed: tuple[str, ...] = ()

    @property
    def decides(self) -> bool:
        """True where it may call any document absent or present."""
        return self.present_from <= 1 or self.absent_below > 0

    @property
    def is_calibrated(self) -> bool:
        """True where verdicts bear out its probabilities: enough of them, better than their mere share."""
        known, stated = int(self.figures.get("verdicts", 0)), int(self.figures.get("stated", 0))
        if known < LEAST_VERDICTS or "log_loss" not in self.figures or not 0 < stated < known:
            return False
        share = stated / known
        by_share = -(share * log(share) + (1 - share) * log(1 - share))
        return bool(self.figures["log_loss"] < by_share)

    @property
    def said(self) -> str:
        """What was measured of it, in a sentence for the cells that it decides."""
        right, decided = self.figures.get("right", 0), self.figures.get("decided", 0)
        return (
            f"Decided by what {self.figures.get('verdicts', 0)} verdicts on this field have in common: of "
            f"{decided} of them that it would decide without having seen them, {right} are right."
        )

    def weigh(self, candidates: Candidates) -> Floats:
        """(k,) logits of a document's candidates."""
        found = candidates.signs @ self.signs + self.bias
        if candidates.vectors.shape[1] == len(self.vectors):
            found = found + candidates.vectors @ self.vectors
        return np.asarray(found + candidates.words @ self.words)

    def probability(self, logits: Floats) -> float:
        """Probability that a document states the field, of its candidates' logits; 0.0 without any."""
        return _sigmoid(self.slope * score_of(logits) + self.shift) if len(logits) else 0.0

    def to_json(self) -> str:
        """All of it as text, which `from_json` reads."""
        arrays = {name: [round(float(each), 5) for each in getattr(self, name)] for name in _ARRAYS}
        plain = {name: getattr(self, name) for name in _NUMBERS}
        return json.dumps({**arrays, **plain, "figures": dict(self.figures), "disputed": self.disputed})

    @classmethod
    def from_json(cls, text: str) -> WordHead:
        """The head that `to_json` wrote, also before a sign was added. Raises ValueError for another text."""
        found = json.loads(text)
        given: dict[str, Any] = {name: np.array(found[name], float) for name in _ARRAYS}
        given |= {name: float(found[name]) for name in _NUMBERS}
        given["signs"] = np.pad(given["signs"], (0, max(0, len(SIGNS) - len(given["signs"]))))
        return cls(**given, figures=found["figures"], disputed=tuple(found["disputed"]))


_ARRAYS = ("signs", "vectors", "words")
_NUMBERS = ("bias", "slope", "shift", "absent_below", "present_from")


def score_of(logits: Floats) -> float:
    """Score of a document: its best sentence, and a little of the two after it."""
    best = np.sort(logits)[::-1][:3]
    return float(best[0] + 0.15 * (best[1:] - best[0]).sum()) if len(best) else 0.0


def fit_head(judged: Sequence[JudgedDocument]) -> WordHead:
    """A head from verdicts; one that decides nothing where they are few, or all of one kind."""
    known = [each for each in judged if len(each.candidates)]
    if not known:
        return WordHead(np.zeros(len(SIGNS)), np.zeros(0), np.zeros(WORDS), 0.0, figures=_no_figures(judged))
    labels = np.array([each.is_stated for each in known])
    rows = _Rows.of(known)
    whole = rows.fit(np.ones(len(known), bool))
    if labels.all() or not labels.any():
        return replace(whole, figures=_no_figures(judged))
    outside = rows.scores_from_outside(known)
    slope, shift = _curve(outside, labels)
    probabilities = np.array([_sigmoid(slope * each + shift) for each in outside])
    absent_below, present_from = lines(probabilities, labels) if len(known) >= LEAST_VERDICTS else _NO_LINES
    figures = _figures(probabilities, labels, absent_below, present_from)
    lined = replace(whole, absent_below=absent_below, present_from=present_from)
    return replace(lined, slope=slope, shift=shift, figures=figures)


_NO_LINES = (_NEVER_ABSENT, _NEVER_PRESENT)


def lines(probabilities: Floats, labels: NDArray[np.bool_]) -> tuple[float, float]:
    """Absent below, present from: as far as documents beyond them are right by a cautious estimate."""
    present = _line(probabilities, labels)
    absent = 1 - _line(1 - probabilities, ~labels)
    absent = _NEVER_ABSENT if absent <= 0 else absent
    return min(absent, present), present


def _line(probabilities: Floats, is_right: NDArray[np.bool_]) -> float:
    order = np.argsort(-probabilities, kind="stable")
    ranked, right = probabilities[order], np.cumsum(is_right[order])
    found = _NEVER_PRESENT
    for count in range(_LEAST_BEYOND, len(order) + 1):
        is_border = count == len(order) or ranked[count] < ranked[count - 1]
        wrong = count - int(right[count - 1])
        if not is_border or ranked[count - 1] < _NEAREST_LINE or wrong > max(1, count // 10):
            continue
        if smoothed(count - wrong, count, float(ranked[:count].mean())) >= RIGHT:
            following = ranked[count] if count < len(order) else 0.0
            found = max(_NEAREST_LINE, float(ranked[count - 1] + following) / 2)
    return found


def smoothed(right: int, count: int, expected: float) -> float:
    """Share of right ones among few, drawn towards the share that the curve expects of them."""
    return (right + _EXPECTED_WEIGHT * expected) / (count + _EXPECTED_WEIGHT)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Sentences to learn from: what is measured of each, as one matrix of inner products.

    owner: which document each is of; truth, weight: of each.
    """

    signs: Floats
    vectors: Floats
    words: Floats
    owner: NDArray[np.int64]
    truth: NDArray[np.bool_]
    weight: Floats
    products: Floats

    @classmethod
    def of(cls, judged: Sequence[JudgedDocument]) -> _Rows:
        used = [
            (number, at, weight)
            for number, each in enumerate(judged)
            for at in range(len(each.candidates))
            if (weight := _weight(each, at))
        ]
        rows = [(judged[number].candidates, at) for number, at, _ in used]
        signs = np.array([each.signs[at] for each, at in rows]) * _SCALES
        vectors = np.array([each.vectors[at] for each, at in rows], float)
        words = np.array([each.words[at] for each, at in rows], float)
        truth = np.array([at in judged[number].stated for number, at, _ in used], bool)
        products = signs @ signs.T + _VECTOR_SCALE**2 * vectors @ vectors.T + _WORD_SCALE**2 * words @ words.T
        owner, weights = np.array([each[0] for each in used]), np.array([each[2] for each in used], float)
        return cls(signs, vectors, words, owner, truth, weights, products)

    def fit(self, used: NDArray[np.bool_]) -> WordHead:
        """A head from some of the documents."""
        chosen = np.flatnonzero(used[self.owner])
        dual, bias = _logistic(self.products[np.ix_(chosen, chosen)], self.truth[chosen], self.weight[chosen])
        return WordHead(
            (self.signs[chosen].T @ dual) * _SCALES,
            _VECTOR_SCALE**2 * self.vectors[chosen].T @ dual,
            _WORD_SCALE**2 * self.words[chosen].T @ dual,
            bias,
        )

    def scores_from_outside(self, judged: Sequence[JudgedDocument]) -> Floats:
        """(documents,) each by a head that was learnt from all others."""
        found = []
        for number, each in enumerate(judged):
            used = np.ones(len(judged), bool)
            used[number] = False
            found.append(score_of(self.fit(used).weigh(each.candidates)))
        return np.array(found)


_SCALES = np.array([_SIGN_SCALE] * len(SIGNS))


def _weight(judged: JudgedDocument, at: int) -> float:
    """Weight of a sentence in learning; 0 where nobody knows whether it states the field."""
    if at in judged.stated:
        return 3.0
    if not judged.is_stated:
        return 1.0 if at < 3 else 0.5
    return 0.3 if at >= len(judged.candidates) // 2 else 0.0


def _logistic(products: Floats, truth: NDArray[np.bool_], weight: Floats) -> tuple[Floats, float]:
    """Dual weights and bias of a logistic regression with a ridge, by Newton's method.

    Source: Zhu and Hastie 2005, kernel logistic regression.
    """
    count = len(truth)
    dual, bias = np.zeros(count), 0.0
    for _ in range(12):
        logits = products @ dual + bias
        p = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        curve = np.maximum(weight * p * (1 - p), 1e-6)
        target = logits + weight * (truth - p) / curve
        # (K + ridge / curve) dual + bias = target, and the weights of the dual sum to 0.
        system = np.zeros((count + 1, count + 1))
        system[:count, :count] = products
        system[np.arange(count), np.arange(count)] += _RIDGE / curve
        system[:count, count] = system[count, :count] = 1.0
        system[count, count] = -1e-9
        solved = np.linalg.solve(system, np.append(target, 0.0))
        change = float(np.abs(solved[:count] - dual).max(initial=0.0))
        dual, bias = solved[:count], float(solved[count])
        if change < 1e-5:
            break
    return dual, bias


def _curve(scores: Floats, labels: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and shift of the logistic curve; few verdicts keep it near a slope of one."""
    center, spread = float(scores.mean()), max(float(scores.std()), 1e-6)
    x = (scores - center) / spread
    slope, shift = 1.0, 0.0
    yes, no = int(labels.sum()), int((~labels).sum())
    target = np.where(labels, (yes + 1) / (yes + 2), 1 / (no + 2))  # Platt's own smoothing
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(slope * x + shift, -30, 30)))
        error, curve = p - target, np.maximum(p * (1 - p), 1e-6)
        gradient = np.array([error @ x + 0.05 * (slope - 1.0), error.sum()])
        cross = float(curve @ x)
        hessian = np.array([[curve @ (x * x) + 0.05, cross], [cross, curve.sum() + 1e-6]])
        step = np.clip(np.linalg.solve(hessian, gradient), -2, 2)
        slope, shift = slope - float(step[0]), shift - float(step[1])
        if np.abs(step).max() < 1e-8:
            break
    slope = max(slope, 1e-3)
    return slope / spread, shift - slope * center / spread


def _sigmoid(value: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))


def _no_figures(judged: Sequence[JudgedDocument]) -> dict[str, Any]:
    stated = sum(each.is_stated for each in judged)
    return {"verdicts": len(judged), "stated": stated, "decided": 0, "right": 0}


def _figures(
    probabilities: Floats, labels: NDArray[np.bool_], absent_below: float, present_from: float
) -> dict[str, Any]:
    present, absent = probabilities >= present_from, probabilities < absent_below
    return {
        "verdicts": len(labels),
        "stated": int(labels.sum()),
        "decided": int((present | absent).sum()),
        "right": int((present & labels).sum() + (absent & ~labels).sum()),
        "present": int(present.sum()),
        "present_right": int((present & labels).sum()),
        "absent": int(absent.sum()),
        "absent_right": int((absent & ~labels).sum()),
        "best_guesses_right": int(((probabilities >= 0.5) == labels).sum()),
        "log_loss": round(float(-np.log(np.where(labels, probabilities, 1 - probabilities)).mean()), 4),
    }
