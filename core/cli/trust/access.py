"""`groundwork access`: whom buckets and documents are open to, and what a person sees."""

from __future__ import annotations

from typing import Any

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.domain.ids import DocumentId
from core.domain.principal import ADMINS_ONLY, in_words
from core.domain.trust.access import AccessTarget, BucketAccess, DocumentAccess, PersonSight
from core.domain.wire.records import DocumentRow
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.workbench.session import Session
from core.workbench.trust.access import Grantees


@click.group()
def access() -> None:
    """Show and set who may see buckets and documents."""


@access.command("show")
@click.option("--bucket", help="Of this bucket alone.")
@click.option("--document", help="Of this document alone, by its id.")
@common_options
def show(bucket: str | None, document: str | None, common: Common) -> int:
    """Show whom buckets are open to, and the documents with access of their own."""
    with common.open() as session:
        found = session.access
        of_buckets = [] if document else [found.of_bucket(bucket)] if bucket else found.buckets()
        of_documents = [] if document or bucket else found.own()
        if document:
            of_documents = [found.of_document(DocumentId(document))]
    if common.as_json:
        rows = [_bucket_json(each) for each in of_buckets]
        return print_json(envelope(buckets=rows, documents=[_own_json(each) for each in of_documents]))
    if of_buckets:
        heads = ("bucket", "open to", "documents", "with access of their own")
        print_table(heads, [_bucket_row(each) for each in of_buckets])
    if of_documents:
        print_table(("document", "name", "open to", "as"), [_own_row(each) for each in of_documents])
    return 0


@access.command("set")
@click.option("--bucket", help="Of this bucket: its documents without access of their own follow it.")
@click.option("--document", help="Of this document, by its id.")
@click.option("--group", "groups", multiple=True, help="Open to this group; may stand several times.")
@click.option("--user", "users", multiple=True, help="Open to this user; may stand several times.")
@click.option("--everybody", is_flag=True, help="Open to everybody.")
@click.option("--admins", is_flag=True, help="Open to admins alone.")
@click.option("--as-bucket", is_flag=True, help="Open to whom the document's bucket is open to.")
@click.option("--for", "person", help="Say what would change for this person, and change nothing.")
@common_options
def set_access(
    bucket: str | None,
    document: str | None,
    groups: tuple[str, ...],
    users: tuple[str, ...],
    everybody: bool,
    admins: bool,
    as_bucket: bool,
    person: str | None,
    common: Common,
) -> int:
    """Open a bucket or a document to groups and users only. It holds at once."""
    if (bucket is None) == (document is None):
        raise UsageError("Name a bucket or a document.", next_step="Give --bucket NAME or --document ID.")
    keys = [*groups, *(f"user:{user}" for user in users)]
    if sum((bool(keys), everybody, admins, as_bucket)) != 1:
        raise UsageError(
            "Say whom it is to be open to.",
            next_step="Give --group and --user, or one of --everybody, --admins and --as-bucket.",
        )
    wanted: Grantees = (
        "everybody" if everybody else "bucket" if as_bucket else [ADMINS_ONLY] if admins else keys
    )
    target = AccessTarget("document", document) if document else AccessTarget("bucket", bucket or "")
    with common.open() as session:
        if person is not None:
            return _show_sight(session.access.preview(target, wanted, person), common)
        changed = _set(session, target, wanted)
    return common.give(
        f"{changed:,} document{'' if changed == 1 else 's'} changed access.",
        kind=target.kind,
        id=target.id,
        changed=changed,
    )


@access.command("what-can-see")
@click.argument("person")
@click.option("--bucket", help="In this bucket alone.")
@click.option("--text", default="", help="Whose name, title or source holds this.")
@click.option("--limit", type=click.IntRange(1), help="At most this many.")
@common_options
def what_can_see(person: str, bucket: str | None, text: str, limit: int | None, common: Common) -> int:
    """List the documents that a person sees."""
    with common.open() as session:
        counts = session.access.sees_buckets(person)
        found = session.access.sees(person, bucket=bucket, text=text, limit=limit)
    if common.as_json:
        by_bucket = {each.name: each.documents for each in counts}
        rows = list(map(DocumentRow.of, found))
        return print_json(
            envelope(person=person, total=sum(by_bucket.values()), buckets=by_bucket, documents=rows)
        )
    total = sum(each.documents for each in counts)
    note(f"{person} sees {total:,} document{'' if total == 1 else 's'}.")
    print_table(("bucket", "name", "document"), ((each.bucket, each.name, each.id) for each in found))
    return 0


def _set(session: Session, target: AccessTarget, wanted: Grantees) -> int:
    if target.kind == "bucket":
        return session.access.set_bucket(target.id, wanted)
    return session.access.set_document(DocumentId(target.id), wanted)


def _show_sight(sight: PersonSight, common: Common) -> int:
    if common.as_json:
        return print_json(envelope(**sight_json(sight)))
    note(
        f"{sight.person} sees {sight.before:,} documents now, and would see {sight.after:,}: "
        f"{sight.gained:,} more, {sight.lost:,} fewer."
    )
    rows = [("gains", each) for each in sight.some_gained] + [("loses", each) for each in sight.some_lost]
    print_table(("", "bucket", "name"), ((what, each.bucket, each.name) for what, each in rows))
    return 0


def sight_json(sight: PersonSight) -> dict[str, Any]:
    """What a person sees before and after a change, as JSON."""
    return {
        "person": sight.person,
        "before": sight.before,
        "after": sight.after,
        "gained": sight.gained,
        "lost": sight.lost,
        "some_gained": list(map(DocumentRow.of, sight.some_gained)),
        "some_lost": list(map(DocumentRow.of, sight.some_lost)),
    }


def _bucket_row(found: BucketAccess) -> tuple[str, ...]:
    own = found.documents - found.following
    return found.bucket, in_words(found.acl), f"{found.documents:,}", f"{own:,}"


def _own_row(found: DocumentAccess) -> tuple[str, ...]:
    follows = "its bucket" if found.own is None else "its own"
    return found.document.id, found.document.name, in_words(found.acl), follows


def _bucket_json(found: BucketAccess) -> dict[str, Any]:
    return {
        "bucket": found.bucket,
        "acl": list(found.acl),
        "restricted": found.is_restricted,
        "documents": found.documents,
        "following": found.following,
    }


def _own_json(found: DocumentAccess) -> dict[str, Any]:
    own = None if found.own is None else list(found.own)
    return {"id": found.document.id, "name": found.document.name, "own": own, "acl": list(found.acl)}
