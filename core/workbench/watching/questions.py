"""Questions and runs of plans, counted and timed as they end; with no word of them."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import TypeVar

from core.domain.answer import Answer, Kind, Route, Status
from core.domain.event import Drafted, StageFinished
from core.errors import GroundworkError, RefusedError
from core.telemetry import tracing
from core.telemetry.measures import (
    DEGRADATIONS,
    OTHER,
    QUESTION_TIMES,
    QUESTIONS,
    STAGE_TIMES,
    TALLY,
    Tally,
    known,
)

E = TypeVar("E")
STAGES = frozenset({"understand", "plan", "compute", "retrieve", "search", "write", "verify", "answer"})
OUTCOMES = frozenset({*(each.value for each in Status), "interrupted"})


def watched(events: Iterator[E], name: str = "question", tally: Tally = TALLY) -> Iterator[E]:
    """The events as they come. name: of the span: a question or a plan. Safe to close at any yield.

    The time is until the answer stands, not until its follow-up questions do.
    """
    began, span = time.perf_counter(), tracing.begin(name)
    answer: Answer | None = None
    lasted, outcome = 0.0, "interrupted"
    try:
        for event in events:
            if isinstance(event, StageFinished):
                stage = known(event.stage, STAGES)
                tally.time(STAGE_TIMES, event.latency_ms / 1000, stage)
                span.part(stage, event.latency_ms / 1000, source=event.source)
            found = _answer_of(event)
            if found is not None:
                answer, lasted = found, lasted or time.perf_counter() - began
            yield event
    except RefusedError:
        outcome = Status.REFUSED.value
        raise
    except GroundworkError:
        outcome = Status.FAILED.value
        raise
    finally:
        if isinstance(events, Generator):
            events.close()
        outcome = answer.status.value if answer is not None else outcome
        kind, model = _kind(answer), "yes" if answer is not None and answer.written_by else "no"
        route = known(answer.route.value, [each.value for each in Route]) if answer is not None else OTHER
        tally.count(QUESTIONS, kind, route, outcome, model)
        tally.time(QUESTION_TIMES, lasted or time.perf_counter() - began, kind, model)
        for each in answer.degradations if answer is not None else ():
            tally.count(DEGRADATIONS, each.code)
        trace = answer.trace_id if answer is not None else ""
        span.end(kind=kind, route=route, outcome=outcome, model=model, trace=trace)


def _answer_of(event: object) -> Answer | None:
    """The answer that an event brings; None of one that a model has still to write anew."""
    found = getattr(event, "answer", None)
    return found if isinstance(found, Answer) and not isinstance(event, Drafted) else None


def _kind(answer: Answer | None) -> str:
    return known(answer.kind.value, [each.value for each in Kind]) if answer is not None else OTHER
