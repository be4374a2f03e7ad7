"""Budgets of tokens: by minute and by day for a whole process, and by question; estimates before a call."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition, Lock

from core.config.llm_choices import TITLE
from core.domain.llm.use import ModelOutcome
from core.errors import LlmError

MINUTE_S = 60.0
CHARS_PER_TOKEN = 3  # low, so that the estimate is high: English has about four
_MINUTE, _QUESTION, _DAY = (
    f"{TITLE[f'tokens_per_{each}']!r} in Settings" for each in ("minute", "question", "day")
)
_LARGEST_CORRECTION = 3.0
_LONGEST_NAP_S = 0.1  # so that a stop is noticed
_LOOK_EVERY_S = 2.0  # at what others take, while the minute is used up


class TokenEstimates:
    """Estimates of the tokens of prompts by model: characters / CHARS_PER_TOKEN, corrected by the last usage.

    Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = Lock()  # guards the corrections
        self._corrections: dict[str, float] = {}

    def estimate(self, model: str, characters: int) -> int:
        """Tokens of a prompt, one at least."""
        with self._lock:
            correction = self._corrections.get(model, 1.0)
        return max(1, round(characters / CHARS_PER_TOKEN * correction))

    def learn(self, model: str, characters: int, tokens: int) -> None:
        """Correct by what the server counted for a prompt of so many characters."""
        if characters <= 0 or tokens <= 0:
            return
        found = tokens / (characters / CHARS_PER_TOKEN)
        with self._lock:
            self._corrections[model] = min(_LARGEST_CORRECTION, max(1 / _LARGEST_CORRECTION, found))


@dataclass(slots=True, eq=False)
class Reservation:
    """Tokens that were set aside at a moment."""

    at: float
    tokens: int


class TokenBudget:
    """The budget of a process by minute (a sliding window) and by day. Thread-safe.

    per_minute: 0 for no limit. day_tokens: sum of the day so far, over all processes. others: what other
    processes took within the last minute, those that are gone too: tokens by how many seconds ago.
    """

    def __init__(
        self,
        per_minute: int,
        per_day: int,
        day_tokens: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
        others: Callable[[], Sequence[tuple[float, int]]] = lambda: (),
    ) -> None:
        self._per_minute, self._per_day = per_minute, per_day
        self._day_tokens, self._others, self._clock = day_tokens, others, clock
        self._changed = Condition()  # guards the two lists; woken when tokens are given back
        self._window: list[Reservation] = []
        self._in_flight: list[Reservation] = []

    def reserve(
        self,
        tokens: int,
        until: float,
        is_stopped: Callable[[], bool],
        on_wait: Callable[[float], None] = lambda wait_s: None,
    ) -> Reservation:
        """Set tokens aside, waiting for the minute if they are free by `until`, a moment of the clock.

        on_wait: gets the seconds once it begins to wait, and again where that takes longer than it said.
        Raises LlmError: OVER_BUDGET at once where they will not be, and STOPPED.
        """
        self._require_day(tokens)
        if self._per_minute and tokens > self._per_minute:
            raise LlmError(
                f"One call would take {tokens:,} tokens, more than the {self._per_minute:,} of a minute.",
                outcome=ModelOutcome.OVER_BUDGET,
                next_step=f"Raise {_MINUTE} if the server's plan allows it, or ask a narrower question.",
                is_lasting=True,
            )
        told_until, looked_at, others = 0.0, float("-inf"), list[Reservation]()
        with self._changed:
            while True:
                if is_stopped():
                    raise stopped()
                now = self._clock()
                if self._per_minute and now - looked_at > _LOOK_EVERY_S:
                    looked_at = now
                    others = [Reservation(now - ago_s, taken) for ago_s, taken in self._others()]
                free_at = self._free_at(tokens, now, others)
                if free_at <= now:
                    self._require_day(tokens)  # again: another call may have taken the rest meanwhile
                    reservation = Reservation(now, tokens)
                    self._window.append(reservation)
                    self._in_flight.append(reservation)
                    return reservation
                if free_at > until:
                    raise LlmError(
                        f"The {self._per_minute:,} tokens of this minute are used up.",
                        outcome=ModelOutcome.OVER_BUDGET,
                        next_step=f"Ask again in {max(1, round(free_at - now))} s, or raise {_MINUTE} if the "
                        "server's plan allows it.",
                        retry_after_s=free_at - now,
                        is_lasting=True,
                    )
                if free_at > told_until + 1:
                    told_until = free_at
                    on_wait(free_at - now)
                self._changed.wait(min(free_at - now, _LONGEST_NAP_S))

    def hand_over(self, reservation: Reservation) -> None:
        """Leave the day's count of a reservation to `day_tokens`, where a row has it by now."""
        with self._changed:
            if reservation in self._in_flight:
                self._in_flight.remove(reservation)

    def settle(self, reservation: Reservation, tokens: int) -> None:
        """Put what a call took in place of what was set aside."""
        with self._changed:
            reservation.tokens = tokens
            if reservation in self._in_flight:
                self._in_flight.remove(reservation)
            self._changed.notify_all()

    def _require_day(self, tokens: int) -> None:
        with self._changed:
            in_flight = sum(each.tokens for each in self._in_flight)
        used = self._day_tokens() + in_flight
        if used + tokens > self._per_day:
            raise over_day(self._per_day, used, tokens)

    def _free_at(self, tokens: int, now: float, others: Sequence[Reservation]) -> float:
        """The first moment at which so many tokens of the window are free; now where they are already."""
        if not self._per_minute:
            return now
        self._window = [each for each in self._window if each.at + MINUTE_S > now]
        taken = [*self._window, *(each for each in others if each.at + MINUTE_S > now)]
        over = sum(each.tokens for each in taken) + tokens - self._per_minute
        if over <= 0:
            return now
        for each in sorted(taken, key=lambda each: each.at):
            over -= each.tokens
            if over <= 0:
                return each.at + MINUTE_S
        return now + MINUTE_S


class QuestionBudget:
    """The tokens of one question or job. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()  # guards the sum
        self._used = 0

    def reserve(self, tokens: int) -> None:
        """Set tokens aside. Raises LlmError (OVER_BUDGET)."""
        with self._lock:
            if self._used + tokens <= self._limit:
                self._used += tokens
                return
            used = self._used
        raise LlmError(
            f"The {self._limit:,} tokens of one question do not reach: {used:,} are used, and this call may "
            f"take {tokens:,}.",
            outcome=ModelOutcome.OVER_BUDGET,
            next_step=f"Raise {_QUESTION}, or ask a narrower question.",
            is_lasting=True,
        )

    def settle(self, reserved: int, tokens: int) -> None:
        """Put what a call took in place of what was set aside."""
        with self._lock:
            self._used += tokens - reserved


def over_day(per_day: int, used: int, tokens: int) -> LlmError:
    """The error of a call for which the day's budget does not reach."""
    return LlmError(
        f"Today's {per_day:,} tokens for language models do not reach: {used:,} are used, and this call may "
        f"take {tokens:,}.",
        outcome=ModelOutcome.OVER_BUDGET,
        next_step=f"Raise {_DAY}, or go on without a model until tomorrow (UTC).",
        is_lasting=True,
    )


def stopped() -> LlmError:
    """The error of a call that was stopped."""
    return LlmError("The call was stopped.", outcome=ModelOutcome.STOPPED, is_lasting=True)
