"""Conversations and their turns in memory, with the facade's exact calls."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.answer import Answer
from core.domain.conversation import Conversation, Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import NotFoundError
from tests.support.few_documents import NOW


class FakeConversations:
    """See the module."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._lock = threading.RLock()  # guards: a turn and its conversation change together
        self._conversations: dict[ConversationId, Conversation] = {}
        self._turns: dict[TurnId, Turn] = {}

    def conversations(self, principal: Principal = LOCAL_ADMIN) -> list[Conversation]:
        return sorted(self._conversations.values(), key=lambda c: c.updated_at, reverse=True)

    def new_conversation(
        self, principal: Principal = LOCAL_ADMIN, buckets: Sequence[str] = ()
    ) -> Conversation:
        found = ConversationId(f"c{next(self._ids)}")
        self._conversations[found] = Conversation(
            found, principal.user, "", tuple(buckets), 0, datetime.now(UTC)
        )
        return self._conversations[found]

    def conversation(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> Conversation:
        if conversation not in self._conversations:
            raise NotFoundError(
                "This conversation is not there.", next_step="Choose one from the list, or begin a new one."
            )
        return self._conversations[conversation]

    def turns(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> list[Turn]:
        self.conversation(conversation)
        return [turn for turn in self._turns.values() if turn.conversation == conversation]

    def rename_conversation(
        self, conversation: ConversationId, title: str, principal: Principal = LOCAL_ADMIN
    ) -> None:
        self._conversations[conversation] = replace(self.conversation(conversation), title=title)

    def scope_conversation(
        self, conversation: ConversationId, buckets: Sequence[str], principal: Principal = LOCAL_ADMIN
    ) -> None:
        self._conversations[conversation] = replace(self.conversation(conversation), buckets=tuple(buckets))

    def delete_conversation(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> None:
        del self._conversations[conversation]

    def start_turn(
        self, conversation: ConversationId, question: str, principal: Principal = LOCAL_ADMIN
    ) -> Turn:
        with self._lock:
            found = self.conversation(conversation)
            turn = Turn(
                TurnId(f"t{next(self._ids)}"),
                conversation,
                found.turns + 1,
                question,
                TurnState.RUNNING,
                None,
                NOW,
            )
            self._turns[turn.id] = turn
            self._conversations[conversation] = replace(
                found, turns=found.turns + 1, title=found.title or question[:80], updated_at=datetime.now(UTC)
            )
            return turn

    def _change_turn(self, turn: TurnId, **changes: object) -> Turn:
        with self._lock:
            self._turns[turn] = replace(self._turns[turn], **changes)
            return self._turns[turn]

    def finish_turn(
        self,
        turn: TurnId,
        answer: Answer,
        principal: Principal = LOCAL_ADMIN,
        state: TurnState = TurnState.DONE,
    ) -> Turn:
        return self._change_turn(turn, answer=answer, state=state)

    def stop_turn(self, turn: TurnId, principal: Principal = LOCAL_ADMIN) -> Turn:
        return self._change_turn(turn, state=TurnState.STOPPED)

    def give_feedback(
        self, turn: TurnId, feedback: str, principal: Principal = LOCAL_ADMIN, *, reason: str = ""
    ) -> Turn:
        return self._change_turn(turn, feedback=feedback)

    def review_outcomes(self, traces: object, principal: Principal = LOCAL_ADMIN) -> dict[str, object]:
        return {}

    def opinions(self, traces: object, principal: Principal = LOCAL_ADMIN) -> dict[str, object]:
        return {}
