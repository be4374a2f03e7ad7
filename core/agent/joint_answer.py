"""One answer to several questions: each under its own question, and a text that reads as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from core.domain.answer import Answer, ConfidenceLabel, Status
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.text.markdown import escape

_TOLD = (Status.ANSWERED, Status.PARTIAL)
_WEAKEST_LAST = (*_TOLD, Status.CLARIFY, Status.ABSTAINED, Status.REFUSED, Status.FAILED)
_JOINED = ("conflicts", "understood", "degradations", "flags", "lacking")
_MOST_SAID = 300  # characters of the reason why a part has no answer
_LABELS = tuple(ConfidenceLabel)
_MARKS = re.compile(r"(?<!\\)(?:\s?\[\d+\])+")


def joint_answer(question: str, trace_id: str, parts: Sequence[Answer]) -> Answer:
    """The answers to the parts of a question as one; parts: at least one.

    Where only some have an answer it is partial, and its gaps name the others with the reason. It is as sure
    as the least sure answer, and asks what the first part that has to ask does.
    """
    told = [part for part in parts if part.status in _TOLD]
    left = [part for part in parts if part.status not in _TOLD]
    weakest = max((part.status for part in parts), key=_WEAKEST_LAST.index)
    status = Status.PARTIAL if told and left else weakest
    asking = next((part for part in parts if part.clarification is not None and part in left), None)
    asks = asking is not None and (status is Status.PARTIAL or asking.status is status is Status.CLARIFY)
    confidence = min(part.confidence for part in told or parts)
    whys = [(each, each.clarification.reason if each.clarification is not None else "") for each in left]
    unanswered = [f"Not answered: “{each.question.rstrip(' ?.!')}”. {why}".strip() for each, why in whys]
    first, sets = (told or parts)[0], [part.conversation for part in parts if part.conversation is not None]
    whole = Answer(
        question=question,
        trace_id=trace_id,
        data_version=first.data_version,
        status=status,
        kind=first.kind,
        route=first.route,
        text="\n\n".join(f"**{escape(part.question)}**\n\n{_MARKS.sub('', part.text)}" for part in parts),
        confidence=confidence,
        confidence_label=max((each.confidence_label for each in told or parts), key=_LABELS.index),
        gaps=_each([tuple(each[:_MOST_SAID] for each in unanswered if told), *(part.gaps for part in parts)]),
        clarification=asking.clarification if asking is not None and asks else None,
        conversation=sets[-1] if sets else None,
        parts=tuple(parts),
    )
    joined = {name: _each(getattr(part, name) for part in parts) for name in _JOINED}
    return whole.model_copy(update=joined)


def as_part(answer: Answer, question: str) -> Answer:
    """The answer to a part of a question under that part, as a sentence begins."""
    return answer.model_copy(update={"question": question.strip()[:1].upper() + question.strip()[1:]})


def _each(found: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
    """All of them in order, each once; conflicts and others need not be hashable."""
    every = [each for some in found for each in some]
    return tuple(each for at, each in enumerate(every) if each not in every[:at])


def as_turn(answer: Answer, ordinal: int, asked_at: datetime) -> Turn:
    """The answer to a part as a turn that the next part may point back at."""
    id = TurnId(f"{answer.trace_id}-{ordinal}")
    return Turn(id, ConversationId(""), ordinal, answer.question, TurnState.DONE, answer, asked_at)


def unfolded(history: Sequence[Turn]) -> list[Turn]:
    """Turns, those of several questions as one turn for each of them."""
    found: list[Turn] = []
    for turn in history:
        parts = turn.answer.parts if turn.answer is not None else ()
        found += [as_turn(part, turn.ordinal, turn.asked_at) for part in parts] if parts else [turn]
    return found
