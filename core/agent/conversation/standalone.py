"""Question that a turn stands for by itself, in words that planners read as the turn was read.

Of a follow-up a plan was made; the question is put together from the turn and what is in hand, or from the
plan, and only taken where it is planned to the same: it may be edited and asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from core.agent.question_parts import is_request
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import about_of, kind_noun, listed, said_of
from core.domain.annotation import Calculation
from core.plan.catalogue import Catalogue, document_title
from core.plan.clarify import Clarify
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.restriction import clause_texts, own_clauses
from core.plan.conversation_state import base_of
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode
from core.text.titles import phrase

Planning = Callable[[str], Plan | Clarify]

_MOST_TRIED = 5  # each is planned once, some 20 ms
_MOST_CHARS = 400
_COMPUTED = {
    Calculation.SUM: "total",
    Calculation.AVG: "average",
    Calculation.MEDIAN: "median",
    Calculation.MIN: "lowest",
    Calculation.MAX: "highest",
}


def standalone_question(found: FollowUpPlan, label: str, plan: Planning, catalogue: Catalogue) -> str:
    """The whole question of a follow-up; "" where none is planned to the same. label: of what was in hand."""
    tried = islice(dict.fromkeys(_wordings(found, label, catalogue)), _MOST_TRIED)
    return next((each for each in tried if len(each) <= _MOST_CHARS and _is_same(plan(each), found.plan)), "")


def _is_same(planned: Plan | Clarify, plan: Plan) -> bool:
    """True where two plans give the same: of the same documents, with the same fields, decided alike."""
    if isinstance(planned, Clarify) or planned.uncovered:
        return False
    if _document(planned) != _document(plan):
        return False
    if not _document(plan) and result_hash(planned) != result_hash(plan):
        return False
    if _document(plan) and _tests(planned) != _tests(plan):
        return False
    return _shown(planned) == _shown(plan) and (planned.decides or "any") == (plan.decides or "any")


def _document(plan: Plan) -> tuple[str, ...]:
    """The one document that the one step of a plan asks; () for any other plan."""
    base = base_of(plan) if len(plan.nodes) == 1 else None
    return base.scope.documents if base is not None and len(base.scope.documents) == 1 else ()


def _tests(plan: Plan) -> frozenset[frozenset[str]]:
    """Conditions of a plan that its documents are tested for, but for their kind."""
    base = base_of(plan)
    return clause_texts(own_clauses(base)) if base is not None else frozenset()


def _shown(plan: Plan) -> frozenset[str]:
    return frozenset(name for node in plan.nodes if isinstance(node, SelectionNode) for name in node.fields)


def _wordings(found: FollowUpPlan, label: str, catalogue: Catalogue) -> Iterator[str]:
    """Questions that a turn may stand for, the nearest to its own words first."""
    base = base_of(found.plan)
    if found.edit in (Edit.FOCUS, Edit.EXPLAIN):
        if base is not None and len(base.scope.documents) == 1:
            title = document_title(base.scope.documents[0], catalogue)
            yield from _of_document(found, title)
            facts = AnswerFacts(catalogue, {}, base.scope.schema_name)
            fields = [phrase(facts.field_title(name)) for name in base.fields]
            if fields and found.plan.decides:
                yield f"Does “{title}” have {listed(fields)}?"
            elif fields:
                yield f"What is the {listed(fields)} of “{title}”?"
        return
    if found.edit is Edit.WITHIN and label.startswith(found.many):
        for form in found.forms:
            said = re.sub(rf"\b{re.escape(found.many)}\b(?!['’])", lambda _: label, form, count=1)
            if said != form:
                yield _as_question(said)
    yield from _of_plan(found.plan, base, catalogue)


def _of_document(found: FollowUpPlan, title: str) -> Iterator[str]:
    """The forms of a turn with the name of its document."""
    # "The second one: when does it expire?" is "when does it expire?" of that one.
    picked = re.compile(rf"the {re.escape(found.one)}\s*[:,–—-]\s*(?=\S)", re.IGNORECASE)
    for form in (picked.sub("", each, count=1) for each in found.forms):
        own = re.match(rf"the {re.escape(found.one)}['’]s\s+(?P<what>.+)$", form, re.IGNORECASE)
        if own is not None:
            yield f"What is the {own['what'].rstrip(' ?.!')} of “{title}”?"
        said = re.sub(
            rf"\bthe {re.escape(found.one)}\b", lambda _: f"“{title}”", form, count=1, flags=re.IGNORECASE
        )
        if said != form:
            yield _as_question(said)


def _of_plan(plan: Plan, base: SelectionNode | None, catalogue: Catalogue) -> Iterator[str]:
    """A question for what a plan lists or computes, by the conditions of its documents."""
    if base is None or base.of != "documents" or base.inputs or base.scope.documents:
        return
    facts = AnswerFacts(catalogue, {}, base.scope.schema_name)
    about = about_of(plan, base, facts, False).removeprefix(" that ")
    words = listed([each for each in (about, said_of(plan, base, facts)) if each])
    noun = kind_noun(catalogue, base)
    such = f"{noun} that {words}" if words else noun
    node = plan.node(plan.answer_node or "")
    if not isinstance(node, ComputationNode):
        titles = [facts.field_title(name).lower() for name in base.fields]
        if titles:
            yield f"What are the {listed(titles)} of the {such}?"
        yield f"Which {noun} {words}?" if words else f"List all {noun}"
        return
    behind = (
        f" by {listed([facts.field_title(name).lower() for name in node.group_by])}" if node.group_by else ""
    )
    if node.function is Calculation.COUNT:
        yield f"How many {noun} {words}{behind}?" if words else f"How many {noun} are there{behind}?"
        yield f"How many {such} are there{behind}?"
    elif node.function in _COMPUTED:
        title = facts.field_title(node.field).lower()
        yield f"What is the {_COMPUTED[node.function]} {title} of the {such}{behind}?"


def _as_question(text: str) -> str:
    """A text as a question, or a request, is written: with a capital, and a sign at its end."""
    plain = text.strip().rstrip(" ?.!")
    return f"{plain[:1].upper()}{plain[1:]}{'.' if is_request(plain) else '?'}"
