"""Variants of the home by REST, for admins: listed, built, compared, switched to, rolled back."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.requests import CompareRequest, VariantRequest
from core.domain.ids import JobId
from core.domain.wire.experiments import variant_record
from core.domain.wire.records import JobRow
from core.domain.wire.shapes import envelope
from core.errors import NotFoundError, UsageError
from core.evaluate.suite import Case

ROUTER = APIRouter(tags=["Experiments"])


@ROUTER.get("/experiments", response_model=responses.VariantList)
def list_variants() -> Response:
    """Variants, the home itself first, with what lags behind."""
    return reply(envelope(variants=list(map(variant_record, services.session().experiments.list()))))


@ROUTER.post("/experiments", status_code=202, response_model=responses.VariantJobStarted)
def build_variant(body: VariantRequest) -> Response:
    """Make a variant of settings that differ, or take a known one without any, and build it as a job."""
    experiments = services.session().experiments
    if body.settings:
        experiments.add(body.name, body.settings)
    return _job(experiments.build(body.name))


@ROUTER.post("/experiments/rollback", response_model=responses.VariantJobStarted)
def roll_back_variant() -> Response:
    """Switch back to what answered before; `job` is null where that is done."""
    return _job(services.session().experiments.rollback())


@ROUTER.post("/experiments/compare", status_code=202, response_model=responses.VariantJobStarted)
def compare_variants(body: CompareRequest) -> Response:
    """Ask two variants the same questions, as a job: those of `cases`, or the last ones that were asked."""
    experiments = services.session().experiments
    recent = 0 if body.cases else body.recent
    try:
        cases = tuple(map(Case.model_validate, body.cases))
    except ValidationError as error:
        raise UsageError(
            f"A case is none: {error.errors()[0]['msg']}.", next_step="Send cases as suites have them."
        ) from None
    return _job(experiments.compare(body.left, body.right, cases=cases, recent=recent))


@ROUTER.get("/experiments/comparisons/{job}", response_model=responses.ComparedVariants)
def variants_compared(job: str) -> Response:
    """The outcome of a comparison; 404 until its job is done."""
    found = services.session().experiments.comparison(JobId(job))
    if found is None:
        raise NotFoundError("There is no such comparison.", next_step="Wait until its job is done.")
    return reply(envelope(**found.model_dump(mode="json")))


@ROUTER.post("/experiments/{name}/switch", response_model=responses.VariantJobStarted)
def switch_variant(name: str) -> Response:
    """Let a variant answer from the next question on; `job` encodes what it lacks first, null for nothing."""
    return _job(services.session().experiments.switch(name))


@ROUTER.delete("/experiments/{name}", status_code=204, response_class=Response)
def remove_variant(name: str) -> Response:
    """Forget a variant with its vectors."""
    services.session().experiments.remove(name)
    return Response(status_code=204)


def _job(job: JobId | None) -> Response:
    if job is None:
        return reply(envelope(job=None))
    return reply(envelope(job=JobRow.of(services.session().jobs.get(job))), 202, f"/jobs/{job}")
