"""The first of an order, with ties, and those that come behind the first."""

from __future__ import annotations

import pytest

from core.domain.fields import FieldType
from core.errors import UsageError
from core.plan.operators.ranking import cut, ordered
from core.store.query.evaluate import RankedValue


def money(amount: int, unit: str = "EUR") -> RankedValue:
    return RankedValue(
        document="d", type=FieldType.MONEY, key=str(amount), amount=amount, unit=unit, text=str(amount)
    )


VALUES = {"a": money(10), "b": money(30), "c": money(30), "d": money(20)}


def test_all_that_are_equal_to_the_last_belong_to_the_first() -> None:
    assert [cut([3, 2, 2, 1], limit) for limit in (None, 1, 2, 3, 9)] == [4, 1, 3, 3, 4]
    assert ordered(VALUES, "net", descending=True, limit=1) == (["b", "c"], ["d", "a"])


def test_what_comes_before_the_wanted_place_is_among_the_others() -> None:
    assert ordered(VALUES, "net", descending=True, limit=1, skip=1) == (["d"], ["b", "c", "a"])
    assert ordered(VALUES, "net", descending=False, limit=None, skip=2) == (["b", "c"], ["a", "d"])


def test_values_in_several_currencies_have_no_order() -> None:
    with pytest.raises(UsageError, match="EUR"):
        ordered({"a": money(1), "b": money(2, "USD")}, "net", descending=True, limit=1)
