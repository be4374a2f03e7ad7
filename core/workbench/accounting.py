"""Exchange rates and the fiscal year of the home: read by everybody, set by admins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from core.domain.annotation import Accounting, Rate
from core.domain.trust.permission import Action
from core.errors import NotFoundError, UsageError
from core.values.accounting import read_csv, read_currency
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

_MOST_DATES = 20


class AccountingService(Service):
    """Rates are never fetched. Without a base amounts of different currencies are never added."""

    def now(self) -> Accounting:
        """What holds now."""
        return self._parts.records.accounting.now()

    @recorded("accounting.choose", "base", "dated_by", "fiscal_month")
    def choose(
        self,
        base: str | None = None,
        dated_by: Sequence[str] | None = None,
        fiscal_month: int | None = None,
    ) -> Accounting:
        """Choose the base, what dates an amount, and the first month of the fiscal year; None leaves it.

        base: "" for none. Rates lead to a base: those of another one do not hold. Raises UsageError.
        """
        self._permit(Action.CONFIGURE, "choose the base currency and the fiscal year")
        chosen: dict[str, Any] = {}
        if fiscal_month is not None:
            if not 1 <= fiscal_month <= 12:
                raise UsageError(f"There is no month {fiscal_month}.", next_step="Give one from 1 to 12.")
            chosen["fiscal_month"] = fiscal_month
        if dated_by is not None:
            chosen["dated_by"] = names = tuple(dict.fromkeys(map(str.strip, dated_by)))
            if len(names) > _MOST_DATES or not all(0 < len(name) <= 200 for name in names):
                raise UsageError(
                    "These are no names of dates.", next_step="Name fields such as invoice_date."
                )
        if base is not None:
            chosen["base"] = read_currency(base) if base.strip() else ""
        return self._parts.records.accounting.choose(self._principal.user, **chosen)

    @recorded("rates.set", "rates", "instead")
    def set_rates(self, rates: Sequence[Rate], *, instead: bool = False) -> Accounting:
        """Add rates to the base, in place of those of the same day; instead: of all. Raises UsageError."""
        self._permit(Action.CONFIGURE, "set exchange rates")
        return self._parts.records.accounting.put(rates, self._principal.user, instead=instead)

    def import_rates(self, text: str, *, instead: bool = False) -> Accounting:
        """Set the rates of a CSV, all of them or, where a line is wrong, none. Raises UsageError."""
        return self.set_rates(read_csv(text), instead=instead)

    @recorded("rates.remove", "currency", "day")
    def remove_rates(self, currency: str, day: date | None = None) -> int:
        """Take out the rate of a currency on a day, or all of them; gives how many. Raises NotFoundError."""
        self._permit(Action.CONFIGURE, "set exchange rates")
        removed = self._parts.records.accounting.remove(currency.strip().upper(), day, self._principal.user)
        if not removed:
            raise NotFoundError(
                f"There is no rate of {currency!r}.", next_step="Look at `groundwork rates list`."
            )
        return removed
