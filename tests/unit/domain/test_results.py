"""Results of nodes, several told as one."""

from __future__ import annotations

from core.domain.results import Conversion, UsedRate, together


def test_conversions_are_told_as_one_each_rate_once() -> None:
    usd, gbp = (UsedRate(currency=code, rate="0.9", day="2024-01-01") for code in ("USD", "GBP"))
    one = Conversion(into="EUR", base="EUR", rates=(usd,), undated=1)
    other = Conversion(into="EUR", base="EUR", rates=(usd, gbp), undated=2)
    found = together([one, other])
    assert found is not None
    assert (found.into, found.rates, found.undated) == ("EUR", (usd, gbp), 3)
    assert together([]) is None
