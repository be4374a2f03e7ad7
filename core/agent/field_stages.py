"""Stages that answer over fields and sets: the plan as it was chosen, its run, and where it gives nothing."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial

from core.agent.answer_frame import AnswerFrame
from core.agent.computed_answer import ComputedAnswer, FollowedUp, Planned, Structured
from core.agent.conversation.clarification import MOST, ask_back, read_as_before
from core.agent.conversation.follow_up import answered_from_text
from core.agent.model.stages import ModelStages
from core.agent.nearby_passages import with_surroundings
from core.agent.run import Run, steps_label
from core.agent.text_answer import Composer, general_reply
from core.agent.text_fallback import unmentioned
from core.domain.answer import Answer, Kind, Route, Status
from core.domain.conversation import Turn
from core.domain.event import Event, StageStarted
from core.evidence.base import EvidenceFinder
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.reading import Operation


class FieldStages:
    """Answers over fields and sets, and None where the text has to be searched. Thread-safe.

    structured: None where no plans over fields are used.
    """

    def __init__(
        self,
        frame: AnswerFrame,
        structured: Structured | None,
        models: ModelStages,
        retriever: EvidenceFinder,
    ) -> None:
        self.structured = structured
        self._frame = frame
        self._models = models
        self._retriever = retriever

    def divided(self, question: str, run: Run) -> tuple[str, ...]:
        """The questions that a text is answered as; () where it is one, or a part of one already."""
        if self.structured is None or run.is_part or run.question.way not in ("", "afresh"):
            return ()
        return self.structured.divided(question, run.visibility, run.buckets)

    def followed(self, run: Run, question: str, history: Sequence[Turn]) -> FollowedUp | None:
        """The plan of a question that goes on from the conversation; None for any other.

        With no documents in hand "they" may mean what was spoken of in answers from text: no question back.
        """
        if self.structured is None or run.question.way in ("text", "whatever"):
            return None
        followed = self.structured.follow(question, run.state, run.visibility, run.buckets)
        asks = followed is not None and isinstance(followed.planned.plan, Clarify)
        return None if asks and run.state.is_empty and answered_from_text(history) else followed

    def asks_for_all(self, run: Run, question: str) -> bool:
        """True where a question is read as one for all documents."""
        if self.structured is None:
            return False
        return self.structured.planner(run.visibility).read(question).operation is Operation.ALL

    def plan_as_chosen(self, run: Run, structured: Structured, question: str) -> Planned:
        """The plan, with words that may mean several things taken as they were chosen before."""
        planned = structured.plan(question, run.visibility, run.buckets)
        for _ in range(MOST):
            reading = read_as_before(planned.plan, run.known) if isinstance(planned.plan, Clarify) else None
            if reading is None:
                break
            run.chosen = tuple(dict.fromkeys((*run.chosen, reading.understood)))
            planned = (
                structured.given(reading.plan, run.visibility, run.buckets, run.state)
                if reading.plan is not None
                else structured.plan(reading.question, run.visibility, run.buckets)
            )
        return planned

    def computed(
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
        asked = self._frame.request(run, question)
        if planned is None:
            planned = self.plan_as_chosen(run, structured, question)
            planned = yield from self._models.read(run, planned, question, structured)
        read = run.reading
        if read is not None and read.questions:
            return None
        read = planned.plan.reading if read is None and isinstance(planned.plan, Plan) else read
        if read is not None and read.operation is Operation.HELP:
            yield run.finish_stage("plan", "A general remark", began, read.by, {"nodes": 0})
            return general_reply(composer, question, partial(self._frame.introduction, run))
        if isinstance(planned.plan, Plan):
            _require(run, planned.plan)  # before rows of it or of another reading are counted
            others = tuple(each for each in planned.others if run.door.refusal(each) is None)
            planned = replace(planned, others=others)
        planned = structured.with_rows(planned, asked)
        if isinstance(planned.plan, Clarify) and run.question.way == "whatever":
            return None
        if isinstance(planned.plan, Clarify):
            is_absence = planned.plan.type == "absent"
            label = "Not in the collection" if is_absence else "A word is missing"
            yield run.finish_stage("plan", label, began, "rules", {})
            clarify = structured.with_counts(planned, planned.plan, asked)
            back = ask_back(clarify, asked, composer.scope.unread_note if is_absence else "")
            return with_surroundings(back, self._retriever, run.visibility, run.buckets)
        plan = run.understood = planned.plan
        run.others = planned.others
        if plan.route is not Route.STRUCTURED:
            return None
        return (yield from self.run_plan(run, structured, planned, question, began))

    def run_plan(
        self, run: Run, structured: Structured, planned: Planned, question: str, began: float
    ) -> Generator[Event, None, Answer | None]:
        """The answer of a plan over fields and sets; None where these do not state it."""
        assert isinstance(planned.plan, Plan)
        _require(run, planned.plan)
        plan, asked = planned.plan, self._frame.request(run, question)
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

    def instead_of_nothing(self, run: Run, nothing: Answer) -> Generator[Event, None, Answer | None]:
        """The answer of a likely plan over fields where no text answers, said to be unsure; None for nothing.

        Of sets alone: what no field of a named document states is not there.
        """
        if self.structured is None or run.question.way == "text":
            return None
        for plan in run.others:
            of_documents = plan.kind in (Kind.LOOKUP, Kind.COMPARISON)
            if not plan.is_whole or of_documents or run.door.refusal(plan) is not None:
                continue
            planned = self.structured.given(
                unmentioned(plan, nothing), run.visibility, run.buckets, run.state
            )
            began = run.clock.at()
            answer = yield from self.run_plan(run, self.structured, planned, nothing.question, began)
            if answer is not None and answer.status in (Status.ANSWERED, Status.PARTIAL):
                run.others = ()
                return answer
        return None

    def _follow_ups(self, run: Run, computed: ComputedAnswer) -> tuple[str, ...]:
        return with_surroundings(computed.whole, self._retriever, run.visibility, run.buckets).follow_ups


def _require(run: Run, plan: Plan) -> None:
    """Raises RefusedError where the policies do not allow a plan to who asks."""
    refused = run.door.refusal(plan)
    if refused is not None:
        raise refused
