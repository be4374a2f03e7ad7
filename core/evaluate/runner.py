"""Runs a suite: every question is asked, and its answer held against what it should be."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import quantiles

from core.domain.answer import Answer
from core.domain.frozen import Frozen
from core.domain.llm.use import ModelUse
from core.evaluate.scoring import CaseResult, SuiteSummary, score, summarise
from core.evaluate.suite import Case

Ask = Callable[[str, tuple[str, ...]], Answer]
"""Asks a question in buckets, () for all."""


class ModelComparison(Frozen):
    """A suite asked with a language model, beside the same without. better, worse: questions, by exactness.

    failed: calls that gave nothing; cost_usd: None without a known price.
    """

    model: str
    summary: SuiteSummary
    p95_ms: float
    calls: int
    failed: int
    tokens: int
    cost_usd: float | None
    better: tuple[str, ...]
    worse: tuple[str, ...]
    results: tuple[CaseResult, ...]


class Report(Frozen):
    """Results of a suite. p95_ms: of the time of one answer. with_model: the same asked with a model."""

    suite: str
    summary: SuiteSummary
    p95_ms: float
    results: tuple[CaseResult, ...]
    with_model: ModelComparison | None = None


def run_cases(
    cases: Sequence[Case], ask: Ask, names: Mapping[str, str]
) -> Iterator[tuple[Case, CaseResult, float]]:
    """Each case with how it went and how long it took in milliseconds; names: as in `score`."""
    for case in cases:
        started = time.perf_counter()
        answer = ask(case.question, (case.bucket,) if case.bucket else ())
        spent = (time.perf_counter() - started) * 1000
        yield case, score(case, answer, names), spent


def report(suite: str, done: Sequence[tuple[Case, CaseResult, float]]) -> Report:
    """The report of a suite that has run."""
    spent = [ms for _, _, ms in done]
    slow = quantiles(spent, n=20)[-1] if len(spent) > 1 else sum(spent)
    results = tuple(result for _, result, _ in done)
    return Report(suite=suite, summary=summarise(results), p95_ms=round(slow, 1), results=results)


def compare(without: Report, with_model: Report, answers: Sequence[Answer]) -> ModelComparison:
    """The comparison of two reports over one suite; answers: those with the model, in the suite's order."""
    uses = [each.model_use for each in answers if each.model_use is not None]
    use = ModelUse(calls=tuple(call for each in uses for call in each.calls))
    pairs = list(zip(without.results, with_model.results, answers, strict=True))
    return ModelComparison(
        model=", ".join(dict.fromkeys(call.model for call in use.calls)) or "no model was called",
        summary=with_model.summary,
        p95_ms=with_model.p95_ms,
        calls=len(use.calls),
        failed=use.failed,
        tokens=use.tokens,
        cost_usd=use.cost_usd,
        better=tuple(each.question for old, new, each in pairs if new.exact and not old.exact),
        worse=tuple(each.question for old, new, each in pairs if old.exact and not new.exact),
        results=with_model.results,
    )
