"""One question from guard to answer, as a stream of typed events."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial

from core.answer.prose.kept_summaries import KeptSummaries
from core.answer.standing import as_it_stands
from core.ask.clarification import chosen_before
from core.ask.computed_answer import Structured, counted
from core.ask.conversation import FollowUp, since_cleared, state_of
from core.ask.field_stages import FieldStages
from core.ask.model import ModelSource, ModelStages
from core.ask.question_stages import QuestionStages, unfolded
from core.ask.request import Question, QuestionHandle, Run, as_drafted
from core.config.models import Settings
from core.domain.answer import Answer, Degradation, Status
from core.domain.conversation import Turn
from core.domain.event import (
    Answered,
    AskingTerms,
    Degraded,
    Drafted,
    Event,
    Finished,
    Guarded,
    ModelCalled,
    ProseWritten,
    Trace,
    last_answer,
)
from core.domain.ids import TraceId
from core.domain.llm.use import ModelUse
from core.domain.principal import Principal
from core.errors import QuestionError, RecordsError
from core.fields.promise import QuestionPromise
from core.guard.answer_guard import guard_answer, hidden_model, hidden_text, with_flags
from core.guard.question_guard import MOST_CHARS, GuardedQuestion, guard_question
from core.plan.door import PlanDoor
from core.plan.ir.nodes import Plan, ScopedNode
from core.plan.run.tools import Tools
from core.review.flags import flagged
from core.search.classify import classify, clean_question, require_question
from core.search.search import PassageFinder
from core.store.database.visibility import Visibility
from core.store.store import Records


class Orchestrator:
    """Answers questions from the collection. Thread-safe; every question has its own stream.

    door: makes the door of the policies for who asks.
    """

    def __init__(
        self,
        records: Records,
        finder: PassageFinder,
        settings: Settings,
        *,
        structured: Structured | None = None,
        models: ModelSource | None = None,
        tools: Callable[[Visibility, PlanDoor], Tools] | None = None,
        door: Callable[[Principal, Visibility], PlanDoor],
        sight_of: Callable[[Principal], Visibility] = Visibility.of,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        ids: Callable[[], str] = lambda: uuid.uuid4().hex,
        tick: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._door = door
        self._records = records
        self._settings = settings
        self._structured = structured
        self._models = ModelStages(models, records.documents, tools, structured, KeptSummaries(records))
        fields = FieldStages(structured, self._models, finder) if structured is not None else None
        self._course = QuestionStages(records, finder, settings, fields, self._models, now)
        self._sight_of = sight_of
        self._now = now
        self._ids = ids
        self._tick = tick

    def ask(self, question: Question) -> Answer:
        """The answer alone; blocks until it is there."""
        return last_answer(self.stream(question))

    def stream(
        self,
        question: Question,
        promise: QuestionPromise | None = None,
        handle: QuestionHandle | None = None,
        keeps: bool = True,
        reviews: bool = True,
    ) -> Generator[Event, None, None]:
        """The events of one question: Answered with the answer and, last, Finished with its follow-ups, too.

        Nothing is held open between two events, so the stream may be closed at any of them; the trace is
        kept before the answer is given, also of a stream that is closed while a model writes (see `Drafted`).
        Never raises for a question or for a search engine that is down; a plan of it that cannot run raises
        PlanError at the first event. promise: the lines of how sure clauses must be. handle: stops it from
        another thread. keeps: False leaves no trace, and makes no follow-ups: an answer is only compared.
        reviews: False has no reviewer look at it, whatever its flags.
        """
        principal, run = question.principal, self._new_run(question, promise)
        run.handle, run.is_reviewed = handle or run.handle, reviews
        history = since_cleared(unfolded(question.history))
        run.known = {} if question.way == "afresh" else chosen_before(history)
        run.choose(question.chosen)
        run.state = state_of(history)
        last = history[-1].answer if history else None
        run.may_ask = last is None or last.status is not Status.CLARIFY
        run.hides_personal_data = self._settings.guard.hides_from(principal.roles)
        started_at = self._now().isoformat()
        events: list[Event] = []
        draft: Drafted | None = None
        most = max(MOST_CHARS, 2 * self._settings.answer.max_question_chars)
        guarded = guard_question(question.text, most)
        run.masking = guarded.masking
        if not question.offline and guarded.refusal is None:
            self._models.begin(run, principal.user)

        terms = AskingTerms(
            asked=guarded.text,
            roles=tuple(sorted(principal.roles)),
            groups=tuple(sorted(principal.groups)),
            buckets=question.buckets,
            promise=None if promise is None else promise.level,
            offline=question.offline,
            way=question.way,
            chosen=question.chosen,
            plan_given=question.plan is not None,
            follows=bool(history),
        )

        def trace(answer: Answer, at_ms: float) -> Trace:
            return Trace(
                trace_id=run.trace_id,
                question=answer.question,
                user=principal.user,
                started_at=started_at,
                events=(*events, Finished(at_ms=at_ms, answer=answer)),
                terms=terms,
            )

        try:
            with closing(self._guarded_events(guarded, len(question.text) - most, run, history)) as stream:
                for told in stream:
                    event = run.masking.model(told)
                    if isinstance(event, Answered):
                        draft = None
                        given = trace(event.answer, event.at_ms) if keeps else None
                        yield from self._given(run, given, event)
                        return
                    if isinstance(event, Drafted):
                        draft = event
                    elif not isinstance(event, ProseWritten):  # as it came, piece by piece, is in the answer
                        events.append(event)
                    yield event
        except GeneratorExit:
            if draft is not None and keeps:  # left while a model wrote: what stood there by then is kept
                told_calls = sum(isinstance(event, ModelCalled) for event in events)
                made, at = run.calls.made if run.calls is not None else (), run.at()
                events += [ModelCalled(at_ms=at, call=call) for call in made[told_calls:]]
                answer = as_drafted(draft.answer, run.handle.cause or "stopped", ModelUse(calls=tuple(made)))
                self._keep(lambda: self._save(trace(answer, at), run))
            raise

    def _guarded_events(
        self, guarded: GuardedQuestion, left_out: int, run: Run, history: Sequence[Turn]
    ) -> Generator[Event, None, None]:
        """The events of a question with what its guards say of it and of its answer.

        left_out: characters that no guard has read, of a question that is refused by its length.
        """
        at = run.at()
        yield from (Guarded(at_ms=at, verdict=verdict) for verdict in guarded.verdicts)
        if guarded.refusal is not None:
            composer = self._course.composer(clean_question(guarded.text), run)
            refused = composer.refuse(QuestionError(guarded.refusal.detail), is_empty=False)
            yield self._course.answered(run, with_flags(refused, guarded.flags))
            return
        asked = self._course.events(guarded.search_text, run, history, max(0, left_out))
        hides = run.hides_personal_data
        with closing(self._models.write(run, asked)) as stream:
            for event in stream:
                if hides and isinstance(event, ProseWritten):
                    continue  # pieces of a number pass where the whole would be masked; the claim comes whole
                if not isinstance(event, Answered | Drafted):
                    yield hidden_model(event) if hides else event
                    continue
                # The quotes were held so before a model saw them; its prose may rest on other places.
                stands = as_it_stands(event.answer, self._records.documents, run.visibility)
                out = guard_answer(stands, hides_personal_data=hides)
                if isinstance(event, Answered):  # of a draft they are told with the answer, if that has them
                    yield from (Guarded(at_ms=event.at_ms, verdict=verdict) for verdict in out.verdicts)
                yield event.model_copy(update={"answer": with_flags(out.answer, guarded.flags)})

    def _given(self, run: Run, trace: Trace | None, event: Answered) -> Iterator[Event]:
        """An answer, kept before anybody sees it; then its follow-ups, which nobody waits for.

        trace: None where none is to be kept.
        """
        answer, traces = event.answer, self._records.traces
        if trace is None:
            yield event
            yield Finished(at_ms=run.at(), answer=answer)
            return
        failure = self._keep(lambda: self._save(trace, run))
        if failure is not None:
            yield Degraded(at_ms=run.at(), degradation=failure)
            answer = answer.model_copy(update={"degradations": (*answer.degradations, failure)})
        yield Answered(at_ms=event.at_ms, answer=answer)
        id, hides = TraceId(run.trace_id), run.hides_personal_data
        if answer.other_readings and self._structured is not None and not (run.masking or hides):
            count = partial(self._structured.count, asked=run.asking(answer.question))
            readings = counted(answer.other_readings, answer.route, count)
            answer = answer.model_copy(update={"other_readings": readings})
            if failure is None:
                self._keep(lambda: traces.add_readings(id, readings, trace.user))
        if run.suggest is not None:
            questions = tuple(run.masking.text(question) for question in run.suggest())
            questions = tuple(map(hidden_text, questions)) if hides else questions
            answer = answer.model_copy(update={"follow_ups": questions})
            if failure is None:
                self._keep(lambda: traces.add_follow_ups(id, questions, trace.user))
        yield Finished(at_ms=run.at(), answer=answer)

    def _new_run(self, question: Question, promise: QuestionPromise | None = None) -> Run:
        started = self._tick()
        seen = self._sight_of(question.principal).promising(promise).within(question.buckets)
        seen = seen.at(self._records.changes.data_version())
        door = self._door(question.principal, seen)
        return Run(self._ids(), self._tick, question, seen, door, question.buckets, started=started)

    def answer_plan(self, plan: Plan, principal: Principal) -> Iterator[Event]:
        """Answer from what the searches of a plan find, also of one that was edited; no trace is kept.

        The last event is Answered: what was found comes with its follow-ups. Raises RefusedError.
        """
        scopes = [node.scope.buckets for node in plan.nodes if isinstance(node, ScopedNode)]
        buckets = tuple(sorted({each for scope in scopes for each in scope})) if all(scopes) else ()
        run = self._new_run(Question(plan.question, principal, buckets))
        found = classify(require_question(plan.question, self._settings.answer.max_question_chars))
        composer, alone = self._course.composer(found.normalised, run), FollowUp(found.normalised, "")
        answer = yield from self._course.from_text(composer, found, plan, alone)
        yield self._course.answered(run, answer)

    def _save(self, trace: Trace, run: Run) -> None:
        """Keep a trace, and what is to be reviewed of it, in one transaction."""
        to_review = flagged(trace, self._settings.review) if run.is_reviewed else None
        origin = run.question.principal.origin
        self._records.traces.save(trace, origin=origin, flagged=to_review)

    def _keep(self, write: Callable[[], None]) -> Degradation | None:
        try:
            write()
        except RecordsError as error:
            said = f"The trace of this answer could not be kept. {error.message}"
            return Degradation(code="E004", message=said)
        return None
