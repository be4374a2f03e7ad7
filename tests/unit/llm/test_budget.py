from __future__ import annotations

import threading
import time

import pytest

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.llm.budget import QuestionBudget, TokenBudget, TokenEstimates


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def never() -> bool:
    return False


def test_estimates_are_corrected_by_the_last_usage() -> None:
    estimates = TokenEstimates()
    before = estimates.estimate("m", 300)

    estimates.learn("m", 300, 60)

    assert (before, estimates.estimate("m", 300), estimates.estimate("other", 300)) == (100, 60, 100)


def test_one_odd_usage_corrects_only_so_far() -> None:
    estimates = TokenEstimates()
    estimates.learn("m", 3, 1_000_000)
    estimates.learn("m", 0, 5)

    assert estimates.estimate("m", 300) == 300


def test_a_minute_holds_no_more_than_its_tokens() -> None:
    clock = Clock()
    budget = TokenBudget(8_000, 1_000_000, lambda: 0, clock)
    budget.reserve(5_000, until=30, is_stopped=never)

    with pytest.raises(LlmError) as caught:
        budget.reserve(4_000, until=30, is_stopped=never)

    assert caught.value.outcome == ModelOutcome.OVER_BUDGET
    assert "60 s" in caught.value.next_step


def test_tokens_are_free_again_after_a_minute() -> None:
    clock = Clock()
    budget = TokenBudget(8_000, 1_000_000, lambda: 0, clock)
    budget.reserve(8_000, until=30, is_stopped=never)
    clock.now = 60.0

    assert budget.reserve(8_000, until=61, is_stopped=never) is not None


def test_what_was_not_used_is_given_back() -> None:
    clock = Clock()
    budget = TokenBudget(8_000, 1_000_000, lambda: 0, clock)
    slot = budget.reserve(5_000, until=0, is_stopped=never)

    budget.settle(slot, 1_000)

    assert budget.reserve(7_000, until=0, is_stopped=never) is not None


def test_one_who_waits_goes_on_when_tokens_are_given_back() -> None:
    budget = TokenBudget(1_000, 1_000_000, lambda: 0)
    slot = budget.reserve(1_000, until=time.monotonic(), is_stopped=never)
    threading.Timer(0.2, budget.settle, (slot, 0)).start()
    started = time.monotonic()

    budget.reserve(1_000, until=started + 120, is_stopped=never)

    assert 0.1 < time.monotonic() - started < 5


def test_one_who_waits_can_be_stopped() -> None:
    budget = TokenBudget(1_000, 1_000_000, lambda: 0)
    budget.reserve(1_000, until=0, is_stopped=never)
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()

    with pytest.raises(LlmError) as caught:
        budget.reserve(1_000, until=time.monotonic() + 120, is_stopped=stop.is_set)

    assert caught.value.outcome == ModelOutcome.STOPPED


def test_a_call_larger_than_a_minute_is_refused_at_once() -> None:
    with pytest.raises(LlmError, match=r"9,000 tokens, more than the 8,000"):
        TokenBudget(8_000, 1_000_000, lambda: 0).reserve(9_000, until=1e9, is_stopped=never)


def test_the_day_counts_what_runs_and_what_others_used() -> None:
    budget = TokenBudget(0, 10_000, lambda: 6_000)
    budget.reserve(3_000, until=0, is_stopped=never)

    with pytest.raises(LlmError, match=r"Today's 10,000 tokens .* 9,000 are used"):
        budget.reserve(2_000, until=0, is_stopped=never)


def test_without_a_limit_a_minute_holds_everything() -> None:
    budget = TokenBudget(0, 10_000_000, lambda: 0)
    slots = [budget.reserve(100_000, until=0, is_stopped=never) for _ in range(10)]

    assert len(set(slots)) == 10


def test_no_more_than_the_window_is_ever_handed_out_to_many_at_once() -> None:
    budget, taken, lock = TokenBudget(1_000, 10_000_000, lambda: 0), [0], threading.Lock()

    def take() -> None:
        try:
            budget.reserve(100, until=0, is_stopped=never)
        except LlmError:
            return
        with lock:
            taken[0] += 1

    threads = [threading.Thread(target=take) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert taken == [10]


def test_a_question_has_a_budget_of_its_own() -> None:
    budget = QuestionBudget(5_000)
    budget.reserve(4_000)
    budget.settle(4_000, 1_000)
    budget.reserve(4_000)

    with pytest.raises(LlmError, match="of one question") as caught:
        budget.reserve(1)

    assert caught.value.outcome == ModelOutcome.OVER_BUDGET


def test_a_wait_for_the_minute_is_told_with_its_seconds() -> None:
    clock = Clock()
    budget = TokenBudget(8_000, 1_000_000, lambda: 0, clock)
    budget.reserve(8_000, until=30, is_stopped=never)
    clock.now = 46.0
    told: list[float] = []

    def pass_time(wait_s: float) -> None:
        told.append(wait_s)
        clock.now = 60.0

    budget.reserve(5_000, until=100, is_stopped=never, on_wait=pass_time)
    budget.reserve(1_000, until=100, is_stopped=never, on_wait=pass_time)

    assert told == [14.0]


def test_what_other_processes_took_counts_for_the_minute_also_of_one_that_was_killed() -> None:
    clock, others = Clock(), [(20.0, 5_000)]
    budget = TokenBudget(8_000, 1_000_000, lambda: 0, clock, lambda: others)
    budget.reserve(3_000, until=30, is_stopped=never)

    with pytest.raises(LlmError) as caught:
        budget.reserve(4_000, until=30, is_stopped=never)
    assert 39 < caught.value.retry_after_s <= 40
    others.clear()
    budget.reserve(4_000, until=30, is_stopped=never)
