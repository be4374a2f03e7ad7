"""The matrix, and lists of answers as files, by REST."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from app import services
from app.api.http import PRIVATE, file_name, reply
from app.api.v1 import responses
from core.domain.ids import TraceId
from core.domain.wire.contradictions import contradiction_json
from core.domain.wire.fields import dispute_json, matrix_json
from core.domain.wire.shapes import envelope
from core.spreadsheet import KINDS, sheet

ROUTER = APIRouter(tags=["Matrix"])


@ROUTER.get("/matrix", response_model=responses.WholeMatrix)
def whole_matrix(
    bucket: Annotated[str, Query(description="Only this bucket.")] = "",
    fields: Annotated[str, Query(description="Names of fields, with commas; left out, all.")] = "",
) -> Response:
    """All cells of a bucket."""
    names = [name for name in fields.split(",") if name]
    return reply(matrix_json(services.session().matrix.read(bucket or None, names or None)))


@ROUTER.get("/matrix/contradictions", response_model=responses.ContradictionList)
def contradictions(
    bucket: Annotated[str, Query(description="Only this bucket.")] = "",
    fields: Annotated[str, Query(description="Names of fields, with commas; left out, all.")] = "",
) -> Response:
    """Cells that extraction and a model decided differently and no person has, the surest first."""
    session, names = services.session(), [name for name in fields.split(",") if name]
    columns = {each.name: each for each in session.matrix.columns(bucket or None, None)}
    found = session.model_cells.contradictions(bucket or None, names or None)
    known = [each for each in found if each.item.field in columns]
    return reply(envelope(contradictions=[dispute_json(each, columns[each.item.field]) for each in known]))


@ROUTER.get("/contradictions", response_model=responses.DocumentContradictionList)
def contradictions_between(
    bucket: Annotated[str, Query(description="Only this bucket.")] = "",
    fields: Annotated[str, Query(description="Names of fields or labels, with commas; left out, all.")] = "",
    state: Annotated[
        Literal["", "open", "possible", "resolved"], Query(description="Only those of this state.")
    ] = "",
) -> Response:
    """Different values of one thing, in documents and between them, with their places; resolved ones last.

    `is_whole` is false where there were more than are given.
    """
    about = [name for name in fields.split(",") if name]
    report = services.session().matrix.contradictions(bucket or None, about)
    chosen = [each for each in report.contradictions if state in ("", each.state.value)]
    given = [contradiction_json(each) for each in chosen]
    return reply(envelope(contradictions=given, is_whole=report.is_whole))


@ROUTER.get(
    "/answers/{trace}/export.{kind}",
    tags=["Questions"],
    response_class=Response,
    responses={
        200: {
            "description": "The list as a file",
            "content": {media: {"schema": {"type": "string"}} for media in KINDS.values()},
        }
    },
)
def export_list(request: Request, trace: str, kind: Literal["csv", "xlsx"]) -> Response:
    """The list of a kept answer as a file.

    As far as its documents may be seen now: `X-Left-Out` counts the lines of documents that are gone or may
    no longer be seen.
    """
    found = services.session().questions.export(TraceId(trace), address=str(request.base_url))
    name = file_name(found.question)
    about = [("Question", found.question), ("Left out", str(found.left_out))]
    headers = {
        **PRIVATE,
        "X-Content-Type-Options": "nosniff",
        "X-Left-Out": str(found.left_out),
        "Content-Disposition": f'attachment; filename="{name}.{kind}"',
    }
    return Response(sheet(kind, found.heads, found.lines, about), media_type=KINDS[kind], headers=headers)
