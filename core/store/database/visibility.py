"""Visibility: the documents that a principal may see, as a condition that every read carries."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from core.domain.principal import Principal
from core.fields.promise import QuestionPromise
from core.store.database.among import among
from core.store.database.schema import acl_groups, documents

Sight = tuple[frozenset[str] | None, frozenset[str] | None, frozenset[str]]
GONE_ACCESS = "gone:"
"""Start of `documents.access` of what was withdrawn. Keys of acls are hexadecimal, so it sorts after all of
them, and the indexes that end with `access` decide it without reading a row."""

ROWS_ACCESS = "rows:"
"""The same of the document of a dataset: nothing lists, counts or searches it; it is opened by its id."""


def is_not_gone() -> sa.ColumnElement[bool]:
    """True of a document that was not withdrawn."""
    return documents.c.access < GONE_ACCESS


@dataclass(frozen=True, slots=True)
class Visibility:
    """The documents that may be read: all of them, or those without an acl and those of `groups`.

    groups: keys of grantees (core.domain.principal), of which acls are made; None means everything. What
    it hides is not there: not counted, not listed, not found.
    promise: how sure clauses must be for the question that reads; None: as their cells were decided.
    with_gone: documents that were withdrawn are there too, for those who open one or look for them.
    with_rows: so are the documents of datasets, for those who open one by its id.
    buckets: those that a question is asked in, None for all: what lies outside is not there either, whatever
    the question names. without: single documents that are not there: copies of others, which a question
    counts once. accesses: keys of acls that are known to be open to it, where they were worked out, so
    that a search does not do it for each of its reads. A key stands for one acl for good; of others the
    database is asked.
    """

    groups: frozenset[str] | None
    promise: QuestionPromise | None = field(default=None, kw_only=True)
    with_gone: bool = field(default=False, kw_only=True)
    with_rows: bool = field(default=False, kw_only=True)
    buckets: frozenset[str] | None = field(default=None, kw_only=True)
    without: frozenset[str] = field(default=frozenset(), kw_only=True)
    accesses: frozenset[str] | None = field(default=None, kw_only=True, compare=False, repr=False)

    @classmethod
    def everything(cls) -> Visibility:
        """No restriction: for admins and for the machinery that keeps the index."""
        return cls(None)

    @classmethod
    def of(cls, principal: Principal) -> Visibility:
        """Visibility of this principal."""
        return cls(None if principal.is_admin else principal.grantees)

    def promising(self, promise: QuestionPromise | None) -> Visibility:
        """The same for a question that has clauses decided by these lines."""
        return replace(self, promise=promise)

    def within(self, buckets: Collection[str]) -> Visibility:
        """The same in these buckets alone, in those of them that it had before; () leaves it as it is."""
        inside = self.only(buckets)
        return self if inside == self.buckets else replace(self, buckets=inside)

    def only(self, buckets: Collection[str]) -> frozenset[str] | None:
        """Those of some buckets that it has; () for all that it has, None where these are all there are."""
        if not buckets:
            return self.buckets
        return frozenset(buckets) if self.buckets is None else self.buckets.intersection(buckets)

    @property
    def sight(self) -> Sight:
        """Key of what is seen: what is found for one of these is kept for no other."""
        return self.groups, self.buckets, self.without

    @property
    def is_whole(self) -> bool:
        """True where every document of the collection is there."""
        return self.sight == (None, None, frozenset())

    def including_gone(self) -> Visibility:
        """The same, and the documents that were withdrawn."""
        return replace(self, with_gone=True)

    def to_open(self) -> Visibility:
        """The same for documents that are opened by their ids: those of datasets are there too."""
        return replace(self, with_rows=True)

    def has(self, bucket: str) -> bool:
        """True where documents of this bucket are there."""
        return self.buckets is None or bucket in self.buckets

    def may_see(self, acl: Collection[str]) -> bool:
        """True where documents of this acl are shown, in the buckets that it has."""
        return self.groups is None or not acl or not self.groups.isdisjoint(acl)

    def at(self, data_version: int) -> Snapshot:
        """The same at one state of the collection."""
        return Snapshot(
            self.groups,
            data_version,
            promise=self.promise,
            buckets=self.buckets,
            without=self.without,
            accesses=self.accesses,
        )

    def shows(self, access: str) -> bool:
        """True where a row of this `documents.access` is known to be shown; False tells nothing yet."""
        if self.groups is None or self.accesses is None or self.buckets is not None or self.without:
            return False
        key = access.removeprefix(GONE_ACCESS) if self.with_gone else access
        return not key or key in self.accesses

    def condition(self) -> sa.ColumnElement[bool]:
        """The condition on the documents table; one IN over a subquery, never a correlated EXISTS."""
        every = [self._of_groups()]
        if self.buckets is not None:
            every.append(documents.c.bucket.in_(sorted(self.buckets)))
        if self.without:
            every.append(~among(documents.c.id, self.without))
        return sa.and_(*every)

    def _of_groups(self) -> sa.ColumnElement[bool]:
        marks = ["", *([GONE_ACCESS] if self.with_gone else []), *([ROWS_ACCESS] if self.with_rows else [])]
        if self.groups is None:
            hidden = [documents.c.access.startswith(mark) for mark in marks[1:]]
            return sa.or_(is_not_gone(), *hidden)
        unrestricted = documents.c.access.in_(marks)
        if not self.groups:
            return unrestricted
        shared = [
            sa.select(sa.literal(mark) + acl_groups.c.access if mark else acl_groups.c.access).where(
                acl_groups.c.group_name.in_(sorted(self.groups))
            )
            for mark in marks
        ]
        return sa.or_(unrestricted, *(documents.c.access.in_(each) for each in shared))


@dataclass(frozen=True, slots=True)
class Snapshot(Visibility):
    """A visibility with the data version that a question began with: it is read once, and handed on.

    What is kept for a data version is found by it; documents are read as they are now.
    """

    data_version: int
