from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.store.people.browser_sessions import FIRST_WAIT_S, FORGET_AFTER, FREE, LONGEST_WAIT_S
from core.store.store import Records

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


def test_after_a_few_failures_the_wait_doubles_up_to_its_limit(records: Records) -> None:
    throttle, waits = records.throttle, []
    for _ in range(FREE + 20):
        throttle.fail(["account:ann"], NOW)
        waits.append(throttle.wait_s(["account:ann"], NOW))

    assert waits[:FREE] == [0] * FREE
    assert waits[FREE : FREE + 3] == [FIRST_WAIT_S + 1, FIRST_WAIT_S * 2 + 1, FIRST_WAIT_S * 4 + 1]
    assert max(waits) == LONGEST_WAIT_S + 1


def test_the_longest_wait_of_the_keys_counts_and_each_is_counted_alone(records: Records) -> None:
    for number in range(FREE + 2):
        records.throttle.fail([f"account:user{number}", "address:10.0.0.4"], NOW)

    assert records.throttle.wait_s(["account:user1"], NOW) == 0
    assert records.throttle.wait_s(["account:user1", "address:10.0.0.4"], NOW) > 0


def test_failures_are_forgotten_after_a_right_password_and_after_a_while(records: Records) -> None:
    for _ in range(FREE + 3):
        records.throttle.fail(["a", "b"], NOW)
    records.throttle.forget(["a"])

    assert records.throttle.wait_s(["a"], NOW) == 0
    assert records.throttle.wait_s(["b"], NOW) > 0
    later = NOW + FORGET_AFTER + timedelta(seconds=1)
    records.throttle.fail(["b"], later)
    assert records.throttle.wait_s(["b"], later) == 0


def test_a_clock_that_is_set_back_locks_nobody_out_and_forgets_no_failure(records: Records) -> None:
    for _ in range(FREE + 3):
        records.throttle.fail(["a"], NOW + timedelta(days=300))

    assert records.throttle.wait_s(["a"], NOW) == 0
    records.throttle.fail(["a"], NOW)
    assert 0 < records.throttle.wait_s(["a"], NOW) <= LONGEST_WAIT_S + 1
