"""API tokens: made, looked up by their secret's hash, revoked."""

from __future__ import annotations

import builtins
import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from core.domain.trust.account import ApiToken
from core.errors import NotFoundError
from core.records.database.db import Repository, matches
from core.records.database.trust_tables import api_tokens

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
