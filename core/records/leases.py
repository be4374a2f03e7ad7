"""Leases: at most one owner of a name at a time, until it lets go or its time runs out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from core.records.base import Lease
from core.records.db import Database, insert_or_update
from core.records.schema import leases


class Leases:
    """Takes and gives back leases, across processes. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire(self, name: str, owner: str, ttl_s: float, now: datetime | None = None) -> bool:
        """Take the lease, or take it again; False while another owner holds it."""
        now = now or datetime.now(UTC)
        with self._database.write() as connection:
            held = connection.execute(sa.select(leases).where(leases.c.name == name)).first()
            if held is not None and held.owner != owner and held.expires_at > now:
                return False
            is_kept = held is not None and held.owner == owner and held.expires_at > now
            row = {
                "name": name,
                "owner": owner,
                "acquired_at": held.acquired_at if held is not None and is_kept else now,
                "expires_at": now + timedelta(seconds=ttl_s),
            }
            insert_or_update(connection, leases, row)
            return True

    def renew(self, name: str, owner: str, ttl_s: float, now: datetime | None = None) -> bool:
        """Hold the lease longer; False where it is no longer this owner's, who must then stop writing.

        A lease that ran out but that nobody else took is renewed.
        """
        now = now or datetime.now(UTC)
        with self._database.write() as connection:
            changed = connection.execute(
                sa.update(leases)
                .where(leases.c.name == name, leases.c.owner == owner)
                .values(expires_at=now + timedelta(seconds=ttl_s))
            )
            return changed.rowcount == 1

    def release(self, name: str, owner: str) -> None:
        """Let go of the lease; nothing happens where it is not this owner's."""
        with self._database.write() as connection:
            connection.execute(sa.delete(leases).where(leases.c.name == name, leases.c.owner == owner))

    def holder(self, name: str, now: datetime | None = None) -> Lease | None:
        """Who holds the lease now; None where nobody does."""
        now = now or datetime.now(UTC)
        with self._database.read() as connection:
            row = connection.execute(
                sa.select(leases).where(leases.c.name == name, leases.c.expires_at > now)
            ).first()
        if row is None:
            return None
        return Lease(row.name, row.owner, row.acquired_at, row.expires_at)
