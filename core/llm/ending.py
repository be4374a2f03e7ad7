"""Ends of replies as servers word them: whole, at the length, by a filter, or for a reason nobody knows."""

from __future__ import annotations

from enum import StrEnum

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError

_LONGEST_REASON = 40


class Ending(StrEnum):
    """Why a reply ended."""

    WHOLE = "whole"
    LENGTH = "length"
    FILTER = "filter"
    UNKNOWN = "unknown"


_ENDINGS = {
    **dict.fromkeys(("stop", "tool_calls", "function_call"), Ending.WHOLE),
    **dict.fromkeys(("eos", "eos_token", "stop_sequence", "end_turn"), Ending.WHOLE),  # other servers' words
    **dict.fromkeys(("length", "max_tokens", "model_length"), Ending.LENGTH),
    **dict.fromkeys(("content_filter", "safety", "refusal"), Ending.FILTER),
}


def ending_of(finish: str) -> Ending:
    """What a `finish_reason` means."""
    return _ENDINGS.get(finish.strip().casefold(), Ending.UNKNOWN)


def cut_off(finish: str, model: str, max_tokens: int) -> LlmError | None:
    """The error of a reply that ended so; None where it is whole."""
    match ending_of(finish):
        case Ending.WHOLE:
            return None
        case Ending.LENGTH:
            return LlmError(
                f"The reply of the model {model!r} was longer than {max_tokens:,} tokens.",
                outcome=ModelOutcome.CUT_SHORT,
                next_step="Ask a narrower question.",
                is_lasting=True,
            )
        case Ending.FILTER:
            return LlmError(
                f"A content filter of the server cut off the reply of the model {model!r}.",
                outcome=ModelOutcome.FILTERED,
                next_step="Ask in other words, or choose another model or server in Settings.",
                is_lasting=True,
            )
        case Ending.UNKNOWN:
            return LlmError(
                f"The model {model!r} ended its reply for a reason that is not known "
                f"({finish[:_LONGEST_REASON]!r}), so it counts as cut off.",
                outcome=ModelOutcome.CUT_SHORT,
                next_step="Ask again; if it stays so, choose another model or server in Settings.",
                is_lasting=True,
            )
