from __future__ import annotations

import pytest

from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole, ModelUse


def call(outcome: ModelOutcome, cost_usd: float | None = None) -> ModelCall:
    return ModelCall(
        role=ModelRole.WRITE,
        prompt="write@1",
        model="m",
        outcome=outcome,
        prompt_tokens=30,
        completion_tokens=10,
        cost_usd=cost_usd,
    )


def test_what_was_repaired_did_not_fail_and_what_was_never_sent_did() -> None:
    use = ModelUse(
        calls=tuple(map(call, (ModelOutcome.DONE, ModelOutcome.REPAIRED, ModelOutcome.OVER_BUDGET)))
    )

    assert use.failed == 1
    assert use.tokens == 120


def test_the_cost_is_of_the_calls_whose_price_is_known() -> None:
    assert ModelUse(calls=(call(ModelOutcome.DONE),)).cost_usd is None
    assert ModelUse(calls=(call(ModelOutcome.DONE), call(ModelOutcome.DONE, 0.5))).cost_usd == 0.5


@pytest.mark.parametrize(("old", "role"), [("decompose", ModelRole.STANDALONE), ("classify", ModelRole.PLAN)])
def test_a_role_of_an_old_name_is_read_by_what_it_means(old: str, role: ModelRole) -> None:
    kept = {**call(ModelOutcome.DONE).model_dump(mode="json"), "role": old}

    assert ModelCall.model_validate(kept).role is role


def test_a_role_that_never_was_is_refused() -> None:
    with pytest.raises(ValueError, match="judge"):
        ModelRole("judge")
