"""Access to documents as people look at it: whom a bucket or document is open to, and what a change does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.domain.audit import Audit, AuditRun
from core.domain.conversation import Turn
from core.domain.document import DocumentSummary


@dataclass(frozen=True, slots=True)
class BucketAccess:
    """Access to a bucket. acl: () everybody; documents: all, following: those without access of their own."""

    bucket: str
    acl: tuple[str, ...]
    is_restricted: bool
    documents: int
    following: int


@dataclass(frozen=True, slots=True)
class DocumentAccess:
    """Access to a document. own: None where it follows its bucket; acl: what holds, () everybody."""

    document: DocumentSummary
    own: tuple[str, ...] | None
    acl: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AccessTarget:
    """What access is set of: a bucket by its name, or a document by its id."""

    kind: Literal["bucket", "document"]
    id: str


@dataclass(frozen=True, slots=True)
class PersonSight:
    """Documents that a person sees, and would see after a change: by number, with some of each kind.

    before, after: how many. gained, lost: how many a change shows and hides; some_gained, some_lost: the
    first of them by name.
    """

    person: str
    before: int
    after: int
    gained: int = 0
    lost: int = 0
    some_gained: tuple[DocumentSummary, ...] = ()
    some_lost: tuple[DocumentSummary, ...] = ()


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
