"""Crossing of folds: what a chooser says of documents that nothing of it has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.values.fitting import Case, calibrated, fit_stage, fit_words, value_rows
from core.extract.chooser.model import Chooser, Floats, Judged, ValueStage, Words


@dataclass(frozen=True, slots=True)
class Outcome:
    """A document's best value: its probability, whether it is right, whether the rules give the same or another.

    states: whether the document states the field.
    """

    name: str
    probability: float
    is_right: bool
    agrees: bool
    states: bool
    rule_right: bool
    rule_given: bool


def scores_by_fold(cases: Sequence[Case]) -> dict[str, Floats]:
    """Scores of the linear stage of every case, by words of the other folds."""
    found: dict[str, Floats] = {}
    for fold in sorted({case.fold for case in cases}):
        words = fit_words([case for case in cases if case.fold != fold])
        for case in cases:
            if case.fold == fold:
                found[case.name] = words.score(case.options)
    return found


def fit_two_stages(cases: Sequence[Case]) -> tuple[Words, ValueStage, list[Outcome]]:
    """Words, a calibrated stage, and the outcomes of every case by stages of the other folds."""
    scores = scores_by_fold(cases)
    rows = {case.name: value_rows(case, scores[case.name]) for case in cases}
    held: dict[str, Floats] = {}
    folds = sorted({case.fold for case in cases})
    for fold in folds:
        stage = fit_stage(*stacked([rows[c.name] for c in cases if c.fold != fold]))
        for case in cases:
            if case.fold == fold and len(case.options):
                held[case.name] = stage.logits(rows[case.name][0])
    logits = np.concatenate([held[c.name] for c in cases if len(c.options)])
    target = np.concatenate([rows[c.name][1] for c in cases if len(c.options)])
    stage = calibrated(fit_stage(*stacked([rows[c.name] for c in cases])), logits, target)
    outcomes = [
        outcome(case, 1 / (1 + np.exp(-(stage.slope * held[case.name] + stage.offset))) if len(case.options) else None)
        for case in cases
    ]
    return fit_words(cases), stage, outcomes


def stacked(pairs: Sequence[tuple[Floats, np.ndarray]]) -> tuple[Floats, np.ndarray]:
    """All rows and targets."""
    kept = [pair for pair in pairs if len(pair[1])]
    return np.concatenate([rows for rows, _ in kept]), np.concatenate([target for _, target in kept])


def outcome(case: Case, probabilities: Floats | None) -> Outcome:
    """The best value of a case."""
    from core.extract.chooser.model import grouped

    if probabilities is None:
        return Outcome(case.name, 0.0, False, False, case.states, False, False)
    groups = list(grouped(case.options).items())
    rights = [any(case.right[i] for i in indices) for _, indices in groups]
    rules = [max(case.options[i].rule for i in indices) for _, indices in groups]
    best, first = int(np.argmax(probabilities)), int(np.argmax(rules))
    given = rules[first] >= 0.9
    return Outcome(
        case.name, float(probabilities[best]), rights[best], given and best == first, case.states,
        given and rights[first], given,
    )


def choose_threshold(outcomes: Sequence[Outcome], precision: float) -> float:
    """The least probability from which outcomes are right in `precision`, as calibrated; 1.01 for none.

    By the mean of the probabilities, not by counts: among the few that are wrong counts leap.
    """
    ranked = sorted((each.probability for each in outcomes), reverse=True)
    means = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    held = np.flatnonzero(means >= precision)
    return ranked[held[-1]] if len(held) else 1.01


def nested(cases: Sequence[Case], precision: float) -> tuple[list[Outcome], list[Outcome], list[bool], list[bool]]:
    """Outcomes in folds and aside with whether each is given, thresholds inside."""
    seen = [case for case in cases if case.fold >= 0]
    aside = [case for case in cases if case.fold < 0]
    inside, given = [], []
    for fold in sorted({case.fold for case in seen}):
        words, stage, held = fit_two_stages([case for case in seen if case.fold != fold])
        limit = choose_threshold(held, precision)
        for case in seen:
            if case.fold == fold:
                each = judged(case, words, stage)
                inside.append(each)
                given.append(each.probability >= limit)
    out, out_given = [], []
    if aside:
        words, stage, held = fit_two_stages(seen)
        limit = choose_threshold(held, precision)
        out = [judged(case, words, stage) for case in aside]
        out_given = [each.probability >= limit for each in out]
    return inside, out, given, out_given


def judged(case: Case, words: Words, stage: ValueStage) -> Outcome:
    """Outcome of a case that neither stage has seen."""
    if not len(case.options):
        return outcome(case, None)
    rows, _ = value_rows(case, words.score(case.options))
    return outcome(case, stage.probabilities(rows))
