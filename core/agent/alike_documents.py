"""Questions about documents that are called alike: settled, or each choice of them is final."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.answer import Route
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.clarify import Clarify, Option
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Plan, ScopedNode
from core.plan.names.alike import place_of, told_apart
from core.plan.text.classify import classify
from core.plan.text.text_plan import text_plan

Planning = Callable[[str], Plan | Clarify]


def settled(planned: Plan | Clarify, plan: Planning, catalogue: Catalogue) -> Plan | Clarify:
    """The question back about documents, each of its choices a plan; as it is where it is about none.

    plan: makes plans of whole questions.
    """
    if isinstance(planned, Plan):
        return planned
    entries = [catalogue.document(each.document) for each in planned.options if each.document]
    known = [each for each in entries if each is not None]
    if not known or len(known) < len(planned.options):
        return planned
    place = place_of(planned.question, planned.phrase)
    first = plan_about(known[0], planned.question, place, plan)
    options = []
    for option, each in zip(planned.options, known, strict=True):
        if option.plan is None:  # of one kind, the plan of the first is one of the others
            is_alike = (each.schema, each.kind) == (known[0].schema, known[0].kind)
            is_over = is_alike and first.route is Route.STRUCTURED
            own = over(first, each.id) if is_over else plan_about(each, planned.question, place, plan)
            own = own.model_copy(update={"question": option.question[:500]})
            option = option.model_copy(update={"plan": own})
        options.append(option)
    return planned.model_copy(update={"options": tuple(options)})


def plan_about(document: DocumentEntry, question: str, place: tuple[int, int] | None, plan: Planning) -> Plan:
    """The plan of a question about one document; a search of its text where no field is asked for.

    place: of the words that name it in the question, and not it alone; None where none do.
    """
    name = document.source.replace("\\", "/").rsplit("/", 1)[-1]
    made = plan(_named(question, place, name))
    if isinstance(made, Plan) and is_about_one(made) == document.id and made.route is Route.STRUCTURED:
        left = tuple(each for each in made.uncovered if each not in name)
        return made.model_copy(update={"question": question, "single": "", "uncovered": left})
    return text_plan(classify(question), question, (), document=document.id)


def _named(question: str, place: tuple[int, int] | None, name: str) -> str:
    return f"{question[: place[0]]}{name}{question[place[1] :]}" if place else f"{question} ({name})"


def over(plan: Plan, document: str) -> Plan:
    """The plan with another document in the place of those that it names."""
    nodes = (
        _over(node, document) if isinstance(node, ScopedNode) and node.scope.documents else node
        for node in plan.nodes
    )
    return plan.model_copy(update={"nodes": tuple(nodes)})


def _over(node: ScopedNode, document: str) -> ScopedNode:
    scope = node.scope.model_copy(update={"documents": (document,)})
    return node.model_copy(update={"scope": scope, "ran": None, "estimate": None})


def is_about_one(plan: Plan) -> str:
    """The id of the one document that all of a plan is about; "" where it is about more."""
    named = {node.scope.documents for node in plan.nodes if isinstance(node, ScopedNode)}
    one = named.pop() if len(named) == 1 else ()
    return one[0] if len(one) == 1 else ""


def each_of(plan: Plan, question: str, phrase: str, documents: Sequence[DocumentEntry]) -> tuple[Option, ...]:
    """A choice for each of some documents that a plan found: the same plan, over that one alone."""
    options, base, place = [], base_of(plan), place_of(question, phrase)
    for document, label in zip(documents, told_apart(documents), strict=True):
        said = _named(question, place, label)
        fresh = (node.model_copy(update={"ran": None, "estimate": None}) for node in plan.nodes)
        nodes = tuple(_over(base, document.id) if base and node.id == base.id else node for node in fresh)
        own = plan.model_copy(update={"nodes": nodes, "single": "", "question": said[:500]})
        options.append(Option(label=label, question=said, documents=1, plan=own, document=document.id))
    return tuple(options)
