"""Turns that change the set in hand, or only list and count it: a side, the others, fewer, all again."""

from __future__ import annotations

import re
from dataclasses import replace

from core.domain.annotation import Calculation
from core.domain.answer import Kind, Route
from core.domain.fields import FieldType
from core.plan.clarify import Clarify
from core.plan.conversation.alteration import (
    add_clauses,
    complement,
    fields_of,
    listing,
    opposite,
    side_of,
    with_base,
    without_fields,
)
from core.plan.conversation.completion import asks, is_negation_alone
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.field_question import asks_who
from core.plan.conversation.fragment import computes
from core.plan.conversation.proposals import field_mentions
from core.plan.conversation.restriction import over_documents, own_clauses, restrict_to_set, with_purpose
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation.subject import named_documents
from core.plan.conversation.turn import Move, PointerKind, phrases, read_turn
from core.plan.conversation_state import SetInHand, base_of
from core.plan.ir.nodes import Choice, Condition, Plan, SidesNode, clause_parts
from core.plan.ir.steps import PlanSteps
from core.plan.language.pieces import (
    Ask,
    Aspect,
    Connective,
    DayRange,
    DocumentSet,
    FieldSenses,
    HavingWord,
    Negator,
    Noun,
    Parties,
)
from core.plan.reader.reading import SpanRole
from core.values.names import normal_name

_HEADS = frozenset(phrases("heads"))
_REVERSED = re.compile(
    r"^(?:(?:reverse|flip|invert|turn)\b(?:\s+(?:that|it|them|this|around|round|over|the\s+(?:order|sorting|list)))*"
    r"|(?:(?:sort|order|put)\s+(?:it|them|that)\s+)?(?:the\s+)?other\s+way\s+(?:a?round|up)"
    r"|in\s+reverse(?:\s+order)?|reverse\s+order)$",
    re.IGNORECASE,
)
_NOTHING_NEW = (Ask, Negator, HavingWord, Connective, Noun)
_LEAST_MEANT = 0.1  # probability of a field of a condition in hand from which on words mean that


class SetChange:
    """Plans of one turn that changes what is in hand."""

    def __init__(self, at: TurnSetting) -> None:
        self._at = at

    def choose_side(self) -> FollowUpPlan | None:
        """One side of what was compared: "only the second party's"."""
        pointers = self._at.turn.of(PointerKind.NTH_SIDE)
        compared, last = self._at.state.compared, self._at.state.last_plan
        if not pointers or compared is None or last is None or compared.answer_node is None:
            return None
        node = compared.node(compared.answer_node)
        nth = pointers[0].nth
        if not isinstance(node, SidesNode) or nth > len(node.inputs):
            return None
        side = side_of(compared, node, node.inputs[nth - 1 if nth > 0 else nth])
        of_side = base_of(side)
        if computes(last) is not None and of_side is not None and self._at.base is not None:
            base = self._at.base.model_copy(update={"conditions": of_side.conditions})
            return FollowUpPlan(with_base(last, base), Edit.REPLACE)
        return FollowUpPlan(side, Edit.WITHIN)

    def take_others(self) -> FollowUpPlan | None:
        """The documents that were left out, or what they are asked."""
        points = bool(self._at.turn.of(PointerKind.OTHERS))
        is_negation = (
            is_negation_alone(self._at.reading) if not self._at.turn.pointers else self._negates_the_set()
        )
        if self._at.anchor is None or not (points or is_negation):
            return None
        rest = complement(self._at.anchor, self._at.catalogue)
        if rest is None:
            return None
        rest = rest.model_copy(update={"decides": ""})  # a yes or no is answered by now
        said = self._at.said
        if not points or not said:
            return FollowUpPlan(listing(rest) if asks(self._at.reading) else rest, Edit.COMPLEMENT)
        if all(isinstance(piece.meaning, Ask) for piece in said):
            return self._operated(rest, Edit.COMPLEMENT)
        if all(isinstance(piece.meaning, _NOTHING_NEW) for piece in said):
            return FollowUpPlan(listing(rest), Edit.COMPLEMENT)
        found = self._at.fragment()
        if found.whole is None:
            is_told_twice = any(isinstance(piece.meaning, Negator) for piece in said)
            return FollowUpPlan(listing(rest), Edit.COMPLEMENT) if is_told_twice else None
        given = SetInHand((), plan=rest)
        plan = restrict_to_set(found.whole, given, self._at.catalogue, names_kind=self._at.names_kind)
        return FollowUpPlan(plan, Edit.COMPLEMENT) if plan is not None else None

    def _negates_the_set(self) -> bool:
        """True where a turn only says that something is not in hand: "everything not in that list"."""
        said, pointers = self._at.said, self._at.turn.pointers
        is_of_set = all(each.kind is PointerKind.SET for each in pointers)
        is_negated = any(isinstance(piece.meaning, Negator) for piece in said)
        return is_of_set and is_negated and all(isinstance(piece.meaning, _NOTHING_NEW) for piece in said)

    def release_condition(self) -> FollowUpPlan | None:
        """The set without a condition that was taken back."""
        at, moves = self._at, self._at.turn.moves
        if at.anchor is None or not (Move.RELEASING in moves or self._orders_a_condition_away()):
            return None
        meanings = [piece.meaning for piece in at.read(at.turn.rest).pieces]
        senses = [each for each in meanings if isinstance(each, FieldSenses)]
        meant = {match.field.name for each in senses for match in each.matches}
        days = any(match.field.type is FieldType.DATE for each in senses for match in each.matches)
        if days or any(isinstance(each, Aspect | DayRange) for each in meanings):
            schema = at.catalogue.schema(at.schema)
            meant |= {each.name for each in (schema.fields if schema else ()) if each.type is FieldType.DATE}
        plan = without_fields(at.anchor, meant, at.catalogue) if meant else None
        plan = plan or self._without_meant(at.turn.rest)
        return FollowUpPlan(plan, Edit.RELEASE) if plan is not None else None

    def _orders_a_condition_away(self) -> bool:
        """True where words for a condition are to be left out, and no documents: "drop the exclusivity"."""
        at = self._at
        if Move.EXCLUDING not in at.turn.moves or not at.turn.is_ordered:
            return False
        rest = read_turn(at.turn.rest, at.noun)
        meanings = [piece.meaning for piece in at.read(rest.blanked).pieces]
        describes = any(isinstance(each, Noun | Parties | DocumentSet) for each in meanings)
        return not rest.pointers and not describes and not set(at.turn.rest.casefold().split()) & _HEADS

    def _without_meant(self, words: str) -> Plan | None:
        """The plan without the condition that words mean: by its value, or by the trained reader's field."""
        at, base = self._at, self._at.base
        if at.anchor is None or base is None:
            return None
        said = normal_name(words)
        own = own_clauses(base)
        by_value = [each for each in own if any(value and value in said for value in _values_of(each))]
        fields = {name for each in by_value for name in fields_of(each)}
        if not fields and at.propose is not None:
            read = at.propose(words)
            known = {name for each in own for name in fields_of(each)}
            roles = tuple(role for role in SpanRole if role not in (SpanRole.KIND, SpanRole.DOCUMENT))
            found = (
                field_mentions(read.reading, at.schema, roles, _LEAST_MEANT, known)
                if read is not None
                else ()
            )
            fields = {max(found, key=lambda each: each.probability).name} if found else set()
        return without_fields(at.anchor, fields, at.catalogue) if fields else None

    def exclude(self) -> FollowUpPlan | None:
        """The set without those that the turn describes."""
        if Move.EXCLUDING not in self._at.turn.moves or self._at.anchor is None:
            return None
        rest = replace(read_turn(self._at.turn.rest, self._at.noun), moves=frozenset())
        meanings = [piece.meaning for piece in self._at.read(rest.blanked).pieces]
        names = any(isinstance(each, Noun | Parties | DocumentSet) for each in meanings)
        words = set(self._at.turn.rest.casefold().split())
        if not rest.pointers and not names and not words & _HEADS and not self._at.turn.is_ordered:
            return None
        if any(isinstance(each, DocumentSet) for each in meanings):
            gone = named_documents(self._at.turn.rest, self._at.catalogue, self._at.in_hand.documents)
            return self._without({each.id for each in gone})
        found = self._at.plan_turn(rest)
        base = base_of(found.whole)
        if base is None:
            return None
        own = own_clauses(base)
        kinds = tuple(each for each in base.conditions if each not in own)
        if not own and not any(isinstance(each, Noun) for each in meanings):
            return None
        if not own and self._at.base is not None and not set(kinds) & set(self._at.base.conditions):
            return FollowUpPlan(self._at.anchor, Edit.ADD)  # of that kind none is in hand
        turned = opposite(own or kinds)
        plan = add_clauses(self._at.anchor, turned, self._at.catalogue) if turned is not None else None
        return FollowUpPlan(plan, Edit.ADD) if plan is not None else None

    def clarify_removal(self) -> Clarify | None:
        """A question back where something is to be left out, or taken back, and nobody knows what."""
        moves = self._at.turn.moves
        is_left = Move.EXCLUDING in moves and self._at.turn.is_ordered
        if not (is_left or Move.RELEASING in moves) or self._at.anchor is None:
            return None
        rest = self._at.turn.rest
        what = "taken back" if Move.RELEASING in moves else "left out"
        reason = f"It is not clear what is to be {what} by “{rest}”. Which condition, or which documents?"
        return Clarify(type="vague", question=self._at.question, phrase=rest, reason=reason)

    def _without(self, gone: set[str]) -> FollowUpPlan | None:
        """The set without documents that were named."""
        left = tuple(id for id in self._at.in_hand.documents if id not in gone)
        anchor, base = self._at.anchor, self._at.base
        if anchor is None or base is None or not gone or not left:
            return None
        scope = base.scope.model_copy(update={"documents": left})
        return FollowUpPlan(with_base(anchor, base.model_copy(update={"scope": scope})), Edit.ADD)

    def reverse_order(self) -> FollowUpPlan | None:
        """The same in the other order: "the other way round"."""
        anchor, base = self._at.anchor, self._at.base
        if anchor is None or base is None or not base.order_by or not _REVERSED.search(self._at.turn.text):
            return None
        turned = base.model_copy(update={"descending": not base.descending, "ran": None, "estimate": None})
        return FollowUpPlan(with_base(anchor, with_purpose(turned, self._at.catalogue)), Edit.WITHIN)

    def list_or_count(self) -> FollowUpPlan | None:
        """The documents in hand, listed or counted, where nothing else is said."""
        others = (
            PointerKind.ONE_OWN,
            PointerKind.SET_OWN,
            PointerKind.VALUE,
            PointerKind.THING,
            PointerKind.YEAR,
        )
        said = self._at.said
        if self._at.turn.of(*others) or any(not isinstance(piece.meaning, Ask) for piece in said):
            return None
        if not said and not self._at.turn.of(PointerKind.SET):
            return None
        if asks_who(self._at.turn.text, None):
            return None
        return self._operated(self._at.anchor if self._at.has_set else None, Edit.WITHIN)

    def _operated(self, plan: Plan | None, edit: Edit) -> FollowUpPlan | None:
        """The documents of a plan counted, or listed, as the turn says; None: those that are only known."""
        noun = self._at.noun.plural
        if plan is None:
            made = self._at.plan(f"how many {noun}" if self._at.counts else f"list {noun}")
            if not isinstance(made, Plan) or made.route is not Route.STRUCTURED:
                return None
            of_these = over_documents(made, self._at.in_hand.documents)
            return FollowUpPlan(of_these, edit) if of_these is not None else None
        listed = listing(plan).model_copy(update={"kind": Kind.AGGREGATE, "decides": ""})
        if not self._at.counts:
            return FollowUpPlan(listed, edit)
        steps = PlanSteps(listed.nodes)
        source = listed.answer_node or ""
        node = steps.aggregate(f"Count {noun}", (source,), Calculation.COUNT, reason="how many is asked")
        counted = listed.model_copy(update={"nodes": tuple(steps.nodes), "answer_node": node.id})
        return FollowUpPlan(counted, edit)


def _values_of(clause: Condition | Choice) -> list[str]:
    """The values of a condition as they are compared with words; days are none."""
    values = [
        value
        for part in clause_parts(clause)
        for value in (part.value if isinstance(part.value, tuple) else (part.value,))
        if isinstance(value, str) and value not in ("true", "false", "present")
    ]
    return [normal_name(each.split(",")[0]) for each in values if not each[:1].isdigit()]
