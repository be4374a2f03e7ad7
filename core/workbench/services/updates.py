"""Answers that waited for documents being read: looked after, and given anew once that is done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from core.answer.value import show_value
from core.ask.question_stages import as_part, joint_answer
from core.ask.request import Question
from core.domain.answer import Answer, AnswerUpdate
from core.domain.conversation import Turn
from core.domain.document import DocumentStatus
from core.domain.ids import ConversationId, DocumentId, TraceId, TurnId
from core.errors import NotFoundError
from core.plan.ir.serialization import plan_of
from core.store.base import DocumentQuery
from core.workbench.recorded import recorded
from core.workbench.services.base import Service


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """Documents that an answer waited for, and how many of them are still to be read."""

    documents: int
    left: int


class UpdateService(Service):
    """Updates of the principal's own turns; what is run for them is run as that principal."""

    def progress(self, answer: Answer) -> ReadingProgress | None:
        """How far the documents are read that an answer waits for; None where it waits for none."""
        pending = answer.pending
        if not pending or (answer.update is not None and answer.update.is_last):
            return None
        return ReadingProgress(len(pending), len(self._left({DocumentId(id) for id in pending})))

    @recorded("answer.update", "conversation", "turn")
    def update(self, conversation: ConversationId, turn: TurnId, now: datetime | None = None) -> Turn:
        """Answer a turn anew where all that it waited for was read; else the turn as it is.

        The plan is the one that ran; the text that was given first stays in `update`. Raises NotFoundError.
        """
        conversations, user = self._parts.records.conversations, self._principal.user
        found = next((each for each in self._turns(conversation) if each.id == turn), None)
        if found is None or found.answer is None:
            raise NotFoundError(f"There is no answer {turn!r} of yours.", next_step="Ask the question again.")
        progress = self.progress(found.answer)
        if progress is None or progress.left:
            return found
        buckets = conversations.get(conversation, user).buckets
        later = _noted(found.answer, self._anew(found.answer, buckets), now or datetime.now(UTC))
        return conversations.update_answer(turn, later, user)

    def _anew(self, answer: Answer, buckets: Collection[str]) -> Answer:
        if answer.parts:
            parts = [
                as_part(self._anew(part, buckets), part.question) if part.pending else part
                for part in answer.parts
            ]
            return joint_answer(answer.question, TraceId(answer.trace_id), parts)
        plan = plan_of(answer.plan or {})
        self._check(plan)
        self._door.require_plan(plan)
        asked = Question(answer.question, self._principal, tuple(buckets), plan=plan, offline=True)
        later = self._parts.orchestrator.ask(asked)
        kept = {"understood": answer.understood, "other_readings": answer.other_readings}
        return later.model_copy(update=kept)

    def _left(self, wanted: Collection[DocumentId]) -> list[DocumentId]:
        """Those of the documents that still lack cells, as the definitions are now."""
        records, definitions = self._parts.records, self._parts.definitions()
        left: list[DocumentId] = []
        for bucket in records.documents.buckets(self._visible):
            asked = DocumentQuery(bucket.name, DocumentStatus.READY, among=frozenset(wanted))
            if ids := records.documents.ids(self._visible.to_open(), asked):
                left += records.fields.lacking(bucket.name, definitions.fingerprint(bucket.name), ids)
        return left


def _noted(before: Answer, now: Answer, at: datetime) -> Answer:
    """The new answer with what changed, and the text that was given first."""
    was, given = _outcome(before), _outcome(now)
    clock = at.astimezone().strftime("%H:%M")
    changed = "nothing changed" if was == given else f"{given} instead of {was}"
    if not was or not given:
        changed = "nothing changed" if before.text == now.text else "the answer is new"
    update = AnswerUpdate(
        at=at.astimezone().isoformat(timespec="seconds"),
        note=f"Read to the end at {clock}: {changed}.",
        text=before.update.text if before.update is not None else before.text,
        is_last=bool(now.pending) and set(now.pending) <= set(before.pending),
    )
    return now.model_copy(update={"update": update})


def _outcome(answer: Answer) -> str:
    """The value of an answer, or how many documents it gives; "" where it has neither."""
    if answer.value is not None:
        return show_value(answer.value)
    return f"{answer.ledger.present:,}" if answer.ledger is not None else ""
