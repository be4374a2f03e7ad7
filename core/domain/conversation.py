"""Conversations: turns of question and answer, kept, renamed, deleted, linked to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from core.domain.answer import Answer
from core.domain.ids import ConversationId, TurnId


class TurnState(StrEnum):
    """Progress of a turn."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # by its user; with an answer where one stood before a model wrote it
    INTERRUPTED = "interrupted"  # by the end of the process, or as its browser was closed


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


def part_of_turn(turn: Turn, number: int) -> Turn | None:
    """One of the questions that a turn was made of, as a turn of its own; None where there is none."""
    parts = turn.answer.parts if turn.answer is not None else ()
    if not 0 <= number < len(parts):
        return None
    answer = parts[number]
    return replace(
        turn, id=TurnId(f"{turn.id}.{number}"), question=answer.question, answer=answer, first=None
    )


def find_turn(turns: Iterable[Turn], id: str) -> Turn | None:
    """The turn of an id; "t1.0" is the first of the questions that "t1" was made of. None where none is."""
    whole, _, number = id.partition(".")
    found = next((turn for turn in turns if turn.id == whole), None)
    if found is None or not number:
        return found
    return part_of_turn(found, int(number)) if number.isdecimal() else None


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
