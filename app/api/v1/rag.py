"""Questions by REST: asked, waited for, followed as they are answered, judged."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from app import services
from app.api.http import reply
from app.api.v1.requests import FeedbackRequest, QuestionRequest
from app.api.v1.search import buckets_of
from app.running.turns import RunningTurn
from core.ask.request import Question
from core.domain.conversation import Turn
from core.domain.ids import ConversationId, TurnId
from core.domain.wire.records import QuestionState
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.plan.ir.serialization import plan_of

ROUTER = APIRouter(prefix="/rag", tags=["Questions"])
LOOK_S = 0.02
BEAT_S = 15.0
"""Seconds of silence after which a stream says that it is still there: proxies cut what says nothing."""


@ROUTER.post(
    "/query",
    response_model=QuestionState,
    responses={202: {"model": QuestionState, "description": "The answer is not there yet"}},
)
async def ask(body: QuestionRequest) -> Response:
    """Ask a question.

    200 with the answer, or 202 where it takes longer than `wait_s`: `rag/status/{id}` has it later, and
    `rag/stream/{id}` tells how it comes about.
    """
    turn = await run_in_threadpool(_start, body)
    until = time.monotonic() + body.wait_s
    while not turn.done and time.monotonic() < until:
        await asyncio.sleep(LOOK_S)
    found = await run_in_threadpool(_state, turn.id)
    return reply(found, 202 if found["answer"] is None else 200, f"/rag/status/{turn.id}")


@ROUTER.get("/status/{id}", response_model=QuestionState)
def question_status(id: str) -> Response:
    """A question of yours, with its answer once there is one."""
    return reply(_state(id))


@ROUTER.get(
    "/stream/{id}",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Server-sent events; the last one is `finished` and `answered` carries the answer",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def stream_events(
    id: str,
    last_event_id: Annotated[
        int | None, Header(ge=0, le=10**9, description="Number of the last event that was read.")
    ] = None,
) -> Response:
    """Events of a question as it is answered.

    Each has a number, a type and JSON: stages, claims, then `answered` with the whole answer, and `finished`.
    A stream that broke off goes on behind `Last-Event-ID`. Of a question that ended long ago there is the
    answer alone.
    """
    turn = await run_in_threadpool(_turn, id)
    first = 0 if last_event_id is None else last_event_id + 1
    running = services.turns().get(id)
    if turn.answer is not None and turn.answer.is_masked:
        running = None  # its events tell what the answer no longer does
    events = _kept_events(turn, first) if running is None else _running_events(running, first)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@ROUTER.post("/feedback", response_model=QuestionState)
def give_feedback(body: FeedbackRequest) -> Response:
    """Say whether an answer was right."""
    given = services.session().questions.give_feedback(TurnId(body.id), body.feedback)
    return reply(_state(given.id))


def _start(body: QuestionRequest) -> RunningTurn:
    if not body.question.strip():
        raise UsageError("`question` is a text that is not empty.", next_step="Send a question.")
    buckets, session = buckets_of(body.bucket, body.buckets), services.session()
    plan = None if body.plan is None else plan_of(body.plan)
    if body.conversation is None:
        conversation = session.conversations.create(buckets).id
    else:
        found = session.conversations.get(ConversationId(body.conversation))
        conversation, buckets = found.id, buckets or found.buckets
    question = Question(body.question, session.principal, buckets, plan=plan, offline=body.offline)
    return services.turns().start(conversation, question)


def _turn(id: str) -> Turn:
    return services.session().conversations.turn(TurnId(id))


def _state(id: str) -> dict[str, Any]:
    turn = _turn(id)
    return envelope(
        id=turn.id,
        conversation=turn.conversation,
        question=turn.question,
        state=turn.state.value,
        answer=turn.answer,
        feedback=turn.feedback,
        status_url=f"/api/v1/rag/status/{turn.id}",
        stream_url=f"/api/v1/rag/stream/{turn.id}",
    )


async def _running_events(turn: RunningTurn, first: int) -> AsyncIterator[str]:
    """The events from the number `first` on as they come; ends behind the last one."""
    at, silent_s = first, 0.0
    while True:
        ended = turn.done  # read before the events: nothing is added after it is set
        if at < len(turn.events):
            silent_s = 0.0
        while at < len(turn.events):
            yield _event(at, turn.events[at])
            at += 1
        if ended:
            return
        await asyncio.sleep(LOOK_S)
        silent_s += LOOK_S
        if silent_s >= BEAT_S:
            silent_s = 0.0
            yield ": still here\n\n"


async def _kept_events(turn: Turn, first: int) -> AsyncIterator[str]:
    """Both last events of a question whose process is gone, numbered behind whatever was read before."""
    if turn.answer is not None:
        answer = turn.answer.model_dump(mode="json")
        yield _event(first, {"type": "answered", "at_ms": 0.0, "answer": answer})
    yield _event(first + 1, {"type": "finished" if turn.answer is not None else turn.state.value})


def _event(number: int, event: dict[str, Any]) -> str:
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return f"id: {number}\nevent: {event['type']}\ndata: {data}\n\n"
