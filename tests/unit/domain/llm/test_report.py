from __future__ import annotations

from datetime import date

import pytest

from core.domain.llm.report import DaySpending, KindTest, ModelHistory, ModelTestReport


@pytest.mark.parametrize(("works", "ok"), [((True, True), True), ((True, False), False)])
def test_a_test_is_well_where_every_kind_of_call_works(works: tuple[bool, ...], ok: bool) -> None:
    calls = tuple(KindTest(kind="stream", model="m", ok=each, detail="") for each in works)

    assert ModelTestReport(server="s", calls=calls).ok is ok


def test_the_last_day_of_a_history_is_today() -> None:
    days = (DaySpending(day=date(2026, 11, 24)), DaySpending(day=date(2026, 11, 25), tokens=7))

    assert ModelHistory(days=days).today.tokens == 7
