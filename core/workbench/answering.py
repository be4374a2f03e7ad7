"""The part of the facade that answers questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.agent.meanings import Way
from core.domain.answer import Answer, Understood
from core.domain.conversation import Turn
from core.domain.event import Event, Finished
from core.domain.ids import ConversationId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.workbench.learning import LearningCalls


class AnswerCalls(LearningCalls):
    """Questions and their answers, and what is learned from those that went wrong."""

    def ask(
        self,
        question: str,
        principal: Principal = LOCAL_ADMIN,
        *,
        buckets: Sequence[str] = (),
        conversation: ConversationId | None = None,
        history: Sequence[Turn] = (),
        chosen: Understood | None = None,
        way: Way = "",
    ) -> Answer:
        """The answer to a question; see `stream`."""
        answer: Answer | None = None
        for event in self.stream(
            question,
            principal,
            buckets=buckets,
            conversation=conversation,
            history=history,
            chosen=chosen,
            way=way,
        ):
            if isinstance(event, Finished):
                answer = event.answer
        assert answer is not None, "every stream ends with Finished"
        return answer

    def stream(
        self,
        question: str,
        principal: Principal = LOCAL_ADMIN,
        *,
        buckets: Sequence[str] = (),
        conversation: ConversationId | None = None,
        history: Sequence[Turn] = (),
        chosen: Understood | None = None,
        way: Way = "",
    ) -> Iterator[Event]:
        """Typed events of one question, the last one with the Answer; safe to close at any yield.

        The answered turns of `conversation`, or else `history`, are what a follow-up question refers to, and
        what words that may mean several things meant before. chosen: what was just clicked for such words.
        way: search the text alone ("text"), do so rather than ask back ("whatever"), or ask back what was
        chosen before ("afresh").
        """
        earlier = history
        if conversation is not None:
            turns = self._parts.records.conversations.turns(conversation, principal.user)
            earlier = [turn for turn in turns if turn.answer is not None]
        events = self._parts.orchestrator.stream(
            question, principal, tuple(buckets), tuple(earlier), chosen=chosen, way=way
        )
        return self._watched(events, principal, buckets)
