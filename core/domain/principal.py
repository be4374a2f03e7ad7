"""Principals: who is asking, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.grantee import grantee_keys
from core.errors import RefusedError

REVIEWER = "reviewer"
"""The role that decides cells."""


AUDITORS = frozenset({"admin", "compliance_officer"})
"""The roles that see what others did."""


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

    @property
    def is_reviewer(self) -> bool:
        """True of who decides cells, and does not only read them."""
        return self.is_admin or REVIEWER in self.roles


ROLES = ("analyst", REVIEWER, "finance_read", "contract_read", "compliance_officer", "admin")
"""The roles that an account can have; each allows more, and none hides anything."""

LOCAL_ADMIN = Principal("admin", roles=frozenset({"admin"}))

SYSTEM = "system"
"""The user of what nobody asked for, such as a schedule."""


def require_admin(principal: Principal, deed: str) -> None:
    """Raise RefusedError unless the principal is an admin; `deed` completes "may not"."""
    if not principal.is_admin:
        raise RefusedError(
            f"{principal.user!r} may not {deed}.", next_step="Ask an admin of this workbench to do it."
        )


def require_reviewer(principal: Principal, deed: str) -> None:
    """Raise RefusedError unless the principal is a reviewer or an admin; `deed` completes "may not"."""
    if not principal.is_reviewer:
        raise RefusedError(
            f"{principal.user!r} may not {deed}.",
            next_step="Ask an admin of this workbench for the role 'reviewer'.",
        )
