"""Figures of measured cases: every metric computed in one place, None with a reason where it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median, quantiles

from core.domain.answer import Status
from core.evaluate.measured import MeasuredCase
from core.evaluate.metrics import METRICS, MetricFigure
from core.evaluate.suite import AnswerShape

_NO_CASE = "No case of this run was asked."
_NO_GOLD = "No case of this run names the documents or pages of its answer."
_NO_CLAIM = "No answer of this run was shown with a claim."
_NO_ANSWER = "No question of this run was answered."
_NO_MODEL = "No language model was called."


def figures(cases: Iterable[MeasuredCase]) -> tuple[MetricFigure, ...]:
    """Every metric over these cases, in the order of METRICS.

    Muted cases count for cost alone, skipped ones not at all.
    """
    every = list(cases)
    counted = [each for each in every if each.counts]
    asked = [each for each in counted if each.is_asked]
    found = [
        _mean("exact", [float(each.result.exact) for each in asked], _NO_CASE),
        _mean("silently_wrong", [float(each.result.silently_wrong) for each in asked], _NO_CASE),
        _of("precision_at_10", counted, lambda each: each.measures.precision_at_10, _NO_GOLD),
        _of("recall_at_50", counted, lambda each: each.measures.recall_at_50, _NO_GOLD),
        _of("mrr", counted, lambda each: each.measures.reciprocal_rank, _NO_GOLD),
        _hallucinations(asked),
        _citations(asked),
        _of("faithfulness", asked, lambda each: each.measures.faithfulness, _NO_CLAIM),
        _of("answer_relevancy", asked, lambda each: each.measures.answer_relevancy, _NO_ANSWER),
        _of("context_precision", asked, lambda each: each.measures.context_precision, _NO_GOLD),
        _of("context_recall", asked, lambda each: each.measures.context_recall, _NO_GOLD),
        *_abstentions(asked),
        *_times(asked),
        *_costs(every),
    ]
    assert [each.name for each in found] == list(METRICS)
    return tuple(found)


def figures_by_shape(cases: Iterable[MeasuredCase]) -> dict[AnswerShape, tuple[MetricFigure, ...]]:
    """The same for each shape that there is, in the order of shapes."""
    every = list(cases)
    of = {shape: [each for each in every if each.result.shape is shape] for shape in AnswerShape}
    return {shape: figures(own) for shape, own in of.items() if own}


def _figure(name: str, value: float, cases: int, *, is_judged: bool = False) -> MetricFigure:
    metric = METRICS[name]
    by = metric.by_judge if is_judged and metric.by_judge else metric.by
    return MetricFigure(name=name, value=value, cases=cases, by=by)


def _none(name: str, reason: str) -> MetricFigure:
    return MetricFigure(name=name, value=None, reason=reason, by=METRICS[name].by)


def _mean(name: str, values: Sequence[float], reason: str, *, is_judged: bool = False) -> MetricFigure:
    if not values:
        return _none(name, reason)
    return _figure(name, fmean(values), len(values), is_judged=is_judged)


def _of(
    name: str, cases: Sequence[MeasuredCase], value: Callable[[MeasuredCase], float | None], reason: str
) -> MetricFigure:
    is_judged = any(each.measures.judge for each in cases)
    return _mean(
        name, [found for each in cases if (found := value(each)) is not None], reason, is_judged=is_judged
    )


def _hallucinations(asked: Sequence[MeasuredCase]) -> MetricFigure:
    shown = [each.measures for each in asked if each.measures.claims]
    return _mean("hallucination_rate", [float(bool(each.unfounded)) for each in shown], _NO_CLAIM)


def _citations(asked: Sequence[MeasuredCase]) -> MetricFigure:
    total = sum(each.measures.citations for each in asked)
    if not total:
        return _none("citation_accuracy", "No answer of this run cites anything.")
    broken = sum(len(each.measures.broken) for each in asked)
    return _figure("citation_accuracy", 1 - broken / total, total)


def _abstentions(asked: Sequence[MeasuredCase]) -> tuple[MetricFigure, MetricFigure]:
    given = [each.result for each in asked if each.result.status is Status.ABSTAINED]
    due = [each.result for each in asked if each.result.expected is Status.ABSTAINED]
    right = float(sum(each.expected is Status.ABSTAINED for each in given))
    precision, recall = "abstention_precision", "abstention_recall"
    return (
        _figure(precision, right / len(given), len(given))
        if given
        else _none(precision, "No answer of this run abstained."),
        _figure(recall, right / len(due), len(due))
        if due
        else _none(recall, "No case of this run expects an abstention."),
    )


def _times(asked: Sequence[MeasuredCase]) -> tuple[MetricFigure, MetricFigure]:
    times = [spent for each in asked if (spent := each.measures.latency_ms) is not None]
    if not times:
        return _none("p50_ms", _NO_CASE), _none("p95_ms", _NO_CASE)
    slow = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    middle, last = round(median(times), 1), round(slow, 1)
    return _figure("p50_ms", middle, len(times)), _figure("p95_ms", last, len(times))


def _costs(every: Sequence[MeasuredCase]) -> tuple[MetricFigure, MetricFigure]:
    called = [each.measures for each in every if each.measures.calls]
    if not called:
        return _none("tokens", _NO_MODEL), _none("cost_usd", _NO_MODEL)
    known = [each.cost_usd for each in called if each.cost_usd is not None]
    cost = (
        _figure("cost_usd", sum(known), len(known))
        if known
        else _none("cost_usd", "The settings have no price of this model.")
    )
    return _figure("tokens", float(sum(each.tokens for each in called)), len(called)), cost
