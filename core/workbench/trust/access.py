"""Access to documents, for admins: whom they are open to, changed, and looked at before it is changed."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Sequence
from typing import Literal

from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.principal import Grantee, Principal, checked_keys
from core.domain.trust.access import AccessTarget, BucketAccess, DocumentAccess, PersonSight
from core.domain.trust.permission import Action
from core.errors import UsageError
from core.store.base import BucketSummary, DocumentOrder, DocumentQuery
from core.store.database.visibility import Visibility
from core.workbench.people import groups, people, principal_of
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

Grantees = Collection[str] | Literal["everybody", "bucket"]
"""Keys of grantees (a group's name, `user:NAME`, `admins:`), "everybody", or "bucket": as the bucket is."""


class AccessService(Service):
    """Access of the home's buckets and documents. All of it takes an admin; RefusedError for others."""

    def buckets(self) -> builtins.list[BucketAccess]:
        """Access of every bucket, by name."""
        self._permit(Action.PEOPLE, "see access")
        return self._parts.records.access.of_buckets()

    def of_bucket(self, bucket: str) -> BucketAccess:
        """Access of one bucket. Raises NotFoundError."""
        self._permit(Action.PEOPLE, "see access")
        return self._parts.records.access.of_bucket(bucket)

    def of_document(self, document: DocumentId) -> DocumentAccess:
        """Access of one document. Raises NotFoundError."""
        self._permit(Action.PEOPLE, "see access")
        return self._parts.records.access.of_document(document)

    def own(self, *, limit: int | None = None) -> builtins.list[DocumentAccess]:
        """The documents with access of their own, by name."""
        self._permit(Action.PEOPLE, "see access")
        return self._parts.records.access.own(limit=limit)

    @recorded("access.set_bucket", "bucket", "grantees")
    def set_bucket(self, bucket: str, grantees: Grantees) -> int:
        """Open a bucket to these only; gives how many documents are open to others now.

        Documents with access of their own keep it. It holds at once, for everything that is read or searched
        after it. Raises NotFoundError, and UsageError for a grantee that nobody is.
        """
        self._permit(Action.PEOPLE, "change access")
        keys = self._keys("bucket", grantees)
        return self._set(AccessTarget("bucket", bucket), keys)

    @recorded("access.set_document", "document", "grantees")
    def set_document(self, document: DocumentId, grantees: Grantees) -> int:
        """Open a document to these only, or ("bucket") to whom its bucket is open to; as `set_bucket`."""
        self._permit(Action.PEOPLE, "change access")
        keys = self._keys("document", grantees)
        return self._set(AccessTarget("document", document), keys)

    def preview(self, target: AccessTarget, grantees: Grantees, person: str) -> PersonSight:
        """What a change would show to a person and hide from them; nothing is changed.

        Raises NotFoundError, UsageError.
        """
        self._permit(Action.PEOPLE, "see access")
        sight = Visibility.of(self._who(person))  # also by keys that nothing is open to before
        keys = self._keys(target.kind, grantees)
        return self._parts.records.access.preview(target, keys, person, sight)

    def preview_person(
        self, person: str, *, groups: Collection[str], roles: Collection[str] | None = None
    ) -> PersonSight:
        """What other groups and roles would show to a person and hide from them; nothing is changed.

        person: may be new; they see then what is open to everybody. roles: None as they are.
        """
        self._permit(Action.PEOPLE, "see access")
        access, name = self._parts.records.access, person.strip().lower()
        known = (
            principal_of(self._parts.records.accounts, self._parts.settings, name)
            if (name in self.people())
            else Principal(name)
        )
        after = Principal(name, known.roles if roles is None else frozenset(roles), frozenset(groups))
        return access.compare(name, access.visibility(known), access.visibility(after))

    def sees(
        self, person: str, *, bucket: str | None = None, text: str = "", limit: int | None = None
    ) -> Sequence[DocumentSummary]:
        """The documents that a person sees now, by name. Raises UsageError."""
        self._permit(Action.PEOPLE, "see access")
        records = self._parts.records
        query = DocumentQuery(bucket, None, text, order=DocumentOrder.NAME, limit=limit)
        return records.documents.list(records.access.visibility(self._who(person)), query)

    def sees_buckets(self, person: str) -> builtins.list[BucketSummary]:
        """Numbers of documents by bucket that a person sees now. Raises UsageError."""
        self._permit(Action.PEOPLE, "see access")
        records = self._parts.records
        return records.documents.buckets(records.access.visibility(self._who(person)))

    def people(self) -> builtins.list[str]:
        """Names of the people that can be asked about."""
        self._permit(Action.PEOPLE, "see accounts")
        return people(self._parts.records.accounts, self._parts.settings)

    def grantees(self) -> builtins.list[Grantee]:
        """All that access can be given to: groups, then users."""
        self._permit(Action.PEOPLE, "see access")
        accounts, settings = self._parts.records.accounts, self._parts.settings
        known = {Grantee("group", name) for name in groups(accounts, settings)}
        known |= {Grantee("user", name) for name in people(accounts, settings)}
        known |= {Grantee.of(key) for key in self._parts.records.access.names_in_use()}
        return sorted(each for each in known if each.kind != "admins")

    def _set(self, target: AccessTarget, keys: tuple[str, ...] | None) -> int:
        changed = self._parts.records.access.set(target, keys, self._principal.user)
        if changed:
            self._parts.engines.catch_up_if_unattended()
        return changed

    def _who(self, person: str) -> Principal:
        return principal_of(self._parts.records.accounts, self._parts.settings, person)

    def _keys(self, kind: Literal["bucket", "document"], grantees: Grantees) -> tuple[str, ...] | None:
        if isinstance(grantees, str):
            if grantees == "everybody":
                return () if kind == "document" else None
            if grantees == "bucket" and kind == "document":
                return None
            raise UsageError(
                f"{grantees!r} is no access of a {kind}.",
                next_step="Name groups and users, or 'everybody'; of a document also 'bucket'.",
            )
        if not grantees:
            raise UsageError(
                "Nobody is named.",
                next_step="Name groups or users, 'everybody', or 'admins:' for admins alone.",
            )
        keys = checked_keys(grantees)
        known = {each.key for each in self.grantees()}
        unknown = [Grantee.of(key) for key in keys if key not in known and Grantee.of(key).kind != "admins"]
        if unknown:
            raise UsageError(
                f"There is no {unknown[0].kind} {unknown[0].name!r}.",
                next_step="Choose one that `groundwork accounts list` or `groundwork accounts groups` names.",
            )
        return keys
