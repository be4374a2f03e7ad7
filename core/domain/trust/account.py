"""Accounts, their browser sessions and tokens, as people see them: never a password, never a secret."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from core.domain.principal import ROLES, Principal
from core.errors import UsageError

SCOPES = {
    "read": "see documents, search, cells and their exports",
    "ask": "ask questions and run plans",
    "write": "ingest, crawl, change cells and definitions, and follow jobs",
    "review": "resolve flagged answers",
    "admin": "everything that the account may do",
}
"""What a token may be used for, in words; the roles of its account bound it further."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}\Z")


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who can sign in. roles: their own; all_roles: with those of their groups."""

    name: str
    display: str
    roles: frozenset[str]
    groups: frozenset[str]
    all_roles: frozenset[str]
    is_disabled: bool
    must_change: bool
    has_password: bool
    created_at: datetime
    signed_in_at: datetime | None = None
    password: str = field(default="", repr=False, compare=False)  # its hash

    def principal(self, origin: str = "") -> Principal:
        """The principal that this account stands for."""
        return Principal(self.name, self.all_roles, self.groups, origin)


@dataclass(frozen=True, slots=True)
class AccountGroup:
    """A group: who is in it sees what is shared with it, and has its roles."""

    name: str
    note: str
    roles: frozenset[str]
    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A browser that is signed in."""

    id: str
    account: str
    created_at: datetime
    used_at: datetime
    expires_at: datetime
    address: str
    browser: str


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token of an account, without its secret."""

    id: str
    account: str
    name: str
    scopes: frozenset[str]
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None

    def state(self, now: datetime) -> str:
        """`active`, `expired` or `revoked`."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at <= now else "active"


def account_name(text: str) -> str:
    """The name as it is kept. Raises UsageError where it is none."""
    name = text.strip().lower()
    if not _NAME.match(name):
        raise UsageError(
            f"{text!r} is no name for an account or a group.",
            next_step="Use 1 to 64 letters, digits and . _ - @ +, beginning with a letter or digit.",
        )
    return name


def checked_roles(roles: frozenset[str]) -> frozenset[str]:
    """The roles, where all are known. Raises UsageError."""
    return _known(roles, ROLES, "role")


def checked_scopes(scopes: frozenset[str]) -> frozenset[str]:
    """The scopes, where all are known and there is one. Raises UsageError."""
    if not scopes:
        raise UsageError("A token needs a scope.", next_step=f"Choose of: {', '.join(SCOPES)}.")
    return _known(scopes, tuple(SCOPES), "scope")


def _known(given: frozenset[str], known: tuple[str, ...], word: str) -> frozenset[str]:
    unknown = sorted(given - set(known))
    if unknown:
        raise UsageError(
            f"There is no {word} {unknown[0]!r}. Expected some of: {', '.join(known)}.",
            next_step=f"Choose another {word}.",
        )
    return given
