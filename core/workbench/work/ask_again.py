"""Failed questions asked again, as a durable job: one after another, each noted before the next."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from core.ask.request import Question
from core.domain.answer import Answer
from core.domain.event import Answered, StageFinished
from core.domain.job import CurrentItem
from core.jobs.base import JobContext, JobHandler
from core.workbench.people import principal_of
from core.workbench.wiring import Parts


class AskAgainPayload(BaseModel):
    """questions: each with the buckets that it is asked in. user: as whom, with what they may see by then."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    questions: tuple[tuple[str, tuple[str, ...]], ...]
    user: str


class AskAgainJob(JobHandler):
    """The handler of the job kind `ask_again`. Repeated, it goes on behind the last question noted."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def work(self, context: JobContext) -> bool:
        """Ask until none is left (False) or the slice has lasted long enough (True)."""
        payload = AskAgainPayload.model_validate(context.order.payload)
        parts, job, total = self._parts, context.order.id, len(payload.questions)
        who = principal_of(parts.records.accounts, parts.settings, payload.user)
        for number, (question, buckets) in enumerate(payload.questions):
            trace = f"again-{job}-{number}"
            if parts.records.tries.of_trace(trace, who.user) is None:
                context.check()
                if context.should_yield():
                    return True
                parts.records.jobs.set_current(job, CurrentItem(question[:200], 0, 0))
                self._ask(Question(question, who, buckets), trace)
            parts.records.jobs.progress(job, number + 1, total)
        return False

    def _ask(self, question: Question, trace: str) -> None:
        steps: list[StageFinished] = []
        answer: Answer | None = None
        for event in self._parts.orchestrator.stream(question, keeps=False):
            if isinstance(event, StageFinished):
                steps.append(event)
            elif isinstance(event, Answered):
                answer = event.answer
        if answer is not None:
            who, buckets = question.principal, question.buckets
            seen = self._parts.records.access.visibility(who)
            self._parts.past_tries.note(answer, steps, seen, who.user, buckets, again=trace)
