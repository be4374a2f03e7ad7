"""Leases: at most one owner of a name at a time, until it lets go or its time runs out."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from core.store.base import Lease
from core.store.database.db import Repository, insert_or_take
from core.store.database.schema import leases


class Leases(Repository):
    """Takes and gives back leases, across processes. Thread-safe."""

    def acquire(self, name: str, owner: str, ttl_s: float, now: datetime | None = None) -> bool:
        """Take the lease, or take it again; False while another owner holds it.

        One statement, so that of two who try at once one gets it.
        """
        with self._database.write_rows(is_upkeep=True) as connection:
            now = now or self._database.moment(connection)
            row = {"name": name, "owner": owner, "acquired_at": now}
            row["expires_at"] = now + timedelta(seconds=ttl_s)
            is_kept = sa.and_(leases.c.owner == owner, leases.c.expires_at > now)
            return insert_or_take(
                connection,
                leases,
                row,
                where=sa.or_(leases.c.owner == owner, leases.c.expires_at <= now),
                keep={"acquired_at": is_kept},
            )

    def renew(self, name: str, owner: str, ttl_s: float, now: datetime | None = None) -> bool:
        """Hold the lease longer; False where it is no longer this owner's, who must then stop writing.

        A lease that ran out but that nobody else took is renewed.
        """
        with self._database.write_rows(is_upkeep=True) as connection:
            now = now or self._database.moment(connection)
            changed = connection.execute(
                sa.update(leases)
                .where(leases.c.name == name, leases.c.owner == owner)
                .values(expires_at=now + timedelta(seconds=ttl_s))
            )
            return changed.rowcount == 1

    def release(self, name: str, owner: str) -> None:
        """Let go of the lease; nothing happens where it is not this owner's."""
        with self._database.write_rows(is_upkeep=True) as connection:
            connection.execute(sa.delete(leases).where(leases.c.name == name, leases.c.owner == owner))

    def holder(self, name: str, now: datetime | None = None) -> Lease | None:
        """Current lease; None where nobody holds it."""
        return next(iter(self._held(leases.c.name == name, now)), None)

    def holders(self, prefix: str, now: datetime | None = None) -> list[Lease]:
        """The leases that are held now and whose names begin with `prefix`, by name."""
        return self._held(leases.c.name.startswith(prefix, autoescape=True), now)

    def sweep(self, prefix: str, older_than_s: float, now: datetime | None = None) -> None:
        """Forget leases with such names that ran out longer ago than that."""
        with self._database.write_rows(is_upkeep=True) as connection:
            limit = (now or self._database.moment(connection)) - timedelta(seconds=older_than_s)
            is_old = sa.and_(leases.c.name.startswith(prefix, autoescape=True), leases.c.expires_at < limit)
            connection.execute(sa.delete(leases).where(is_old))

    def _held(self, condition: sa.ColumnElement[bool], now: datetime | None) -> list[Lease]:
        with self._database.read() as connection:
            now = now or self._database.moment(connection)
            rows = connection.execute(
                sa.select(leases).where(condition, leases.c.expires_at > now).order_by(leases.c.name)
            ).all()
        return [Lease(row.name, row.owner, row.acquired_at, row.expires_at) for row in rows]
