"""Models, efforts and lengths of replies by role, from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.config.models import LlmSettings
from core.domain.llm.use import ModelRole
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
