"""Tries of alike questions before, as who asks now may have it told."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from core.ask.text_answer import UNMENTIONED
from core.config.models import AnswerSettings
from core.domain.answer import Answer, Route, Status
from core.domain.event import StageFinished
from core.domain.trust.failures import USUAL, WRONG, Habit
from core.errors import RecordsError
from core.plan.clarify import Clarify
from core.plan.corrections import LearnedPlanner, correction_said
from core.plan.ir.nodes import Plan
from core.review.failed_stage import stage_of, stage_of_wrong, tries_of
from core.review.habits import LOOKED_BACK, habit_of, is_known
from core.store.conversations.tries import sight_key
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.catalogue import CatalogueLoader, Planners


class PastTries:
    """Says what is tried first of a question. Thread-safe.

    What failed for those who see other documents tells nothing, and nothing of it is told.
    """

    def __init__(
        self, records: Records, catalogues: CatalogueLoader, planners: Planners, settings: AnswerSettings
    ) -> None:
        self._records = records
        self._catalogues = catalogues
        self._planners = planners
        self._settings = settings

    def habit(self, plan: Plan | Clarify, visible: Visibility) -> Habit:
        """First way for a question that was planned so; USUAL for one that is asked back.

        A plan that a correction gave, or a person, is run as it is.
        """
        if not (self._settings.avoid_failures and isinstance(plan, Plan)):
            return USUAL
        if correction_said(plan) or plan.by == "person":
            return USUAL
        shape = self._planner(visible).shape(plan.question, plan).text
        return self.of_shape(shape, visible) if is_known(shape) else USUAL

    def of_shape(self, shape: str, visible: Visibility) -> Habit:
        """First way for questions of a shape."""
        since = datetime.now(UTC) - LOOKED_BACK
        try:
            tries = self._records.tries.of_shape(shape, visible, since)
        except RecordsError:
            return USUAL  # a question is answered whatever was kept of others
        return habit_of(tries, self._settings.avoid_from, self._settings.avoid_share)

    def note(
        self,
        answer: Answer,
        steps: Iterable[StageFinished],
        visible: Visibility,
        user: str,
        buckets: tuple[str, ...] = (),
        *,
        again: str = "",
    ) -> None:
        """Keep by which ways a question was tried; of several questions at once, and of remarks, nothing.

        again: by what it is known where a job asked it, "" for its trace.
        """
        plan = Plan.model_validate(answer.plan) if answer.plan and answer.plan.get("nodes") else None
        if answer.parts or (plan is None and answer.status is not Status.CLARIFY):
            return
        planner = self._planner(visible)
        tries = tries_of(
            answer,
            steps,
            _left_out(answer, planner.without_nouns),
            shape=planner.shape(plan.question if plan is not None else answer.question).text,
            user=user,
            sight=sight_key(visible.within(buckets)),
            at=datetime.now(UTC),
            trace=again,
            buckets=buckets,
            is_again=bool(again),
        )
        with contextlib.suppress(RecordsError):  # the answer is there; what is noted is no part of it
            self._records.tries.note(tries)

    def judge(self, answer: Answer, is_wrong: bool, reason: str, visible: Visibility, user: str) -> None:
        """Note that a person found an answer wrong, or that nobody does any more."""
        words = _left_out(answer, self._planner(visible).without_nouns)
        stage = stage_of_wrong(answer, reason) if is_wrong else stage_of(answer, words)
        status = WRONG if is_wrong else answer.status.value
        self._records.tries.judge(answer.trace_id, user, status, stage)

    def _planner(self, visible: Visibility) -> LearnedPlanner:
        return self._planners.of(self._catalogues.load(visible), visible)


def _left_out(answer: Answer, without_nouns: Callable[[str], str]) -> tuple[str, ...]:
    """Words that an answer leaves out; of one that gave nothing, those of its plan alone."""
    is_given = answer.status in (Status.ANSWERED, Status.PARTIAL)
    return uncovered_words(answer, without_nouns) if is_given else unread_words(answer)


def unread_words(answer: Answer) -> tuple[str, ...]:
    """Words of a question that its plan left out, or that no text was found to mention."""
    plan = Plan.model_validate(answer.plan) if answer.plan else None
    if plan is None:
        return ()
    return (*plan.uncovered, *(note.phrase for note in plan.notes if note.reading == UNMENTIONED))


def uncovered_words(answer: Answer, without_nouns: Callable[[str], str]) -> tuple[str, ...]:
    """Words of a question that no condition took, or that nothing is called by.

    without_nouns: words without those that documents are called by.
    """
    found = list(answer.plan.get("uncovered", ())) if answer.plan else []
    gaps = [gap for gap in answer.gaps if gap.casefold() in answer.question.casefold()]
    searched = gaps if answer.route is not Route.STRUCTURED else []  # words that no passage has
    unsaid = unread_words(answer)[len(found) :]
    found += [words for each in (*searched, *unsaid) if (words := without_nouns(each))]
    asked = answer.clarification
    if asked is not None and asked.type == "no_low" and asked.phrase:
        found.append(asked.phrase)
    return tuple(dict.fromkeys(found))
