"""Accounting of a home as its admins set it: exchange rates to a base currency, and the fiscal year.

A rate says what one of a currency is worth in the base. Nothing is ever fetched.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

NO_DAY = 0
"""In place of the day of an amount that has none: the latest rate is used."""

NO_RATE = ", for which there is no rate"
"""Behind "in JPY": why an amount takes no part."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Worth of one of `currency` in the base, from `day` on."""

    currency: str
    rate: Decimal
    day: date
    source: str = ""

    @property
    def name(self) -> str:
        """As people and the audit log have it."""
        return f"{self.currency} {self.rate:f} on {self.day.isoformat()}" + (
            f", {self.source}" * bool(self.source)
        )


@dataclass(frozen=True)
class Accounting:
    """The rates of a base currency, and the calendar. base: "" for none. version: new after each change.

    dated_by: fields and columns whose date decides which rate an amount has, in order; () for the latest.
    fiscal_month: the first of the fiscal year, which is called by the calendar year that it ends in.
    """

    base: str = ""
    rates: tuple[Rate, ...] = ()
    dated_by: tuple[str, ...] = ()
    fiscal_month: int = 1
    version: str = ""

    @cached_property
    def _of(self) -> dict[str, list[Rate]]:
        found: dict[str, list[Rate]] = (
            {self.base: [Rate(self.base, Decimal(1), date.min)]} if self.base else {}
        )
        for each in sorted(self.rates, key=lambda rate: rate.day):
            found.setdefault(each.currency, []).append(each)
        return found

    @property
    def currencies(self) -> frozenset[str]:
        """All that have a worth here, the base among them; none where no rate is set."""
        return frozenset(self._of) if self.rates else frozenset()

    def of(self, currency: str, day: int = NO_DAY) -> Rate | None:
        """The rate at or before a day (ordinal), the latest for `NO_DAY`; None where there is none."""
        known = self._of.get(currency, [])
        end = bisect_right(known, day, key=lambda rate: rate.day.toordinal()) if day else len(known)
        return known[end - 1] if end else None

    def since(self, currency: str) -> int:
        """The first day (ordinal) of which a rate of a currency is known."""
        return self._of[currency][0].day.toordinal()

    def worth(self, amount: Decimal, currency: str, into: str, day: int = NO_DAY) -> Decimal | None:
        """An amount in another currency; exact in the base, else to the precision of the context."""
        one, other = self.of(currency, day), self.of(into, day)
        if one is None or other is None:
            return amount if currency == into else None
        return amount if currency == into else amount * one.rate / other.rate
