"""Stages that call a language model: reading, writing, and its tools, alone or in a loop."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from core.answer.prose.kept_summaries import KeptSummaries, is_summary
from core.answer.prose.tool_evidence import ToolEvidence
from core.ask.computed_answer import Structured, is_agreed
from core.ask.conversation import hand_of, read_follow_up
from core.ask.request import Run
from core.config.models import LlmSettings
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
    Waiting,
)
from core.domain.guards.verdict import GuardAction
from core.domain.llm.use import ModelRole, ModelUse
from core.errors import LlmError, RecordsError
from core.guard.masking import masked_calls
from core.guard.question_guard import injection_verdict, masked_question
from core.llm.base import Message, ModelCalls
from core.llm.failures import degradation_of
from core.llm.prompts import fence, load_prompt
from core.llm.roles import search_rounds, writing_room
from core.plan.catalogue import Catalogue
from core.plan.check.checker import asked_back
from core.plan.clarify import AskBackError, is_whole
from core.plan.compile.names import UnknownNameError
from core.plan.corrections import correction_said
from core.plan.door import PlanDoor
from core.plan.ir.graph_edits import estimated, over_documents
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Plan
from core.plan.reading import BUILT_IN, IN_HAND, Operation, Output, Reading, ReadInHand
from core.plan.reading_planner import Planned
from core.plan.run.tools import Tools
from core.plan.text_plan import text_plan
from core.search.classify import classify
from core.search.evidence.base import PageSource
from core.store.database.visibility import Visibility
from core.text.analyse import STOP_WORDS, analyse
from core.text.words import word_list

_STEP = re.compile(r"^\d{1,2}\. ", re.MULTILINE)
MOST_TURNS = 4
_ANSWER_CHARS = 500  # of an earlier turn
_OPENING = STOP_WORDS | word_list("asking", "instructions", "auxiliaries")
_NARROWING = (Operation.LIST, Operation.RANK)  # of which the set in hand is another


def gather_in_a_loop(
    run: Run, question: str, tools: ToolEvidence, calls: ModelCalls
) -> Generator[Event, None, None]:
    """Let the model call tools, as often as the settings say. Raises LlmError.

    What the tools found is in the pool of `tools`; the model's own closing words are not used.
    """
    used, most = 0, run.llm.max_tool_calls
    yield run.start_stage("search", "Searching with the model")
    prompt = load_prompt("agent", ModelRole.AGENT, question=fence("question", question), most=str(most))
    while used < most:
        reply = calls.converse(prompt, tools.specs())
        if not reply.tool_calls:
            break
        asked = reply.tool_calls[: most - used]
        messages = [Message("assistant", reply.text, tool_calls=asked)]
        for at, call in enumerate(asked):
            used += 1
            result = tools.call(call.name, call.arguments, run.at())
            yield result.event.model_copy(update={"tokens": 0 if at else calls.made[-1].tokens})
            messages.append(Message("tool", result.text, tool_call_id=call.id))
        prompt = replace(prompt, messages=(*prompt.messages, *messages))
    label = f"Called {used} tool{'s' if used != 1 else ''}"
    yield run.finish_stage("search", label, "model", calls=used)


class ModelSource(Protocol):
    """The configured language models; `core.workbench.language_models` has the real one."""

    @property
    def settings(self) -> LlmSettings:
        """The settings that hold now; an admin may change them between two questions."""
        ...

    def calls(
        self,
        user: str,
        trace_id: str,
        *,
        on_wait: Callable[[float], None] = ...,
        on_unkept: Callable[[RecordsError], None] = ...,
    ) -> ModelCalls | None:
        """The calls of one question, with the budget and deadline of one; None where there is no model.

        on_wait: gets the seconds for which a call begins to wait for the token budget. on_unkept: is told
        once where what the calls spend cannot be recorded.
        """
        ...


@dataclass(frozen=True, slots=True)
class ModelStages:
    """What models do for a question; without one, every stage leaves things as they are. Thread-safe.

    structured: None where no plans over fields are used, so that no question is read by them. kept: of
    summaries that were written before.
    """

    models: ModelSource | None
    pages: PageSource
    tools: Callable[[Visibility, PlanDoor], Tools] | None = None
    structured: Structured | None = None
    kept: KeptSummaries | None = None

    def begin(self, run: Run, user: str) -> None:
        """Give the question its calls."""
        if self.models is None:
            return

        def wait(wait_s: float) -> None:
            label = f"Waiting {max(1, round(wait_s))} s for the minute's token budget"
            event = Waiting(at_ms=run.at(), wait_s=round(wait_s, 3), label=label)
            run.waits.append(event)
            run.handle.tell(event)

        def tell(error: RecordsError) -> None:
            said = f"What this question spent on language models could not be recorded. {error.message}"
            run.unkept.append(Degradation(code="E004", message=said))

        run.llm = self.models.settings
        calls = self.models.calls(user, run.trace_id, on_wait=wait, on_unkept=tell)
        if calls is not None:
            run.calls = masked_calls(calls, run.masking)
            run.handle.on_stop(calls.stop)

    def read(
        self, run: Run, planned: Planned, question: str, in_hand: ReadInHand | None = None
    ) -> Generator[Event, None, Planned]:
        """The plan that is followed: the model's reading first, the trained reader's beside it.

        No model is asked where the trained reader is sure of a question with nothing in hand, where a
        correction or the reader of a plug-in says how a wording is read, or where nothing is asked. in_hand:
        the last answer, where the question may go on from it.
        """
        plan = planned.plan
        is_settled = isinstance(plan, Plan) and (
            plan.route is Route.NONE
            or plan.decides == "why"
            or plan.summary is not None
            or bool(correction_said(plan))
            or (plan.reading is not None and plan.reading.by not in BUILT_IN)
        )
        if run.calls is None or self.structured is None or is_settled:
            return planned
        from core.plan.readers.model.reader import read_with_model

        planner = self.structured.planner(run.visibility)
        catalogue = self.structured.catalogue(run.visibility)
        habit = self.structured.habit(plan, run.visibility)
        if isinstance(plan, Plan) and habit.reader == "reader" and in_hand is None:
            return replace(planned, plan=plan.with_note(habit.by_reader))
        is_due = in_hand is not None or habit.reader == "model"
        if not is_due and is_agreed(plan, planner, run.buckets, catalogue):
            return planned
        yield run.start_stage("understand", "Reading the question with the model")
        try:
            read = read_with_model(
                question,
                catalogue,
                run.calls,
                lambda reading: planner.compiled(reading, run.buckets, run.state),
                today=datetime.now(UTC).date(),
                buckets=run.buckets,
                in_hand=in_hand,
                may_ask=run.may_ask,
            )
        except (LlmError, UnknownNameError) as error:
            if isinstance(error, LlmError):
                yield from run.degrade(degradation_of(error))
            yield run.finish_stage("understand", "Read without the model", "reader")
            return planned
        except AskBackError as needs:
            yield run.finish_stage("understand", "Read by the model", "model")
            return replace(planned, plan=needs.clarify, others=_others(planned))
        run.reading = read.reading
        run.buckets = read.reading.buckets or run.buckets
        yield QuestionRead(at_ms=run.at(), parts=read.statements)
        yield run.finish_stage("understand", "Read by the model", "model")
        found = _followed(planned, read.reading, read.made, catalogue)
        made, why = found.plan, habit.by_reader
        return replace(found, plan=made.with_note(why)) if why and isinstance(made, Plan) else found

    def follow(
        self, run: Run, followed: Planned | None, question: str, history: Sequence[Turn]
    ) -> Generator[Event, None, Planned | None]:
        """The plan of a turn behind an answer from fields or rows, the model's first; `run.reading` tells
        whether it read one that has none. As it was followed where no model reads it; behind an answer from
        text the model first makes it a whole question (`standalone`).
        """
        if run.calls is None or self.structured is None or run.state.is_empty:
            return followed
        in_hand = hand_of(run.state, _seen(history, self.structured.catalogue(run.visibility)))
        if in_hand is None:
            return None
        own = followed or self.structured.plan(question, run.visibility, run.buckets)
        planned = yield from self.read(run, own, question, in_hand)
        read = run.reading
        if read is None:
            return followed if planned is own else replace(planned, keeps_set=True, standalone="")
        if read.doubt is None and (read.is_of_text or read.operation is Operation.HELP or read.questions):
            return None  # it has no plan that answers
        is_of_set = any(IN_HAND in step.within for step in read.all_steps)
        keeps_set = is_of_set and read.operation not in _NARROWING
        return replace(planned, keeps_set=keeps_set, standalone="")

    def standalone(self, run: Run, question: str, history: Sequence[Turn]) -> Generator[Event, None, str]:
        """The whole question that a follow-up stands for; "" where it stands alone."""
        if run.calls is None or self.structured is None or not history:
            return ""
        told = _seen(history, self.structured.catalogue(run.visibility))
        follow_up = read_follow_up(question, told)
        if not (follow_up.carried or follow_up.documents):
            return ""
        yield run.start_stage("understand", "Reading the conversation with the model")
        whole = ""
        try:
            whole = masked_question(standalone_question(question, told, run.calls))
        except LlmError as error:
            yield from run.degrade(degradation_of(error))
        label = f"Read as “{whole}”" if whole else "Read as it stands"
        yield run.finish_stage("understand", label, "model" if whole else "rules")
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
                    yield ModelCalled(at_ms=run.at(), call=call)
                count = len(made)
                yield event
        finally:
            if run.calls is not None:
                run.calls.stop()

    def _prose(self, run: Run, events: Iterator[Event]) -> Iterator[Event]:
        for event in events:
            if not isinstance(event, Answered) or run.calls is None:
                yield event
                continue
            began = run.at()
            answer = yield from self.written(run, event.answer)
            yield from (Degraded(at_ms=run.at(), degradation=each) for each in run.unkept)
            at = run.at()
            fields = {
                "timings_ms": {**answer.timings_ms, "write": round(at - began, 3), "total": at},
                "model_use": ModelUse(calls=tuple(run.calls.made)) if run.calls.made else None,
                # one server may fail in several stages
                "degradations": tuple(dict.fromkeys((*answer.degradations, *run.unkept))),
            }
            yield Answered(at_ms=at, answer=answer.model_copy(update=fields))

    def written(self, run: Run, answer: Answer) -> Generator[Event, None, Answer]:
        """The answer in prose, where it gains by it and a model writes; else as it was."""
        calls, output = run.calls, run.reading.output if run.reading is not None else "any"
        if calls is None or not is_written(answer, output):
            return answer
        from core.answer.prose.units import EvidencePool, widening
        from core.answer.prose.writer import AnswerWriter

        draft, of_documents = answer, is_summary(answer)
        kept = self.kept if of_documents and not run.masking else None
        if kept is not None and (known := kept.fresh(answer, run.llm.writing_model)) is not None:
            return known
        yield Drafted(at_ms=run.at(), answer=answer)
        pool = EvidencePool(writing_room(run.llm, calls.made))
        # A summary rests on its documents alone: who sees those may be shown what was written of them.
        made = self.tools(run.visibility, run.door) if self.tools and not of_documents else None
        tools = ToolEvidence(made, pool, run.buckets) if made is not None else None
        try:
            if tools is not None and (run.question.agent or run.llm.agent) == "loop":
                yield from gather_in_a_loop(run, answer.question, tools, calls)
        except LlmError as error:
            degradation = degradation_of(error)
            answer = answer.model_copy(update={"degradations": (*answer.degradations, degradation)})
            yield Degraded(at_ms=run.at(), degradation=degradation)
        pool.add_answer(answer, widening(self.pages, run.visibility))  # behind what the model found
        room = tools, search_rounds(run.llm, calls.made)
        writer = AnswerWriter(self.pages, datetime.now(UTC).date())
        answer = yield from writer.write(answer, pool, calls, run.llm, run.visibility, run.at, *room)
        verdict = injection_verdict([unit.place.quote for unit in pool.packed.units], "passages")
        if verdict.action is not GuardAction.PASS and verdict.flag not in answer.flags:
            yield Guarded(at_ms=run.at(), verdict=verdict)
            answer = answer.model_copy(update={"flags": (*answer.flags, verdict.flag)})
        if kept is not None:
            kept.keep(draft, answer, run.llm.writing_model)
        return answer


def _seen(history: Sequence[Turn], catalogue: Catalogue) -> tuple[Turn, ...]:
    """The turns, without answers that hold something of a document that may not, or no longer, be seen."""
    seen = {each.id for each in catalogue.documents}
    return tuple(
        turn if turn.answer is None or turn.answer.document_ids <= seen else replace(turn, answer=None)
        for turn in history
    )


def _followed(planned: Planned, reading: Reading, made: Plan | None, catalogue: Catalogue) -> Planned:
    """What is followed of a model's reading, with what the trained reader made beside it."""
    back = asked_back(reading)
    if back is not None:
        return replace(planned, plan=back, others=_others(planned))
    if made is not None:
        plan = estimated(made, catalogue)
        return replace(planned, plan=plan, others=_others(planned, plan))
    text = planned.plan
    if not isinstance(text, Plan) or text.route is Route.STRUCTURED:
        text = text_plan(classify(reading.question), reading.question, reading.buckets)
    named = [id for name in reading.of_role("document") if not name.negated for id in name.documents]
    text = (over_documents(text, named) if named else None) or text
    text = text.model_copy(update={"reading": reading, "by": "model"})
    return replace(planned, plan=text, others=_others(planned, text))


def _others(planned: Planned, followed: Plan | None = None) -> tuple[Plan, ...]:
    """The plans of the trained reader that come to something else."""
    own = (planned.plan,) if is_whole(planned.plan) else ()
    known = result_hash(followed) if followed is not None else ""
    return tuple(each for each in (*own, *planned.others) if result_hash(each) != known)


def is_written(answer: Answer, output: Output = "any") -> bool:
    """True for an answer that gains by prose: from texts, or a summary or comparison of computed values.

    A computed value or list says what it says in a template, whose every word is right, and steps stand in
    their order. output: the form that the question asks for.
    """
    if answer.parts or answer.status not in (Status.ANSWERED, Status.PARTIAL, Status.ABSTAINED):
        return False
    if len(_STEP.findall(answer.text)) > 1:
        return False
    if answer.route is not Route.STRUCTURED:
        return answer.route in (Route.HYBRID, Route.LONG_TEXT)
    return output == "prose" or (output == "any" and answer.kind in (Kind.SUMMARY, Kind.COMPARISON))


class StandaloneReply(BaseModel):
    """Reply of a model: the whole question, or "" where the last turn is one already."""

    model_config = ConfigDict(extra="forbid")

    question: str


def standalone_question(question: str, history: Sequence[Turn], calls: ModelCalls) -> str:
    """The question that a follow-up stands for; "" where it stands alone. Raises LlmError.

    A name or figure that neither the conversation nor the turn says makes it no reading of them: "" too.
    """
    last = [(turn.question, turn.answer.text if turn.answer else "") for turn in history[-MOST_TURNS:]]
    turns = "\n\n".join(f"Asked: {asked}\nAnswered: {told[:_ANSWER_CHARS]}" for asked, told in last)
    prompt = load_prompt(
        "standalone",
        ModelRole.STANDALONE,
        conversation=fence("conversation", turns),
        question=fence("question", question),
    )
    whole = " ".join(calls.structured(prompt, StandaloneReply).question.split())
    known = set(analyse(f"{turns} {question}"))
    first, *others = whole.split() or [""]
    telling = others if first.strip(",").casefold() in _OPENING else [first, *others]
    names = [word for word in telling if word[:1].isupper() or any(map(str.isdigit, word))]
    invented = [word for word in names if not set(analyse(word)) <= known]  # names or counts
    return "" if invented or whole.casefold() == question.casefold() else whole
