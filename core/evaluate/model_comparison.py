"""A suite asked twice, without and with a language model: what the model changed, and what that cost."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Answer
from core.domain.llm.use import ModelUse
from core.evaluate.runner import ModelComparison, Report


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
