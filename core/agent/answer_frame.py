"""What every answer of a question has around it: its composer, its request, and what is said with it."""

from __future__ import annotations

from core.agent.base import AnswerRecords
from core.agent.computed_answer import Structured
from core.agent.conversation.state import left_in_hand
from core.agent.foreign_question import as_understood
from core.agent.request import QuestionRequest
from core.agent.run import Run
from core.agent.scope import QuestionScope, read_scope
from core.agent.text_answer import Composer
from core.config.models import Settings
from core.domain.answer import Answer, Reader
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.event import Answered
from core.plan.ir.serialization import plan_of
from core.records.base import DocumentQuery
from core.text.language import foreign_language


class AnswerFrame:
    """Composers, requests and ends of answers over one set of records. Thread-safe."""

    def __init__(self, records: AnswerRecords, settings: Settings, structured: Structured | None) -> None:
        self._records = records
        self._settings = settings
        self._structured = structured

    def request(self, run: Run, question: str) -> QuestionRequest:
        """The question as what computes its answer is given it; what it computes is kept."""
        seen = run.visibility
        return QuestionRequest(
            question, run.trace_id, seen.data_version, seen, run.door, run.clock.at, is_kept=True
        )

    def composer(self, question: str, run: Run) -> Composer:
        """What composes the question's answer from quotes."""

        def scope() -> QuestionScope:
            buckets = self._records.documents.buckets(run.visibility)
            return read_scope(buckets, run.buckets, self._without_text(run))

        return Composer(
            question=question,
            trace_id=run.trace_id,
            data_version=run.visibility.data_version,
            read_scope=scope,
            documents=self._records.documents,
            visibility=run.visibility,
            settings=self._settings.answer,
        )

    def introduction(self, run: Run) -> tuple[str, tuple[str, ...]]:
        """Kinds of documents in words and questions that work, as far as plans are used."""
        if self._structured is None:
            return "", ()
        seen = run.visibility
        return self._structured.introduction(seen, seen.data_version, run.door, run.buckets)

    def answered(self, run: Run, answer: Answer) -> Answered:
        """The event of an answer, with how it was read, what it leaves in hand, and what it took."""
        at = run.clock.at()
        answer = as_understood(self._as_read(run, answer), foreign_language(answer.question))
        done = answer.model_copy(
            update={
                "conversation": left_in_hand(run, answer),
                "understood": run.chosen,
                "standalone": run.standalone,
                "planned_by": "person" if run.question.plan is not None else _reader_of(answer),
                "timings_ms": {**run.clock.timings, "total": at},
                "degradations": tuple(dict.fromkeys((*run.degradations, *answer.degradations))),
            }
        )
        return Answered(at_ms=at, answer=done)

    def _as_read(self, run: Run, answer: Answer) -> Answer:
        """The answer with its reading, where what computed it has not said it already."""
        if answer.reading or not (answer.plan or {}).get("nodes") or self._structured is None:
            return answer
        return self._structured.as_read(answer, plan_of(answer.plan or {}), run.others, run.visibility)

    def _without_text(self, run: Run) -> list[DocumentSummary]:
        """The visible documents that nothing could be read from."""
        queries = [DocumentQuery(status=s) for s in (DocumentStatus.UNREADABLE, DocumentStatus.FAILED)]
        found = [s for query in queries for s in self._records.documents.list(run.visibility, query)]
        return [summary for summary in found if not summary.passages]


def _reader_of(answer: Answer) -> Reader:
    """Who read the question that an answer's plan is of; "" where nothing was planned."""
    plan = answer.plan or {}
    return (plan.get("by") or "rules") if plan.get("nodes") else ""
