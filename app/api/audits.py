"""Plans by REST: made for a question or checked, kept, run, compared, and taught."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app import services
from app.api.http import PRIVATE, json_object
from core.domain.audit import Parameter
from core.domain.wire.audits import (
    audit_json,
    comparison_json,
    lesson_json,
    outdated_json,
    run_json,
    uncovered_json,
)
from core.domain.wire.records import envelope
from core.errors import UsageError
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import LARGEST, plan_of

Body = dict[str, Any]


def make(body: Body) -> Body:
    """A plan for `{question, buckets?}`, or `{plan}` checked: `{id, plan, problems, clarification}`.

    id: under which it is kept and runs; null where it cannot run.
    """
    session = services.session()
    if "plan" in body:
        plan: Plan | Clarify = _plan(body["plan"])
    else:
        question = _text(body, "question")
        plan = session.plans.make(question, buckets=_texts(body.get("buckets"), "buckets") or ())
    if isinstance(plan, Clarify):
        asked = plan.model_dump(mode="json")
        return envelope(id=None, plan=None, problems=[], clarification=asked)
    problems = [
        {"node": each.node, "message": each.message, "next_step": each.next_step}
        for each in session.plans.problems(plan)
    ]
    id = None if problems else session.audits.share(plan)
    shown = session.plans.estimate(plan).model_dump(mode="json")
    return envelope(id=id, plan=shown, problems=problems, clarification=None)


def run(body: Body, id: str) -> Body:
    """Run a kept plan with `{parameters?, buckets?}`: `{run, answer}`; what it gave is kept."""
    session = services.session()
    values, buckets = _values(body.get("parameters")), _texts(body.get("buckets"), "buckets")
    kept, answer = session.audits.run(id, values, buckets=buckets)
    return envelope(run=run_json(kept), answer=answer.model_dump(mode="json"))


def schema(_request: Request) -> Response:
    """The JSON schema of plans."""
    return JSONResponse(Plan.model_json_schema(), headers=PRIVATE)


def audits(_request: Request) -> Response:
    """The named audits."""
    found = services.session().audits.list()
    return _answer(envelope(audits=[audit_json(each, with_plan=False) for each in found]))


def outdated(_request: Request) -> Response:
    """The audits whose evidence has changed since their last run."""
    found = services.session().audits.outdated()
    return _answer(envelope(audits=[outdated_json(each) for each in found]))


def audit(request: Request) -> Response:
    """One audit, or a plan that was kept for its link."""
    found = services.session().audits.get(request.path_params["id"])
    return _answer(envelope(audit=audit_json(found)))


def save(body: Body) -> Body:
    """Keep `{name, plan, acl?, parameters?}`; acl: null the owner alone, [] everybody."""
    session = services.session()
    made = session.audits.save(
        _plan(body.get("plan")),
        _text(body, "name"),
        acl=_texts(body.get("acl"), "acl"),
        parameters=_parameters(body),
    )
    return envelope(audit=audit_json(made))


def change(body: Body, id: str) -> Body:
    """Change `{expected, name?, plan?, parameters?, acl?}` of an audit; 409 where somebody came first."""
    expected = body.get("expected")
    if not isinstance(expected, int):
        raise UsageError("`expected` is the version of the audit that was looked at.")
    changes: dict[str, Any] = {"acl": _texts(body["acl"], "acl")} if "acl" in body else {}
    found = services.session().audits.change(
        id,
        expected,
        plan=_plan(body["plan"]) if "plan" in body else None,
        name=_text(body, "name") if "name" in body else None,
        parameters=_parameters(body),
        **changes,
    )
    return envelope(audit=audit_json(found))


def remove(request: Request) -> Response:
    """Take an audit away."""
    services.session().audits.remove(request.path_params["id"])
    return Response(status_code=204)


def restore(_body: Body, id: str) -> Body:
    """Bring a removed audit back."""
    return envelope(audit=audit_json(services.session().audits.restore(id)))


def runs(request: Request) -> Response:
    """The runs of an audit, the newest first."""
    found = services.session().audits.runs(request.path_params["id"], limit=50)
    return _answer(envelope(runs=[run_json(each) for each in found]))


def one_run(request: Request) -> Response:
    """A run with what it gave."""
    found = services.session().audits.get_run(request.path_params["run"])
    return _answer(envelope(run=run_json(found)))


def compare(request: Request) -> Response:
    """Differences between the runs `before` and `after`; by default the last two of the audit."""
    session = services.session()
    before, after = (request.query_params.get(name, "") for name in ("before", "after"))
    if not (before and after):
        before, after = session.audits.last_two_runs(request.path_params["id"])
    return _answer(envelope(**comparison_json(session.audits.compare(before, after))))


def export(request: Request) -> Response:
    """An audit as a file that `import` reads."""
    id = request.path_params["id"]
    found = services.session().audits.export(id)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="plan-{id}.json"'}
    return JSONResponse(found, headers=headers)


def read_in(body: Body) -> Body:
    """Keep the plan of a file, the body of the request; its `name` says under which name."""
    session = services.session()
    return envelope(audit=audit_json(session.audits.load(body)))


def uncovered(_request: Request) -> Response:
    """The words of questions that no condition took, the most frequent first."""
    found = services.session().learning.uncovered()
    return _answer(envelope(phrases=[uncovered_json(each) for each in found]))


def phrase(body: Body) -> Body:
    """Let `{field, phrase, schema?}` mean a field from now on."""
    field, said = _text(body, "field"), _text(body, "phrase")
    of = _text(body, "schema") if "schema" in body else ""
    changed = services.session().learning.add_phrase(field, said, schema=of)
    return envelope(field=changed.name, phrases=list(changed.phrases))


def lessons(_request: Request) -> Response:
    """The questions that went wrong."""
    found = services.session().learning.failures()
    return _answer(envelope(lessons=[lesson_json(each) for each in found]))


def correct(body: Body) -> Body:
    """Teach what `{question, plan, lesson?}` should have been planned as."""
    id = _text(body, "lesson") if "lesson" in body else ""
    question, plan = _text(body, "question"), _plan(body.get("plan"))
    found = services.session().learning.correct(question, plan, lesson=id)
    return envelope(lesson=lesson_json(found))


def forget(request: Request) -> Response:
    """Forget a failure with its correction."""
    services.session().teaching.forget([request.path_params["id"]])
    return Response(status_code=204)


# -- requests ----------------------------------------------------------------------------------------


def _answer(body: Body, status: int = 200) -> Response:
    return JSONResponse(body, status, headers=PRIVATE)


def _posted(work: Callable[..., Body], status: int = 200) -> Callable[[Request], Any]:
    """A route that reads the JSON of a request and works beside the event loop."""

    async def handle(request: Request) -> Response:
        body = await json_object(request, LARGEST)
        named = {name: value for name, value in request.path_params.items() if name == "id"}
        return _answer(await run_in_threadpool(work, body, **named), status)

    handle.__doc__ = work.__doc__
    return handle


def _plan(data: object) -> Plan:
    if not isinstance(data, Mapping):
        raise UsageError("`plan` is a plan as JSON.", next_step="See /api/v1/plans/schema.")
    return plan_of(data)


def _text(body: Body, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"`{name}` is a text that is not empty.", next_step=f"Send {name!r}.")
    return value


def _texts(value: object, name: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f"`{name}` is a list of texts.", next_step=f"Send {name!r} as a list.")
    return tuple(value)


def _values(value: object) -> dict[str, tuple[str, ...]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError("`parameters` is an object of values by name.")
    return {
        str(name): (each,) if isinstance(each, str) else _texts(each, name) or ()
        for name, each in value.items()
    }


def _parameters(body: Body) -> tuple[Parameter, ...] | None:
    given = body.get("parameters")
    if given is None:
        return None
    try:
        return tuple(Parameter.model_validate(each) for each in given)
    except (TypeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"`parameters` cannot be read: {reason}.") from error


ROUTES = [
    Route("/v1/plans", _posted(make), methods=["POST"]),
    Route("/v1/plans/schema", schema),
    Route("/v1/plans/{id}", audit),
    Route("/v1/plans/{id}/run", _posted(run), methods=["POST"]),
    Route("/v1/audits", audits),
    Route("/v1/audits", _posted(save, 201), methods=["POST"]),
    Route("/v1/audits/import", _posted(read_in, 201), methods=["POST"]),
    Route("/v1/audits/outdated", outdated),
    Route("/v1/audits/{id}", audit),
    Route("/v1/audits/{id}", _posted(change), methods=["PATCH"]),
    Route("/v1/audits/{id}", remove, methods=["DELETE"]),
    Route("/v1/audits/{id}/restore", _posted(restore), methods=["POST"]),
    Route("/v1/audits/{id}/runs", runs),
    Route("/v1/audits/{id}/runs", _posted(run, 201), methods=["POST"]),
    Route("/v1/audits/{id}/runs/{run}", one_run),
    Route("/v1/audits/{id}/compare", compare),
    Route("/v1/audits/{id}/export", export),
    Route("/v1/uncovered", uncovered),
    Route("/v1/phrases", _posted(phrase), methods=["POST"]),
    Route("/v1/lessons", lessons),
    Route("/v1/lessons", _posted(correct, 201), methods=["POST"]),
    Route("/v1/lessons/{id}", forget, methods=["DELETE"]),
]
