"""Turns that go back to what was in hand before: "back to all of them", "back to the Texas ones"."""

from __future__ import annotations

from core.domain.answer import Kind
from core.domain.predicate import Operator
from core.plan.conversation.alteration import fields_of, listing
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.fragment import clauses_of
from core.plan.conversation.restriction import Clauses, own_clauses
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation.turn import Move, phrases, read_turn
from core.plan.conversation_state import SetInHand, base_of
from core.plan.ir.nodes import clause_parts
from core.text.analyse import STOP_WORDS

_BEGINNING = frozenset(word for phrase in phrases("beginning") for word in phrase.split())
_BEFORE = frozenset(word for phrase in phrases("before") for word in phrase.split())


def return_to_set(at: TurnSetting) -> FollowUpPlan | None:
    """The plan that lists an earlier set; None where the turn goes back to none."""
    if Move.RETURNING not in at.turn.moves or not at.state.earlier:
        return None
    chosen = _chosen(at)
    if chosen is None or chosen.plan is None:
        return None
    listed = listing(chosen.plan).model_copy(update={"kind": Kind.AGGREGATE, "decides": ""})
    return FollowUpPlan(listed, Edit.RETURN)


def _chosen(at: TurnSetting) -> SetInHand | None:
    rest = read_turn(at.turn.rest, at.noun)
    words = set(at.turn.rest.casefold().split())
    says_nothing_else = not _content(rest.blanked, at)
    begins = bool(words & (_BEGINNING - STOP_WORDS))
    if not at.turn.rest or (says_nothing_else and words & _BEFORE and not begins):
        return at.state.earlier[-1]
    if says_nothing_else:
        return at.state.widest or at.state.earlier[-1]
    wanted = clauses_of(plan) if (plan := at.plan_turn(rest).whole) is not None else ()
    return next((each for each in reversed(at.state.earlier) if _fulfils(each, wanted)), None)


def _content(text: str, at: TurnSetting) -> bool:
    """True where a text says more than which of the earlier sets is meant, by its place."""
    idle = (
        _BEGINNING
        | _BEFORE
        | {"the", "of", "to", "one", "ones", "a", at.noun.plural, *phrases("wholes"), *phrases("things")}
    )
    return any(word.strip(".,;:!?") not in idle for word in text.casefold().split())


def _fulfils(given: SetInHand, wanted: Clauses) -> bool:
    """True where a set was chosen by conditions that say as much as these."""
    base = base_of(given.plan)
    if base is None or not wanted:
        return False
    own = own_clauses(base)

    def is_there(fields: frozenset[str], values: set[tuple[str, str]]) -> bool:
        return any(fields & fields_of(each) and values <= _values((each,)) for each in own)

    return all(is_there(fields_of(each), _values((each,))) for each in wanted)


def _values(clauses: Clauses) -> set[tuple[str, str]]:
    """Operators with their values; one of several values is as good as the one."""
    found: set[tuple[str, str]] = set()
    for clause in clauses:
        for part in clause_parts(clause):
            op = Operator.EQUAL if part.op is Operator.IN else part.op
            values = part.value if isinstance(part.value, tuple) else (part.value,)
            found |= {(op.value, str(each)) for each in values or ("",)}
    return found
