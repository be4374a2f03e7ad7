"""Shared links: an answer, a conversation or an audit that somebody shows to others by its address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.domain.audit import Audit, AuditRun
from core.domain.conversation import Turn

LinkKind = Literal["answer", "conversation", "audit"]


@dataclass(frozen=True, slots=True)
class SharedLink:
    """A link without its secret. target: a conversation, `conversation/turn`, or an audit; account: whose."""

    id: str
    kind: LinkKind
    target: str
    account: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def state(self, now: datetime) -> Literal["open", "expired", "revoked"]:
        """Whether the link leads anywhere."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "open"


@dataclass(frozen=True, slots=True)
class SharedView:
    """What a link leads to, as far as who opened it may see.

    turns: of an answer one. run: the last one of an audit.
    """

    link: SharedLink
    title: str
    turns: tuple[Turn, ...] = ()
    audit: Audit | None = None
    run: AuditRun | None = None
