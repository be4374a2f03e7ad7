"""The part of the facade that keeps conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.domain.answer import Answer
from core.domain.conversation import Conversation, Turn
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.workbench.wiring import Parts


class ConversationCalls:
    """Conversations and turns; each principal sees its own, another's raise NotFoundError."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def conversations(self, principal: Principal = LOCAL_ADMIN) -> list[Conversation]:
        """This principal's conversations, the last used first."""
        return self._parts.records.conversations.list(principal.user)

    def new_conversation(
        self, principal: Principal = LOCAL_ADMIN, buckets: Sequence[str] = ()
    ) -> Conversation:
        """A new, empty conversation over `buckets` (none: all)."""
        return self._parts.records.conversations.create(principal.user, buckets)

    def conversation(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> Conversation:
        """One conversation. Raises NotFoundError."""
        return self._parts.records.conversations.get(conversation, principal.user)

    def turns(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> list[Turn]:
        """The turns of a conversation, in order."""
        return self._parts.records.conversations.turns(conversation, principal.user)

    def rename_conversation(
        self, conversation: ConversationId, title: str, principal: Principal = LOCAL_ADMIN
    ) -> None:
        """Give a conversation another title."""
        self._parts.records.conversations.rename(conversation, title, principal.user)

    def scope_conversation(
        self, conversation: ConversationId, buckets: Sequence[str], principal: Principal = LOCAL_ADMIN
    ) -> None:
        """Choose the buckets that a conversation is about (none: all)."""
        self._parts.records.conversations.set_scope(conversation, buckets, principal.user)

    def delete_conversation(self, conversation: ConversationId, principal: Principal = LOCAL_ADMIN) -> None:
        """Delete a conversation with its turns."""
        self._parts.records.conversations.delete(conversation, principal.user)

    def start_turn(
        self, conversation: ConversationId, question: str, principal: Principal = LOCAL_ADMIN
    ) -> Turn:
        """Keep a question before it is answered."""
        return self._parts.records.conversations.start_turn(conversation, question, principal.user)

    def finish_turn(self, turn: TurnId, answer: Answer, principal: Principal = LOCAL_ADMIN) -> Turn:
        """Keep the answer of a turn; one that was stopped stays so."""
        return self._parts.records.conversations.finish_turn(turn, answer, principal.user)

    def stop_turn(self, turn: TurnId, principal: Principal = LOCAL_ADMIN) -> Turn:
        """End a running turn without an answer."""
        return self._parts.records.conversations.stop_turn(turn, principal.user)

    def give_feedback(
        self, turn: TurnId, feedback: Literal["right", "wrong", ""], principal: Principal = LOCAL_ADMIN
    ) -> Turn:
        """Keep whether the answer was right."""
        return self._parts.records.conversations.give_feedback(turn, feedback, principal.user)
