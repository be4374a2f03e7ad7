"""Retries of requests to a language model; a model that keeps failing is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from threading import Lock

from core.domain.llm.use import USABLE, ModelOutcome
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


FAILURES = frozenset({ModelOutcome.TIMED_OUT, ModelOutcome.UNAVAILABLE, ModelOutcome.CUT_SHORT})
"""Outcomes that say that a server is not well; others say something about the request or the key."""


class CircuitBreaker:
    """Closed while calls succeed; open after `most` failures in a row; after `open_s`, one call may probe it.

    Thread-safe. Every call that `require` let through ends with `note`.
    """

    def __init__(
        self, model: str, most: int = 3, open_s: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._model, self._most, self._open_s, self._clock = model, most, open_s, clock
        self._lock = Lock()  # guards the count, the time of opening, and the one probe
        self._failures = 0
        self._opened_at: float | None = None
        self._is_probing = False

    def require(self) -> None:
        """Let a call through, or raise LlmError (CIRCUIT_OPEN)."""
        with self._lock:
            if self._opened_at is None:
                return
            left_s = self._opened_at + self._open_s - self._clock()
            if left_s <= 0 and not self._is_probing:
                self._is_probing = True
                return
        raise LlmError(
            f"The model {self._model!r} failed {self._most} times in a row and is left alone for a while.",
            outcome=ModelOutcome.CIRCUIT_OPEN,
            next_step=f"It is tried again in {max(1, round(left_s))} s. Settings, Test shows what is wrong.",
            retry_after_s=max(0.0, left_s),
            is_lasting=True,
        )

    def note(self, outcome: ModelOutcome) -> None:
        """Count how a call ended. One that says nothing of the server's health leaves the count as it is."""
        with self._lock:
            was_probe, self._is_probing = self._is_probing, False
            if outcome in USABLE:
                self._failures, self._opened_at = 0, None
            elif outcome in FAILURES:
                self._failures += 1
                if was_probe or self._failures >= self._most:
                    self._opened_at = self._clock()
