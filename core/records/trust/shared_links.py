"""Shared links: made, looked up by their secret's hash, revoked."""

from __future__ import annotations

import builtins
import hashlib
import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from core.domain.trust.access import LinkKind, SharedLink
from core.errors import NotFoundError
from core.records.database.db import Database
from core.records.database.trust_tables import shared_links

_FORM = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_LINK = shared_links.c


class SharedLinks:
    """Keeps links, their secrets as hashes alone. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        kind: LinkKind,
        target: str,
        account: str,
        expires_at: datetime | None,
        now: datetime | None = None,
    ) -> tuple[str, SharedLink]:
        """A new link; its secret is given here and can never be read again."""
        secret = secrets.token_urlsafe(32)
        row = {
            "secret": _hashed(secret),
            "kind": kind,
            "target": target,
            "account": account,
            "created_at": now or datetime.now(UTC),
            "expires_at": expires_at,
            "revoked_at": None,
        }
        with self._database.write_rows() as connection:
            connection.execute(sa.insert(shared_links).values(row))
        return secret, _link(row)

    def find(self, secret: str, now: datetime | None = None) -> SharedLink | None:
        """The link of a secret; None where it is forged, expired or revoked."""
        if not _FORM.match(secret):
            return None
        statement = sa.select(shared_links).where(_LINK.secret == _hashed(secret))
        with self._database.read() as connection:
            row = connection.execute(statement).mappings().first()
        found = None if row is None else _link(row)
        return found if found is not None and found.state(now or datetime.now(UTC)) == "open" else None

    def list(self, account: str | None) -> builtins.list[SharedLink]:
        """Links of an account, of all for None, the newest first."""
        statement = sa.select(shared_links).order_by(_LINK.created_at.desc(), _LINK.secret)
        if account is not None:
            statement = statement.where(_LINK.account == account)
        with self._database.read() as connection:
            return [_link(row) for row in connection.execute(statement).mappings()]

    def revoke(self, id: str, account: str | None, now: datetime | None = None) -> None:
        """End a link, of this account unless None. Raises NotFoundError."""
        change = sa.update(shared_links).where(_LINK.secret == id)
        if account is not None:
            change = change.where(_LINK.account == account)
        first = sa.func.coalesce(
            _LINK.revoked_at, sa.bindparam("at", now or datetime.now(UTC), _LINK.revoked_at.type)
        )
        with self._database.write_rows() as connection:
            if not connection.execute(change.values(revoked_at=first)).rowcount:
                raise NotFoundError("There is no such link of yours.", next_step="Look at the list again.")


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _link(row: Mapping[Any, Any]) -> SharedLink:
    values = {name: each for name, each in row.items() if name != "secret"}
    return SharedLink(id=row["secret"], **values)
