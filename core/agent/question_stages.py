"""Stages of a question from its words to its answer: read, divided, gone on from, computed or searched."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import zip_longest

from core.agent.alike_documents import is_about_one
from core.agent.answer_frame import AnswerFrame
from core.agent.computed_answer import FollowedUp
from core.agent.conversation.clarification import named_choice, nothing_told, stands_alone
from core.agent.conversation.follow_up import FollowUp, points_back, read_follow_up
from core.agent.conversation.state import state_of
from core.agent.field_stages import FieldStages
from core.agent.joint_answer import as_part, as_turn, joint_answer
from core.agent.model.stages import ModelStages
from core.agent.run import Run
from core.agent.suggestions.computed import COUNT as FOLLOW_UPS
from core.agent.text_answer import Composer
from core.agent.text_fallback import text_of, with_understood
from core.agent.text_stages import TextStages
from core.config.models import AnswerSettings
from core.domain.answer import Answer, Route, Status
from core.domain.conversation import Turn
from core.domain.event import Answered, Degraded, Event, Guarded, StageFinished, StageStarted, ToolUsed
from core.errors import QuestionError, RefusedError
from core.guardrails.policies.verdict import policy_verdict
from core.plan.ir.graph_edits import over_documents
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.plan.text.classify import Classification, classify, clean_question, require_question
from core.plan.text.text_plan import text_plan, with_wordings
from core.text.analyse import text_terms

_OF_STAGES = (StageStarted, StageFinished, Degraded, Guarded, ToolUsed)


class QuestionStages:
    """The way of a question through plans, fields and text. Thread-safe."""

    def __init__(
        self,
        frame: AnswerFrame,
        fields: FieldStages,
        text: TextStages,
        models: ModelStages,
        settings: AnswerSettings,
        now: Callable[[], datetime],
    ) -> None:
        self._frame = frame
        self._fields = fields
        self._structured = fields.structured
        self._text = text
        self._models = models
        self._settings = settings
        self._now = now

    def events(self, question: str, run: Run, history: Sequence[Turn], left_out: int = 0) -> Iterator[Event]:
        """The events of a question up to its answer, before a model writes it.

        left_out: characters of a question that is too long, which are not here. A question that no policy
        allows is refused before a search: at once where its asker may ask nothing, else by its plan.
        """
        try:
            if (refused := run.door.refusal(None)) is not None:
                raise refused
            yield from self._events(question, run, history, left_out)
        except RefusedError as error:
            limit = self._settings.max_question_chars
            yield Guarded(at_ms=run.clock.at(), verdict=policy_verdict(error))
            answer = self._frame.composer(clean_question(question[: 2 * limit])[:limit], run).forbid(error)
            yield self._frame.answered(run, answer)

    def _events(self, question: str, run: Run, history: Sequence[Turn], left_out: int) -> Iterator[Event]:
        clock, limit = run.clock, self._settings.max_question_chars
        yield StageStarted(at_ms=clock.at(), stage="plan", label="Planning")
        began = clock.at()
        composer = self._frame.composer(clean_question(question[: 2 * limit])[:limit], run)
        try:
            guarded = require_question(question, limit, left_out)
        except QuestionError as error:
            yield run.finish_stage("plan", "Refused", began, "rules", {})
            yield self._frame.answered(
                run, composer.refuse(error, is_empty=not left_out and len(question) <= limit)
            )
            return
        found = classify(guarded)
        if run.question.plan is not None:
            yield from self._chosen(run, composer, found, run.question.plan, began)
            return
        if found.small_talk:
            plan = text_plan(found, guarded, run.buckets)
            yield run.finish_stage("plan", "A general remark", began, "rules", {"nodes": 0})
            yield self._frame.answered(
                run, composer.reply(found, plan, partial(self._frame.introduction, run))
            )
            return
        named = named_choice(found.normalised, history[-1]) if history else None
        if named is not None:  # typed, it is asked as one that is clicked
            run.choose(named[1])
            question = guarded = named[0].question
            composer, found = self._frame.composer(guarded, run), classify(guarded)
            if named[0].plan is not None:
                yield from self._chosen(run, composer, found, plan_of(named[0].plan), began)
                return
        questions = self._fields.divided(question, run)
        if len(questions) > 1:
            yield from self._several(guarded, questions, run, history, began)
            return
        if questions:
            guarded, found = questions[0], classify(questions[0])
        followed = self._fields.followed(run, found.normalised, history)
        if self._structured is not None and run.question.way not in ("text", "whatever"):
            followed = yield from self._models.follow(
                run, followed, found.normalised, self._structured, history
            )
        if followed is not None:
            yield from self._going_on(run, composer, found, followed, began)
            return
        read = run.reading
        if read is not None and read.questions:
            yield from self._several(guarded, read.questions, run, history, began)
            return
        if self._structured is not None and history:
            told = self._structured.visible(history, run.visibility)
            whole = yield from self._models.standalone(run, found.normalised, told)
            if whole:
                run.standalone = whole
                guarded, found, history = whole, classify(whole), ()
        follow_up = read_follow_up(found.normalised, history)
        names_nothing = not text_terms(found.normalised) and not follow_up.carried
        if names_nothing and not self._fields.asks_for_all(run, found.normalised):
            yield run.finish_stage("plan", "Too vague", began, "rules", {})
            yield self._frame.answered(run, composer.ask_back(found))
            return
        leans = bool(follow_up.carried or follow_up.documents)
        is_of_set = run.state.in_hand is not None and run.state.in_hand.plan is not None
        if leans and self._structured is not None and (is_of_set or not follow_up.documents):
            leans = not stands_alone(
                self._fields.plan_as_chosen(run, self._structured, found.normalised).plan
            )
        if self._structured is not None and not leans and run.question.way != "text" and read is None:
            answer = yield from self._fields.computed(
                run, composer, self._structured, found.normalised, began
            )
            if answer is not None:
                yield self._frame.answered(run, answer)
                return
            if run.reading is not None and run.reading.questions:
                yield from self._several(guarded, run.reading.questions, run, history, began)
                return
        if run.understood is not None and run.understood.question != clean_question(found.normalised):
            guarded = run.understood.question  # what was described is called by its number
            found = classify(guarded)
        wordings = run.reading.wordings if run.reading is not None else ()
        plan = with_wordings(text_plan(found, guarded, run.buckets), wordings)
        if run.understood is not None:
            plan = with_understood(plan, run.understood)
        yield run.finish_plan(began, plan)
        for event in self.from_text(run, composer, found, plan, follow_up):
            if isinstance(event, Answered) and event.answer.status is Status.ABSTAINED and not leans:
                instead = yield from self._fields.instead_of_nothing(run, event.answer)
                if instead is not None:
                    yield self._frame.answered(run, instead)
                    return
            yield event

    def _several(
        self, question: str, questions: Sequence[str], run: Run, history: Sequence[Turn], began: float
    ) -> Iterator[Event]:
        """The answers to several questions, one after another; a later one may point back at an earlier."""
        by = "model" if run.reading is not None and run.reading.questions else "rules"
        yield run.finish_stage("plan", f"Read as {len(questions)} questions", began, by, {})
        runs: list[Run] = []
        answers: list[Answer] = []
        for at, asked in enumerate(questions):
            turns = [as_turn(each, number, self._now()) for number, each in enumerate(answers)]
            past = history if at == 0 else [*history, *turns] if points_back(asked) else ()
            bare = replace(run, understood=None, chosen=(), degradations=(), others=(), reading=None)
            part = replace(bare, is_part=True, state=state_of(past))
            runs.append(part)
            for event in self.events(asked, part, past):
                if isinstance(event, Answered):
                    written = yield from _stages_of(self._models.written(part, event.answer))
                    answers.append(as_part(written, asked))
                elif isinstance(event, _OF_STAGES):
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
            plan = plan.model_copy(update={"reading": None})  # nothing tells whether it is its own
            yield run.finish_plan(began, plan, "choice")
            yield from self.from_text(run, composer, found, plan, FollowUp(found.normalised, ""))
            return
        is_of_one = bool(is_about_one(plan))  # whose text may say what its fields do not
        kept = plan if is_of_one else plan.model_copy(update={"fallbacks": ()})
        planned = self._structured.given(kept, run.visibility, run.buckets, run.state)
        answer = yield from self._fields.run_plan(run, self._structured, planned, found.normalised, began)
        if answer is None and is_of_one:
            text = text_of(plan, found, run.buckets)
            yield from self.from_text(run, composer, found, text, FollowUp(found.normalised, ""))
            return
        yield self._frame.answered(
            run, answer or nothing_told(self._frame.request(run, found.normalised), plan)
        )

    def _going_on(
        self, run: Run, composer: Composer, found: Classification, followed: FollowedUp, began: float
    ) -> Iterator[Event]:
        """The answer to a question that goes on, by the plan that was made of it."""
        assert self._structured is not None  # as `_followed` has it
        run.follows, run.keeps_set, run.standalone = True, followed.keeps_set, followed.standalone
        plan = followed.planned.plan
        question = plan.question
        answer = yield from self._fields.computed(
            run, composer, self._structured, question, began, followed.planned
        )
        if answer is not None:
            yield self._frame.answered(run, answer)
            return
        assert isinstance(plan, Plan)  # a question back is an answer
        held = run.state.in_hand
        if plan.route is Route.STRUCTURED and followed.keeps_set and held is not None and not held.documents:
            yield self._frame.answered(run, nothing_told(self._frame.request(run, question), plan))
            return
        text = plan if plan.route is not Route.STRUCTURED else text_of(plan, found, run.buckets)
        if followed.keeps_set and held is not None:  # what is said of others is no answer
            text = over_documents(text, held.documents) or text
        yield run.finish_plan(began, text)
        yield from self.from_text(run, composer, found, text, FollowUp(found.normalised, ""))

    def from_text(
        self, run: Run, composer: Composer, found: Classification, plan: Plan, follow_up: FollowUp
    ) -> Iterator[Event]:
        """The answer from the text, by the searches of a plan."""
        answer = yield from self._text.answer(run, composer, found, plan, follow_up)
        yield self._frame.answered(run, answer)


def _stages_of(events: Generator[Event, None, Answer]) -> Generator[Event, None, Answer]:
    """The events of a part that tell of its stages: its sentences come with the whole answer."""
    while True:
        try:
            event = next(events)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer
        if isinstance(event, _OF_STAGES):
            yield event
