"""What documents in scope are called, and of which kinds they are where the question named none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.answer.computed.wording import counted, listed
from core.domain.results import Documents
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Condition, SelectionNode, flattened
from core.plan.ir.verbalise import KIND

MIXED = "documents"
MAIN = "agreement"  # the kind that a schema of contracts is called by


def noun_of(catalogue: Catalogue, subject: SelectionNode | None, documents: Documents) -> str:
    """What they are called: by their schema, unless several kinds of it are in scope and none was named.

    A policy is a document of the schema of contracts, and no contract.
    """
    entry = catalogue.schema(subject.scope.schema_name) if subject and subject.scope.schema_name else None
    if subject is None or entry is None:
        return MIXED
    if _names_kind(subject) or len(set(_kinds(catalogue, documents.scope)) - {""}) < 2:
        return entry.title.casefold()
    return MIXED


def kind_noun(catalogue: Catalogue, subject: SelectionNode | None) -> str:
    """What to call documents of their kind in a question: `contracts`, `amendments`."""
    entry = catalogue.schema(subject.scope.schema_name) if subject and subject.scope.schema_name else None
    if subject is None or entry is None:
        return MIXED
    kinds = [each.value for each in subject.conditions if isinstance(each, Condition) and each.field == KIND]
    named = [kind for kind in kinds if isinstance(kind, str) and kind != MAIN]
    return _plural(named[0]) if named else entry.title.casefold()


def scope_said(catalogue: Catalogue, documents: Documents) -> str:
    """`In scope are 17 documents: 14 agreements, 2 policies and 1 amendment.`"""
    kinds = Counter(_kinds(catalogue, documents.scope))
    unknown = kinds.pop("", 0)
    parts = [
        counted(count, _plural(kind))
        for kind, count in sorted(kinds.items(), key=lambda each: (-each[1], each[0]))
    ]
    parts += [f"{unknown:,} of unknown kind"] if unknown else []
    return f"In scope are {counted(len(documents.scope), MIXED)}: {listed(parts)}."


def _names_kind(subject: SelectionNode) -> bool:
    return any(each.field == KIND for each in flattened(subject.conditions))


def _kinds(catalogue: Catalogue, documents: Iterable[str]) -> Iterable[str]:
    for id in documents:
        entry = catalogue.document(id)
        yield entry.kind if entry is not None else ""


def _plural(kind: str) -> str:
    said = kind.replace("_", " ")
    return f"{said[:-1]}ies" if said.endswith("y") else f"{said}s"
