from __future__ import annotations

from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.llm.roles import LEAST_EVIDENCE, MOST_SEARCH_ROUNDS, REPLY_TOKENS, search_rounds, writing_room

PLAN = ModelCall(
    role=ModelRole.PLAN,
    prompt="plan@1",
    model="m",
    outcome=ModelOutcome.DONE,
    prompt_tokens=3_500,
    completion_tokens=400,
)


def test_a_question_without_calls_has_all_that_is_configured() -> None:
    assert writing_room(LlmSettings(), ()) == LlmSettings().context_tokens


def test_what_a_plan_took_of_the_minute_is_taken_from_the_evidence() -> None:
    room = writing_room(LlmSettings(), [PLAN])

    assert LEAST_EVIDENCE < room < LlmSettings().context_tokens
    assert 3_900 + room + REPLY_TOKENS[ModelRole.WRITE] < LlmSettings().tokens_per_minute


def test_no_minute_takes_nothing_and_a_used_up_one_leaves_the_least() -> None:
    assert writing_room(LlmSettings(tokens_per_minute=0), [PLAN] * 5) == LlmSettings().context_tokens
    assert writing_room(LlmSettings(), [PLAN] * 5) == LEAST_EVIDENCE
    assert writing_room(LlmSettings(context_tokens=500), [PLAN] * 5) == 500


def test_writing_begins_again_only_where_the_tokens_reach_for_it() -> None:
    assert search_rounds(LlmSettings(tokens_per_minute=0), [PLAN]) == MOST_SEARCH_ROUNDS
    assert search_rounds(LlmSettings(tokens_per_minute=8_000), [PLAN]) == 0
    assert search_rounds(LlmSettings(tokens_per_minute=0, tokens_per_question=6_000), []) == 0
