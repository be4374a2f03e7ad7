"""Failed questions by REST: their uncovered words, new words of fields, corrections."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, WholeLimit, page_of
from app.api.v1.requests import LessonRequest, PhraseRequest
from core.domain.wire.audits import LessonRecord, UncoveredRecord
from core.domain.wire.shapes import envelope
from core.plan.ir.serialization import plan_of

ROUTER = APIRouter(tags=["Learning"])


@ROUTER.get("/uncovered", response_model=responses.UncoveredList)
def list_uncovered(limit: WholeLimit = None, cursor: Cursor = None) -> Response:
    """The words of questions that no condition took, the most frequent first."""
    rows, next_cursor = page_of(services.session().learning.uncovered(), limit, cursor)
    return reply(envelope(phrases=list(map(UncoveredRecord.of, rows)), next_cursor=next_cursor))


@ROUTER.post("/phrases", response_model=responses.FieldPhrases)
def add_phrase(body: PhraseRequest) -> Response:
    """Let words mean a field from now on."""
    learning = services.session().learning
    changed = learning.add_phrase(body.field, body.phrase, schema=body.of_schema or "")
    return reply(envelope(field=changed.name, phrases=list(changed.phrases)))


@ROUTER.get("/lessons", response_model=responses.LessonList)
def list_lessons(limit: WholeLimit = None, cursor: Cursor = None) -> Response:
    """The questions that went wrong."""
    rows, next_cursor = page_of(services.session().learning.failures(), limit, cursor)
    return reply(envelope(lessons=list(map(LessonRecord.of, rows)), next_cursor=next_cursor))


@ROUTER.post("/lessons", status_code=201, response_model=responses.OneLesson)
def correct(body: LessonRequest) -> Response:
    """Teach what a question should have been planned as."""
    learning = services.session().learning
    found = learning.correct(body.question, plan_of(body.plan), lesson=body.lesson or "")
    return reply(envelope(lesson=LessonRecord.of(found)), 201)


@ROUTER.delete("/lessons/{id}", status_code=204, response_class=Response)
def forget(id: str) -> Response:
    """Forget a failure with its correction."""
    services.session().teaching.forget([id])
    return Response(status_code=204)
