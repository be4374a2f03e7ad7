"""Responses of requests that carry an idempotency key, so that a retry does nothing twice.

Source: IETF draft-ietf-httpapi-idempotency-key-header-07.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from core.store.database.db import Repository, insert_or_ignore, to_row
from core.store.database.trust_tables import request_keys

KEPT_FOR = timedelta(hours=24)
RUNS_AT_MOST = timedelta(minutes=15)
"""After which a request that has no response is taken for one whose process died."""


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response as it was sent. fingerprint: of the body that got it; view: what the caller saw then."""

    fingerprint: str
    view: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class KeyClaim:
    """Right to answer a request. id: "" where another has it; response: what it got, None while it runs."""

    id: str
    response: StoredResponse | None = None


class RequestKeys(Repository):
    """Claims keys and keeps what their requests were answered. Thread-safe, also across processes."""

    def claim(self, key: str, now: datetime | None = None) -> KeyClaim:
        """Claim a key: of several that do so at once one gets it."""
        now = now or datetime.now(UTC)
        columns, id = request_keys.c, secrets.token_hex(16)
        unfinished = sa.and_(columns.fingerprint.is_(None), columns.claimed_at < now - RUNS_AT_MOST)
        with self._database.write_rows(is_upkeep=True) as connection:
            old = sa.or_(columns.claimed_at < now - KEPT_FOR, sa.and_(columns.key == key, unfinished))
            connection.execute(sa.delete(request_keys).where(old))
            row = {
                "key": key,
                "claim": id,
                "claimed_at": now,
                "fingerprint": None,
                "view": "",
                "status": 0,
                "headers": {},
                "body": b"",
            }
            insert_or_ignore(connection, request_keys, [row])
            found = connection.execute(sa.select(request_keys).where(columns.key == key)).one()
        if found.claim == id:
            return KeyClaim(id)
        if found.fingerprint is None:
            return KeyClaim("")
        stored = StoredResponse(
            found.fingerprint, found.view, found.status, dict(found.headers), bytes(found.body)
        )
        return KeyClaim("", stored)

    def keep(self, key: str, claim: str, response: StoredResponse) -> None:
        """Keep the response of a claimed key; nothing happens where the claim was lost."""
        values = to_row(request_keys, response)
        with self._database.write_rows(is_upkeep=True) as connection:
            connection.execute(sa.update(request_keys).where(*_own(key, claim)).values(values))

    def release(self, key: str, claim: str) -> None:
        """Give a claimed key back: its request did nothing."""
        with self._database.write_rows(is_upkeep=True) as connection:
            connection.execute(sa.delete(request_keys).where(*_own(key, claim)))


def _own(key: str, claim: str) -> tuple[sa.ColumnElement[bool], ...]:
    columns = request_keys.c
    return columns.key == key, columns.claim == claim, columns.fingerprint.is_(None)
