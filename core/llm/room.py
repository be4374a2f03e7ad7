"""Room for writing: tokens of evidence that are left to it where other calls took of the minute before."""

from __future__ import annotations

from collections.abc import Sequence

from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall, ModelRole
from core.llm.roles import REPLY_TOKENS

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
