"""Exchange rates and the fiscal year as programs read them."""

from __future__ import annotations

from core.domain.annotation import Accounting, Rate
from core.domain.wire.shapes import Shape


class RateRecord(Shape):
    """Worth of one of a currency in the base, from a day (ISO 8601) on; rate: a decimal string."""

    currency: str
    rate: str
    day: str
    source: str

    @classmethod
    def of(cls, rate: Rate) -> RateRecord:
        """The record of a rate."""
        return cls(
            currency=rate.currency, rate=f"{rate.rate:f}", day=rate.day.isoformat(), source=rate.source
        )


class AccountingRecord(Shape):
    """base: "" where none is chosen. dated_by: whose date chooses an amount's rate, () for the latest."""

    base: str
    dated_by: tuple[str, ...]
    fiscal_month: int
    rates: tuple[RateRecord, ...]

    @classmethod
    def of(cls, now: Accounting) -> AccountingRecord:
        """The record of what holds now."""
        rates = tuple(map(RateRecord.of, now.rates))
        return cls(base=now.base, dated_by=now.dated_by, fiscal_month=now.fiscal_month, rates=rates)
