"""Who may change the collection."""

from __future__ import annotations

from core.domain.principal import Principal
from core.errors import RefusedError

REVIEWER = "reviewer"


def require_admin(principal: Principal, deed: str) -> None:
    """Raise RefusedError unless the principal is an admin; `deed` completes "may not"."""
    if not principal.is_admin:
        raise RefusedError(
            f"{principal.user!r} may not {deed}.", next_step="Ask an admin of this workbench to do it."
        )


def require_reviewer(principal: Principal, deed: str) -> None:
    """Raise RefusedError unless the principal is a reviewer or an admin; `deed` completes "may not"."""
    if not (principal.is_admin or REVIEWER in principal.roles):
        raise RefusedError(
            f"{principal.user!r} may not {deed}.",
            next_step="Ask an admin of this workbench for the role 'reviewer'.",
        )
