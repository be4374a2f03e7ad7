"""The one retry policy of requests to a language model."""

from __future__ import annotations

from random import Random

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError

MOST_ATTEMPTS = {
    ModelOutcome.RATE_LIMITED: 3,
    ModelOutcome.UNAVAILABLE: 3,
    ModelOutcome.CUT_SHORT: 2,
    ModelOutcome.TIMED_OUT: 2,
}
"""How often a request is sent at most when it ends so; once where an outcome is not named."""

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 8.0
_LEAST_TIME_FOR_A_REPLY_S = 1.0


def wait_before_retry(error: LlmError, attempts: int, remaining_s: float, rng: Random) -> float | None:
    """Seconds until a failed request is sent again; None where it is not.

    attempts: so far, from 1. remaining_s: of the question; a wait after which there is no time for a reply
    is not begun. What the server asked for is waited for in full, and a little more; else the wait doubles
    with each attempt, with jitter: half of it is random.
    """
    if error.is_lasting or attempts >= MOST_ATTEMPTS.get(ModelOutcome(error.outcome), 1):
        return None
    if error.retry_after_s > 0:
        wait = error.retry_after_s * (1 + 0.05 * rng.random())
    else:
        longest = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** (attempts - 1))
        wait = longest * (0.5 + 0.5 * rng.random())
    return wait if wait + _LEAST_TIME_FOR_A_REPLY_S <= remaining_s else None
