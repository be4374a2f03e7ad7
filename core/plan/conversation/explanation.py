"""Plans that say why documents are, or are not, among those found: each condition by itself, on these."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Kind, Route
from core.plan.catalogue import Catalogue
from core.plan.conversation.alteration import is_simple
from core.plan.conversation.restriction import Clauses, mark_asking, with_purpose
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Note, Plan, Scope, clause_parts, without_aspect
from core.plan.ir.steps import PlanSteps

MOST = 12  # conditions of one plan


def explain(
    plan: Plan, documents: Sequence[str], naming: Clauses, question: str, catalogue: Catalogue
) -> Plan | None:
    """A plan that asks of some documents each condition of another plan; None where that has none.

    Its first nodes are the conditions, one each, in order; the last shows what the documents state for them.
    naming: conditions that the documents are called by, behind the one of each node; () where they are known.
    """
    base = base_of(plan)
    if base is None or base.of != "documents":
        return None
    conditions = [clause for clause in mark_asking(base.conditions) if is_simple(clause)][:MOST]
    if not conditions:
        return None
    scope = Scope(schema_name=base.scope.schema_name, documents=tuple(documents))
    steps = PlanSteps()
    for clause in conditions:
        node = steps.select("", scope, (clause, *naming), reason="a condition of the answer before")
        steps.nodes[-1] = with_purpose(node, catalogue)
    parts = (part for clause in conditions for part in clause_parts(clause))
    fields = tuple(
        dict.fromkeys(without_aspect(name) for each in parts for name in (each.field, each.minus) if name)
    )
    shown = steps.select(
        "Show what is stated for them", scope, naming, fields=fields[:50], reason="to be compared"
    )
    note = Note(phrase="", reading="Each condition of the answer before is asked of the one that is named")
    return Plan(
        question=question,
        kind=Kind.LOOKUP,
        route=Route.STRUCTURED,
        nodes=tuple(steps.nodes),
        answer_node=shown.id,
        notes=(note,),
        today=plan.today,
        decides="why",
    )
