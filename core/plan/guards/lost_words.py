"""Words that change what is asked for, and that the grammar passes over: "only", "twice", "as customer".

A plan that is right but for one of them answers another question. Which words they are stands in
`core/text/words/reading.toml`; a plan that shows what they say keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.answer import Route
from core.domain.predicate import OfField
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Condition, Plan, SelectionNode, SidesNode, flattened
from core.plan.language.pieces import stems
from core.text.words import word_list

_THAN = re.compile(r"\bhow\s+(?:many|much)\s+(?:more|fewer|less)\b.{3,80}?\bthan\b", re.IGNORECASE)
_MULTIPLE = re.compile(
    rf"\b(?:{'|'.join(sorted(word_list('reading', 'multiples')))})\s+(?=(?:the|its|their|our|what)\b)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\b(?:only|solely|exclusively|nobody\s+but)\s+(?:with|between|by)\b|\bwith\s+(?:only|nobody\s+but)\b",
    re.IGNORECASE,
)
_OTHER_DAY = re.compile(
    r"\b(?:before|after|earlier\s+than|later\s+than)\s+(?:they|it)\s+(?:was|were|is|are|has|have)\b",
    re.IGNORECASE,
)
_AS_ROLE = re.compile(
    rf"\bas\s+(?:an?\s+|the\s+)?(?P<role>{'|'.join(sorted(word_list('naming', 'roles')))})s?\b", re.IGNORECASE
)


def with_lost_words(question: str, planned: Plan | Clarify) -> Plan | Clarify:
    """The plan with such words as not covered, where nothing in it says the same."""
    if isinstance(planned, Clarify) or planned.route is not Route.STRUCTURED:
        return planned
    said = " ".join(planned.uncovered).casefold()
    lost = [each for each in _lost(question, planned) if each.casefold() not in said]
    return planned.model_copy(update={"uncovered": (*planned.uncovered, *lost)}) if lost else planned


def _lost(question: str, plan: Plan) -> Iterator[str]:
    is_of_sides = any(isinstance(node, SidesNode) for node in plan.nodes)
    compared = _THAN.search(question)
    if compared is not None and not is_of_sides and not plan.decides:
        yield " ".join(compared[0].split()[1:3])
    for pattern in (_MULTIPLE, _ALONE):
        found = pattern.search(question)
        if found is not None:
            yield found[0].strip()
    conditions = list(_conditions(plan))
    day = _OTHER_DAY.search(question)
    if day is not None and not any(isinstance(each.value, OfField) for each in conditions):
        yield day[0]
    role = _AS_ROLE.search(question)
    if role is not None and not _says(role["role"], plan, conditions):
        yield role[0]


def _conditions(plan: Plan) -> Iterator[Condition]:
    for node in plan.nodes:
        if isinstance(node, SelectionNode):
            yield from (each for each in flattened(node.conditions) if isinstance(each, Condition))


def _says(role: str, plan: Plan, conditions: list[Condition]) -> bool:
    """True where a field of the plan is called so."""
    fields = [each.field for each in conditions]
    fields += [name for node in plan.nodes if isinstance(node, SelectionNode) for name in node.fields]
    known = {stem for name in fields for stem in stems(name.replace("_", " "))}
    return bool(set(stems(role)) & known)
