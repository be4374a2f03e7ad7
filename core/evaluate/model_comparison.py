"""A suite asked twice, without and with a language model: what the model changed, and what that cost."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Answer
from core.domain.llm.use import ModelOutcome
from core.evaluate.runner import ModelComparison, Report

_USABLE = (ModelOutcome.DONE, ModelOutcome.REPAIRED)


def compare(without: Report, with_model: Report, answers: Sequence[Answer]) -> ModelComparison:
    """The comparison of two reports over one suite; answers: those with the model, in the suite's order."""
    calls = [call for each in answers if each.model_use is not None for call in each.model_use.calls]
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    pairs = list(zip(without.results, with_model.results, answers, strict=True))
    return ModelComparison(
        model=", ".join(dict.fromkeys(call.model for call in calls)) or "no model was called",
        summary=with_model.summary,
        p95_ms=with_model.p95_ms,
        calls=len(calls),
        failed=sum(call.outcome not in _USABLE for call in calls),
        tokens=sum(call.prompt_tokens + call.completion_tokens for call in calls),
        cost_usd=sum(costs) if costs else None,
        better=tuple(each.question for old, new, each in pairs if new.exact and not old.exact),
        worse=tuple(each.question for old, new, each in pairs if old.exact and not new.exact),
        results=with_model.results,
    )
