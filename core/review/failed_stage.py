"""Stage at which an answer failed, decided from its trace alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Literal

from core.domain.answer import Answer, Route, Status
from core.domain.event import FIELDS_STATE_NOTHING, StageFinished
from core.domain.guards.verdict import NOT_PERMITTED
from core.domain.trust.failures import FailureStage, QuestionTry, TriedRoute

Stage = FailureStage | Literal[""]
_BY_REASON: dict[str, FailureStage] = {
    "misread": "planner",
    "wrong_documents": "retrieval",
    "not_supported": "writing",
    "unclear": "writing",
}


def stage_of(answer: Answer, uncovered: Iterable[str] = ()) -> Stage:
    """The stage at which an answer failed; "" where it did not.

    planner: asked back, refused but for a policy, or words that nothing took. writing: a check struck what
    was written. facts: fields that are absent, uncertain or disputed. retrieval: the text gave nothing.
    """
    for part in answer.parts:
        if found := stage_of(part, uncovered):
            return found
    if answer.status is Status.CLARIFY or any(uncovered):
        return "planner"
    if answer.status is Status.REFUSED:
        is_forbidden = bool(answer.lacking) or NOT_PERMITTED in answer.flags or not answer.plan
        return "" if is_forbidden else "planner"
    if answer.struck:
        return "writing"
    if answer.status in (Status.ABSTAINED, Status.FAILED):
        return "facts" if answer.route is Route.STRUCTURED else "retrieval"
    is_doubtful = answer.ledger is not None and answer.ledger.uncertain > 0
    return "facts" if answer.conflicts or (answer.status is Status.PARTIAL and is_doubtful) else ""


def stage_of_wrong(answer: Answer, reason: str = "") -> FailureStage:
    """The stage of an answer that a person found wrong. reason: of FEEDBACK_REASONS, which may tell."""
    told = stage_of(answer) or _BY_REASON.get(reason)
    if told:
        return told
    if answer.written_by:
        return "writing"
    return "facts" if answer.route is Route.STRUCTURED else "retrieval"


def tries_of(
    answer: Answer,
    steps: Iterable[StageFinished],
    uncovered: Iterable[str] = (),
    *,
    shape: str,
    user: str,
    sight: str,
    at: datetime,
    trace: str = "",
    buckets: tuple[str, ...] = (),
    is_again: bool = False,
) -> tuple[QuestionTry, ...]:
    """The ways by which a question was tried, in order; the last is the one that was answered by."""
    done = tuple(steps)
    is_of_model = any(each.stage == "understand" and each.source == "model" for each in done)
    own = QuestionTry(
        trace or answer.trace_id,
        0,
        answer.question,
        shape,
        user,
        sight,
        at,
        _route(answer),
        "model" if is_of_model else answer.planned_by,
        answer.status.value,
        stage_of(answer, tuple(uncovered)),
        buckets,
        is_again,
    )
    if own.route != "text" or not any(each.label == FIELDS_STATE_NOTHING for each in done):
        return (own,)
    own = own if own.reader in ("model", "person") else replace(own, reader="reader")
    return (replace(own, route="fields", status="", stage="facts"), replace(own, ordinal=1))


def _route(answer: Answer) -> TriedRoute:
    if answer.route is Route.NONE:
        return "none"
    return "fields" if answer.route is Route.STRUCTURED else "text"
