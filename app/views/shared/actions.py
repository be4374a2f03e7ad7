"""What the buttons of the page Shared do."""

from __future__ import annotations

from datetime import UTC, datetime

from app import services, state


def end(link: str) -> None:
    """End a link."""
    services.session().sharing.revoke(link)
    state.flash("The link leads nowhere any more.")


def now() -> datetime:
    """The moment that links are open at."""
    return datetime.now(UTC)
