"""What is said of promise levels."""

from __future__ import annotations

from app.views.schemas.promise_panel import broken, figures
from core.domain.facts import PromiseCost
from core.domain.fields import PromiseLevel


def cost(
    level: PromiseLevel, *, is_chosen: bool = False, reviewed: int = 40, present: float = 0.99
) -> PromiseCost:
    return PromiseCost(level, is_chosen, reviewed, 0.1, present, 0.99)


def test_a_row_says_what_is_promised_what_was_measured_and_what_people_found() -> None:
    table = figures([cost(PromiseLevel.STRICT), cost(PromiseLevel.BALANCED, is_chosen=True)])
    assert list(table["Level"]) == ["Strict", "Balanced (in use)"]
    assert list(table["Promised right, present / absent"]) == ["96% / 99%", "95% / 97%"]
    assert table["In this bucket"][0] == "99.0% / 99.0% of 40 verdicts"
    assert all("–" not in each for each in table["Measured"])


def test_a_level_in_use_that_does_not_hold_is_told() -> None:
    assert len(broken([cost(PromiseLevel.BALANCED, is_chosen=True, present=0.8)])) == 1


def test_nothing_is_told_of_a_level_not_in_use_or_of_a_few_verdicts() -> None:
    assert broken([cost(PromiseLevel.STRICT, present=0.8)]) == []
    assert broken([cost(PromiseLevel.STRICT, is_chosen=True, present=0.8, reviewed=5)]) == []
