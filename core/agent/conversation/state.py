"""State of a conversation from its turns, and what every answer leaves in hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from core.agent.alike_documents import is_about_one
from core.agent.request import Run
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import about_of, noun_of, said_of
from core.domain.answer import CLEARED, Answer, ConversationSet, Kind, Route, Status
from core.domain.conversation import Turn
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, document_title
from core.plan.conversation_state import ConversationState, Focus, SetInHand, base_of, plan_read, source_of
from core.plan.ir.nodes import Plan
from core.plan.readers.model.in_hand import ReadInHand
from core.plan.reading_edits import set_part

MOST_IN_HAND = 20_000  # documents that are kept with an answer
MOST_EARLIER = 12  # sets that can be gone back to
_TOLD = (Status.ANSWERED, Status.PARTIAL)
_TOLD_CHARS = 500  # of an answer, to a model


def state_of(history: Sequence[Turn]) -> ConversationState:
    """The state after these turns, the oldest first.

    Turns without an answer, and questions back, leave it as it was; of one that asked several things the last
    counts.
    """
    state = ConversationState()
    for turn in history:
        answers = (turn.answer.parts or (turn.answer,)) if turn.answer is not None else ()
        for answer in answers:
            state = _next(state, answer)
    return state


def hand_of(state: ConversationState, history: Sequence[Turn]) -> ReadInHand | None:
    """The last answer as a model is told of it; None where that was not over fields or rows."""
    last = history[-1].answer if history else None
    held, plan = state.in_hand, state.last_plan
    if last is None or held is None or plan is None or plan.route is not Route.STRUCTURED:
        return None
    told = last.text[:_TOLD_CHARS]
    return ReadInHand(last.question, plan.reading, held.documents, len(held.documents), told)


def since_cleared(history: Sequence[Turn]) -> list[Turn]:
    """The turns behind the last that put everything before it away."""
    answers = enumerate((turn.answer for turn in history), 1)
    return list(history[max((at for at, each in answers if each and CLEARED in each.flags), default=0) :])


def _next(state: ConversationState, answer: Answer) -> ConversationState:
    held = answer.conversation if answer.conversation and answer.conversation.documents else None
    if answer.status not in _TOLD or answer.kind is Kind.GENERAL:
        return _named_in_vain(state, answer)
    plan = plan_read(answer.plan)
    after = _set_after(state, held, answer, plan) if held is not None else None
    return ConversationState(after, plan, _focus(answer), _earlier(state, after))


def named_alone(answer: Answer) -> str:
    """The one document that an answer's question named, by the scope of all its steps; "" for none."""
    plan = plan_read(answer.plan)
    return is_about_one(plan) if plan is not None else ""


def _named_in_vain(state: ConversationState, answer: Answer) -> ConversationState:
    """The state after a turn without an answer: what was in hand stays, and "it" is the document it named."""
    named = named_alone(answer) if answer.status is Status.ABSTAINED else ""
    if not named:
        return state
    places = (*answer.citations, *answer.nearest)
    title = next((place.title for place in places if place.document == named), "the document that was named")
    in_hand = state.in_hand or SetInHand((named,), f"“{title}”")
    return replace(state, in_hand=in_hand, focus=Focus((named,)))


def _earlier(state: ConversationState, after: SetInHand | None) -> tuple[SetInHand, ...]:
    """The sets that were in hand before, each once, with the one that another took the place of.

    One that was gone back to by its reading is no earlier one any more, nor are those since.
    """
    before = state.in_hand
    if before is None or after is None or _is_same_set(before, after):
        return state.earlier
    is_read = after.plan is not None and after.plan.reading is not None
    back = next((n for n, each in enumerate(state.earlier) if _is_same_set(each, after)), None)
    if is_read and back is not None:
        return state.earlier[:back]
    kept = (each for each in state.earlier if not _is_same_set(each, before))
    return (*kept, before)[-MOST_EARLIER:]


def _is_same_set(one: SetInHand, other: SetInHand) -> bool:
    """True of the same documents, and the same rows of them where readings say which."""
    if set(one.documents) != set(other.documents):
        return False
    readings = [each.plan.reading for each in (one, other) if each.plan is not None]
    rows = [set_part(each) for each in readings if each is not None and each.is_rows]
    return len(rows) < 2 or rows[0] == rows[1]


def _set_after(
    state: ConversationState, held: ConversationSet, answer: Answer, plan: Plan | None
) -> SetInHand:
    """The set after an answer: the one before where one document of it was spoken of, or none is left."""
    before, base = state.in_hand, base_of(plan)
    is_same = before is not None and (before.documents, before.label) == (held.documents, held.label)
    is_end = base is not None and (len(base.scope.documents) == 1 or base.limit == 1)
    is_of_one = len(held.documents) > 1 and (is_end or len(_shown(answer)) == 1)
    is_none = answer.table is None or not answer.table.rows
    is_explained = plan is not None and plan.decides == "why"
    if before is not None and is_same and (is_of_one or is_none or is_explained):
        return before
    has_source = plan is not None and bool(source_of(plan))
    return SetInHand(held.documents, held.label, plan if has_source else None)


def _shown(answer: Answer) -> tuple[str, ...]:
    table = answer.table
    ids = (*table.documents, *chain.from_iterable(table.members)) if table is not None else ()
    return tuple(dict.fromkeys(filter(None, ids)))


def _focus(answer: Answer) -> Focus:
    cited = tuple(dict.fromkeys(citation.document for citation in answer.citations))
    is_grouped = answer.table is not None and answer.table.members
    groups = tuple(str(row[0]) for row in answer.table.rows) if answer.table and is_grouped else ()
    return Focus(_shown(answer) or cited, groups)


def in_hand(
    plan: Plan, given: Documents | None, answer: Answer, facts: AnswerFacts, catalogue: Catalogue
) -> ConversationSet | None:
    """The set that an answer leaves in hand: its documents, in the order shown; None for none.

    given: the documents that the answer's plan came to, where it came to any.
    """
    shown = _shown(answer)
    found = given.present if given is not None else frozenset(shown)
    first = (*(given.order if given is not None else ()), *shown)
    by_title = sorted(found, key=lambda id: (document_title(id, catalogue).casefold(), id))
    documents = tuple(dict.fromkeys(id for id in (*first, *by_title) if id in found))
    if not documents or len(documents) > MOST_IN_HAND:
        return None
    if len(documents) == 1:
        return ConversationSet(documents=documents, label=f"“{document_title(documents[0], catalogue)}”")
    return ConversationSet(documents=documents, label=label_of(plan, given, facts, catalogue))


def label_of(plan: Plan, given: Documents | None, facts: AnswerFacts, catalogue: Catalogue) -> str:
    """The documents of a plan in words: `contracts that have Delaware as governing law`."""
    source = source_of(plan)
    if not source:
        return "documents of the last answer"
    node, base = plan.node(source), base_of(plan)
    noun = noun_of(catalogue, base, given or Documents())
    about, said = about_of(plan, node, facts, False).removeprefix(" that "), said_of(plan, node, facts)
    that = ", and ".join(part for part in (about, said) if part)
    if base is not None and base.limit is not None and base.order_by:
        end = "highest" if base.descending else "lowest"
        title = facts.field_title(base.order_by).lower()
        return f"{noun} with the {end} {title}" + (f" of those that {that}" if that else "")
    return f"{noun} that {that}" if that else noun


def cited_in_hand(answer: Answer) -> ConversationSet | None:
    """The set that an answer from text leaves in hand: the documents that it cites; None for none."""
    cited = tuple(dict.fromkeys(citation.document for citation in answer.citations))
    if not cited:
        return None
    titles = list(dict.fromkeys(citation.title for citation in answer.citations))
    label = f"“{titles[0]}”" if len(cited) == 1 else f"documents of the last answer, among them “{titles[0]}”"
    return ConversationSet(documents=cited, label=label)


def held(state: ConversationState) -> ConversationSet | None:
    """The set that a state has in hand, as answers carry it; None for nothing."""
    own = state.in_hand
    return ConversationSet(documents=own.documents, label=own.label) if own is not None else None


def left_in_hand(run: Run, answer: Answer) -> ConversationSet | None:
    """What is in hand after an answer: what it is about, or what was in hand before where it goes on."""
    before = held(run.state) if CLEARED not in answer.flags else None
    if answer.status not in _TOLD or answer.kind is Kind.GENERAL:
        return before
    if run.follows:
        return before if run.keeps_set and before is not None else answer.conversation or before
    return answer.conversation if answer.route is Route.STRUCTURED else cited_in_hand(answer)
