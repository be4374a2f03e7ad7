"""All documents with their kinds, and those beside a scope of which nothing could be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from core.answer.computed.draft import ComputedDraft, DraftLine, computed_value
from core.answer.computed.lists import MOST_LINES, ledger_of
from core.answer.computed.wording import MAIN, counted, listed, singular
from core.domain.answer import Column, Table
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import ComputationNode, Node, Plan, SelectionNode

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


def is_inventory_count(node: Node, plan: Plan) -> bool:
    """True where a computation tells how many documents there are, be they read or not."""
    return (
        isinstance(node, ComputationNode)
        and node.function == "count"
        and not (node.field or node.group_by or node.as_share or node.shared)
        and [is_inventory(plan.node(name)) for name in node.inputs] == [True]
    )


def compose_inventory(found: Documents, catalogue: Catalogue, *, is_count: bool = False) -> ComputedDraft:
    """All documents in scope, by name, with their kind, bucket and file. is_count: how many was asked."""
    known = (catalogue.document(id) or DocumentEntry(id, id, "", "") for id in found.scope)
    entries = sorted(known, key=lambda each: (each.name.casefold(), each.id))
    unread = found.unreadable
    return ComputedDraft(
        lead=DraftLine(_lead(entries, len(unread), catalogue)),
        value=computed_value(str(len(entries)), "", "number") if is_count else None,
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


def with_unknown_kinds(draft: ComputedDraft, plan: Plan, catalogue: Catalogue) -> ComputedDraft:
    """The draft with the documents of unknown kind that could not be read, counted apart from its ledger.

    They are those of the buckets that a selection asks and that have documents of its kind. None where
    documents were named one by one, or where every document is in scope whatever its kind.
    """
    if draft.ledger is None:
        return draft
    lists = draft.ledger.documents
    known = {*lists.present, *lists.absent, *lists.unreadable, *lists.uncertain}
    apart = [each for each in _beside(plan, catalogue) if each.id not in known]
    if not apart:
        return draft
    ids = tuple(sorted(each.id for each in apart))
    ledger = draft.ledger.model_copy(
        update={"unknown_kind": len(ids), "documents": lists.model_copy(update={"unknown_kind": ids})}
    )
    return replace(draft, ledger=ledger, gaps=(*draft.gaps, _sentence(apart)))


def _beside(plan: Plan, catalogue: Catalogue) -> list[DocumentEntry]:
    scopes = [node.scope for node in plan.nodes if isinstance(node, SelectionNode)]
    found: dict[str, DocumentEntry] = {}
    for scope in scopes:
        if not scope.schema_name or scope.documents or scope.readable:
            continue
        buckets = {each.bucket for each in catalogue.documents if each.schema == scope.schema_name}
        for each in catalogue.documents:
            is_asked = each.bucket in buckets and (not scope.buckets or each.bucket in scope.buckets)
            if each.is_of_unknown_kind and is_asked:
                found[each.id] = each
    return list(found.values())


def _sentence(apart: Iterable[DocumentEntry]) -> str:
    """`1 document of the bucket “deals” could not be read; its kind is unknown.`"""
    entries = list(apart)
    names = sorted({each.bucket for each in entries})
    where = f"the bucket{'s' if len(names) > 1 else ''} {listed([f'“{name}”' for name in names])}"
    kinds = "its kind is" if len(entries) == 1 else "their kinds are"
    return f"{counted(len(entries), 'documents')} of {where} could not be read; {kinds} unknown."
