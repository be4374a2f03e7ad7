"""Conversations: turns of question and answer, kept, renamed, deleted, linked to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.domain.answer import Answer
from core.domain.ids import ConversationId, TurnId


class TurnState(StrEnum):
    """Progress of a turn."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # by its user
    INTERRUPTED = "interrupted"  # by the end of the process


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and, once it is done, its answer.

    first: the answer to the question as it was first read, where a person has changed the reading since.
    """

    id: TurnId
    conversation: ConversationId
    ordinal: int
    question: str
    state: TurnState
    answer: Answer | None
    asked_at: datetime
    feedback: str = ""  # "right" | "wrong" | ""
    first: Answer | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A row of the conversation list; `buckets` is the scope that its questions are asked in.

    cleared: the number of turns that there were when the set in hand was cleared; 0 where it never was.
    """

    id: ConversationId
    user: str
    title: str
    buckets: tuple[str, ...]
    turns: int
    updated_at: datetime
    cleared: int = 0
