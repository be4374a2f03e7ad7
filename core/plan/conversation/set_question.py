"""Turns that ask something of the documents in hand, or add a condition to the last plan."""

from __future__ import annotations

import re
from dataclasses import replace

from core.domain.annotation import Calculation
from core.domain.predicate import Operator
from core.plan.clarify import Clarify
from core.plan.conversation.alteration import (
    add_clauses,
    are_disjoint,
    excludes,
    replace_clauses,
    widen,
    with_base,
    with_clauses,
    with_kinds,
)
from core.plan.conversation.choice import ask_in_turn
from core.plan.conversation.completion import asks
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.fragment import Fragment, clauses_of, computes
from core.plan.conversation.reinterpretation import reinterpret
from core.plan.conversation.restriction import Clauses, over_documents, own_clauses, restrict_to_set
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation.turn import Move
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Choice, Condition, Plan
from core.plan.language.pieces import Ask, HavingWord, Negator, Statistic
from core.plan.text.classify import classify
from core.plan.text.text_plan import text_plan

_TOO = frozenset({"too", "also", "well"})
_ALL = re.compile(
    r"\b(?:(?:they|them|these|those)\s+(?:all|both)|(?:are|do|have|is|were|did)\s+both|both\s+of|all\s+(?:of\s+)?(?:them|these|those)|every\s+(?:single\s+)?one|each\s+of)\b",
    re.IGNORECASE,
)
_CHOICES = ("several_meanings", "overload")


class SetQuestion:
    """Plans of one turn over what is in hand."""

    def __init__(self, at: TurnSetting) -> None:
        self._at = at

    def plan(self) -> FollowUpPlan | Clarify | None:
        """The last plan with a further condition, or what the turn asks over the documents in hand."""
        at = self._at
        if not at.in_hand.documents and at.anchor is None:
            return None
        found = at.fragment()
        if found.whole is None:
            return self._left(found)
        # What is asked of one is asked of each, and no text is to say more than they do.
        whole = reinterpret(found.whole, at.turn.text, at.catalogue)
        plan = self._showing(whole.model_copy(update={"single": "", "fallbacks": ()}))
        if at.anchor is None or not at.has_set:
            return self._of_cited(plan)
        new, base = clauses_of(plan), base_of(plan)
        shows = base is None or bool(base.order_by or base.limit or (base.fields and not new))
        is_asking = at.is_check or asks(at.reading) or computes(plan) is not None or shows
        is_strict = any(each.is_strict for each in at.turn.pointers)
        if Move.EITHER in at.turn.moves and not new and at.names_kind and base is not None:
            kinds = with_kinds(at.anchor, base.conditions, at.catalogue)
            return FollowUpPlan(kinds, Edit.WIDEN) if kinds is not None else None
        if new and not is_asking:
            return self._altered(at.anchor, new, is_strict=is_strict)
        return self._asked(plan, new, is_strict=is_strict)

    def _of_cited(self, plan: Plan) -> FollowUpPlan | None:
        """The plan over documents that a text answer cited, where the turn points at them."""
        if not self._at.turn.pointers:
            return None
        of_these = over_documents(plan, self._at.in_hand.documents)
        return FollowUpPlan(of_these, Edit.WITHIN) if of_these is not None else None

    def _altered(self, anchor: Plan, new: Clauses, *, is_strict: bool) -> FollowUpPlan | None:
        """The last plan with other conditions; what it computes, shows or lists stays."""
        moves = self._at.turn.moves
        if Move.EITHER in moves and not is_strict:
            wider = widen(anchor, new, self._at.catalogue)
            if wider is not None:
                return FollowUpPlan(wider, Edit.WIDEN)
        if not is_strict and Move.NARROWING not in moves:
            by_class = (Move.INSTEAD in moves and not self._describes_some) or self._is_sibling(anchor)
            other = replace_clauses(anchor, new, self._at.catalogue, by_class=by_class)
            if other is not None:
                return FollowUpPlan(other, Edit.REPLACE)
        plan = add_clauses(anchor, new, self._at.catalogue)
        return FollowUpPlan(plan, Edit.ADD) if plan is not None else None

    @property
    def _describes_some(self) -> bool:
        """True where a turn describes some of those in hand: "what about the ones with no end date?"."""
        return bool(set(self._at.question.casefold().split()) & {"ones", "those", "these"})

    def _is_sibling(self, anchor: Plan) -> bool:
        """True where a number was given for one thing, and is now wanted for another: "and with a cap?"."""
        words = self._at.question.casefold().rstrip("?!. ").split()
        return computes(anchor) is not None and not set(words) & _TOO

    def _asked(self, plan: Plan, new: Clauses, *, is_strict: bool) -> FollowUpPlan | None:
        """Something asked of what is in hand; a condition takes the place of one that it excludes."""
        at = self._at
        if at.anchor is None:
            return None
        given, edit = replace(at.in_hand, plan=at.anchor), Edit.WITHIN
        if at.base is not None and Move.NARROWING not in at.turn.moves:
            own = own_clauses(at.base)
            # A document has several parties, so choices of these go together. "Which of them end in 2025?"
            # behind those that end in 2024 is asked of what was in hand before: of these it could be none.
            replaces = are_disjoint if is_strict else excludes
            exclusive = [each for each in new if not isinstance(each, Choice)]
            kept = tuple(each for each in own if not any(replaces(one, each) for one in exclusive))
            other = with_clauses(at.anchor, kept, at.catalogue) if len(kept) < len(own) else None
            if other is not None:
                given, edit = replace(given, plan=other), Edit.REPLACE
        made = restrict_to_set(self._as_computed(plan), given, at.catalogue, names_kind=at.names_kind)
        if made is not None and at.is_check and computes(made) is None:
            decides = "all" if _ALL.search(at.question) and new else made.decides or "any"
            made = made.model_copy(update={"decides": decides})
        return FollowUpPlan(made, edit) if made is not None else None

    def _showing(self, plan: Plan) -> Plan:
        """The plan with what "their dates" asks for shown of all, and not only of those that state it."""
        base = base_of(plan)
        meanings = [piece.meaning for piece in self._at.reading.pieces]
        says_which = any(isinstance(each, Ask) and each.how in ("which", "count") for each in meanings)
        says_having = any(isinstance(each, HavingWord | Negator) for each in meanings)
        if base is None or says_having or says_which or computes(plan) is not None:
            return plan
        own = own_clauses(base)
        stated = [
            each.field
            for each in own
            if isinstance(each, Condition) and each.op is Operator.IS and each.value == "present"
        ]
        if not stated or len(own) != len(stated):
            return plan
        fields = tuple(dict.fromkeys((*base.fields, *stated)))
        kept = tuple(each for each in base.conditions if each not in own)
        return with_base(plan, base.model_copy(update={"conditions": kept, "fields": fields}))

    def _as_computed(self, plan: Plan) -> Plan:
        """The plan with what was computed before, where the turn only says for each of what."""
        before = computes(self._at.anchor) if self._at.anchor is not None else None
        node = computes(plan)
        functions = any(isinstance(piece.meaning, Statistic) for piece in self._at.reading.pieces)
        if before is None or node is None or self._at.counts or functions or not node.group_by:
            return plan
        if node.function is not Calculation.COUNT or (before.function is node.function and not before.field):
            return plan
        change = {"function": before.function, "field": before.field, "purpose": before.purpose}
        changed = node.model_copy(update=change)
        nodes = tuple(changed if each.id == node.id else each for each in plan.nodes)
        return plan.model_copy(update={"nodes": nodes})

    def _left(self, found: Fragment) -> FollowUpPlan | Clarify | None:
        """A question back, a plan that leaves words out and says so, or a search in these documents."""
        at = self._at
        is_pointing = any(not each.is_definite for each in at.turn.pointers)
        if found.clarify is not None and (
            found.clarify.type in _CHOICES or (is_pointing and found.text is None)
        ):
            return ask_in_turn(found.clarify, at.question, self._restricted)
        if not at.has_set or not at.in_hand.documents:
            return None
        if found.partial is not None and self._says_more(found.partial) and not self._text_says_more(found):
            part = found.partial.model_copy(update={"single": "", "fallbacks": ()})
            return self._asked(part, clauses_of(part), is_strict=True)
        text = self._text(found)
        if text is not None and (at.turn.pointers or at.turn.moves):
            plan = over_documents(text, at.in_hand.documents)
            return FollowUpPlan(plan, Edit.WITHIN) if plan is not None else None
        return None

    def _text(self, found: Fragment) -> Plan | None:
        """The search for a turn; of one document also where a plan over fields takes some of the words."""
        if found.text is not None or found.partial is None or len(self._at.in_hand.documents) != 1:
            return found.text
        question = found.partial.question
        return text_plan(classify(question), question, ())

    def _text_says_more(self, found: Fragment) -> bool:
        """True where one document is in hand, and a plan leaves words out that its text may speak of."""
        return self._text(found) is not None and len(self._at.in_hand.documents) == 1

    def _restricted(self, plan: Plan) -> Plan | None:
        """A plan that may be chosen, over what is in hand; None where it cannot be restricted to that."""
        if not self._at.has_set:
            return over_documents(plan, self._at.in_hand.documents)
        made = self._asked(plan, clauses_of(plan), is_strict=True)
        return made.plan if made is not None else None

    def _says_more(self, plan: Plan) -> bool:
        """True where a plan that leaves words out keeps some of what the turn says."""
        left = {word for phrase in plan.uncovered for word in phrase.casefold().split()}
        said = {word for piece in self._at.said for word in piece.text.casefold().split()}
        return bool(said - left)
