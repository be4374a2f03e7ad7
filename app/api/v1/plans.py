"""Plans by REST: made for a question or checked, shown, run."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.requests import PlanRequest, RunRequest
from core.domain.wire.audits import AuditRecord, RunRecord
from core.domain.wire.records import PlanMade
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of

ROUTER = APIRouter(tags=["Plans"])


@ROUTER.post("/plans", response_model=PlanMade)
def make_plan(body: PlanRequest) -> Response:
    """Plan a question, or check a plan.

    The plan is validated and estimated, not run; `id` is what it runs under.
    """
    session = services.session()
    if body.plan is not None:
        plan: Plan | Clarify = plan_of(body.plan)
    elif body.question is not None and body.question.strip():
        plan = session.plans.make(body.question, buckets=tuple(body.buckets or ()))
    else:
        raise UsageError("`question` is a text that is not empty.", next_step="Send a question, or a plan.")
    if isinstance(plan, Clarify):
        asked = plan.model_dump(mode="json")
        return reply(envelope(id=None, plan=None, problems=[], clarification=asked))
    problems = [
        {"node": each.node, "message": each.message, "next_step": each.next_step}
        for each in session.plans.problems(plan)
    ]
    id = None if problems else session.audits.share(plan)
    shown = session.plans.estimate(plan).model_dump(mode="json")
    return reply(envelope(id=id, plan=shown, problems=problems, clarification=None))


@ROUTER.get("/plans/schema", response_model=dict[str, Any])
def plan_schema() -> Response:
    """The JSON schema of plans."""
    return reply(Plan.model_json_schema())


@ROUTER.get("/plans/{id}", response_model=responses.OneAudit)
def get_plan(id: str) -> Response:
    """A plan that was kept for its link."""
    return reply(envelope(audit=AuditRecord.of(services.session().audits.get(id))))


@ROUTER.post("/plans/{id}/run", response_model=responses.PlanRan)
def run_plan(id: str, body: Annotated[RunRequest | None, Body()] = None) -> Response:
    """Run a kept plan.

    Gives the run and the answer; what it gave is kept.
    """
    return reply(ran(id, body))


def ran(id: str, body: RunRequest | None) -> dict[str, Any]:
    """A run of a kept plan with its answer."""
    asked = body or RunRequest()
    values = {
        name: (each,) if isinstance(each, str) else tuple(each)
        for name, each in (asked.parameters or {}).items()
    }
    buckets = None if asked.buckets is None else tuple(asked.buckets)
    kept, answer = services.session().audits.run(id, values, buckets=buckets)
    return envelope(run=RunRecord.of(kept), answer=answer)
