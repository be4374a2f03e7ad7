"""One answer to several questions: each under its own question, and a text that reads as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from core.domain.answer import Answer, ConfidenceLabel, Status
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.text.markdown import escape

T = TypeVar("T")

_WEAKEST_LAST = (
    Status.ANSWERED,
    Status.PARTIAL,
    Status.CLARIFY,
    Status.ABSTAINED,
    Status.REFUSED,
    Status.FAILED,
)
_TOLD = (Status.ANSWERED, Status.PARTIAL)
_MOST_SAID = 300  # characters of the reason why a part has no answer
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
    first, sets = (told or parts)[0], [part.conversation for part in parts if part.conversation is not None]
    return Answer(
        question=question,
        trace_id=trace_id,
        data_version=first.data_version,
        status=status,
        kind=first.kind,
        route=first.route,
        text="\n\n".join(_told(part) for part in parts),
        confidence=confidence,
        confidence_label=max(
            (part.confidence_label for part in told or parts), key=tuple(ConfidenceLabel).index
        ),
        gaps=_each([*(map(_unanswered, left) if told else ()), *(part.gaps for part in parts)]),
        conflicts=_each(part.conflicts for part in parts),
        clarification=asking.clarification if asking is not None and asks else None,
        understood=_each(part.understood for part in parts),
        degradations=_each(part.degradations for part in parts),
        flags=_each(part.flags for part in parts),
        lacking=_each(part.lacking for part in parts),
        conversation=sets[-1] if sets else None,
        parts=tuple(parts),
    )


def _unanswered(part: Answer) -> tuple[str]:
    """That a part has no answer, and why, as one gap."""
    why = part.clarification.reason if part.clarification is not None else ""
    return (f"Not answered: “{part.question.rstrip(' ?.!')}”. {why}".strip()[:_MOST_SAID],)


def as_part(answer: Answer, question: str) -> Answer:
    """The answer to a part of a question under that part, as a sentence begins."""
    return answer.model_copy(update={"question": question.strip()[:1].upper() + question.strip()[1:]})


def _told(part: Answer) -> str:
    return f"**{escape(part.question)}**\n\n{_MARKS.sub('', part.text)}"


def _each(found: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    """All of them in order, each once; conflicts and others need not be hashable."""
    kept: list[T] = []
    for some in found:
        kept += [each for each in some if each not in kept]
    return tuple(kept)


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
