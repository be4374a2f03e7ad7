"""Models, efforts and lengths of replies by role, from the settings, and what they leave to writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall, ModelRole
from core.llm.base import Effort

REPLY_TOKENS = {
    ModelRole.STANDALONE: 1_200,
    ModelRole.PLAN: 2_000,
    ModelRole.WRITE: 1_500,
    ModelRole.VERIFY: 600,
    ModelRole.READ: 1_500,
    ModelRole.AGENT: 1_200,
    ModelRole.TEST: 300,
}
"""Tokens of the longest reply of a role, its reasoning included; they are reserved before the call."""

_MODELS = {
    ModelRole.STANDALONE: "planning_model",
    ModelRole.PLAN: "planning_model",
    ModelRole.AGENT: "planning_model",
    ModelRole.WRITE: "writing_model",
    ModelRole.READ: "reading_model",
}
_THOUGHTFUL = (ModelRole.STANDALONE, ModelRole.PLAN, ModelRole.AGENT, ModelRole.WRITE)


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """Settings of one role. max_tokens: of a reply."""

    model: str
    effort: Effort
    max_tokens: int


def role_settings(settings: LlmSettings) -> Mapping[ModelRole, RoleSettings]:
    """Settings of every role. The configured effort is for planning and writing; the others need little."""
    return {
        role: RoleSettings(
            model=getattr(settings, _MODELS.get(role, "checking_model")),
            effort=settings.effort if role in _THOUGHTFUL else "low",
            max_tokens=REPLY_TOKENS[role],
        )
        for role in ModelRole
    }


LEAST_EVIDENCE = 800
"""Tokens: with fewer there is nothing to write from, and the call waits for the next minute or is refused."""
MOST_SEARCH_ROUNDS = 2
_FRAME_TOKENS = 900  # the prompt's own words and the question


def search_rounds(settings: LlmSettings, made: Sequence[ModelCall]) -> int:
    """How often writing may begin again with more evidence within the tokens of the question and the minute.

    made: calls of the question so far.
    """
    each = settings.context_tokens + REPLY_TOKENS[ModelRole.WRITE] + _FRAME_TOKENS
    limits = [settings.tokens_per_question, settings.tokens_per_minute or settings.tokens_per_question]
    left = min(limits) - sum(call.tokens for call in made)
    return max(0, min(MOST_SEARCH_ROUNDS, left // each - 1))


def writing_room(settings: LlmSettings, made: Sequence[ModelCall]) -> int:
    """Tokens of evidence that a prompt for writing may hold: as configured, or what the minute has left.

    made: calls of the question so far. Prose from less evidence now is worth more than none.
    """
    if not settings.tokens_per_minute:
        return settings.context_tokens
    taken = sum(call.tokens for call in made)
    left = settings.tokens_per_minute - taken - REPLY_TOKENS[ModelRole.WRITE] - _FRAME_TOKENS
    return min(settings.context_tokens, max(LEAST_EVIDENCE, left))
