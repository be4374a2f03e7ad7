"""The list of everything: all documents with their kinds, those that could not be read among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import MOST_LINES, ledger_of
from core.answer.computed.wording import MAIN, counted, listed, singular
from core.domain.answer import Column, Table
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import Node, SelectionNode

_OTHER = "other documents"
_UNREAD = "could not be read"


def is_inventory(node: Node) -> bool:
    """True where a selection asks nothing of documents of any kind: it is the list of all of them."""
    return (
        isinstance(node, SelectionNode)
        and node.of == "documents"
        and not (node.conditions or node.inputs or node.order_by or node.limit or node.fields)
        and not (node.scope.schema_name or node.scope.documents or node.scope.readable)
    )


def compose_inventory(found: Documents, catalogue: Catalogue) -> ComputedDraft:
    """All documents in scope, by name, with their kind, bucket and file."""
    known = (catalogue.document(id) or DocumentEntry(id, id, "", "") for id in found.scope)
    entries = sorted(known, key=lambda each: (each.name.casefold(), each.id))
    unread = found.unreadable
    return ComputedDraft(
        lead=DraftLine(_lead(entries, len(unread), catalogue)),
        lines=tuple(
            DraftLine(_UNREAD if each.id in unread else _kind(each, catalogue), label=each.name)
            for each in entries[:MOST_LINES]
        ),
        table=Table(
            columns=tuple(Column(name=name, type="text") for name in ("Document", "Kind", "Bucket", "File")),
            rows=tuple(
                (each.name, _kind(each, catalogue) or None, each.bucket, each.source) for each in entries
            ),
            documents=tuple(each.id for each in entries),
        ),
        ledger=ledger_of(found, "documents"),
        left_out=max(0, len(entries) - MOST_LINES),
        confidence=1.0 if entries else 0.0,
    )


def kinds_said(entries: Iterable[DocumentEntry], catalogue: Catalogue) -> str:
    """How many documents there are of each kind, most first: `17 contracts, 12 invoices and 1 manual`."""
    counts = Counter(_noun(each, catalogue) for each in entries)
    ordered = sorted(counts.items(), key=lambda each: (each[0] == _OTHER, -each[1], each[0]))
    return listed([counted(count, noun) for noun, count in ordered])


def _lead(entries: list[DocumentEntry], unread: int, catalogue: Catalogue) -> str:
    if not entries:
        return "There are no documents here yet."
    one = len(entries) == 1
    kinds = kinds_said(entries, catalogue)
    lead = f"There {'is' if one else 'are'} {counted(len(entries), 'documents')}: {kinds}."
    if unread:
        lead += f" {unread:,} of them could not be read."
    return lead


def _noun(entry: DocumentEntry, catalogue: Catalogue) -> str:
    schema = catalogue.schema(entry.schema) if entry.schema else None
    return schema.title.casefold() if schema is not None else _OTHER


def _kind(entry: DocumentEntry, catalogue: Catalogue) -> str:
    """The kind of one document in words: `receipt`, `contract (amendment)`; "" where nothing says it."""
    noun, kind = _noun(entry, catalogue), entry.kind.replace("_", " ")
    of_one = "" if noun == _OTHER else singular(noun)
    if not kind or kind == MAIN or not of_one:
        return of_one or kind
    return kind if kind in of_one else f"{of_one} ({kind})"
