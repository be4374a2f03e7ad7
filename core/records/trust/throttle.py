"""Failed sign-ins, counted for each account and each address, by all processes together."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from core.records.database.db import Repository, insert_or_ignore
from core.records.database.trust_tables import sign_in_failures

FREE = 5
"""Failures before somebody has to wait."""
FIRST_WAIT_S = 2
LONGEST_WAIT_S = 900
FORGET_AFTER = timedelta(hours=1)


class Throttle(Repository):
    """Says who has to wait before the next try. Thread-safe. Keys are kept as hashes."""

    def wait_s(self, keys: Collection[str], now: datetime | None = None) -> int:
        """Seconds to wait, 0 for none: the longest of the keys.

        A wait that is longer than any was written before the clock was set back, and is over.
        """
        now = now or datetime.now(UTC)
        until_ = sign_in_failures.c.blocked_until
        wanted = sa.select(sa.func.max(until_)).where(
            sign_in_failures.c.key.in_([_hashed(key) for key in keys]),
            until_ <= now + timedelta(seconds=LONGEST_WAIT_S),
        )
        until = self._database.scalar(wanted)
        return 0 if until is None or until <= now else int((until - now).total_seconds()) + 1

    def fail(self, keys: Collection[str], now: datetime | None = None) -> None:
        """Count a failure for each key; from the sixth on the wait doubles up to a quarter of an hour."""
        now = now or datetime.now(UTC)
        columns = sign_in_failures.c
        with self._database.write_rows(is_upkeep=True) as connection:
            connection.execute(sa.delete(sign_in_failures).where(columns.last_at < now - FORGET_AFTER))
            for key in sorted(
                _hashed(each) for each in keys
            ):  # in one order, so that two never block each other
                fresh = {"key": key, "failures": 0, "last_at": now, "blocked_until": now}
                insert_or_ignore(connection, sign_in_failures, [fresh])
                count = (
                    connection.execute(
                        sa.select(columns.failures).where(columns.key == key).with_for_update()
                    ).scalar_one()
                    + 1
                )
                wait = (
                    0 if count <= FREE else min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(count - FREE - 1, 20))
                )
                connection.execute(
                    sa.update(sign_in_failures)
                    .where(columns.key == key)
                    .values(failures=count, last_at=now, blocked_until=now + timedelta(seconds=wait))
                )

    def forget(self, keys: Collection[str]) -> None:
        """Forget the failures of keys, after a right password."""
        with self._database.write_rows(is_upkeep=True) as connection:
            hashes = [_hashed(key) for key in keys]
            connection.execute(sa.delete(sign_in_failures).where(sign_in_failures.c.key.in_(hashes)))


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
