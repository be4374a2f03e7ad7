from __future__ import annotations

from core.evaluate.measured import MeasuredCase
from core.evaluate.runner import compare
from tests.support.evaluations import measured

SPENT = {"model": "m", "calls": 1, "tokens": 40}


def run(**exact: bool) -> list[MeasuredCase]:
    return [measured(id, is_exact) for id, is_exact in exact.items()]


def test_questions_that_the_model_made_better_or_worse_are_named_with_the_cost() -> None:
    with_model = [
        measured("a", False, cost_usd=0.01, **SPENT),
        measured("b", True, failed=1, **SPENT),
        measured("c", True),
    ]

    found = compare(run(a=True, b=False, c=True), with_model)

    assert (found.better, found.worse) == (("b?",), ("a?",))
    assert (found.calls, found.failed, found.tokens, found.cost_usd) == (2, 1, 80, 0.01)
    assert found.model == "m"


def test_without_a_call_nothing_was_spent() -> None:
    found = compare(run(a=True), run(a=True))

    assert (found.calls, found.cost_usd, found.model) == (0, None, "no model was called")
