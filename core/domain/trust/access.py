"""Access to documents as people look at it: whom a bucket or document is open to, and what a change does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
