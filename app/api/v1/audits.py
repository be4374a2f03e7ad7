"""Audits by REST: plans kept under a name, run, compared, written out and read in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from starlette.responses import JSONResponse, Response

from app import services
from app.api.http import PRIVATE, reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, WholeLimit, page_of
from app.api.v1.plans import ran
from app.api.v1.requests import AuditChange, AuditRequest, RunRequest
from core.domain.audit import Parameter
from core.domain.wire.audits import AuditRecord, AuditRow, OutdatedRecord, RunDifferences, RunRecord
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.plan.ir.serialization import plan_of

ROUTER = APIRouter(tags=["Audits"])
MOST_RUNS = 50


@ROUTER.get("/audits", response_model=responses.AuditList)
def list_audits(limit: WholeLimit = None, cursor: Cursor = None) -> Response:
    """The named audits."""
    rows, next_cursor = page_of(services.session().audits.list(), limit, cursor)
    return reply(envelope(audits=list(map(AuditRow.of, rows)), next_cursor=next_cursor))


@ROUTER.post("/audits", status_code=201, response_model=responses.OneAudit)
def save_audit(body: AuditRequest) -> Response:
    """Keep a plan under a name."""
    made = services.session().audits.save(
        plan_of(body.plan),
        _named(body.name),
        acl=None if body.acl is None else tuple(body.acl),
        parameters=_parameters(body.parameters),
    )
    return reply(envelope(audit=AuditRecord.of(made)), 201, f"/audits/{made.id}")


@ROUTER.post("/audits/import", status_code=201, response_model=responses.OneAudit)
def import_audit(body: Annotated[dict[str, Any], Body()]) -> Response:
    """Keep the plan of a file.

    The body is the file as `export` gives it; its `name` says under which name.
    """
    made = services.session().audits.load(body)
    return reply(envelope(audit=AuditRecord.of(made)), 201, f"/audits/{made.id}")


@ROUTER.get("/audits/outdated", response_model=responses.OutdatedList)
def list_outdated() -> Response:
    """The audits whose evidence has changed since their last run."""
    found = services.session().audits.outdated()
    return reply(envelope(audits=list(map(OutdatedRecord.of, found))))


@ROUTER.get("/audits/{id}", response_model=responses.OneAudit)
def get_audit(id: str) -> Response:
    """One audit."""
    return reply(envelope(audit=AuditRecord.of(services.session().audits.get(id))))


@ROUTER.patch("/audits/{id}", response_model=responses.OneAudit)
def change_audit(id: str, body: AuditChange) -> Response:
    """Change an audit.

    409 where somebody changed it since the version that was looked at. acl: left out, it stays.
    """
    changes: dict[str, Any] = {}
    if "acl" in body.model_fields_set:
        changes["acl"] = None if body.acl is None else tuple(body.acl)
    found = services.session().audits.change(
        id,
        body.expected,
        plan=None if body.plan is None else plan_of(body.plan),
        name=None if body.name is None else _named(body.name),
        parameters=_parameters(body.parameters),
        **changes,
    )
    return reply(envelope(audit=AuditRecord.of(found)))


@ROUTER.delete("/audits/{id}", status_code=204, response_class=Response)
def remove_audit(id: str) -> Response:
    """Take an audit away."""
    services.session().audits.remove(id)
    return Response(status_code=204)


@ROUTER.post("/audits/{id}/restore", response_model=responses.OneAudit)
def restore_audit(id: str) -> Response:
    """Bring a removed audit back."""
    return reply(envelope(audit=AuditRecord.of(services.session().audits.restore(id))))


@ROUTER.get("/audits/{id}/runs", response_model=responses.RunList)
def list_runs(id: str, limit: WholeLimit = None, cursor: Cursor = None) -> Response:
    """The runs of an audit, the newest first; at most the last 50."""
    rows, next_cursor = page_of(services.session().audits.runs(id, limit=MOST_RUNS), limit, cursor)
    return reply(envelope(runs=list(map(RunRecord.of, rows)), next_cursor=next_cursor))


@ROUTER.post("/audits/{id}/runs", status_code=201, response_model=responses.PlanRan)
def run_audit(id: str, body: Annotated[RunRequest | None, Body()] = None) -> Response:
    """Run an audit."""
    found = ran(id, body)
    return reply(found, 201, f"/audits/{id}/runs/{found['run']['id']}")


@ROUTER.get("/audits/{id}/runs/{run}", response_model=responses.OneRun)
def get_run(id: str, run: str) -> Response:
    """A run with what it gave."""
    return reply(envelope(run=RunRecord.of(services.session().audits.get_run(run))))


@ROUTER.get("/audits/{id}/compare", response_model=responses.Comparison)
def compare_runs(
    id: str,
    before: Annotated[str, Query(description="A run; left out, the last but one.")] = "",
    after: Annotated[str, Query(description="A later run; left out, the last.")] = "",
) -> Response:
    """Differences between two runs of an audit."""
    session = services.session()
    if not (before and after):
        before, after = session.audits.last_two_runs(id)
    return reply(envelope(**RunDifferences.of(session.audits.compare(before, after)).json_ready()))


@ROUTER.get("/audits/{id}/export", response_model=dict[str, Any])
def export_audit(id: str) -> Response:
    """An audit as a file that `import` reads."""
    found = services.session().audits.export(id)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="plan-{_file_name(id)}.json"'}
    return JSONResponse(found, headers=headers)


def _file_name(id: str) -> str:
    """The id as a part of a file's name."""
    return "".join(char for char in id if char.isalnum() or char in "-_")[:80] or "audit"


def _named(name: str) -> str:
    if not name.strip():
        raise UsageError("`name` is a text that is not empty.", next_step="Send 'name'.")
    return name


def _parameters(given: list[dict[str, Any]] | None) -> tuple[Parameter, ...] | None:
    if given is None:
        return None
    try:
        return tuple(Parameter.model_validate(each) for each in given)
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"`parameters` cannot be read: {reason}.") from error
