"""Plans of questions that want documents summarised."""

from __future__ import annotations

from core.domain.answer import Kind
from core.plan.corrections import LearnedPlanner
from core.plan.ir.nodes import Plan, SelectionNode
from core.search.classify import summary_request


def plan_of_summary(question: str, planner: LearnedPlanner, buckets: tuple[str, ...]) -> Plan | None:
    """The plan of a question that wants a set of documents, or one, summarised; None for any other.

    What is to be summarised is read as if it were asked for alone. It has to be documents, and nothing of
    them: a condition that the whole question is not read with is a topic that the text speaks of.
    """
    wanted = summary_request(question)
    plan = planner.plan(wanted.subject, buckets) if wanted is not None else None
    if wanted is None or not isinstance(plan, Plan) or not plan.is_whole or plan.answer_node is None:
        return None
    node, read = plan.node(plan.answer_node), planner.read(wanted.subject)
    known = {each.field.name for each in planner.read(question).conditions}
    is_of_more = read.asked or plan.asked or not known.issuperset(each.field.name for each in read.conditions)
    if not isinstance(node, SelectionNode) or node.of != "documents" or is_of_more:
        return None
    as_summary = {"question": question, "kind": Kind.SUMMARY, "summary": wanted.kind, "fallbacks": ()}
    return plan.model_copy(update={**as_summary, "decides": "", "single": "", "reading": None})
