from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.domain.crawl.request import checked_schedule, next_time
from core.errors import UsageError

TUESDAY = datetime(2026, 11, 24, 10, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "checked", "following"),
    [
        ("hourly", "hourly", datetime(2026, 11, 24, 11, 0, tzinfo=UTC)),
        ("Day", "daily", datetime(2026, 11, 25, 3, 0, tzinfo=UTC)),
        ("week", "weekly", datetime(2026, 11, 30, 3, 0, tzinfo=UTC)),
        ("30  6 * * 1-5", "30 6 * * 1-5", datetime(2026, 11, 25, 6, 30, tzinfo=UTC)),
        ("never", "", None),
        ("", "", None),
    ],
)
def test_a_schedule_has_one_form_and_a_next_time(
    given: str, checked: str, following: datetime | None
) -> None:
    assert checked_schedule(given) == checked
    assert next_time(checked, TUESDAY) == following


@pytest.mark.parametrize("given", ["sometimes", "61 * * * *", "* * *", "0 0 31 2 *", "* * * * * *"])
def test_what_is_no_schedule_is_refused_with_what_is(given: str) -> None:
    with pytest.raises(UsageError) as refused:
        checked_schedule(given)
    assert given in refused.value.message
    assert "hourly, daily, weekly" in refused.value.next_step
