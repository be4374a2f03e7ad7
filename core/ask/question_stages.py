"""Stages of a question from its words to its answer: read, divided, gone on from, computed or searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest
from typing import Any

from core.answer.computed.mentions import MentionQuestion
from core.answer.files import with_files
from core.answer.standing import as_it_stands
from core.ask.clarification import is_about_one, named_choice, nothing_told, stands_alone
from core.ask.computed_answer import as_read
from core.ask.conversation import FollowUp, left_in_hand, points_back, read_follow_up, state_of
from core.ask.field_stages import FieldStages
from core.ask.mentions import answer_mentions, read_mentions
from core.ask.model import ModelStages
from core.ask.request import Run
from core.ask.suggestions import COUNT as FOLLOW_UPS
from core.ask.text_answer import (
    Composer,
    answer_from_text,
    as_understood,
    in_part,
    text_of,
    with_understood,
)
from core.config.models import Settings
from core.domain.answer import Answer, ConfidenceLabel, Route, Status
from core.domain.conversation import Turn, TurnState
from core.domain.event import Answered, Degraded, Event, Guarded, StageFinished, StageStarted, ToolUsed
from core.domain.ids import ConversationId, TurnId
from core.errors import QuestionError, RefusedError
from core.guard.question_guard import policy_verdict
from core.plan.catalogue import Catalogue
from core.plan.ir.graph_edits import over_documents
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.plan.kinds import KindName, kind_names
from core.plan.reading import Operation
from core.plan.reading_planner import Planned
from core.plan.text_plan import text_plan, with_wordings
from core.search.classify import Classification, classify, clean_question, require_question
from core.search.search import PassageFinder
from core.store.store import Records
from core.text.analyse import text_terms
from core.text.language import foreign_language
from core.text.markdown import escape

_TOLD = (Status.ANSWERED, Status.PARTIAL)
_WEAKEST_LAST = (*_TOLD, Status.CLARIFY, Status.ABSTAINED, Status.REFUSED, Status.FAILED)
_JOINED = ("conflicts", "understood", "degradations", "flags", "lacking")
_MOST_SAID = 300  # characters of the reason why a part has no answer
_LABELS = tuple(ConfidenceLabel)
_MARKS = re.compile(r"(?<!\\)(?:\s?\[\d+\])+")
_OF_STAGES = (StageStarted, StageFinished, Degraded, Guarded, ToolUsed)
Stages = Generator[Event, None, Answer]


def joint_answer(question: str, trace_id: str, parts: Sequence[Answer]) -> Answer:
    """The answers to the parts of a question as one; parts: at least one.

    Where only some have an answer it is partial, and its gaps name the others with the reason. It is as sure
    as the least sure answer, and asks what the first part that has to ask does.
    """
    told = [part for part in parts if part.status in _TOLD]
    left = [part for part in parts if part.status not in _TOLD]
    weakest = max((part.status for part in parts), key=_WEAKEST_LAST.index)
    status = Status.PARTIAL if told and left else weakest
    asking = next((part for part in parts if part.clarification is not None and part in left), None)
    asks = asking is not None and (status is Status.PARTIAL or asking.status is status is Status.CLARIFY)
    confidence = min(part.confidence for part in told or parts)
    whys = [(each, each.clarification.reason if each.clarification is not None else "") for each in left]
    unanswered = [f"Not answered: “{each.question.rstrip(' ?.!')}”. {why}".strip() for each, why in whys]
    first, sets = (told or parts)[0], [part.conversation for part in parts if part.conversation is not None]
    whole = Answer(
        question=question,
        trace_id=trace_id,
        data_version=first.data_version,
        status=status,
        kind=first.kind,
        route=first.route,
        text="\n\n".join(f"**{escape(part.question)}**\n\n{_MARKS.sub('', part.text)}" for part in parts),
        confidence=confidence,
        confidence_label=max((each.confidence_label for each in told or parts), key=_LABELS.index),
        gaps=_each([tuple(each[:_MOST_SAID] for each in unanswered if told), *(part.gaps for part in parts)]),
        clarification=asking.clarification if asking is not None and asks else None,
        conversation=sets[-1] if sets else None,
        parts=tuple(parts),
    )
    joined = {name: _each(getattr(part, name) for part in parts) for name in _JOINED}
    return whole.model_copy(update=joined)


def as_part(answer: Answer, question: str) -> Answer:
    """The answer to a part of a question under that part, as a sentence begins."""
    return answer.model_copy(update={"question": question.strip()[:1].upper() + question.strip()[1:]})


def _each(found: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
    """All of them in order, each once; conflicts and others need not be hashable."""
    every = [each for some in found for each in some]
    return tuple(each for at, each in enumerate(every) if each not in every[:at])


def as_turn(answer: Answer, ordinal: int, asked_at: datetime) -> Turn:
    """The answer to a part as a turn that the next part may point back at."""
    id = TurnId(f"{answer.trace_id}-{ordinal}")
    return Turn(id, ConversationId(""), ordinal, answer.question, TurnState.DONE, answer, asked_at)


def unfolded(history: Sequence[Turn]) -> list[Turn]:
    """Turns, those of several questions as one turn for each of them."""
    found: list[Turn] = []
    for turn in history:
        parts = turn.answer.parts if turn.answer is not None else ()
        found += [as_turn(part, turn.ordinal, turn.asked_at) for part in parts] if parts else [turn]
    return found


@dataclass(frozen=True, slots=True)
class QuestionStages:
    """The way of a question through plans, fields and text. Thread-safe.

    fields: None where no plans over fields are used.
    """

    records: Records
    finder: PassageFinder
    settings: Settings
    fields: FieldStages | None
    models: ModelStages
    now: Callable[[], datetime]

    def composer(self, question: str, run: Run) -> Composer:
        """What composes the question's answer from quotes."""
        tried = self.fields.introduction if self.fields is not None else lambda _: ("", ())
        tables = self.fields.tables if self.fields is not None else lambda _: ()
        records = self.records
        rows = records.fields.rows
        return Composer(question, run, records.documents, records.copies, rows, self.settings, tried, tables)

    def answered(self, run: Run, answer: Answer) -> Answered:
        """The event of an answer, with how it was read, what it leaves in hand, and what it took."""
        timings = {**run.timings, "total": (at := run.at())}
        answer = as_it_stands(answer, self.records.documents, run.visibility)
        if answer.parts:
            return Answered(at_ms=at, answer=answer.model_copy(update={"timings_ms": timings}))
        plan = answer.plan if answer.plan and answer.plan.get("nodes") else {}
        if plan and not answer.reading and self.fields is not None:
            catalogue = self.fields.structured.catalogue(run.visibility)
            answer = as_read(answer, plan_of(plan), run.others, catalogue)
        answer = as_understood(answer, foreign_language(answer.question))
        reader = (plan.get("by") or "rules") if plan else ""
        done = {
            "conversation": left_in_hand(run, answer),
            "understood": run.chosen,
            "standalone": run.standalone,
            "planned_by": "person" if run.question.plan is not None else reader,
            "timings_ms": timings,
            "degradations": tuple(dict.fromkeys((*run.degradations, *answer.degradations))),
        }
        answer = with_files(answer.model_copy(update=done), self.records, run.visibility)
        return Answered(at_ms=at, answer=answer)

    def events(self, question: str, run: Run, history: Sequence[Turn], left_out: int = 0) -> Iterator[Event]:
        """The events of a question up to its answer, before a model writes it.

        left_out: characters of a question that is too long, which are not here. A question that no policy
        allows is refused before a search: at once where its asker may ask nothing, else by its plan.
        """
        limit = self.settings.answer.max_question_chars
        composer = self.composer(clean_question(question[: 2 * limit])[:limit], run)
        try:
            run.require(None)
            answer = yield from self._answer(question, composer, history, left_out)
        except RefusedError as error:
            yield Guarded(at_ms=run.at(), verdict=policy_verdict(error))
            answer = composer.forbid(error)
        yield self.answered(run, answer)

    def _answer(self, question: str, composer: Composer, history: Sequence[Turn], left_out: int) -> Stages:
        run, fields, limit = composer.run, self.fields, self.settings.answer.max_question_chars
        yield run.start_stage("plan", "Planning")
        try:
            guarded = require_question(question, limit, left_out)
        except QuestionError as error:
            yield run.finish_stage("plan", "Refused", "rules")
            return composer.refuse(error, is_empty=not left_out and len(question) <= limit)
        found = classify(guarded)
        if run.question.plan is not None:
            return (yield from self._chosen(composer, found, run.question.plan))
        if found.small_talk:
            yield run.finish_stage("plan", "A general remark", "rules", nodes=0)
            return composer.reply(found.small_talk, text_plan(found, guarded, run.buckets))
        named = named_choice(found.normalised, history[-1]) if history else None
        if named is not None:  # typed, it is asked as one that is clicked
            choice, understood = named
            run.choose(understood)
            question = guarded = choice.question
            composer, found = self.composer(guarded, run), classify(guarded)
            if choice.plan is not None:
                return (yield from self._chosen(composer, found, plan_of(choice.plan)))
        if fields is not None:
            questions = fields.divided(run, question)
            if len(questions) > 1:
                return (yield from self._several(composer, guarded, questions, history))
            if questions:
                guarded, found = questions[0], classify(questions[0])
            if run.question.way not in ("text", "whatever"):
                followed = fields.followed(run, found.normalised, history)
                followed = yield from self.models.follow(run, followed, found.normalised, history)
                if followed is not None:
                    return (yield from self._going_on(composer, fields, found, followed))
            if run.divided:
                return (yield from self._several(composer, guarded, run.divided, history))
            whole = yield from self.models.standalone(run, found.normalised, history)
            if whole:
                run.standalone = guarded = whole
                found, history = classify(whole), ()
        follow_up = read_follow_up(found.normalised, history)
        names_nothing = not text_terms(found.normalised) and not follow_up.carried
        if names_nothing and fields is not None:
            alone = fields.structured.planner(run.visibility).read(found.normalised)
            names_nothing = alone.operation is not Operation.ALL
        if names_nothing:
            yield run.finish_stage("plan", "Too vague", "rules")
            return composer.ask_back(found)
        leans = bool(follow_up.carried or follow_up.documents)
        if fields is not None:
            is_of_set = run.state.in_hand is not None and run.state.in_hand.plan is not None
            if leans and (is_of_set or not follow_up.documents):
                leans = not stands_alone(fields.plan_as_chosen(run, found.normalised).plan)
            if not leans and run.question.way != "text" and run.reading is None:
                wanted = read_mentions(found.normalised)
                catalogue = fields.structured.catalogue(run.visibility)
                if wanted is not None and not wanted.noun:
                    return (yield from self._mentions(run, found, wanted, KindName(""), catalogue))
                computed = yield from fields.computed(run, composer, found.normalised)
                if computed is not None:
                    return computed
                if run.divided:
                    return (yield from self._several(composer, guarded, run.divided, history))
                kind = kind_names(catalogue).of(wanted.noun) if wanted is not None else None
                if wanted is not None and kind is not None:
                    return (yield from self._mentions(run, found, wanted, kind, catalogue))
        if run.understood is not None and run.understood.question != clean_question(found.normalised):
            guarded = run.understood.question  # what was described is called by its number
            found = classify(guarded)
        wordings = run.reading.wordings if run.reading is not None else ()
        plan = with_wordings(text_plan(found, guarded, run.buckets), wordings)
        if run.understood is not None:
            plan = with_understood(plan, run.understood)
        yield run.finish_plan(plan)
        answer = yield from self.from_text(composer, found, plan, follow_up)
        is_unsure = run.put_off is not None and answer.confidence_label is ConfidenceLabel.LOW
        is_enough = answer.status is not Status.ABSTAINED and not is_unsure
        if fields is None or is_enough or leans or run.question.way == "text":
            return answer
        return (yield from fields.instead_of_nothing(run, answer)) or answer

    def _mentions(
        self,
        run: Run,
        found: Classification,
        wanted: MentionQuestion,
        kind: KindName,
        catalogue: Catalogue,
    ) -> Stages:
        """The documents whose text holds some words. kind: of those that are asked for."""
        plan = text_plan(found, found.normalised, run.buckets)
        run.require(plan)
        yield run.finish_plan(plan)
        yield run.start_stage("compute", "Looking through every page")
        asked = run.asking(found.normalised)
        answer = answer_mentions(wanted, asked, plan, self.records, kind, catalogue)
        yield run.finish_stage("compute", "Looked through every page", "sql")
        return answer

    def _several(
        self, composer: Composer, question: str, questions: Sequence[str], history: Sequence[Turn]
    ) -> Stages:
        """The answers to several questions, one after another; a later one may point back at an earlier."""
        run = composer.run
        label = f"Read as {len(questions)} questions"
        yield run.finish_stage("plan", label, "model" if run.divided else "rules")
        runs: list[Run] = []
        answers: list[Answer] = []
        for at, asked in enumerate(questions):
            turns = [as_turn(each, number, self.now()) for number, each in enumerate(answers)]
            past = history if at == 0 else [*history, *turns] if points_back(asked) else ()
            bare = replace(run, understood=None, chosen=(), degradations=(), others=(), reading=None)
            part = replace(bare, is_part=True, state=state_of(past))
            runs.append(part)
            for event in self.events(asked, part, past):
                if isinstance(event, Answered):
                    written = yield from _stages_of(self.models.written(part, event.answer))
                    answers.append(as_part(written, asked))
                elif isinstance(event, _OF_STAGES):
                    yield event

        def suggest() -> tuple[str, ...]:
            given = zip(runs, answers, strict=True)
            found = [each.suggest() if each.suggest is not None else one.follow_ups for each, one in given]
            mixed = [name for some in zip_longest(*found) for name in some if name]
            return tuple(dict.fromkeys(mixed))[:FOLLOW_UPS]

        run.suggest = suggest
        return joint_answer(question, run.trace_id, answers)

    def _chosen(self, composer: Composer, found: Classification, plan: Plan) -> Stages:
        """The answer of a plan that was chosen: of what it gives alone, whatever the text may say."""
        run, question = composer.run, found.normalised
        alone = FollowUp(question, "")
        if plan.route is not Route.STRUCTURED or self.fields is None:
            plan = plan.model_copy(update={"reading": None})  # nothing tells whether it is its own
            yield run.finish_plan(plan, "choice")
            return (yield from self.from_text(composer, found, plan, alone))
        is_of_one = bool(is_about_one(plan))  # whose text may say what its fields do not
        kept = plan if is_of_one else plan.model_copy(update={"fallbacks": ()})
        own = self.fields.given(run, kept)
        answer = yield from self.fields.run_plan(run, own, question)
        if answer is None and is_of_one:
            return (yield from self.from_text(composer, found, text_of(plan, found, run.buckets), alone))
        return answer or nothing_told(run.asking(question), plan)

    def _going_on(
        self, composer: Composer, fields: FieldStages, found: Classification, followed: Planned
    ) -> Stages:
        """The answer to a question that goes on, by the plan that was made of it."""
        run, plan = composer.run, followed.plan
        run.follows, run.keeps_set, run.standalone = True, followed.keeps_set, followed.standalone
        answer = yield from fields.computed(run, composer, plan.question, followed)
        if answer is not None:
            return answer
        assert isinstance(plan, Plan)  # a question back is an answer
        held, is_structured = run.state.in_hand, plan.route is Route.STRUCTURED
        if is_structured and followed.keeps_set and held is not None and not held.documents:
            return nothing_told(run.asking(plan.question), plan)
        text = text_of(plan, found, run.buckets) if is_structured else plan
        if followed.keeps_set and held is not None:  # what is said of others is no answer
            text = over_documents(text, held.documents) or text
        yield run.finish_plan(text)
        return (yield from self.from_text(composer, found, text, FollowUp(found.normalised, "")))

    def from_text(self, composer: Composer, found: Classification, plan: Plan, follow_up: FollowUp) -> Stages:
        """The answer from the text, by the searches of a plan."""
        answer = yield from answer_from_text(composer, found, plan, follow_up, self.finder)
        return in_part(answer, composer.run.understood)


def _stages_of(events: Stages) -> Stages:
    """The events of a part that tell of its stages: its sentences come with the whole answer."""
    while True:
        try:
            event = next(events)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer
        if isinstance(event, _OF_STAGES):
            yield event
