from __future__ import annotations

import pytest

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.llm.circuit import CircuitBreaker


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker("m", most=3, open_s=30, clock=clock)
    for _ in range(3):
        breaker.require()
        breaker.note(ModelOutcome.TIMED_OUT)
    return breaker


def test_it_opens_after_failures_in_a_row(clock: Clock) -> None:
    breaker = opened(clock)

    with pytest.raises(LlmError) as caught:
        breaker.require()

    assert caught.value.outcome == ModelOutcome.CIRCUIT_OPEN
    assert "30 s" in caught.value.next_step


def test_a_success_between_starts_the_count_again(clock: Clock) -> None:
    breaker = CircuitBreaker("m", most=2, clock=clock)

    for outcome in (ModelOutcome.UNAVAILABLE, ModelOutcome.DONE, ModelOutcome.UNAVAILABLE):
        breaker.require()
        breaker.note(outcome)

    breaker.require()


def test_after_a_time_one_call_probes_it(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now = 31

    breaker.require()

    with pytest.raises(LlmError):
        breaker.require()


def test_a_probe_that_succeeds_closes_it(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now = 31
    breaker.require()

    breaker.note(ModelOutcome.REPAIRED)

    breaker.require()
    breaker.require()


def test_a_probe_that_fails_opens_it_again(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now = 31
    breaker.require()
    breaker.note(ModelOutcome.TIMED_OUT)

    clock.now = 60
    with pytest.raises(LlmError):
        breaker.require()


def test_a_probe_that_was_stopped_lets_the_next_one_try(clock: Clock) -> None:
    breaker = opened(clock)
    clock.now = 31
    breaker.require()
    breaker.note(ModelOutcome.STOPPED)

    breaker.require()


@pytest.mark.parametrize(
    "outcome", [ModelOutcome.REFUSED_KEY, ModelOutcome.INVALID, ModelOutcome.RATE_LIMITED]
)
def test_what_says_nothing_of_the_server_does_not_open_it(clock: Clock, outcome: ModelOutcome) -> None:
    breaker = CircuitBreaker("m", most=1, clock=clock)
    breaker.note(outcome)

    breaker.require()
