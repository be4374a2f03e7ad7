"""Words that change what is asked for, and that the grammar passes over: "only", "twice", "as customer".

A plan that is right but for one of them answers another question. Which words they are stands in
`core/text/words/reading.toml`; a plan that shows what they say keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.answer import Route
from core.domain.fields import FieldType
from core.domain.predicate import OfField
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Condition, Plan, SelectionNode, SidesNode, flattened, spec_of
from core.text.words import word_list

_PARTIES = "parties"
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


def with_lost_words(question: str, planned: Plan | Clarify, catalogue: Catalogue) -> Plan | Clarify:
    """The plan with such words as not covered, where nothing in it says the same."""
    if isinstance(planned, Clarify) or planned.route is not Route.STRUCTURED:
        return planned
    said = " ".join(planned.uncovered).casefold()
    lost = [each for each in _lost(question, planned, catalogue) if each.casefold() not in said]
    return planned.model_copy(update={"uncovered": (*planned.uncovered, *lost)}) if lost else planned


def _lost(question: str, plan: Plan, catalogue: Catalogue) -> Iterator[str]:
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
    if role is not None and not _names_a_role(plan, catalogue):
        yield role[0]


def _conditions(plan: Plan) -> Iterator[Condition]:
    for node in plan.nodes:
        if isinstance(node, SelectionNode):
            yield from (each for each in flattened(node.conditions) if isinstance(each, Condition))


def _names_a_role(plan: Plan, catalogue: Catalogue) -> bool:
    """True where a plan asks for a party in its part, such as the vendor, and not only for any party."""
    fields = {field for node in plan.nodes for field in spec_of(node).fields(node) if field}
    entries = (catalogue.field(name) for name in fields - {_PARTIES})
    return any(entry is not None and entry.type is FieldType.PARTY for entry in entries)
