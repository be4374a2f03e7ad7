"""Flagged answers by REST: listed and judged; and evaluations: suites, runs, and two runs compared."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, Limit, cursor_of, offset_of
from app.api.v1.requests import EvaluationStart, VerdictRequest
from core.domain.trust.review import ReviewFilter, ReviewState
from core.domain.wire.reviews import review_json
from core.domain.wire.shapes import envelope

ROUTER = APIRouter(tags=["Reviews"])
State = Annotated[Literal["open", "resolved", "all"], Query(description="Which of them.")]


@ROUTER.get("/reviews", response_model=responses.ReviewList)
def list_reviews(state: State = "open", limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Flagged answers, newest first."""
    offset = offset_of(cursor, state)
    part = ReviewFilter(state=None if state == "all" else ReviewState(state), offset=offset, limit=limit)
    page = services.session().reviews.page(part)
    end = offset + len(page.items)
    return reply(
        envelope(
            reviews=list(map(review_json, page.items)),
            total=page.total,
            next_cursor=cursor_of(end, state) if end < page.total else None,
        )
    )


@ROUTER.post("/reviews/{id}", response_model=responses.OneReview)
def judge(id: str, body: VerdictRequest) -> Response:
    """Keep a verdict on a flagged answer, and on its claims where they differ.

    409 where somebody changed it since `revision` was seen.
    """
    claims = {each.claim: each.verdict for each in body.claims}
    kept = services.session().reviews.resolve(
        id, body.verdict, claims=claims, note=body.note, expected=body.revision
    )
    return reply(envelope(review=review_json(kept)))


EVALUATIONS = APIRouter(tags=["Evaluations"])
Suite = Annotated[str, Query(max_length=120, description="Runs of this suite alone.")]

WantedSuite = Annotated[str, Query(min_length=1, max_length=120, description="Suite whose runs are wanted.")]


@EVALUATIONS.get("/evaluations", response_model=responses.EvaluationList)
def list_evaluations(suite: Suite = "", limit: Limit = 50) -> Response:
    """Suites that can be run, and runs with their figures, newest first."""
    from core.evaluate.shapes import run_json, suite_json

    found = services.session().evaluations
    runs = found.runs(suite, limit)
    return reply(envelope(suites=list(map(suite_json, found.suites())), runs=list(map(run_json, runs))))


@EVALUATIONS.post("/evaluations", status_code=202, response_model=responses.OneEvaluation)
def start_evaluation(body: EvaluationStart) -> Response:
    """Begin a run as a job, or go on with one that was stopped: what is measured is not asked again."""
    from core.evaluate.shapes import details_json

    found = services.session().evaluations
    if body.resume is not None:
        found.resume(body.resume)
    run = body.resume or found.start(body.suite, with_model=body.with_model)
    return reply(envelope(run=details_json(found.run(run))), 202, f"/evaluations/{run}")


@EVALUATIONS.get("/evaluations/trend", response_model=responses.EvaluationTrend)
def get_trend(suite: WantedSuite) -> Response:
    """Figures of a suite over its runs and their versions, the oldest first."""
    from core.evaluate.shapes import trend_json

    return reply(envelope(**trend_json(suite, services.session().evaluations.trend(suite))))


@EVALUATIONS.get("/evaluations/{id}", response_model=responses.OneEvaluation)
def get_evaluation(id: str) -> Response:
    """A run with its figures and its cases so far."""
    from core.evaluate.shapes import details_json

    return reply(envelope(run=details_json(services.session().evaluations.run(id))))


@EVALUATIONS.get("/evaluations/{id}/compare/{other}", response_model=responses.EvaluationCompared)
def compare_evaluations(id: str, other: str) -> Response:
    """Two runs, case by case: `other` beside the earlier `id`."""
    from core.evaluate.shapes import comparison_json

    return reply(envelope(**comparison_json(services.session().evaluations.compare(id, other))))
