"""Exchange rates and the fiscal year of a home, as its admins set them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.cache import Cache
from core.domain.annotation import Accounting, Rate
from core.errors import UsageError
from core.store.database.db import Database, Repository, insert_or_update, slices
from core.store.database.schema import meta
from core.store.database.work_tables import currency_rates
from core.values.accounting import checked

_KEY = "accounting"


class AccountingRecords(Repository):
    """Thread-safe. Rates of a base stay when another is chosen, and hold again when it comes back."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._kept: Cache[str, Accounting] = Cache(2)

    def now(self) -> Accounting:
        """What holds now; cheap while nothing changes."""
        value = self._database.scalar(sa.select(meta.c.value).where(meta.c.key == _KEY)) or {}
        return self._kept.get_or_make(str(value.get("version", "")), self._read)

    def choose(self, user: str, **chosen: Any) -> Accounting:
        """Keep such choices, by their names in Accounting, in place of those before; others stay."""
        with self._database.write_rows() as connection:
            before = _accounting(connection, is_changed=True)
            self._mark(connection, replace(before, **chosen), user)
        return self.now()

    def put(self, rates: Iterable[Rate], user: str, *, instead: bool = False) -> Accounting:
        """Add rates to the base, or replace those of a day; instead: of all before. Raises UsageError."""
        with self._database.write_rows() as connection:
            before = _accounting(connection, is_changed=True)
            if not before.base:
                raise UsageError("No base currency is chosen.", next_step="Choose it first, such as EUR.")
            added = checked(rates, before.base)
            named = {(each.currency, each.day) for each in added}
            kept = () if instead else tuple(r for r in before.rates if (r.currency, r.day) not in named)
            self._write(connection, replace(before, rates=checked((*kept, *added), before.base)), user)
        return self.now()

    def remove(self, currency: str, day: date | None, user: str) -> int:
        """Take out the rates of a currency, those of all days for None; gives how many there were."""
        with self._database.write_rows() as connection:
            before = _accounting(connection, is_changed=True)
            kept = tuple(r for r in before.rates if r.currency != currency or day not in (None, r.day))
            self._write(connection, replace(before, rates=kept), user)
        return len(before.rates) - len(kept)

    def _write(self, connection: Connection, accounting: Accounting, user: str) -> None:
        connection.execute(sa.delete(currency_rates).where(currency_rates.c.base == accounting.base))
        rows = [
            {"base": accounting.base, "currency": r.currency, "day": r.day.toordinal(), "rate": f"{r.rate:f}",
             "source": r.source}
            for r in accounting.rates
        ]  # fmt: skip
        for some in slices(rows):
            connection.execute(sa.insert(currency_rates), some)
        self._mark(connection, accounting, user)

    def _mark(self, connection: Connection, accounting: Accounting, user: str) -> None:
        """Keep the choices with a version that there never was before."""
        value = {
            "base": accounting.base,
            "dated_by": list(accounting.dated_by),
            "fiscal_month": accounting.fiscal_month,
            "version": secrets.token_hex(6),
            "user": user,
            "at": datetime.now(UTC).isoformat(),
        }
        insert_or_update(connection, meta, {"key": _KEY, "value": value})

    def _read(self) -> Accounting:
        with self._database.read() as connection:
            return _accounting(connection)


def _accounting(connection: Connection, *, is_changed: bool = False) -> Accounting:
    chosen = sa.select(meta.c.value).where(meta.c.key == _KEY)
    value: dict[str, Any] = connection.scalar(chosen.with_for_update() if is_changed else chosen) or {}
    base, row = str(value.get("base", "")), currency_rates.c
    rows = connection.execute(
        sa.select(row.currency, row.rate, row.day, row.source)
        .where(row.base == base)
        .order_by(row.currency, row.day)
    )
    return Accounting(
        base,
        tuple(Rate(r.currency, Decimal(r.rate), date.fromordinal(r.day), r.source) for r in rows),
        tuple(value.get("dated_by", ())),
        int(value.get("fiscal_month", 1)),
        str(value.get("version", "")),
    )
