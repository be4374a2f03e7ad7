from __future__ import annotations

import pytest

from core.domain.certainty.share import CheckedShare, interval_of


def test_the_interval_is_that_of_wilson() -> None:
    # As published: 81 of 263, .2553 to .3662 (Newcombe 1998, table I).
    found = interval_of(81, 263)

    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_nothing_checked_says_nothing() -> None:
    nothing = CheckedShare()

    assert nothing.share is None
    assert (nothing.interval.low, nothing.interval.high) == (0.0, 1.0)
    assert not nothing.misses(0.99)


def test_a_promise_is_missed_only_where_chance_does_not_explain_it() -> None:
    assert not CheckedShare(41, 44).misses(0.95)
    assert CheckedShare(30, 44).misses(0.95)
    assert not CheckedShare(0, 1).misses(0.75)
    assert not CheckedShare(44, 44).misses(0.99)


def test_more_checks_narrow_the_interval() -> None:
    share = CheckedShare(18, 20)

    now, then = share.interval, share.after(10)

    assert then.high - then.low < now.high - now.low
    assert then.low < 0.9 < then.high
    assert CheckedShare().after(10).low == pytest.approx(0.7225, abs=1e-3)


@pytest.mark.parametrize("checked", [1, 3, 50])
def test_an_interval_stays_within_all_and_nothing(checked: int) -> None:
    for right in range(checked + 1):
        found = interval_of(right, checked)
        assert 0.0 <= found.low <= right / checked <= found.high <= 1.0
