"""Tokens for programs, and links by which answers and pages are shared; secrets are kept as hashes alone."""

from __future__ import annotations

import builtins
import hashlib
import hmac
import re
import secrets
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from core.domain.trust.access import LinkKind, SharedLink
from core.domain.trust.account import ApiToken
from core.errors import NotFoundError
from core.store.database.db import Repository, matches
from core.store.database.trust_tables import api_tokens, shared_links

PREFIX = "gwk"
_FORM = re.compile(rf"{PREFIX}_([0-9a-f]{{16}})_([A-Za-z0-9_-]{{43}})\Z")
_TOUCH = timedelta(minutes=1)


class ApiTokens(Repository):
    """Keeps tokens, their secrets as hashes alone. Thread-safe."""

    def add(
        self,
        account: str,
        name: str,
        scopes: Collection[str],
        expires_at: datetime,
        now: datetime | None = None,
    ) -> tuple[str, ApiToken]:
        """A new token; its text is given here and can never be seen again."""
        id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        row = {
            "id": id,
            "account": account,
            "name": name,
            "secret": _hashed(secret),
            "scopes": sorted(set(scopes)),
            "created_at": now or datetime.now(UTC),
            "expires_at": expires_at,
            "used_at": None,
            "revoked_at": None,
        }
        self._database.run_rows(sa.insert(api_tokens).values(row))
        return f"{PREFIX}_{id}_{secret}", _token(row)

    def find(self, text: str, now: datetime | None = None) -> ApiToken | None:
        """The token that a bearer sent; None where it is forged, expired or revoked."""
        form = _FORM.match(text)
        if form is None:
            return None
        now = now or datetime.now(UTC)
        with self._database.read() as connection:
            wanted = sa.select(api_tokens).where(api_tokens.c.id == form[1])
            row = connection.execute(wanted).mappings().first()
        if row is None or not hmac.compare_digest(row["secret"], _hashed(form[2])):
            return None
        token = _token(row)
        if token.state(now) != "active":
            return None
        if token.used_at is None or now - token.used_at >= _TOUCH:
            with self._database.write_rows(is_upkeep=True) as connection:
                connection.execute(
                    sa.update(api_tokens).where(api_tokens.c.id == token.id).values(used_at=now)
                )
        return token

    def revoke(self, id: str, account: str | None = None, now: datetime | None = None) -> ApiToken:
        """End a token, of one account where that is given. Raises NotFoundError."""
        with self._database.write_rows() as connection:
            own = [api_tokens.c.id == id, *([] if account is None else [api_tokens.c.account == account])]
            row = connection.execute(sa.select(api_tokens).where(*own).with_for_update()).mappings().first()
            if row is None:
                raise NotFoundError(f"There is no token {id!r}.", next_step="Run: groundwork tokens list")
            moment = row["revoked_at"] or now or datetime.now(UTC)
            connection.execute(sa.update(api_tokens).where(api_tokens.c.id == id).values(revoked_at=moment))
        return _token({**row, "revoked_at": moment})

    def list(self, account: str | None = None) -> builtins.list[ApiToken]:
        """Tokens of an account, or of all, newest first."""
        wanted = (
            sa.select(api_tokens)
            .order_by(api_tokens.c.created_at.desc(), api_tokens.c.id)
            .where(matches(api_tokens.c.account, account))
        )
        with self._database.read() as connection:
            return [_token(row) for row in connection.execute(wanted).mappings()]


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _token(row: sa.RowMapping | dict[str, object]) -> ApiToken:
    names = ("id", "account", "name", "created_at", "expires_at", "used_at", "revoked_at")
    values = {name: row[name] for name in names}
    return ApiToken(**values, scopes=frozenset(row["scopes"]))  # type: ignore[arg-type]


_LINK_FORM = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_LINK = shared_links.c


class SharedLinks(Repository):
    """Keeps links, their secrets as hashes alone. Thread-safe."""

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
        self._database.run_rows(sa.insert(shared_links).values(row))
        return secret, _link(row)

    def find(self, secret: str, now: datetime | None = None) -> SharedLink | None:
        """The link of a secret; None where it is forged, expired or revoked."""
        if not _LINK_FORM.match(secret):
            return None
        statement = sa.select(shared_links).where(_LINK.secret == _hashed(secret))
        with self._database.read() as connection:
            row = connection.execute(statement).mappings().first()
        found = None if row is None else _link(row)
        return found if found is not None and found.state(now or datetime.now(UTC)) == "open" else None

    def list(self, account: str | None) -> builtins.list[SharedLink]:
        """Links of an account, of all for None, the newest first."""
        statement = (
            sa.select(shared_links)
            .order_by(_LINK.created_at.desc(), _LINK.secret)
            .where(matches(_LINK.account, account))
        )
        with self._database.read() as connection:
            return [_link(row) for row in connection.execute(statement).mappings()]

    def revoke(self, id: str, account: str | None, now: datetime | None = None) -> None:
        """End a link, of this account unless None. Raises NotFoundError."""
        change = sa.update(shared_links).where(_LINK.secret == id, matches(_LINK.account, account))
        first = sa.func.coalesce(
            _LINK.revoked_at, sa.bindparam("at", now or datetime.now(UTC), _LINK.revoked_at.type)
        )
        with self._database.write_rows() as connection:
            if not connection.execute(change.values(revoked_at=first)).rowcount:
                raise NotFoundError("There is no such link of yours.", next_step="Look at the list again.")


def _link(row: Mapping[Any, Any]) -> SharedLink:
    values = {name: each for name, each in row.items() if name != "secret"}
    return SharedLink(id=row["secret"], **values)
