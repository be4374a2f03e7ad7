"""Plans of summaries: the documents that are to be summarised, however they were chosen, and for whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.answer import Kind, Route
from core.domain.fields import SummaryKind
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan, Scope, Select, SelectionNode
from core.plan.reading import Reading
from core.search.classify import summary_request


class SetPlanner(Protocol):
    """Reads and plans questions; `core.plan.corrections.LearnedPlanner` is the real one."""

    def read(self, question: str) -> Reading:
        """The question as it was read."""
        ...

    def plan(self, question: str, buckets: tuple[str, ...]) -> Plan | Clarify:
        """The plan of a question."""
        ...


def plan_of_scope(
    kind: SummaryKind, title: str, *, documents: Sequence[str] = (), bucket: str | None = None
) -> Plan:
    """The plan that summarises documents that were picked, or all of a bucket, or all there are."""
    scope = Scope(documents=tuple(documents), buckets=(bucket,) if bucket else ())
    node = Select(id="documents", purpose="Take the documents that were picked", scope=scope)
    parts = {"nodes": (node,), "answer_node": node.id, "by": "person", "summary": kind}
    return Plan(question=title, kind=Kind.SUMMARY, route=Route.STRUCTURED, **parts)


def plan_of_question(question: str, planner: SetPlanner, buckets: tuple[str, ...]) -> Plan | None:
    """The plan of a question that wants a set of documents, or one, summarised; None for any other.

    What is to be summarised is read as if it were asked for alone. It has to be documents, and nothing of
    them: a condition that the whole question is not read with is a topic that the text speaks of.
    """
    wanted = summary_request(question)
    if wanted is None:
        return None
    plan = planner.plan(wanted.subject, buckets)
    if not isinstance(plan, Plan) or not plan.is_whole or plan.answer_node is None:
        return None
    node, read = plan.node(plan.answer_node), planner.read(wanted.subject)
    if not isinstance(node, SelectionNode) or node.of != "documents" or read.asked or plan.asked:
        return None
    known = {each.field.name for each in planner.read(question).conditions}
    if any(each.field.name not in known for each in read.conditions):
        return None
    as_summary = {"question": question, "kind": Kind.SUMMARY, "summary": wanted.kind, "fallbacks": ()}
    return plan.model_copy(update={**as_summary, "decides": "", "single": "", "reading": None})
