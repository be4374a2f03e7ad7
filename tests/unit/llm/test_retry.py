from __future__ import annotations

from random import Random

import pytest

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.llm.retry import CircuitBreaker, wait_before_retry


def wait(outcome: ModelOutcome, attempts: int = 1, remaining_s: float = 60, **facts: object) -> float | None:
    error = LlmError("no", outcome=outcome, **facts)  # type: ignore[arg-type]
    return wait_before_retry(error, attempts, remaining_s, Random(1))


@pytest.mark.parametrize(
    "outcome",
    [
        ModelOutcome.REFUSED_KEY,
        ModelOutcome.TOO_LARGE,
        ModelOutcome.INVALID,
        ModelOutcome.STOPPED,
        ModelOutcome.OVER_BUDGET,
        ModelOutcome.CIRCUIT_OPEN,
    ],
)
def test_what_would_fail_again_is_not_sent_again(outcome: ModelOutcome) -> None:
    assert wait(outcome) is None


@pytest.mark.parametrize("outcome", [ModelOutcome.RATE_LIMITED, ModelOutcome.UNAVAILABLE])
def test_a_request_is_sent_three_times_at_most(outcome: ModelOutcome) -> None:
    assert [wait(outcome, attempts) is None for attempts in (1, 2, 3)] == [False, False, True]


def test_a_time_out_is_tried_once_more() -> None:
    assert [wait(ModelOutcome.TIMED_OUT, attempts) is None for attempts in (1, 2)] == [False, True]


def test_what_the_server_asked_for_is_waited_for_in_full() -> None:
    found = wait(ModelOutcome.RATE_LIMITED, retry_after_s=20.0)

    assert found is not None
    assert 20 <= found <= 21


def test_no_wait_is_begun_that_leaves_no_time_for_a_reply() -> None:
    assert wait(ModelOutcome.RATE_LIMITED, remaining_s=20, retry_after_s=19.5) is None
    assert wait(ModelOutcome.UNAVAILABLE, remaining_s=0.5) is None


def test_waits_double_and_are_never_all_alike() -> None:
    first, second = wait(ModelOutcome.UNAVAILABLE, 1), wait(ModelOutcome.UNAVAILABLE, 2)

    assert first is not None
    assert second is not None
    assert 0.25 <= first <= 0.5 <= second <= 1.0


def test_a_lasting_failure_is_not_tried_again() -> None:
    assert wait(ModelOutcome.UNAVAILABLE, is_lasting=True) is None


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
