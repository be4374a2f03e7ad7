"""What is said of promise levels."""

from __future__ import annotations

from app.views.schemas.promise_panel import broken, figures
from core.domain.certainty.share import CheckedShare
from core.domain.facts import PromiseCost
from core.domain.fields import PromiseLevel


def cost(level: PromiseLevel, *, is_chosen: bool = False, right: int = 40) -> PromiseCost:
    return PromiseCost(level, is_chosen, 80, 0.1, CheckedShare(right, 40), CheckedShare(40, 40))


def test_a_row_says_what_is_promised_what_was_measured_and_what_people_found() -> None:
    table = figures([cost(PromiseLevel.STRICT), cost(PromiseLevel.BALANCED, is_chosen=True)])
    assert list(table["Level"]) == ["Strict", "Balanced (in use)"]
    assert list(table["Promised right, present / absent"]) == ["96% / 99%", "95% / 97%"]
    assert table["Here, called present"][0] == "40 of 40 (100 %, likely 91 to 100 %)"
    assert all("–" not in each for each in table["Measured"])


def test_a_level_in_use_that_does_not_hold_is_told() -> None:
    assert len(broken([cost(PromiseLevel.BALANCED, is_chosen=True, right=30)])) == 1


def test_nothing_is_told_of_a_level_not_in_use_or_where_chance_explains_it() -> None:
    assert broken([cost(PromiseLevel.STRICT, right=30)]) == []
    assert broken([cost(PromiseLevel.STRICT, is_chosen=True, right=38)]) == []
