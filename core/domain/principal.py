"""Who is asking."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """A user with roles (what they may do) and groups (what they may see)."""

    user: str
    roles: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()

    @property
    def is_admin(self) -> bool:
        """Whether this principal sees every document and may change the collection."""
        return "admin" in self.roles


LOCAL_ADMIN = Principal("admin", roles=frozenset({"admin"}))
