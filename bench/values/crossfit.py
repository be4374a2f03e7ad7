"""Crossing of folds: what a chooser says of documents that nothing of it has seen.

In a training side the words of the linear stage judge only folds that they were not fitted on, and so does
the second stage; limits come from what these say. A judged document's fold takes no part in any of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bench.values.fitting import Case, calibrated, fit_stage, fit_words, value_rows
from core.extract.chooser.model import Floats, GivingLimits, Judged, ValueChooser, ValueStage, Words, judge
from core.extract.clauses.heads import sigmoid
from core.extract.decision import PRESENT_FROM


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is said of a document: the best value's probability, whether it is right, whether the rules agree.

    states: whether the document states the field by its label. rule_given, rule_right: the rules alone.
    """

    name: str
    probability: float
    is_right: bool
    agrees: bool
    states: bool
    rule_given: bool
    rule_right: bool
    given: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """A chooser fitted on some cases, and what it says of these, each by models that had not seen it."""

    words: Words
    stage: ValueStage
    held_out: dict[str, list[Judged]]


def scores_by_fold(cases: Sequence[Case]) -> dict[str, Floats]:
    """Scores of the linear stage of every case, by words of the other folds."""
    found: dict[str, Floats] = {}
    for fold in sorted({case.fold for case in cases}):
        words = fit_words([case for case in cases if case.fold != fold])
        for case in cases:
            if case.fold == fold:
                found[case.name] = words.score(case.options)
    return found


def fit_side(cases: Sequence[Case], exclusive: bool = True) -> Side:
    """Both stages, calibrated."""
    held = [case for case in cases if len(case.options)]
    scores = scores_by_fold(held)
    rows = {case.name: value_rows(case, scores[case.name]) for case in held}
    logits: dict[str, Floats] = {}
    for fold in sorted({case.fold for case in held}):
        stage = fit_stage(*_stacked([rows[case.name] for case in held if case.fold != fold]))
        for case in held:
            if case.fold == fold:
                logits[case.name] = stage.logits(rows[case.name][0])
    everything = np.concatenate([logits[case.name] for case in held])
    target = np.concatenate([rows[case.name][1] for case in held])
    stage = calibrated(fit_stage(*_stacked([rows[case.name] for case in held])), everything, target)
    held_out = {
        case.name: judge(
            case.options,
            scores[case.name],
            sigmoid(stage.slope * logits[case.name] + stage.offset),
            exclusive=exclusive,
        )
        for case in held
    }
    return Side(fit_words(held), stage, held_out)


def _stacked(pairs: Sequence[tuple[Floats, np.ndarray]]) -> tuple[Floats, np.ndarray]:
    return np.concatenate([rows for rows, _ in pairs]), np.concatenate([target for _, target in pairs])


def outcome(case: Case, judged: Sequence[Judged]) -> Outcome:
    """The best value of a case held against its label."""
    if not judged:
        return Outcome(case.name, 0.0, False, False, case.states, False, False)
    right = {option.group for option, is_right in zip(case.options, case.right, strict=True) if is_right}
    best = judged[0]
    ruled = max(judged, key=lambda each: each.rule)
    given = ruled.rule >= PRESENT_FROM
    return Outcome(
        case.name,
        best.probability,
        best.group in right,
        given and ruled.group == best.group,
        case.states,
        given,
        given and ruled.group in right,
    )


def least_probability(
    probabilities: Sequence[float], precision: float, right: Sequence[bool] | None = None
) -> float:
    """The least probability from which values are right in `precision`; 1.01 for none.

    By the mean of the probabilities as calibrated: among the few that are wrong counts leap. By the counts of
    `right` where it is given: for labels that are blank where a text does state a value, so that the
    calibration holds even the likeliest for doubtful.
    """
    order = np.argsort(-np.array(probabilities), kind="stable")
    ranked = np.array(probabilities)[order]
    of = ranked if right is None else np.array(right)[order]
    held = np.flatnonzero(np.cumsum(of) / np.arange(1, len(ranked) + 1) >= precision)
    return float(ranked[held[-1]]) if len(held) else 1.01


class Target(NamedTuple):
    """How right values that are given shall be, and whether that is counted or taken from probabilities."""

    precision: float
    is_counted: bool = False


def limits_of(outcomes: Sequence[Outcome], target: Target) -> GivingLimits:
    """Limits by which what is given is as right as that, of this reader alone and of both that agree."""

    def least(some: Sequence[Outcome]) -> float:
        right = [each.is_right for each in some] if target.is_counted else None
        return least_probability([each.probability for each in some], target.precision, right)

    return GivingLimits(least(outcomes), least([each for each in outcomes if each.agrees]))


def fit_chooser(cases: Sequence[Case], target: Target) -> ValueChooser:
    """A chooser of one value, with its limits."""
    side = fit_side(cases)
    outcomes = [outcome(case, side.held_out.get(case.name, [])) for case in cases]
    return ValueChooser(side.words, side.stage, limits_of(outcomes, target))


def nested(cases: Sequence[Case], target: Target) -> dict[str, list[Outcome]]:
    """Outcomes in "folds" and "aside", each by a chooser of which nothing saw its fold."""
    seen = [case for case in cases if case.fold >= 0]
    found: dict[str, list[Outcome]] = {"folds": [], "aside": []}
    for fold in sorted({case.fold for case in seen}):
        chooser = fit_chooser([case for case in seen if case.fold != fold], target)
        found["folds"] += [_judged(case, chooser) for case in seen if case.fold == fold]
    aside = [case for case in cases if case.fold < 0]
    if aside:
        chooser = fit_chooser(seen, target)
        found["aside"] = [_judged(case, chooser) for case in aside]
    return found


def _judged(case: Case, chooser: ValueChooser) -> Outcome:
    said = outcome(case, chooser.judge(case.options))
    given = said.probability > 0 and chooser.limits.give(said.probability, said.agrees)
    return Outcome(
        said.name,
        said.probability,
        said.is_right,
        said.agrees,
        said.states,
        said.rule_given,
        said.rule_right,
        given,
    )
