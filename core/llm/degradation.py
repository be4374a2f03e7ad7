"""Failures of a model as answers tell them: their code, and what the person gets and can do."""

from __future__ import annotations

from typing import Literal

from core.domain.answer import Degradation
from core.domain.llm.use import ModelOutcome
from core.errors import LlmError

LATE = (ModelOutcome.TIMED_OUT, ModelOutcome.OVER_BUDGET, ModelOutcome.RATE_LIMITED)
"""Outcomes of calls for which time or a budget did not reach."""


def code_of(error: LlmError) -> Literal["E004", "E005"]:
    """E005 where time or a budget ran out, else E004."""
    return "E005" if error.outcome in LATE else "E004"


def degradation_of(error: LlmError) -> Degradation:
    """What is said where a model gave nothing, with the next step."""
    said = f"{error.message} The answer is given without the model. {error.next_step}".strip()
    return Degradation(code=code_of(error), message=said)
