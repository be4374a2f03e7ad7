"""Evaluations by REST: suites, runs, and two runs compared."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Limit
from app.api.v1.requests import EvaluationStart
from core.domain.wire.shapes import envelope

ROUTER = APIRouter(tags=["Evaluations"])
Suite = Annotated[str, Query(max_length=120, description="Runs of this suite alone.")]


@ROUTER.get("/evaluations", response_model=responses.EvaluationList)
def list_evaluations(suite: Suite = "", limit: Limit = 50) -> Response:
    """Suites that can be run, and runs with their figures, newest first."""
    from core.evaluate.shapes import run_json, suite_json

    found = services.session().evaluations
    runs = found.runs(suite, limit)
    return reply(envelope(suites=list(map(suite_json, found.suites())), runs=list(map(run_json, runs))))


@ROUTER.post("/evaluations", status_code=202, response_model=responses.OneEvaluation)
def start_evaluation(body: EvaluationStart) -> Response:
    """Begin a run as a job, or go on with one that was stopped: what is measured is not asked again."""
    from core.evaluate.shapes import details_json

    found = services.session().evaluations
    if body.resume is not None:
        found.resume(body.resume)
    run = body.resume or found.start(body.suite, with_model=body.with_model)
    return reply(envelope(run=details_json(found.run(run))), 202, f"/evaluations/{run}")


@ROUTER.get("/evaluations/{id}", response_model=responses.OneEvaluation)
def get_evaluation(id: str) -> Response:
    """A run with its figures and its cases so far."""
    from core.evaluate.shapes import details_json

    return reply(envelope(run=details_json(services.session().evaluations.run(id))))


@ROUTER.get("/evaluations/{id}/compare/{other}", response_model=responses.EvaluationCompared)
def compare_evaluations(id: str, other: str) -> Response:
    """Two runs, case by case: `other` beside the earlier `id`."""
    from core.evaluate.shapes import comparison_json

    return reply(envelope(**comparison_json(services.session().evaluations.compare(id, other))))
