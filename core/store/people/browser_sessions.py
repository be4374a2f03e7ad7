"""Signed-in browsers, found by the hash of what their cookie holds, and waits after failed tries."""

from __future__ import annotations

import builtins
import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import sqlalchemy as sa

from core.domain.trust.account import BrowserSession
from core.store.database.db import Database, Repository, insert_or_ignore
from core.store.database.schema import meta
from core.store.database.trust_tables import browser_sessions, sign_in_failures

SIGN_IN_KEY = "sign_in.key"
"""Where the key that signs cookies stands in `meta`."""
ROTATE_AFTER = timedelta(minutes=15)
GRACE = timedelta(seconds=60)
"""How long the secret before is taken once the new one was used: requests that were under way hold it."""
IDLE = timedelta(hours=12)
LONGEST = timedelta(days=7)
_TOUCH = timedelta(minutes=1)
_SKEW = timedelta(minutes=1)  # by which the clocks of several machines may differ


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session that a cookie opened. secret: what the cookie is to hold from now on, "" for the same."""

    session: BrowserSession
    secret: str = ""


class BrowserSessions:
    """Keeps sessions; their secrets as hashes alone. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._key = b""

    def key(self) -> bytes:
        """The key by which cookies are signed: one for all who share the records, made with the first use."""
        if not self._key:
            wanted = sa.select(meta.c.value).where(meta.c.key == SIGN_IN_KEY)
            with self._database.write_rows(is_upkeep=True) as connection:
                insert_or_ignore(
                    connection, meta, [{"key": SIGN_IN_KEY, "value": {"key": secrets.token_hex(32)}}]
                )
                self._key = bytes.fromhex(connection.execute(wanted).scalar_one()["key"])
        return self._key

    def begin(
        self, account: str, *, address: str = "", browser: str = "", now: datetime | None = None
    ) -> tuple[str, BrowserSession]:
        """A new session; gives the secret for its cookie. Sessions that ran out are forgotten."""
        now, secret = now or datetime.now(UTC), secrets.token_urlsafe(32)
        row = {
            "id": secrets.token_hex(12),
            "account": account,
            "secret": _hashed(secret),
            "rotated_at": now,
            "created_at": now,
            "used_at": now,
            "expires_at": now + LONGEST,
            "address": address[:64],
            "browser": browser[:200],
        }
        with self._database.write_rows() as connection:
            connection.execute(
                sa.delete(browser_sessions).where(
                    sa.or_(browser_sessions.c.expires_at <= now, browser_sessions.c.used_at <= now - IDLE)
                )
            )
            connection.execute(sa.insert(browser_sessions).values(row))
        return secret, _session(row)

    def open(self, secret: str, now: datetime | None = None) -> FoundSession | None:
        """The session of a cookie's secret; None where it ended, ran out, or never was.

        After a while the secret is exchanged; of requests at the same time one gets the new one.
        """
        now, hashed = now or datetime.now(UTC), _hashed(secret)
        columns = browser_sessions.c
        row = self._row(sa.or_(columns.secret == hashed, columns.previous == hashed), now)
        if row is None or not _is_live(row, now):
            return None
        is_old, until = row["secret"] != hashed, row["previous_until"]
        if is_old and until is not None and until <= now:
            self.end(row["id"])  # an old secret, though the browser has the new one: somebody copied it
            return None
        renewed = ""
        if is_old:
            # Where the response that brought the new one got lost, the browser gets another.
            if until is None and now - row["rotated_at"] >= GRACE:
                renewed = self._rotate(row["id"], row["secret"], hashed, now)
        elif now - row["rotated_at"] >= ROTATE_AFTER:
            renewed = self._rotate(row["id"], hashed, hashed, now)
        elif row["previous"] is not None and until is None:
            self._change(row["id"], used_at=now, previous_until=now + GRACE)
        elif now - row["used_at"] >= _TOUCH:
            self._change(row["id"], used_at=now)
        return FoundSession(_session(row), renewed)

    def live(self, id: str, now: datetime | None = None) -> BrowserSession | None:
        """The session of that id, for a connection that it opened; None where it ended or ran out."""
        now = now or datetime.now(UTC)
        row = self._row(browser_sessions.c.id == id, now)
        if row is None or not _is_live(row, now):
            return None
        if now - row["used_at"] >= _TOUCH:
            self._change(id, used_at=now)
        return _session(row)

    def end(self, id: str) -> None:
        """End a session; nothing happens where it has ended."""
        self._database.run_rows(sa.delete(browser_sessions).where(browser_sessions.c.id == id))

    def end_all(self, account: str, *, but: str = "") -> int:
        """End an account's sessions but one; gives how many."""
        columns = browser_sessions.c
        ended = sa.delete(browser_sessions).where(columns.account == account, columns.id != but)
        return self._database.run_rows(ended)

    def list(self, account: str, now: datetime | None = None) -> builtins.list[BrowserSession]:
        """An account's live sessions, the last used first."""
        now = now or datetime.now(UTC)
        wanted = sa.select(browser_sessions).where(browser_sessions.c.account == account)
        with self._database.read() as connection:
            found = connection.execute(wanted.order_by(browser_sessions.c.used_at.desc())).mappings()
            rows = cast("Sequence[Mapping[str, Any]]", found.all())
        return [_session(row) for row in rows if _is_live(row, now)]

    def _row(self, which: sa.ColumnElement[bool], now: datetime) -> Mapping[str, Any] | None:
        """A session's row; where the clock was set back since, with times that do not lie ahead."""
        with self._database.read() as connection:
            found = connection.execute(sa.select(browser_sessions).where(which)).mappings().first()
        row = cast("Mapping[str, Any] | None", found)
        if row is None or max(row["used_at"], row["rotated_at"]) <= now + _SKEW:
            return row
        until = row["previous_until"]
        changed = {
            "used_at": min(row["used_at"], now),
            "rotated_at": min(row["rotated_at"], now),
            "expires_at": min(row["expires_at"], now + LONGEST),
            "previous_until": None if until is None else min(until, now + GRACE),
        }
        self._change(row["id"], **changed)
        return {**row, **changed}

    def _rotate(self, id: str, current: str, kept: str, now: datetime) -> str:
        """A new secret in place of `current`; `kept` goes on until it is used. "" where another was first."""
        secret = secrets.token_urlsafe(32)
        values = {
            "secret": _hashed(secret),
            "previous": kept,
            "previous_until": None,
            "rotated_at": now,
            "used_at": now,
        }
        with self._database.write_rows(is_upkeep=True) as connection:
            own = sa.and_(browser_sessions.c.id == id, browser_sessions.c.secret == current)
            changed = connection.execute(sa.update(browser_sessions).where(own).values(values))
        return secret if changed.rowcount else ""

    def _change(self, id: str, **values: datetime | None) -> None:
        with self._database.write_rows(is_upkeep=True) as connection:
            connection.execute(sa.update(browser_sessions).where(browser_sessions.c.id == id).values(values))


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _is_live(row: Mapping[str, Any], now: datetime) -> bool:
    return bool(row["expires_at"] > now and row["used_at"] > now - IDLE)


def _session(row: Mapping[str, Any]) -> BrowserSession:
    names = ("id", "account", "created_at", "used_at", "expires_at", "address", "browser")
    return BrowserSession(**{name: row[name] for name in names})


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
            # In one order, so that two never block each other.
            for key in sorted(_hashed(each) for each in keys):
                fresh = {"key": key, "failures": 0, "last_at": now, "blocked_until": now}
                insert_or_ignore(connection, sign_in_failures, [fresh])
                before = sa.select(columns.failures).where(columns.key == key).with_for_update()
                count = connection.execute(before).scalar_one() + 1
                doubled = FIRST_WAIT_S * 2 ** min(count - FREE - 1, 20)
                wait = 0 if count <= FREE else min(LONGEST_WAIT_S, doubled)
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
