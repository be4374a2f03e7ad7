from __future__ import annotations

from core.domain.answer import Answer, Kind, Route, Status
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole, ModelUse
from core.evaluate.runner import Report, compare
from core.evaluate.scoring import CaseResult, summarise
from core.evaluate.suite import AnswerShape


def result(id: str, *, exact: bool) -> CaseResult:
    return CaseResult(
        id=id,
        shape=AnswerShape.LOOKUP,
        is_paraphrase=False,
        expected=Status.ANSWERED,
        status=Status.ANSWERED,
        exact=exact,
        silently_wrong=not exact,
    )


def report(*results: CaseResult) -> Report:
    return Report(suite="s", summary=summarise(results), p95_ms=1.0, results=results)


def answer(question: str, *calls: ModelCall) -> Answer:
    return Answer(
        question=question,
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.LOOKUP,
        route=Route.HYBRID,
        text="",
        model_use=ModelUse(calls=calls) if calls else None,
    )


def call(outcome: ModelOutcome, cost: float | None) -> ModelCall:
    return ModelCall(
        role=ModelRole.WRITE,
        prompt="write@1",
        model="m",
        outcome=outcome,
        prompt_tokens=30,
        completion_tokens=10,
        cost_usd=cost,
    )


def test_questions_that_the_model_made_better_or_worse_are_named_with_the_cost() -> None:
    without = report(result("a", exact=True), result("b", exact=False), result("c", exact=True))
    with_model = report(result("a", exact=False), result("b", exact=True), result("c", exact=True))
    answers = [
        answer("A?", call(ModelOutcome.DONE, 0.01)),
        answer("B?", call(ModelOutcome.TIMED_OUT, None)),
        answer("C?"),
    ]

    found = compare(without, with_model, answers)

    assert (found.better, found.worse) == (("B?",), ("A?",))
    assert (found.calls, found.failed, found.tokens, found.cost_usd) == (2, 1, 80, 0.01)
    assert found.model == "m"


def test_without_a_call_nothing_was_spent() -> None:
    same = report(result("a", exact=True))

    found = compare(same, same, [answer("A?")])

    assert (found.calls, found.cost_usd, found.model) == (0, None, "no model was called")
