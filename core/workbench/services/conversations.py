"""Conversations: turns of question and answer, each kept for its user."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Answer
from core.domain.conversation import Conversation, Turn
from core.domain.ids import ConversationId, TurnId
from core.workbench.services.base import Service


class ConversationService(Service):
    """Conversations of the principal."""

    def create(self, buckets: Sequence[str] = ()) -> Conversation:
        """A new, empty conversation over `buckets` (none: all)."""
        return self._parts.records.conversations.create(self._principal.user, buckets)

    def get(self, conversation: ConversationId) -> Conversation:
        """One conversation. Raises NotFoundError."""
        return self._parts.records.conversations.get(conversation, self._principal.user)

    def turns(self, conversation: ConversationId) -> list[Turn]:
        """The turns of a conversation, in order."""
        return self._parts.records.conversations.turns(conversation, self._principal.user)

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Give a conversation another title."""
        self._parts.records.conversations.rename(conversation, title, self._principal.user)

    def set_scope(self, conversation: ConversationId, buckets: Sequence[str]) -> None:
        """Choose the buckets that a conversation is about (none: all)."""
        self._parts.records.conversations.set_scope(conversation, buckets, self._principal.user)

    def delete(self, conversation: ConversationId) -> None:
        """Delete a conversation with its turns."""
        self._parts.records.conversations.delete(conversation, self._principal.user)

    def start_turn(self, conversation: ConversationId, question: str) -> Turn:
        """Keep a question before it is answered."""
        return self._parts.records.conversations.start_turn(conversation, question, self._principal.user)

    def finish_turn(self, turn: TurnId, answer: Answer) -> Turn:
        """Keep the answer of a turn; one that was stopped stays so."""
        return self._parts.records.conversations.finish_turn(turn, answer, self._principal.user)

    def stop_turn(self, turn: TurnId) -> Turn:
        """End a running turn without an answer."""
        return self._parts.records.conversations.stop_turn(turn, self._principal.user)

    def list(self) -> list[Conversation]:
        """This principal's conversations, the last used first."""
        return self._parts.records.conversations.list(self._principal.user)
