"""What is seen of a plan only when it has run: several that differ, and words that its quotes cover."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.computed.draft import ComputedDraft
from core.domain.answer import Claim, Kind
from core.domain.results import Documents
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, which_of
from core.plan.ir.nodes import Plan
from core.text.analyse import analyse


def which_one(plan: Plan, draft: ComputedDraft, given: object, catalogue: Catalogue) -> Clarify | None:
    """Asks which document is meant where the question means one, and several say different things."""
    if not plan.single or not isinstance(given, Documents) or len(given.present) < 2 or draft.table is None:
        return None
    stating = {
        document: row[1:]
        for document, row in zip(draft.table.documents, draft.table.rows, strict=True)
        if any(cell is not None for cell in row[1:])
    }
    if len(set(stating.values())) < 2 and not any(given.absent) and stating:
        return None
    entries = [entry for id in stating or given.present if (entry := catalogue.document(id)) is not None]
    return which_of(plan.question, plan.single, "documents", entries)


def not_quoted(plan: Plan, claims: Sequence[Claim]) -> tuple[str, ...]:
    """The words that no node covers; of a lookup, without those that stand where its values do."""
    if plan.kind is not Kind.LOOKUP or not plan.uncovered:
        return plan.uncovered
    quoted = " ".join(f"{c.quote} {c.title} {c.source}" for claim in claims for c in claim.citations)
    said = set(analyse(quoted))
    return tuple(phrase for phrase in plan.uncovered if not set(analyse(phrase)) <= said)
