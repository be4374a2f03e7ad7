from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.errors import LlmError
from core.plan.ir.nodes import Plan
from core.plan.model.planner import read_question
from tests.support.known_collection import known_collection
from tests.support.model_plans import GOOD, QUESTION, UNKNOWN, step
from tests.support.models_at_hand import models_at_hand
from tests.support.scripted_llm import Step, failure, reply_json

CATALOGUE = known_collection()


def proposed(*script: Step, question: str = QUESTION) -> tuple[Plan | None, list[dict[str, Any]]]:
    with models_at_hand(*script) as models:
        calls = models.calls()
        try:
            return read_question(
                question, CATALOGUE, calls, (), date(2026, 3, 1)
            ).plan, models.server.requests
        finally:
            calls.stop()


def test_a_plan_that_passes_every_check_is_proposed() -> None:
    found, requests = proposed(reply_json(GOOD))

    assert found is not None
    assert found.is_whole
    assert "Delaware" in requests[0]["messages"][-1]["content"]


def test_a_plan_that_cannot_run_goes_back_once_with_what_is_wrong() -> None:
    found, requests = proposed(reply_json(UNKNOWN), reply_json(GOOD))

    assert found is not None
    assert "planet" in requests[1]["messages"][-1]["content"]
    assert len(requests) == 2


def test_two_plans_that_cannot_run_are_no_proposal() -> None:
    with pytest.raises(LlmError, match="no plan that can run"):
        proposed(reply_json(UNKNOWN), reply_json(UNKNOWN))


def test_forty_steps_are_refused() -> None:
    many = {**GOOD, "steps": [step(f"s{at}", "select") for at in range(40)]}

    with pytest.raises(LlmError):
        proposed(reply_json(many), reply_json(many))


def test_what_a_plan_passes_over_is_not_covered() -> None:
    found, _ = proposed(
        reply_json(GOOD), question="How many contracts under Delaware law lack a cap of Zenith?"
    )

    assert found is not None
    assert found.uncovered == ("Zenith", "lack")


def test_that_text_answers_is_no_plan() -> None:
    text = {**GOOD, "decision": "text", "steps": []}

    assert proposed(reply_json(text))[0] is None


def test_a_server_that_fails_is_no_proposal() -> None:
    with pytest.raises(LlmError):
        proposed(failure(401))


def test_steps_of_a_fallback_that_cannot_run_leave_the_reading_without_them() -> None:
    found, requests = proposed(reply_json({**UNKNOWN, "decision": "text", "fallback": ["fields"]}))

    assert found is None
    assert len(requests) == 1


def test_a_constraint_that_no_step_says_is_not_covered() -> None:
    asked = "How many contracts under Delaware law allow subletting?"
    given = {**GOOD, "constraints": ["allow subletting", "Delaware law"]}
    found, _ = proposed(reply_json(given), question=asked)

    assert found is not None
    assert "allow subletting" in found.uncovered


def test_a_kind_that_is_told_once_is_the_scope_of_steps_without_one() -> None:
    steps = [{**each, "kind": ""} for each in GOOD["steps"]]
    found, _ = proposed(reply_json({**GOOD, "steps": steps, "document_kind": "contracts"}))

    assert found is not None
    assert found.nodes[0].scope.schema_name == "contracts"  # type: ignore[union-attr]
