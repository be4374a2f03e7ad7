"""Exchange rates and the fiscal year as programs read them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator

from core.domain.wire.shapes import Shape


class RateRecord(Shape):
    """Worth of one of a currency in the base, from a day (ISO 8601) on; rate: a decimal string."""

    currency: str
    rate: Annotated[str, BeforeValidator(lambda rate: f"{rate:f}" if isinstance(rate, Decimal) else rate)]
    day: date
    source: str


class AccountingRecord(Shape):
    """base: "" where none is chosen. dated_by: whose date chooses an amount's rate, () for the latest."""

    base: str
    dated_by: tuple[str, ...]
    fiscal_month: int
    rates: tuple[RateRecord, ...]
