"""Documents beside an answer's scope: they could not be read, and nothing tells whether they belong to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.answer.computed.draft import ComputedDraft
from core.answer.computed.wording import counted, listed
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import Plan, SelectionNode


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
