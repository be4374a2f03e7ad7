"""Principals: who is asking, and what they may do; and grantees, to whom a document or bucket is open.

The key of a grantee stands in the access list of a document: a group is its name, a user `user:NAME`, and
`admins:` opens to nobody but admins, who see everything anyway. No name of an account or group holds a colon.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from core.errors import RefusedError, UsageError

REVIEWER = "reviewer"
"""The role that decides cells."""

GranteeKind = Literal["group", "user", "admins"]

_USER = "user:"
ADMINS_ONLY = "admins:"
"""Key of documents that are open to no group and no user: only admins see them."""

_RESERVED = (_USER, ADMINS_ONLY)


@dataclass(frozen=True, slots=True)
class Principal:
    """A user with roles (what they may do) and groups (what they may see).

    origin: from where they call ("page 10.0.0.4", "api", "cli"), for the audit log alone.
    """

    user: str
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    origin: str = field(default="", compare=False)

    @property
    def is_admin(self) -> bool:
        """True where this principal sees every document and may change the collection."""
        return "admin" in self.roles

    @property
    def grantees(self) -> frozenset[str]:
        """Keys under which documents may be open to this principal: groups, and itself."""
        return grantee_keys(self.user, self.groups)


ROLES = ("analyst", REVIEWER, "finance_read", "contract_read", "compliance_officer", "admin")
"""The roles that an account can have; each allows more, and none hides anything."""

LOCAL_ADMIN = Principal("admin", roles=frozenset({"admin"}))

SYSTEM = "system"
"""The user of what nobody asked for, such as a schedule."""


@dataclass(frozen=True, slots=True, order=True)
class Grantee:
    """A group, a user, or admins alone (name "")."""

    kind: GranteeKind
    name: str

    @classmethod
    def of(cls, key: str) -> Grantee:
        """The grantee of a key; see the module."""
        if key == ADMINS_ONLY:
            return cls("admins", "")
        return cls("user", key.removeprefix(_USER)) if key.startswith(_USER) else cls("group", key)

    @property
    def key(self) -> str:
        """The key that access lists hold."""
        if self.kind == "admins":
            return ADMINS_ONLY
        return f"{_USER}{self.name}" if self.kind == "user" else self.name

    @property
    def label(self) -> str:
        """The grantee in words, for tables and sentences."""
        if self.kind == "admins":
            return "admins only"
        return f"the user {self.name}" if self.kind == "user" else f"the group {self.name}"


def grantee_keys(user: str, groups: Iterable[str]) -> frozenset[str]:
    """The keys that open documents to a user of these groups.

    A group that is called like a key of another kind opens nothing.
    """
    own = frozenset(group for group in groups if group and not group.startswith(_RESERVED))
    return own | {f"{_USER}{user}"} if user else own


def users_among(keys: Iterable[str]) -> list[str]:
    """The users that keys stand for, by their names."""
    return sorted(key.removeprefix(_USER) for key in keys if key.startswith(_USER))


def checked_keys(keys: Collection[str]) -> tuple[str, ...]:
    """Keys as an access list holds them: sorted, each once, admins alone only where nobody else is named.

    Raises UsageError for a blank name, and where a kind is unknown.
    """
    found: set[str] = set()
    for given in keys:
        key = given.strip()
        kind, colon, name = key.partition(":")
        if not key or (colon and key != ADMINS_ONLY and (kind != "user" or not name.strip())):
            raise UsageError(
                f"{given!r} names nobody that a document can be open to.",
                next_step=f"Name a group, `user:NAME` for one user, or {ADMINS_ONLY!r} for admins alone.",
            )
        found.add(f"{_USER}{name.strip()}" if colon and kind == "user" else key)
    if len(found) > 1:
        found.discard(ADMINS_ONLY)
    return tuple(sorted(found))


def in_words(keys: Collection[str]) -> str:
    """An access list as people read it: "everybody", "the group legal and the user ann"."""
    if not keys:
        return "everybody"
    labels = [Grantee.of(key).label for key in sorted(keys)]
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def require_admin(principal: Principal, deed: str) -> None:
    """Raise RefusedError unless the principal is an admin; `deed` completes "may not"."""
    if not principal.is_admin:
        raise RefusedError(
            f"{principal.user!r} may not {deed}.", next_step="Ask an admin of this workbench to do it."
        )
