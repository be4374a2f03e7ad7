"""Turns of mtrag_un with what stands before each: earlier questions and answers, never its own answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.domain.answer import Answer, Kind, Route, Status
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId

EARLIER = "EARLIER"
"""Kind of the questions before the last of a conversation, which nobody has labelled; each was answered."""


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """A question of a conversation. kind: ANSWERABLE, PARTIAL, UNANSWERABLE, UNDERSPECIFIED or EARLIER.

    half: "developed" or "other", by a hash of its conversation. gold: sources of the passages that answer it;
    empty where none is known.
    """

    id: str
    kind: str
    half: str
    bucket: str
    question: str
    history: tuple[Turn, ...]
    gold: frozenset[str]


def asked_turns(data: Path, *, with_earlier: bool = False) -> list[AskedTurn]:
    """The labelled turns, each the last of its conversation; with those before them where wanted."""
    lines = (data / "mtrag_un/visible.jsonl").read_text("utf-8").splitlines()
    found: list[AskedTurn] = []
    for row in map(json.loads, lines):
        asked = [at for at, turn in enumerate(row["input"]) if turn["speaker"] == "user"]
        for at in asked if with_earlier else asked[-1:]:
            is_last = at == asked[-1]
            found.append(
                AskedTurn(
                    id=f"{row['task_id']}-{at}",
                    kind=row["answerability"][0] if is_last else EARLIER,
                    half=half_of(row["conversation_id"]),
                    bucket=f"mtrag-{row['Collection']}",
                    question=row["input"][at]["text"],
                    history=tuple(_history(row["conversation_id"], row["input"][:at])),
                    gold=frozenset(each["document_id"] for each in row["contexts"])
                    if is_last
                    else frozenset(),
                )
            )
    return found


def half_of(conversation: str) -> str:
    """The half that rules were developed on, or the other one."""
    is_odd = int(hashlib.sha256(conversation.encode()).hexdigest(), 16) % 2
    return "other" if is_odd else "developed"


def _history(conversation: str, said: Sequence[dict[str, Any]]) -> list[Turn]:
    """The turns as the product keeps them; their answers have no citations."""
    turns: list[Turn] = []
    for at, each in enumerate(said):
        if each["speaker"] != "user":
            continue
        replies = [said[at + 1]["text"]] if at + 1 < len(said) and said[at + 1]["speaker"] != "user" else []
        turns.append(
            Turn(
                id=TurnId(f"{conversation}-{at}"),
                conversation=ConversationId(conversation),
                ordinal=len(turns),
                question=each["text"],
                state=TurnState.DONE,
                answer=_answer(each["text"], replies[0]) if replies else None,
                asked_at=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )
    return turns


def _answer(question: str, text: str) -> Answer:
    return Answer(
        question=question,
        trace_id="",
        data_version=0,
        status=Status.ANSWERED,
        kind=Kind.LOOKUP,
        route=Route.HYBRID,
        text=text,
    )
