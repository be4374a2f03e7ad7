from __future__ import annotations

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.llm.degradation import code_of, degradation_of


def test_what_came_too_late_has_a_code_of_its_own() -> None:
    late = LlmError("Too late.", outcome=ModelOutcome.OVER_BUDGET)

    assert (code_of(late), code_of(LlmError("No.", outcome=ModelOutcome.INVALID))) == ("E005", "E004")


def test_a_failure_is_told_with_what_to_do() -> None:
    error = LlmError("No.", outcome=ModelOutcome.UNAVAILABLE, next_step="Check it.")

    assert degradation_of(error).message == "No. The answer is given without the model. Check it."
