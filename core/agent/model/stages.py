"""Stages of a question that call a language model: another reading of it, and the prose of its answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.agent.base import ModelSource, ProseWriter, ToolBox
from core.agent.computed_answer import FollowedUp, Planned, Structured
from core.agent.conversation.follow_up import read_follow_up
from core.agent.conversation.state import hand_of
from core.agent.model.loop import gather_in_a_loop
from core.agent.model.standalone import standalone_question
from core.agent.model.tool_evidence import ToolEvidence
from core.agent.readings import is_agreed
from core.agent.run import Run
from core.answer.prose.surroundings import widening
from core.answer.prose.units import EvidencePool
from core.domain.answer import Answer, Degradation, Kind, Route, Status
from core.domain.conversation import Turn
from core.domain.event import (
    Answered,
    Degraded,
    Drafted,
    Event,
    Guarded,
    ModelCalled,
    QuestionRead,
    StageStarted,
    Waiting,
)
from core.domain.guards.verdict import GuardAction
from core.domain.llm.use import ModelUse
from core.errors import LlmError, RecordsError
from core.evidence.base import PageSource
from core.guardrails.model_boundary import masked_calls
from core.guardrails.question_guard import injection_verdict, masked_question
from core.llm.base import ModelCalls
from core.llm.degradation import degradation_of
from core.llm.room import search_rounds, writing_room
from core.plan.check.checker import asked_back
from core.plan.clarify import AskBackError, Clarify, is_whole
from core.plan.compile.names import UnknownNameError
from core.plan.corrections import correction_said
from core.plan.door import PlanDoor
from core.plan.ir.estimate import estimated
from core.plan.ir.graph_edits import over_documents
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Plan
from core.plan.readers.model.in_hand import ReadInHand
from core.plan.readers.model.reader import ReadingByModel, read_with_model
from core.plan.reading import IN_HAND, Operation, Output, Reading
from core.plan.text.classify import classify
from core.plan.text.text_plan import text_plan
from core.records.database.visibility import Visibility

_STEP = re.compile(r"^\d{1,2}\. ", re.MULTILINE)
_NARROWING = (Operation.LIST, Operation.RANK)  # of which the set in hand is another


class ModelStages:
    """What models do for a question; without one, every stage leaves things as they are. Thread-safe."""

    def __init__(
        self,
        models: ModelSource | None,
        writer: ProseWriter | None,
        pages: PageSource,
        tools: Callable[[Visibility, PlanDoor], ToolBox] | None = None,
    ) -> None:
        self._models = models
        self._writer = writer
        self._pages = pages
        self._tools = tools

    def begin(self, run: Run, user: str) -> None:
        """Give the question its calls."""
        if self._models is not None:

            def wait(wait_s: float) -> None:
                event = _waiting(run, wait_s)
                run.waits.append(event)
                run.handle.tell(event)

            def tell(error: RecordsError) -> None:
                said = f"What this question spent on language models could not be recorded. {error.message}"
                run.unkept.append(Degradation(code="E004", message=said))

            calls = self._models.calls(user, run.trace_id, on_wait=wait, on_unkept=tell)
            run.calls = masked_calls(calls, run.masking) if calls is not None else None
            if calls is not None:
                run.handle.on_stop(calls.stop)
            run.llm = self._models.settings

    def read(
        self,
        run: Run,
        planned: Planned,
        question: str,
        structured: Structured,
        in_hand: ReadInHand | None = None,
    ) -> Generator[Event, None, Planned]:
        """The plan that is followed: the model's reading first, the trained reader's beside it.

        No model is asked where the trained reader is sure, or a correction says how a wording is read.
        in_hand: the last answer, where the question may go on from it.
        """
        if run.calls is None or is_settled(planned.plan):
            return planned
        planner = structured.planner(run.visibility)
        if is_agreed(planned.plan, planner, run.buckets, planned.catalogue):
            return planned
        began = run.clock.at()
        yield StageStarted(at_ms=began, stage="understand", label="Reading the question with the model")
        try:
            read = read_with_model(
                question,
                planned.catalogue,
                run.calls,
                lambda reading: planner.compiled(reading, run.buckets, run.state),
                today=datetime.now(UTC).date(),
                buckets=run.buckets,
                in_hand=in_hand,
                may_ask=run.may_ask,
            )
        except (LlmError, UnknownNameError) as error:
            if isinstance(error, LlmError):
                yield _lost(run, error)
            yield run.finish_stage("understand", "Read without the model", began, "reader", {})
            return planned
        except AskBackError as needs:
            yield run.finish_stage("understand", "Read by the model", began, "model", {})
            return replace(planned, plan=needs.clarify, others=_others(planned, None))
        run.reading = read.reading
        run.buckets = read.reading.buckets or run.buckets
        yield QuestionRead(at_ms=run.clock.at(), parts=read.statements)
        yield run.finish_stage("understand", "Read by the model", began, "model", {})
        return _followed(planned, read)

    def follow(
        self,
        run: Run,
        followed: FollowedUp | None,
        question: str,
        structured: Structured,
        history: Sequence[Turn],
    ) -> Generator[Event, None, FollowedUp | None]:
        """The plan of a turn behind an answer from fields or rows, the model's first; `run.reading` tells
        whether it read one that has none. As it was followed where no model reads it; behind an answer from
        text the model first makes it a whole question (`standalone`).
        """
        if run.calls is None or run.state.is_empty:
            return followed
        in_hand = hand_of(run.state, structured.visible(history, run.visibility))
        if in_hand is None:
            return None
        own = (
            followed.planned
            if followed is not None
            else structured.plan(question, run.visibility, run.buckets)
        )
        planned = yield from self.read(run, own, question, structured, in_hand)
        read = run.reading
        if read is None:
            return followed if planned is own else FollowedUp(planned, keeps_set=True)
        if not _is_over_fields(read):
            return None
        is_of_set = any(IN_HAND in step.within for step in read.all_steps)
        return FollowedUp(planned, keeps_set=is_of_set and read.operation not in _NARROWING)

    def standalone(self, run: Run, question: str, history: Sequence[Turn]) -> Generator[Event, None, str]:
        """The whole question that a follow-up stands for; "" where it stands alone."""
        follow_up = read_follow_up(question, history)
        if run.calls is None or not (follow_up.carried or follow_up.documents):
            return ""
        began = run.clock.at()
        yield StageStarted(at_ms=began, stage="understand", label="Reading the conversation with the model")
        whole = ""
        try:
            whole = masked_question(standalone_question(question, history, run.calls))
        except LlmError as error:
            yield _lost(run, error)
        label = f"Read as “{whole}”" if whole else "Read as it stands"
        yield run.finish_stage("understand", label, began, "model" if whole else "rules", {})
        return whole

    def write(self, run: Run, events: Iterator[Event]) -> Generator[Event, None, None]:
        """The events, with the answer in prose where a model writes; who leaves stops the model.

        Here alone calls are told, each once: before the first event that comes after it ended.
        """
        count = 0
        try:
            for event in self._prose(run, events):
                yield from run.waits
                run.waits.clear()
                made = run.calls.made if run.calls is not None else ()
                for call in made[count:]:
                    yield ModelCalled(at_ms=run.clock.at(), call=call)
                count = len(made)
                yield event
        finally:
            if run.calls is not None:
                run.calls.stop()

    def _prose(self, run: Run, events: Iterator[Event]) -> Iterator[Event]:
        for event in events:
            if isinstance(event, Answered) and run.calls is not None:
                event = yield from self._write(run, run.calls, event)
            yield event

    def _write(self, run: Run, calls: ModelCalls, event: Answered) -> Generator[Event, None, Answered]:
        began = run.clock.at()
        answer = yield from self.written(run, event.answer)
        for unkept in run.unkept:
            yield Degraded(at_ms=run.clock.at(), degradation=unkept)
        at = run.clock.at()
        timings = {**answer.timings_ms, "write": round(at - began, 3), "total": at}
        use = ModelUse(calls=tuple(calls.made)) if calls.made else None
        degradations = tuple(
            dict.fromkeys((*answer.degradations, *run.unkept))
        )  # one server may fail in several stages
        fields = {"timings_ms": timings, "model_use": use, "degradations": degradations}
        return Answered(at_ms=at, answer=answer.model_copy(update=fields))

    def written(self, run: Run, answer: Answer) -> Generator[Event, None, Answer]:
        """The answer in prose, where it gains by it and a model writes; else as it was."""
        calls, output = run.calls, run.reading.output if run.reading is not None else "any"
        if calls is None or self._writer is None or not is_written(answer, output):
            return answer
        yield Drafted(at_ms=run.clock.at(), answer=answer)
        pool = EvidencePool(writing_room(run.llm, calls.made))
        tools = (
            ToolEvidence(self._tools(run.visibility, run.door), pool, run.buckets) if self._tools else None
        )
        try:
            yield from self._gather(run, calls, answer, pool, tools)
        except LlmError as error:
            degradation = degradation_of(error)
            answer = answer.model_copy(update={"degradations": (*answer.degradations, degradation)})
            yield Degraded(at_ms=run.clock.at(), degradation=degradation)
        rounds = search_rounds(run.llm, calls.made)
        answer = yield from self._writer.write(
            answer, pool, calls, run.llm, run.visibility, run.clock.at, tools, rounds
        )
        verdict = injection_verdict([unit.place.quote for unit in pool.packed.units], "passages")
        if verdict.action is not GuardAction.PASS and verdict.flag not in answer.flags:
            yield Guarded(at_ms=run.clock.at(), verdict=verdict)
            answer = answer.model_copy(update={"flags": (*answer.flags, verdict.flag)})
        return answer

    def _gather(
        self, run: Run, calls: ModelCalls, answer: Answer, pool: EvidencePool, tools: ToolEvidence | None
    ) -> Generator[Event, None, None]:
        """Fill the pool: by the model in a loop, whose finds come first, and from the answer either way."""
        try:
            if tools is not None and (run.question.agent or run.llm.agent) == "loop":
                most = run.llm.max_tool_calls
                yield from gather_in_a_loop(answer.question, tools, calls, most, run.clock.at)
        finally:
            pool.add_answer(answer, widening(self._pages, run.visibility))


def _is_over_fields(reading: Reading) -> bool:
    """True of a reading whose plan, or question back, answers."""
    is_of_text = reading.is_of_text or reading.operation is Operation.HELP
    return reading.doubt is not None or not (is_of_text or reading.questions)


def is_settled(planned: Plan | Clarify) -> bool:
    """True where no model is asked: a correction says how a wording is read, or nothing is asked."""
    return isinstance(planned, Plan) and (planned.route is Route.NONE or bool(correction_said(planned)))


def _followed(planned: Planned, read: ReadingByModel[Plan]) -> Planned:
    """What is followed of a model's reading, with what the trained reader made beside it."""
    reading, plan = read.reading, read.made
    back = asked_back(reading)
    if back is not None:
        return replace(planned, plan=back, others=_others(planned, None))
    if plan is None:
        first = planned.plan
        text = first if isinstance(first, Plan) and first.route is not Route.STRUCTURED else None
        if text is None:
            found = classify(reading.question)
            text = text_plan(found, reading.question, reading.buckets)
        named = [id for name in reading.of_role("document") if not name.negated for id in name.documents]
        text = (over_documents(text, named) if named else None) or text
        text = text.model_copy(update={"reading": reading, "by": "model"})
        return replace(planned, plan=text, others=_others(planned, text))
    plan = estimated(plan, planned.catalogue)
    return replace(planned, plan=plan, others=_others(planned, plan))


def _others(planned: Planned, followed: Plan | None) -> tuple[Plan, ...]:
    """The plans of the trained reader that come to something else."""
    own = (planned.plan,) if is_whole(planned.plan) else ()
    known = result_hash(followed) if followed is not None else ""
    return tuple(each for each in (*own, *planned.others) if result_hash(each) != known)


def is_written(answer: Answer, output: Output = "any") -> bool:
    """True for an answer that gains by prose: from texts, or a summary or comparison of computed values.

    output: the form that the question asks for; computed values stay in a form that is none of prose.

    A computed value or list says what it says in a template, whose every word is right; steps stand in their
    order, word for word.
    """
    if answer.parts or answer.status not in (Status.ANSWERED, Status.PARTIAL, Status.ABSTAINED):
        return False
    if len(_STEP.findall(answer.text)) > 1:
        return False
    of_texts = answer.route in (Route.HYBRID, Route.LONG_TEXT)
    if of_texts or answer.route is not Route.STRUCTURED:
        return of_texts
    return output == "prose" or (output == "any" and answer.kind in (Kind.SUMMARY, Kind.COMPARISON))


def _waiting(run: Run, wait_s: float) -> Waiting:
    seconds = max(1, round(wait_s))
    label = f"Waiting {seconds} s for the minute's token budget"
    return Waiting(at_ms=run.clock.at(), wait_s=round(wait_s, 3), label=label)


def _lost(run: Run, error: LlmError) -> Degraded:
    """What a stage lost by a failed model: on the answer, and as an event."""
    degradation = degradation_of(error)
    run.degradations += (degradation,)
    return Degraded(at_ms=run.clock.at(), degradation=degradation)
