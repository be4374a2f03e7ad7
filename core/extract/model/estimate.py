"""Size and cost of calls before they are made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from core.config.models import LlmSettings
from core.domain.llm.use import ModelRole
from core.extract.model.packing import CellCall
from core.extract.model.prompt import cell_prompt
from core.llm.budget import CHARS_PER_TOKEN
from core.llm.roles import REPLY_TOKENS

CALL_S = 3.0
"""Seconds of one call where nothing else holds it up."""

_FRAME_TOKENS = 900  # the prompt's own words and the schema
_TOKENS_A_CELL, _TOKENS_A_CALL = 80, 200  # of a reply; the second for its reasoning
_LEAST_ROOM = 200


@dataclass(frozen=True, slots=True)
class CallSize:
    """Tokens of calls."""

    calls: int
    prompt: int
    completion: int

    def scaled(self, factor: float) -> CallSize:
        """The same for as many times as much."""
        return CallSize(*(round(each * factor) for each in (self.calls, self.prompt, self.completion)))


def room_for(settings: LlmSettings) -> int:
    """Tokens of evidence and definitions that one call may hold, within every budget that counts it."""
    reserved = REPLY_TOKENS[ModelRole.READ] + _FRAME_TOKENS
    limits = [settings.context_tokens, settings.tokens_per_question - reserved]
    if settings.tokens_per_minute:
        limits.append(settings.tokens_per_minute - reserved)
    return max(_LEAST_ROOM, min(limits))


def size_of_calls(calls: Sequence[CellCall]) -> CallSize:
    """Tokens that these calls take, about."""
    prompt = completion = 0
    for call in calls:
        filled, schema = cell_prompt(call)
        characters = sum(len(message.content) for message in filled.messages) + len(json.dumps(dict(schema)))
        prompt += characters // CHARS_PER_TOKEN
        completion += _TOKENS_A_CALL + _TOKENS_A_CELL * len(call.cells)
    return CallSize(len(calls), prompt, completion)


def cost_of(size: CallSize, settings: LlmSettings) -> float | None:
    """US dollars by the price of the model that reads; None where it has none."""
    price = settings.price_of(settings.reading_model)
    return None if price is None else price.cost_usd(size.prompt, size.completion)


def seconds_of(size: CallSize, settings: LlmSettings) -> float:
    """Time that the calls take one after the other, the minute's budget of tokens kept."""
    by_calls = size.calls * CALL_S
    if not settings.tokens_per_minute:
        return by_calls
    return max(by_calls, (size.prompt + size.completion) / settings.tokens_per_minute * 60)
