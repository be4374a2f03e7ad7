"""Turns that hold documents in hand against each other: "compare the first and the second"."""

from __future__ import annotations

import re

from core.domain.answer import Kind, Route
from core.plan.catalogue import SchemaEntry
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.fragment import show_named_fields
from core.plan.conversation.members import members
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation.subject import schema_of_documents
from core.plan.conversation.turn import PointerKind, read_turn
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Plan, Scope
from core.plan.ir.steps import PlanSteps

_MOST = 6  # documents side by side
_SHOWN = 10  # fields of them
_ON = r"(?:\s+(?:by|on|in\s+terms\s+of|regarding|as\s+to|with\s+regard\s+to)\s+(?P<on>.+))?"
_COMPARED = tuple(
    re.compile(pattern + r"[\s?.!]*$", re.IGNORECASE)
    for pattern in (
        rf"^(?:compare|contrast)\s+(?P<what>.+?){_ON}",
        rf"^(?:what(?:['’]s|\s+is|\s+are)\s+)?(?:the\s+)?differences?\s+between\s+(?P<what>.+?){_ON}",
        rf"^how\s+do(?:es)?\s+(?P<what>.+?)\s+(?:differ|compare){_ON}",
    )
)
_WITH = re.compile(r"\s+(?:with|to|against|from|versus|vs\.?)\s+", re.IGNORECASE)
_OF_SET = (PointerKind.SET, PointerKind.SET_OWN)


def compare_members(at: TurnSetting) -> FollowUpPlan | None:
    """The plan that shows what some of the documents in hand state, side by side; None for no such turn."""
    found = next((match for each in _COMPARED if (match := each.match(at.turn.text)) is not None), None)
    if found is None or len(at.in_hand.documents) < 2:
        return None
    documents = _named(at, found["what"])
    schema = at.catalogue.schema(schema_of_documents(documents, at.catalogue))
    if not 2 <= len(documents) <= _MOST or schema is None:
        return None
    shown = _fields(at, found["on"] or "", schema)
    if not shown:
        return None
    scope = Scope(schema_name=schema.name, documents=documents)
    steps = PlanSteps()
    node = steps.select("Show what each of them states", scope, fields=shown, reason="they are compared")
    plan = Plan(
        question=at.question,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=(node,),
        answer_node=node.id,
    )
    return FollowUpPlan(plan, Edit.FOCUS)


def _named(at: TurnSetting, what: str) -> tuple[str, ...]:
    """The documents in hand that are to be compared: by place, by name, or all of them."""
    turn = read_turn(what, at.noun)
    if turn.of(*_OF_SET) and not turn.blanked.strip(" .,;:!?"):
        return at.in_hand.documents
    return members(at, _WITH.sub(" and ", what))


def _fields(at: TurnSetting, on: str, schema: SchemaEntry) -> tuple[str, ...]:
    """The fields that are named, or those that were spoken of and that most documents state."""
    named = base_of(show_named_fields(at.read(on), schema, at.question)) if on else None
    if named is not None:
        return named.fields
    before = at.base.fields if at.base is not None else ()
    stated = sorted((each for each in schema.fields if each.documents), key=lambda each: -each.documents)
    known = [name for name in before if schema.field(name) is not None]
    return tuple(dict.fromkeys((*known, *(each.name for each in stated))))[:_SHOWN]
