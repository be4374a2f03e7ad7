"""Failed questions by REST: their uncovered words, new words of fields, corrections."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, WholeLimit, page_of
from app.api.v1.requests import AskAgainRequest, LessonRequest, PhraseRequest
from core.domain.wire.audits import LessonRecord, UncoveredRecord
from core.domain.wire.failures import FailedShapeRecord
from core.domain.wire.records import JobRow
from core.domain.wire.shapes import envelope
from core.plan.ir.serialization import plan_of

ShapeName = Annotated[str, Query(min_length=1, max_length=4_000)]
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


@ROUTER.get("/failures", response_model=responses.FailedShapeList)
def list_failures(limit: WholeLimit = None, cursor: Cursor = None) -> Response:
    """Questions that failed, by their shape."""
    rows, next_cursor = page_of(services.session().failures.shapes(), limit, cursor)
    return reply(envelope(shapes=list(map(FailedShapeRecord.of, rows)), next_cursor=next_cursor))


@ROUTER.get("/failures/shape", response_model=responses.OneFailedShape)
def failed_shape(shape: ShapeName) -> Response:
    """The failed questions of one shape, with what was learnt since."""
    return reply(envelope(shape=FailedShapeRecord.of(services.session().failures.shape(shape))))


@ROUTER.post("/failures/again", status_code=202, response_model=responses.JobStarted)
def ask_again(body: AskAgainRequest) -> Response:
    """Have the failed questions of a shape asked once more, as a job."""
    job = JobRow.of(services.session().failures.ask_again(body.shape))
    return reply(envelope(job=job), 202, f"/jobs/{job.id}")


@ROUTER.delete("/lessons/{id}", status_code=204, response_class=Response)
def forget(id: str) -> Response:
    """Forget a failure with its correction."""
    services.session().learning.forget(id)
    return Response(status_code=204)
