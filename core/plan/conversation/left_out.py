"""What is no longer in hand: documents that were removed, and those that a turn left out and takes again."""

from __future__ import annotations

import re
from dataclasses import replace

from core.plan.clarify import Clarify
from core.plan.conversation.alteration import with_base
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.members import members
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation.turn import Move
from core.plan.conversation_state import base_of
from core.plan.names.alike import told_apart

_AGAIN = re.compile(
    r"^(?:(?:only|just)\s+)?(?:with|including|those\s+with|the\s+ones\s+with)\s+(?P<name>.+)$", re.IGNORECASE
)


def is_gone(at: TurnSetting) -> bool:
    """True where a turn is about documents in hand, and none of them can be seen any more."""
    documents = at.in_hand.documents
    is_about_them = bool(at.turn.pointers or at.turn.moves - {Move.CONTINUING, Move.EVERYWHERE})
    return bool(documents) and is_about_them and not _left(at)


def nothing_left(at: TurnSetting) -> Clarify:
    """Says that what was in hand was removed."""
    count = len(at.in_hand.documents)
    were = "document that was in hand is" if count == 1 else f"{count:,} documents that were in hand are"
    reason = f"The {were} no longer in the collection. Ask about documents that are there."
    return Clarify(type="vague", question=at.question, reason=reason)


def among_those_left(at: TurnSetting) -> TurnSetting:
    """The same without the documents that were removed since they were shown."""
    left = _left(at)
    if at.state.in_hand is None or len(left) in (0, len(at.in_hand.documents)):
        return at
    in_hand = replace(at.state.in_hand, documents=left)
    return replace(at, state=replace(at.state, in_hand=in_hand))


def _left(at: TurnSetting) -> tuple[str, ...]:
    return tuple(id for id in at.in_hand.documents if at.catalogue.document(id) is not None)


def why_left_out(at: TurnSetting) -> Clarify | None:
    """Says by which turn a document was left out that a turn asks why about; None where none was."""
    found = _WHY_NOT.match(at.turn.text)
    earlier = at.state.earlier[-1] if at.state.earlier else None
    base = base_of(at.anchor)
    if found is None or earlier is None or base is None or not base.scope.documents or at.anchor is None:
        return None
    before = replace(at, state=replace(at.state, in_hand=earlier))
    gone = [id for id in members(before, found["name"]) if id not in set(at.in_hand.documents)]
    entries = [entry for id in gone if (entry := at.catalogue.document(id)) is not None]
    if not entries:
        return None
    titles = ", ".join(f"“{each}”" for each in told_apart(entries))
    turn = at.anchor.question.rsplit(" — ", 1)[-1]
    reason = f"{titles} was left out by “{turn}”. Say “with {found['name']}” to take it again."
    return Clarify(type="vague", question=at.question, reason=reason[:490])


_WHY_NOT = re.compile(r"^(?:and\s+|but\s+)?why\s+(?:not|no)\s+(?P<name>[^?]+?)\s*\??$", re.IGNORECASE)


def readmit(at: TurnSetting) -> FollowUpPlan | None:
    """Documents that were left out, in the place of what is left: "without ACME", then "with ACME"."""
    found = _AGAIN.match(at.turn.text)
    earlier = at.state.earlier[-1] if at.state.earlier else None
    if found is None or earlier is None or not set(at.in_hand.documents) < set(earlier.documents):
        return None
    before = replace(at, state=replace(at.state, in_hand=earlier))
    named = members(before, found["name"])
    base = base_of(earlier.plan)
    if not named or set(named) & set(at.in_hand.documents) or base is None or earlier.plan is None:
        return None
    kept = tuple(id for id in earlier.documents if id in set(named))
    scope = base.scope.model_copy(update={"documents": kept})
    return FollowUpPlan(with_base(earlier.plan, base.model_copy(update={"scope": scope})), Edit.REPLACE)
