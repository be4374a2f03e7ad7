"""Access of buckets and documents: read, changed, and what a change would show and hide."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.cache import Cache
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.principal import Grantee, Principal, grantee_keys
from core.domain.trust.access import AccessTarget, BucketAccess, DocumentAccess, PersonSight
from core.errors import NotFoundError
from core.store.database.changes import LAST, append_changes
from core.store.database.db import Database, slices
from core.store.database.schema import acl_groups, buckets, documents
from core.store.database.trust_tables import access_entries
from core.store.database.visibility import Visibility, is_not_gone
from core.store.database.work_tables import lessons
from core.store.documents.access import (
    acl_of_new,
    entries_of,
    has_no_entries,
    put_entries,
    set_acl,
)
from core.store.documents.rows import SUMMARY_COLUMNS, summary_of

_EVERYTHING = Visibility.everything()
_ROOM = 500_000  # keys of acls, about 100 bytes each, that are kept for all visibilities
SHOWN = 20
"""Documents that a preview names of each kind."""

# Made once: every call of everybody but admins asks it, and making it takes longer than its answer.
_OWN_LESSON = sa.exists().where(
    lessons.c.user == sa.bindparam("user"),
    ~lessons.c.is_shared,
    lessons.c.corrected.is_not(None),
    lessons.c.forgotten_at.is_(None),
)
_STATE = sa.select(LAST.scalar_subquery().label("data_version"), _OWN_LESSON.label("reads_alone"))


class AccessRecords:
    """Reads and changes access. Thread-safe. Unknown buckets and documents raise NotFoundError."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known_keys: Cache[int, frozenset[str]] = Cache(1)  # by data version
        self._accesses: Cache[tuple[int, frozenset[str]], frozenset[str]] = Cache(room=_ROOM, weigh=len)

    def of_buckets(self) -> builtins.list[BucketAccess]:
        """Access of every bucket, by name."""
        counted = sa.select(
            documents.c.bucket,
            sa.func.count().label("all"),
            sa.func.sum(sa.case((has_no_entries(), 1), else_=0)).label("following"),
        )
        counted = counted.where(is_not_gone()).group_by(documents.c.bucket)
        with self._database.read() as connection:
            names = list(connection.execute(sa.select(buckets.c.name).order_by(buckets.c.name)).scalars())
            entries = entries_of(connection, "bucket", names)
            counts = {row.bucket: (int(row.all), int(row.following)) for row in connection.execute(counted)}
        return [
            BucketAccess(name, entries.get(name, ()), bool(entries.get(name)), *counts.get(name, (0, 0)))
            for name in names
        ]

    def of_bucket(self, bucket: str) -> BucketAccess:
        """Access of one bucket."""
        found = next((each for each in self.of_buckets() if each.bucket == bucket), None)
        if found is None:
            raise _no_bucket(bucket)
        return found

    def of_document(self, document: DocumentId) -> DocumentAccess:
        """Access of one document, also of one that was withdrawn."""
        with self._database.read() as connection:
            summary = _summary(connection, document)
            own = entries_of(connection, "document", [document]).get(document)
        return DocumentAccess(summary, own, summary.acl)

    def own(self, *, limit: int | None = None) -> builtins.list[DocumentAccess]:
        """The documents with access of their own, by name."""
        statement = (
            sa.select(*SUMMARY_COLUMNS)
            .where(~has_no_entries(), is_not_gone())
            .order_by(documents.c.name, documents.c.id)
            .limit(limit)
        )
        with self._database.read() as connection:
            found = [summary_of(row) for row in connection.execute(statement)]
            entries = entries_of(connection, "document", [each.id for each in found])
        return [DocumentAccess(each, entries[each.id], each.acl) for each in found if each.id in entries]

    def set(
        self,
        target: AccessTarget,
        keys: tuple[str, ...] | None,
        granted_by: str,
        now: datetime | None = None,
    ) -> int:
        """Open a target to the grantees of these keys only; gives how many documents are open to others now.

        keys: checked; () opens it to everybody; None takes its entries away: a document follows its bucket
        then, a bucket is open to everybody. The change holds for every read that begins after it.
        """
        now = now or datetime.now(UTC)
        with self._database.write() as connection:
            changes_rows, acl = _what_changes(connection, target, keys)
            put_entries(connection, target.kind, target.id, keys, granted_by, now)
            changed = set_acl(connection, changes_rows, acl)
            append_changes(connection, [DocumentId(each) for each in changed], "access", now)
        return len(changed)

    def preview(
        self, target: AccessTarget, keys: tuple[str, ...] | None, person: str, sight: Visibility
    ) -> PersonSight:
        """What `set` would do to what a person sees, whose visibility is `sight`."""
        with self._database.read() as connection:
            rows, acl = _what_changes(connection, target, keys)
            before = _count(connection, sight.condition())
            if sight.may_see(acl):
                gained = sa.and_(rows, is_not_gone(), ~sight.condition())
                return _seen(connection, person, before, gained=gained)
            return _seen(connection, person, before, lost=sa.and_(rows, sight.condition()))

    def compare(self, person: str, before: Visibility, after: Visibility) -> PersonSight:
        """Documents that another visibility shows and hides, such as that of other groups."""
        with self._database.read() as connection:
            return _seen(
                connection,
                person,
                _count(connection, before.condition()),
                gained=sa.and_(after.condition(), ~before.condition()),
                lost=sa.and_(before.condition(), ~after.condition()),
            )

    def visibility(self, principal: Principal) -> Visibility:
        """Visibility of a principal, by those of its keys alone that anything is open to.

        So those who see the same share what is kept for a visibility, although each has a key of their own:
        it stays where they taught questions to be read for themselves alone.
        """
        found = Visibility.of(principal)
        if found.groups is None:
            return found
        state = self._database.one(_STATE, {"user": principal.user})
        version = int(state.data_version)
        known = self._known_keys.get_or_make(version, self._all_in_use)
        own = grantee_keys(principal.user, ()) if state.reads_alone else frozenset()
        groups = found.groups & known
        accesses = self._accesses.get_or_make((version, groups), lambda: self._open_to(groups))
        return Visibility(groups | own, accesses=accesses)

    def hides(self, ids: Collection[str], names: Collection[str], visible: Visibility) -> bool:
        """True where one of some documents may not be seen, also where it was removed since.

        names: of documents, as people see them; one that a document has which may be seen tells nothing.
        """
        if visible.groups is None:
            return False
        shown = visible.including_gone().to_open().condition()
        with self._database.read() as connection:
            for some in slices(ids):
                rows = connection.execute(sa.select(documents.c.id, shown).where(documents.c.id.in_(some)))
                found = {str(id): bool(is_shown) for id, is_shown in rows}
                if not all(found.values()):
                    return True
                removed = entries_of(connection, "removed", [id for id in some if id not in found])
                if not all(visible.may_see(acl) for acl in removed.values()):
                    return True
            for some in slices(names):
                called = sa.select(documents.c.name, shown).where(documents.c.name.in_(some))
                pairs = [(str(name), bool(is_shown)) for name, is_shown in connection.execute(called)]
                open_names = {name for name, is_shown in pairs if is_shown}
                if any(name not in open_names for name, _ in pairs):
                    return True
        return False

    def _all_in_use(self) -> frozenset[str]:
        """Keys that any document is, or was, open to: all others change nothing of a sight."""
        return frozenset(self._database.scalars(sa.select(acl_groups.c.group_name).distinct()))

    def _open_to(self, groups: frozenset[str]) -> frozenset[str]:
        statement = sa.select(acl_groups.c.access).where(acl_groups.c.group_name.in_(sorted(groups)))
        return frozenset(self._database.scalars(statement))

    def names_in_use(self) -> frozenset[str]:
        """Keys of all grantees that a bucket or document is open to now."""
        pairs = self._database.rows(
            sa.select(access_entries.c.grantee_kind, access_entries.c.grantee).distinct()
        )
        return frozenset(Grantee(kind, name).key for kind, name in pairs if kind != "everybody")


def _what_changes(
    connection: Connection, target: AccessTarget, keys: tuple[str, ...] | None
) -> tuple[sa.ColumnElement[bool], tuple[str, ...]]:
    """The documents whose acl a change of a target sets, and that acl. Raises NotFoundError."""
    if target.kind == "document":
        bucket = _summary(connection, DocumentId(target.id)).bucket
        acl = acl_of_new(connection, bucket) if keys is None else keys
        return documents.c.id == target.id, acl
    known = connection.execute(sa.select(buckets.c.name).where(buckets.c.name == target.id)).first()
    if known is None:
        raise _no_bucket(target.id)
    return sa.and_(documents.c.bucket == target.id, has_no_entries()), keys or ()


def _seen(
    connection: Connection,
    person: str,
    before: int,
    *,
    gained: sa.ColumnElement[bool] | None = None,
    lost: sa.ColumnElement[bool] | None = None,
) -> PersonSight:
    more, some_gained = _counted(connection, gained)
    fewer, some_lost = _counted(connection, lost)
    return PersonSight(person, before, before + more - fewer, more, fewer, some_gained, some_lost)


def _counted(
    connection: Connection, chosen: sa.ColumnElement[bool] | None
) -> tuple[int, tuple[DocumentSummary, ...]]:
    if chosen is None:
        return 0, ()
    ordered = sa.select(*SUMMARY_COLUMNS).where(chosen).order_by(documents.c.name, documents.c.id)
    some = tuple(summary_of(row) for row in connection.execute(ordered.limit(SHOWN)))
    return (len(some) if len(some) < SHOWN else _count(connection, chosen)), some


def _count(connection: Connection, chosen: sa.ColumnElement[bool]) -> int:
    statement = sa.select(sa.func.count()).select_from(documents).where(chosen)
    return int(connection.execute(statement).scalar_one())


def _summary(connection: Connection, document: DocumentId) -> DocumentSummary:
    condition = _EVERYTHING.including_gone().condition()
    row = connection.execute(sa.select(*SUMMARY_COLUMNS).where(documents.c.id == document, condition)).first()
    if row is None:
        raise NotFoundError(
            f"There is no document {document!r}.", next_step="Look at the list of documents for its id."
        )
    return summary_of(row)


def _no_bucket(bucket: str) -> NotFoundError:
    return NotFoundError(
        f"There is no bucket {bucket!r}.", next_step="Choose one that `groundwork access show` lists."
    )
