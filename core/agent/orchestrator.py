"""One question from guard to answer, as a stream of typed events."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest

from core.agent.alike_documents import is_about_one
from core.agent.base import Agent, AnswerRecords, ModelSource, ProseWriter, ToolBox
from core.agent.clarification import (
    MOST,
    Way,
    ask_back,
    chosen_before,
    named_choice,
    nothing_told,
    read_as_before,
    stands_alone,
)
from core.agent.computed_answer import ComputedAnswer, FollowedUp, Planned, Structured
from core.agent.conversation import FollowUp, answered_from_text, read_follow_up
from core.agent.conversation_state import left_in_hand, since_cleared, state_of
from core.agent.foreign_question import as_understood
from core.agent.joint_answer import as_part, as_turn, joint_answer, unfolded
from core.agent.model.stages import ModelStages
from core.agent.nearby_passages import with_surroundings
from core.agent.question_parts import QuestionPart
from core.agent.request import QuestionRequest
from core.agent.run import QuestionClock, Run, steps_label
from core.agent.scope import QuestionScope, read_scope
from core.agent.suggestions.computed import COUNT as FOLLOW_UPS
from core.agent.text_answer import Composer, general_reply
from core.agent.text_fallback import text_of, unmentioned, with_understood
from core.agent.text_stages import TextStages
from core.config.models import Settings
from core.domain.answer import (
    Answer,
    Degradation,
    Kind,
    Reader,
    Route,
    Status,
    Understood,
)
from core.domain.conversation import Turn
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.event import (
    Answered,
    Degraded,
    Event,
    Finished,
    Guarded,
    ProseWritten,
    StageFinished,
    StageStarted,
    Trace,
    last_answer,
)
from core.domain.ids import TraceId
from core.domain.principal import Principal
from core.errors import QuestionError, RecordsError
from core.evidence.base import EvidenceFinder
from core.fields.promise import QuestionPromise
from core.guardrails.answer_guard import guard_answer, hidden_model, hidden_text, with_flags
from core.guardrails.question_guard import MOST_CHARS, GuardedQuestion, guard_question
from core.plan.clarify import ABSENCES, Clarify
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.plan.model.reading import QuestionSorting, as_read
from core.plan.text.classify import Classification, CollectionNeed, classify, clean_question, require_question
from core.plan.text.collection_question import asks_for_everything
from core.plan.text.mail import message_of
from core.plan.text.text_plan import text_plan, with_wordings
from core.records.base import DocumentQuery
from core.records.database.visibility import Visibility
from core.text.analyse import text_terms
from core.text.language import foreign_language


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return uuid.uuid4().hex


class Orchestrator:
    """Answers questions from the collection. Thread-safe; every question has its own stream."""

    def __init__(
        self,
        records: AnswerRecords,
        retriever: EvidenceFinder,
        settings: Settings,
        *,
        structured: Structured | None = None,
        models: ModelSource | None = None,
        writer: ProseWriter | None = None,
        tools: Callable[[Visibility], ToolBox] | None = None,
        now: Callable[[], datetime] = _utc_now,
        ids: Callable[[], str] = _new_id,
        tick: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._records = records
        self._retriever = retriever
        self._settings = settings
        self._structured = structured
        self._models = ModelStages(models, writer, records.documents, tools)
        self._text = TextStages(records, retriever, settings.retrieval)
        self._now = now
        self._ids = ids
        self._tick = tick

    def ask(
        self,
        question: str,
        principal: Principal,
        buckets: Sequence[str] = (),
        history: Sequence[Turn] = (),
    ) -> Answer:
        """The answer alone; blocks until it is there."""
        return last_answer(self.stream(question, principal, buckets, history))

    def stream(
        self,
        question: str,
        principal: Principal,
        buckets: Sequence[str] = (),
        history: Sequence[Turn] = (),
        *,
        chosen: Understood | None = None,
        way: Way = "",
        plan: Plan | None = None,
        promise: QuestionPromise | None = None,
        offline: bool = False,
        agent: Agent = "",
    ) -> Iterator[Event]:
        """The events of one question: Answered with the answer and, last, Finished with its follow-ups, too.

        Nothing is held open between two events, so the iterator may be dropped at any of them; the trace
        is kept before the answer is given. Never raises for a question or for a search engine that is down.
        chosen: what was clicked when words could mean several things; way: see `Way`. plan: what is run for
        the question, a reading that was chosen; one that cannot run raises PlanError at the first event.
        promise: how sure clauses must be for it. offline: call no language model, even where there is one.
        agent: which one works with the model; "" as the settings say.
        """
        run = self._new_run(principal, tuple(buckets), promise)
        run.plan, history = plan, since_cleared(unfolded(history))
        run.known, run.way = {} if way == "afresh" else chosen_before(history), way
        run.choose(chosen)
        run.state = state_of(history)
        run.hides_personal_data = self._settings.guard.hides_from(principal.roles)
        started_at = self._now().isoformat()
        events: list[Event] = []
        most = max(MOST_CHARS, 2 * self._settings.answer.max_question_chars)
        guarded = guard_question(question, most)
        run.masking = guarded.masking
        if not offline and guarded.refusal is None:
            run.agent = agent
            self._models.begin(run, principal.user)
        for told in self._guarded_events(guarded, len(question) - most, run, history):
            event = run.masking.model(told)
            if isinstance(event, Answered):
                trace = Trace(
                    trace_id=run.trace_id,
                    question=event.answer.question,
                    user=principal.user,
                    started_at=started_at,
                    events=(*events, Finished(at_ms=event.at_ms, answer=event.answer)),
                )
                yield from self._given(run, trace, event)
                return
            if not isinstance(event, ProseWritten):  # as it came, piece by piece, is in the answer
                events.append(event)
            yield event

    def _guarded_events(
        self, guarded: GuardedQuestion, left_out: int, run: Run, history: Sequence[Turn]
    ) -> Iterator[Event]:
        """The events of a question with what its guards say of it and of its answer.

        left_out: characters of a question that is too long, which no guard has read: it is refused by its
        length, so they are counted and go nowhere.
        """
        at = run.clock.at()
        yield from (Guarded(at_ms=at, verdict=verdict) for verdict in guarded.verdicts)
        refusal = guarded.refusal
        if refusal is not None:
            refused = self._composer(clean_question(guarded.text), run).refuse(
                QuestionError(refusal.detail), is_empty=False
            )
            yield self._answered(run, with_flags(refused, guarded.flags))
            return
        asked = self._events(guarded.search_text + "." * max(0, left_out), run, history)
        for event in self._models.written(run, asked):
            if run.hides_personal_data and isinstance(event, ProseWritten):
                continue  # pieces of a number pass where the whole would be masked; the claim comes whole
            if not isinstance(event, Answered):
                yield hidden_model(event) if run.hides_personal_data else event
                continue
            out = guard_answer(event.answer, hides_personal_data=run.hides_personal_data)
            yield from (Guarded(at_ms=event.at_ms, verdict=verdict) for verdict in out.verdicts)
            yield Answered(at_ms=event.at_ms, answer=with_flags(out.answer, guarded.flags))

    def _given(self, run: Run, trace: Trace, event: Answered) -> Iterator[Event]:
        """An answer, kept before anybody sees it; then its follow-ups, which nobody waits for."""
        answer = event.answer
        failure = self._keep(lambda: self._records.traces.save(trace))
        if failure is not None:
            yield Degraded(at_ms=run.clock.at(), degradation=failure)
            answer = answer.model_copy(update={"degradations": (*answer.degradations, failure)})
        yield Answered(at_ms=event.at_ms, answer=answer)
        id = TraceId(run.trace_id)
        if (
            answer.other_readings
            and self._structured is not None
            and not (run.masking or run.hides_personal_data)
        ):
            readings = self._structured.counted(answer.other_readings, self._request(run, answer.question))
            answer = answer.model_copy(update={"other_readings": readings})
            if failure is None:
                self._keep(lambda: self._records.traces.add_readings(id, readings, trace.user))
        if run.suggest is not None:
            questions = tuple(run.masking.text(question) for question in run.suggest())
            if run.hides_personal_data:
                questions = tuple(map(hidden_text, questions))
            answer = answer.model_copy(update={"follow_ups": questions})
            if failure is None:
                self._keep(lambda: self._records.traces.add_follow_ups(id, questions, trace.user))
        yield Finished(at_ms=run.clock.at(), answer=answer)

    def _new_run(
        self, principal: Principal, buckets: tuple[str, ...], promise: QuestionPromise | None = None
    ) -> Run:
        clock = QuestionClock(self._tick, self._tick())
        seen = Visibility.of(principal).promising(promise).at(self._records.changes.data_version())
        return Run(self._ids(), clock, buckets, seen)

    def answer_plan(self, plan: Plan, principal: Principal) -> Iterator[Event]:
        """Answer from what the searches of a plan find, also of one that was edited; no trace is kept.

        The last event is Answered: what was found comes with its follow-ups.
        """
        run = self._new_run(principal, ())
        found = classify(require_question(plan.question, self._settings.answer.max_question_chars))
        composer = self._composer(found.normalised, run)
        yield from self._answer(run, composer, found, plan, FollowUp(found.normalised, ""))

    def _keep(self, write: Callable[[], None]) -> Degradation | None:
        try:
            write()
        except RecordsError as error:
            return Degradation(
                code="E004", message=f"The trace of this answer could not be kept. {error.message}"
            )
        return None

    def _events(self, question: str, run: Run, history: Sequence[Turn]) -> Iterator[Event]:
        clock, question = run.clock, message_of(question)
        limit = self._settings.answer.max_question_chars
        yield StageStarted(at_ms=clock.at(), stage="plan", label="Planning")
        began = clock.at()
        composer = self._composer(clean_question(question[: 2 * limit])[:limit], run)
        try:
            guarded = require_question(question, limit)
        except QuestionError as error:
            yield run.finish_stage("plan", "Refused", began, "rules", {})
            yield self._answered(run, composer.refuse(error, is_empty=len(question) <= limit))
            return
        found = classify(guarded)
        if run.plan is not None:
            yield from self._chosen(run, composer, found, run.plan, began)
            return
        if found.intent is CollectionNeed.GENERAL:
            plan = text_plan(found, guarded, run.buckets)
            yield run.finish_stage("plan", "A general remark", began, "rules", {"nodes": 0})
            yield self._answered(run, composer.reply(found, plan, partial(self._introduction, run)))
            return
        named = named_choice(found.normalised, history[-1]) if history else None
        if named is not None and named[0].plan is not None:
            run.choose(named[1])
            composer = self._composer(named[0].question, run)
            found = classify(named[0].question)
            yield from self._chosen(run, composer, found, plan_of(named[0].plan), began)
            return
        questions = self._divided(question, run)
        if len(questions) > 1:
            yield from self._several(guarded, questions, run, history, began)
            return
        if questions:
            guarded, found = questions[0], classify(questions[0])
        followed = self._followed(run, found.normalised, history) if named is None else None
        if followed is not None:
            yield from self._going_on(run, composer, found, followed, began)
            return
        if self._structured is not None and history:
            whole = self._structured.rephrased(found.normalised, history, run.visibility)
            whole = whole or (yield from self._models.made_whole(run, found.normalised, history))
            if whole:
                run.standalone = whole
                run.choose(named[1] if named is not None else None)
                guarded, found, history = whole, classify(whole), ()
        follow_up = read_follow_up(found.normalised, history)
        names_nothing = not text_terms(found.normalised) and not asks_for_everything(found.normalised)
        if names_nothing and not follow_up.carried:
            yield run.finish_stage("plan", "Too vague", began, "rules", {})
            yield self._answered(run, composer.ask_back(found))
            return
        leans = bool(follow_up.carried or follow_up.documents)
        is_of_set = run.state.in_hand is not None and run.state.in_hand.plan is not None
        if leans and self._structured is not None and (is_of_set or not follow_up.documents):
            leans = not stands_alone(self._plan_as_chosen(run, self._structured, found.normalised).plan)
        if self._structured is not None and not leans and run.way != "text":
            answer = yield from self._computed(run, composer, self._structured, found.normalised, began)
            if answer is not None:
                yield self._answered(run, answer)
                return
            if run.reading.questions:
                yield from self._several(guarded, run.reading.questions, run, history, began)
                return
        if run.understood is not None and run.understood.question != clean_question(found.normalised):
            guarded = run.understood.question  # what was described is called by its number
            found = classify(guarded)
        found = as_read(found, run.reading)
        plan = with_wordings(text_plan(found, guarded, run.buckets), run.reading.wordings)
        if run.understood is not None:
            plan = with_understood(plan, run.understood)
        yield run.finish_plan(began, plan)
        for event in self._answer(run, composer, found, plan, follow_up):
            if isinstance(event, Answered) and event.answer.status is Status.ABSTAINED and not leans:
                instead = yield from self._instead_of_nothing(run, event.answer)
                if instead is not None:
                    yield self._answered(run, instead)
                    return
            yield event

    def _instead_of_nothing(self, run: Run, nothing: Answer) -> Generator[Event, None, Answer | None]:
        """The answer of a likely plan over fields where no text answers, said to be unsure; None for nothing.

        Of sets alone: what no field of a named document states is not there.
        """
        if self._structured is None or run.way == "text":
            return None
        for plan in run.others:
            of_documents = plan.kind in (Kind.LOOKUP, Kind.COMPARISON)
            if not plan.is_whole or of_documents:
                continue
            planned = self._structured.given(unmentioned(plan, nothing), run.visibility)
            began = run.clock.at()
            answer = yield from self._run_plan(run, self._structured, planned, nothing.question, began)
            if answer is not None and answer.status in (Status.ANSWERED, Status.PARTIAL):
                run.others = ()
                return answer
        return None

    def _divided(self, question: str, run: Run) -> tuple[str, ...]:
        """The questions that a text is answered as; () where it is one, or a part of one already."""
        if self._structured is None or run.is_part or run.way not in ("", "afresh"):
            return ()
        return self._structured.divided(question, run.visibility, run.buckets)

    def _several(
        self, question: str, questions: Sequence[str], run: Run, history: Sequence[Turn], began: float
    ) -> Iterator[Event]:
        """The answers to several questions, one after another; a later one may point back at an earlier."""
        by = "model" if run.reading.questions else "rules"
        yield run.finish_stage("plan", f"Read as {len(questions)} questions", began, by, {})
        runs: list[Run] = []
        answers: list[Answer] = []
        for at, asked in enumerate(questions):
            turns = [as_turn(each, number, self._now()) for number, each in enumerate(answers)]
            past = history if at == 0 else [*history, *turns] if QuestionPart(asked).leans else ()
            part = replace(
                run,
                is_part=True,
                understood=None,
                chosen=(),
                degradations=(),
                others=(),
                reading=QuestionSorting(),
                state=state_of(past),
            )
            runs.append(part)
            for event in self._events(asked, part, past):
                if isinstance(event, Answered):
                    answers.append(as_part(event.answer, asked))
                elif isinstance(event, StageStarted | StageFinished | Degraded):
                    yield event
        whole = joint_answer(question, run.trace_id, answers)

        def suggest() -> tuple[str, ...]:
            given = zip(runs, answers, strict=True)
            found = [each.suggest() if each.suggest is not None else one.follow_ups for each, one in given]
            mixed = [name for some in zip_longest(*found) for name in some if name]
            return tuple(dict.fromkeys(mixed))[:FOLLOW_UPS]

        run.suggest = suggest
        done = run.clock.at()
        timings = {**run.clock.timings, "total": done}
        yield Answered(at_ms=done, answer=whole.model_copy(update={"timings_ms": timings}))

    def _chosen(
        self, run: Run, composer: Composer, found: Classification, plan: Plan, began: float
    ) -> Iterator[Event]:
        """The answer of a plan that was chosen: of what it gives alone, whatever the text may say."""
        if plan.route is not Route.STRUCTURED or self._structured is None:
            yield run.finish_plan(began, plan, "choice")
            yield from self._answer(run, composer, found, plan, FollowUp(found.normalised, ""))
            return
        is_of_one = bool(is_about_one(plan))  # whose text may say what its fields do not
        kept = plan if is_of_one else plan.model_copy(update={"fallbacks": ()})
        planned = self._structured.given(kept, run.visibility)
        answer = yield from self._run_plan(run, self._structured, planned, found.normalised, began)
        if answer is None and is_of_one:
            text = text_of(plan, found, run.buckets)
            yield from self._answer(run, composer, found, text, FollowUp(found.normalised, ""))
            return
        yield self._answered(run, answer or nothing_told(self._request(run, found.normalised), plan))

    def _request(self, run: Run, question: str) -> QuestionRequest:
        seen = run.visibility
        return QuestionRequest(question, run.trace_id, seen.data_version, seen, run.clock.at, is_kept=True)

    def _followed(self, run: Run, question: str, history: Sequence[Turn]) -> FollowedUp | None:
        """The plan of a question that goes on from the conversation; None for any other.

        With no documents in hand "they" may mean what was spoken of in answers from text: no question back.
        """
        if self._structured is None or run.way in ("text", "whatever"):
            return None
        followed = self._structured.follow(question, run.state, run.visibility, run.buckets)
        asks = followed is not None and isinstance(followed.planned.plan, Clarify)
        return None if asks and run.state.is_empty and answered_from_text(history) else followed

    def _going_on(
        self, run: Run, composer: Composer, found: Classification, followed: FollowedUp, began: float
    ) -> Iterator[Event]:
        """The answer to a question that goes on, by the plan that was made of it."""
        assert self._structured is not None  # as `_followed` has it
        run.follows, run.keeps_set = True, followed.keeps_set
        plan = followed.planned.plan
        question = plan.question
        answer = yield from self._computed(run, composer, self._structured, question, began, followed.planned)
        if answer is not None:
            yield self._answered(run, answer)
            return
        assert isinstance(plan, Plan)  # a question back is an answer
        text = plan if plan.route is not Route.STRUCTURED else text_of(plan, found, run.buckets)
        yield run.finish_plan(began, text)
        yield from self._answer(run, composer, found, text, FollowUp(found.normalised, ""))

    def _computed(
        self,
        run: Run,
        composer: Composer,
        structured: Structured,
        question: str,
        began: float,
        planned: Planned | None = None,
    ) -> Generator[Event, None, Answer | None]:
        """The answer that fields and sets give; None where the text has to be searched.

        planned: where the plan was made already.
        """
        asked = self._request(run, question)
        if planned is None:
            planned = self._plan_as_chosen(run, structured, question)
            planned = yield from self._models.read(run, planned, question)
        if run.reading.questions:
            return None
        if isinstance(planned.plan, Clarify) and run.reading.is_general:
            yield run.finish_stage("plan", "A general remark", began, "model", {"nodes": 0})
            return general_reply(composer, question, partial(self._introduction, run))
        planned = structured.with_rows(planned, asked)
        if isinstance(planned.plan, Clarify) and run.way == "whatever":
            return None
        if isinstance(planned.plan, Clarify):
            is_absence = planned.plan.type in ABSENCES
            label = "Not in the collection" if is_absence else "A word is missing"
            yield run.finish_stage("plan", label, began, "rules", {})
            clarify = structured.with_counts(planned, planned.plan, asked)
            back = ask_back(clarify, asked, composer.scope.unread_note if is_absence else "")
            return with_surroundings(back, self._retriever, run.visibility, run.buckets)
        plan = run.understood = planned.plan
        run.others = planned.others
        if plan.route is not Route.STRUCTURED:
            return None
        return (yield from self._run_plan(run, structured, planned, question, began))

    def _run_plan(
        self, run: Run, structured: Structured, planned: Planned, question: str, began: float
    ) -> Generator[Event, None, Answer | None]:
        """The answer of a plan over fields and sets; None where these do not state it."""
        assert isinstance(planned.plan, Plan)
        plan, asked = planned.plan, self._request(run, question)
        yield run.finish_plan(began, plan)
        began = run.clock.at()
        yield StageStarted(at_ms=began, stage="compute", label=f"Computing {steps_label(len(plan.nodes))}")
        computed: ComputedAnswer | None = None
        for event in structured.answer(planned, plan, asked):
            if isinstance(event, ComputedAnswer):
                computed = event
            else:
                yield event
        label = "Computed over fields" if computed is not None else "The fields do not state it"
        yield run.finish_stage("compute", label, began, "sql", {"nodes": len(plan.nodes)})
        if computed is None:
            return None
        if computed.suggest is not None:
            run.suggest = partial(self._follow_ups, run, computed)
        return computed.answer

    def _introduction(self, run: Run) -> tuple[str, tuple[str, ...]]:
        """Kinds of documents in words and questions that work, as far as plans are used."""
        if self._structured is None:
            return "", ()
        seen = run.visibility
        return self._structured.introduction(seen, seen.data_version, run.buckets)

    def _follow_ups(self, run: Run, computed: ComputedAnswer) -> tuple[str, ...]:
        return with_surroundings(computed.whole, self._retriever, run.visibility, run.buckets).follow_ups

    def _plan_as_chosen(self, run: Run, structured: Structured, question: str) -> Planned:
        """The plan, with words that may mean several things taken as they were chosen before."""
        planned = structured.plan(question, run.visibility, run.buckets)
        for _ in range(MOST):
            reading = read_as_before(planned.plan, run.known) if isinstance(planned.plan, Clarify) else None
            if reading is None:
                break
            run.chosen = tuple(dict.fromkeys((*run.chosen, reading.understood)))
            planned = (
                structured.given(reading.plan, run.visibility)
                if reading.plan is not None
                else structured.plan(reading.question, run.visibility, run.buckets)
            )
        return planned

    def _answer(
        self, run: Run, composer: Composer, found: Classification, plan: Plan, follow_up: FollowUp
    ) -> Iterator[Event]:
        """The answer from the text, by the searches of a plan."""
        answer = yield from self._text.answer(run, composer, found, plan, follow_up)
        yield self._answered(run, answer)

    def _composer(self, question: str, run: Run) -> Composer:
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

    def _without_text(self, run: Run) -> list[DocumentSummary]:
        """The visible documents that nothing could be read from."""
        queries = [DocumentQuery(status=s) for s in (DocumentStatus.UNREADABLE, DocumentStatus.FAILED)]
        found = [s for query in queries for s in self._records.documents.list(run.visibility, query)]
        return [summary for summary in found if not summary.passages]

    def _as_read(self, run: Run, answer: Answer) -> Answer:
        """The answer with its reading, where what computed it has not said it already."""
        if answer.reading or not (answer.plan or {}).get("nodes") or self._structured is None:
            return answer
        return self._structured.as_read(answer, plan_of(answer.plan or {}), run.others, run.visibility)

    def _answered(self, run: Run, answer: Answer) -> Answered:
        at = run.clock.at()
        answer = as_understood(self._as_read(run, answer), foreign_language(answer.question))
        done = answer.model_copy(
            update={
                "conversation": left_in_hand(run, answer),
                "understood": run.chosen,
                "standalone": run.standalone,
                "planned_by": "person" if run.plan is not None else _reader_of(answer),
                "timings_ms": {**run.clock.timings, "total": at},
                "degradations": tuple(dict.fromkeys((*run.degradations, *answer.degradations))),
            }
        )
        return Answered(at_ms=at, answer=done)


def _reader_of(answer: Answer) -> Reader:
    """Who read the question that an answer's plan is of; "" where nothing was planned."""
    plan = answer.plan or {}
    return (plan.get("by") or "rules") if plan.get("nodes") else ""
