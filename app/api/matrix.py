"""The matrix: rows and counts for the grid, cells and their reviews, the work list, and exports."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from app import services
from app.api.http import PRIVATE, json_object, number_of
from app.column_sets import ColumnSets
from app.presenting.answer_parts import waiting
from app.presenting.column_groups import built_in_sets
from app.presenting.field_quality import broken_promise, promise_line, quality_lines
from app.presenting.matrix_rows import cell_json, conditions, counts_json, row_json
from core.domain.fields import Quote, ReviewAction, TypedValue
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixQuery, WorkItem
from core.domain.span import PageSpan
from core.domain.value_text import shown
from core.domain.wire.fields import quote_json
from core.errors import NotFoundError, UsageError
from core.spreadsheet import KINDS
from core.workbench.verdicts import Written, quotes_of

MOST_ROWS, MOST_WORK, MOST_PLACES, MOST_BYTES = 200, 200, 12, 1_000_000
SAMPLE, CONTRADICTED = "model", "contradicted"
_LONGEST_NAME, _LONGEST_WORDS = 100, 300


def rows(request: Request) -> Response:
    """Some rows of a bucket's matrix, sorted and filtered: `{total, offset, rows}`."""
    limit, offset = min(number_of(request, "limit", 100), MOST_ROWS), number_of(request, "offset", 0)
    query = replace(_query(request), limit=limit, offset=offset)
    session = services.session()
    found = session.matrix.page(query)
    alike = session.documents.with_copies([row.document.id for row in found.rows], query.bucket)
    given = [row_json(row, query.fields, alike.get(row.document.id, ())) for row in found.rows]
    return JSONResponse({"total": found.total, "offset": offset, "rows": given}, headers=PRIVATE)


def _query(request: Request) -> MatrixQuery:
    """The rows and columns that the address names. Raises UsageError."""
    asked = request.query_params
    return MatrixQuery(
        asked.get("bucket") or None,
        asked.get("schema", ""),
        tuple(_fields(request)),
        asked.get("text", ""),
        conditions(asked.get("where", "")),
        asked.get("sort", ""),
        asked.get("order") == "falling",
    )


def counts(request: Request) -> Response:
    """Of each field: present, absent, uncertain, unreadable, reviewed, to be checked again."""
    bucket = request.query_params.get("bucket") or None
    found = services.session().matrix.counts(bucket, _fields(request) or None)
    return JSONResponse({name: counts_json(each) for name, each in found.items()}, headers=PRIVATE)


def work(request: Request) -> Response:
    """Cells that wait for a person, best first; `of`: of an answer, a model's sample, or contradicted."""
    bucket = request.query_params.get("bucket") or None
    limit = min(number_of(request, "limit", MOST_WORK), MOST_WORK)
    session, fields = services.session(), _fields(request)
    of, documents = request.query_params.get("of", ""), None
    if of == SAMPLE:
        return _work_json(session.model_cells.sample_items(bucket, fields or None))
    if of == CONTRADICTED:
        found = session.model_cells.contradictions(bucket, fields or None)
        return _work_json([each.item for each in found])
    if of:
        ids, asked = waiting(of)
        documents = [DocumentId(id) for id in ids]
        fields = [name for name in fields if name in asked] or fields
    return _work_json(session.matrix.worklist(bucket, fields or None, limit, documents=documents))


def _work_json(found: Sequence[WorkItem]) -> Response:
    items = [
        {
            "document": each.document,
            "field": each.field,
            "title": each.title,
            "again": each.check_again,
            "probability": round(each.probability, 3),
        }
        for each in found
    ]
    return JSONResponse({"items": items}, headers=PRIVATE)


def cell(request: Request) -> Response:
    """One cell with all that was considered, and its history."""
    document, field = _place(request)
    return JSONResponse(cell_json(services.session().matrix.details(document, field)), headers=PRIVATE)


async def decide(request: Request) -> Response:
    """A verdict: `{action, expected, version, candidates?: [n], values?: [], spans?: [{page, start, end}]}`.

    Beside candidates `saw` may say what they said when they were shown. A value is `{text, span?}`, or
    `{keep: n}` for the n-th that is there. Where a text does not stand in the document, nothing is kept and
    it is named in `{unfound: [text]}`, unless `even_so` is true.
    """
    body = await json_object(request, MOST_BYTES)
    document, field = _place(request)
    return await run_in_threadpool(_decide, document, field, body)


def _decide(document: DocumentId, field: str, body: dict[str, Any]) -> Response:
    session = services.session()
    try:
        action = ReviewAction(body.get("action", ""))
    except ValueError:
        raise UsageError("Unknown action. Expected confirm, correct, absent or undo.") from None
    expected = body.get("expected")
    if expected is not None and not isinstance(expected, int):
        raise UsageError("`expected` is the number of the last event of the cell.")
    value: Sequence[TypedValue] | None = None
    quotes: Sequence[Quote] = ()
    candidates: list[int] | None = None
    if action is ReviewAction.UNDO:
        pass  # whatever else the body says
    elif "candidates" in body:
        candidates = body["candidates"]
        if not isinstance(candidates, list) or not candidates:
            raise UsageError("`candidates` is a list of numbers, from 0.")
        if not all(isinstance(each, int) for each in candidates):
            raise NotFoundError("This cell has no such candidate.", next_step="Open the cell again.")
    else:
        quotes = _quotes(document, body, body.get("spans") or [])
        if body.get("values") or body.get("value"):
            written = _written(document, field, body)
            unfound = [each.value for each in written if not (each.is_found or quotes)]
            if unfound and body.get("even_so") is not True:
                return JSONResponse({"unfound": [shown(each) for each in unfound]}, headers=PRIVATE)
            value = [each.value for each in written]
            quotes = list(dict.fromkeys([*quotes, *(quote for each in written for quote in each.quotes)]))
    saw = body.get("saw")
    kept = session.matrix.decide(
        document,
        field,
        action,
        value=value,
        quotes=quotes,
        candidates=candidates,
        saw=saw if isinstance(saw, str) else None,
        expected=expected,
    )
    return JSONResponse(cell_json(kept), headers=PRIVATE)


def _written(document: DocumentId, field: str, body: dict[str, Any]) -> list[Written]:
    """The values that were written or kept, in order. Raises UsageError, NotFoundError."""
    lines, version = body.get("values") or [{"text": body.get("value")}], body.get("version")
    is_list = isinstance(lines, list) and all(isinstance(each, dict) for each in lines)
    texts = [str(each.get("text", "")) for each in lines if "keep" not in each] if is_list else []
    if not is_list or not all(text.strip() for text in texts):
        raise UsageError("`values` is a list of `{text}` and `{keep}`.")
    session = services.session()
    known = version if isinstance(version, int) else None
    read = iter(session.matrix.read_values(document, field, texts, version=known))
    cell = session.matrix.cell(document, field)
    found: list[Written] = []
    for line in lines:
        keep = line.get("keep")
        if keep is not None:
            if not isinstance(keep, int) or not 0 <= keep < len(cell.finding.values):
                raise NotFoundError("This cell has no such value.", next_step="Open the cell again.")
            found.append(Written(cell.finding.values[keep], quotes_of(cell, keep)))
            continue
        one = next(read)
        marked = _quotes(document, body, [line["span"]]) if line.get("span") else None
        found.append(one if marked is None else Written(one.value, tuple(marked)))
    return found


def _quotes(document: DocumentId, body: dict[str, Any], spans: object) -> list[Quote]:
    """The spans that were marked, with their characters. Raises UsageError, NotFoundError."""
    found, version = [], body.get("version")
    if not isinstance(spans, list) or len(spans) > 50:
        raise UsageError("`spans` is a list of at most 50 places.")
    for span in spans:
        try:
            page_no, start, end = int(span["page"]), int(span["start"]), int(span["end"])
        except (TypeError, KeyError, ValueError):
            raise UsageError("A place needs page, start and end.") from None
        if not isinstance(version, int):
            raise UsageError("`version` is the version of the document whose page was marked.")
        text = services.session().documents.page(document, version, page_no).text
        if not 0 <= start < end <= len(text):
            raise UsageError(
                "The place that was marked is not on this page.", next_step="Mark the words again."
            )
        found.append(Quote(PageSpan(page_no, start, end), text[start:end]))
    return found


def export(request: Request) -> Response:
    """The rows and columns that the page shows as a file, written a document at a time and sent from disk."""
    query, kind = _query(request), request.path_params["kind"]
    if kind not in KINDS:
        raise NotFoundError(f"No export as {kind[:20]!r}. Expected csv or xlsx.")
    handle, path = tempfile.mkstemp(suffix=f".{kind}", prefix="groundwork-matrix-")
    os.close(handle)
    try:
        services.session().matrix.export(path, query, address=str(request.base_url))
    except BaseException:
        Path(path).unlink(missing_ok=True)
        raise
    chosen = [f"{each.field} {each.operator.value} {' '.join(map(str, each.values))}" for each in query.where]
    words = [query.bucket or "all", query.schema, query.text, *chosen]
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", " ".join(words))[:_LONGEST_NAME].strip("-") or "all"
    return FileResponse(
        path,
        filename=f"matrix-{name}.{kind}",
        media_type=KINDS[kind],
        headers={**PRIVATE, "X-Content-Type-Options": "nosniff"},
        background=BackgroundTask(lambda: Path(path).unlink(missing_ok=True)),
    )


def column_sets(request: Request) -> Response:
    """Sets of columns of a bucket's schema: `{sets, built_in}`, fields by the name of the set."""
    bucket, schema = request.query_params.get("bucket", ""), request.query_params.get("schema", "")
    columns = services.session().matrix.columns(bucket or None)
    of_schema = [each for each in columns if not schema or schema in each.schemas]
    found = {"sets": _sets().of(bucket, schema), "built_in": built_in_sets(of_schema)}
    return JSONResponse(found, headers=PRIVATE)


async def change_column_sets(request: Request) -> Response:
    """Keep a set (PUT, with `{fields}`), or forget one (DELETE); gives those that there are then."""
    bucket, name, schema = (request.query_params.get(each, "") for each in ("bucket", "name", "schema"))
    if request.method == "DELETE":
        left = await run_in_threadpool(_sets().remove, bucket, name, schema)
        return JSONResponse(left, headers=PRIVATE)
    fields = (await json_object(request, MOST_BYTES)).get("fields")
    if not isinstance(fields, list) or not all(isinstance(each, str) for each in fields):
        raise UsageError("`fields` is a list of names.")
    known = await run_in_threadpool(_sets().save, bucket, name, fields, schema)
    return JSONResponse(known, headers=PRIVATE)


def _sets() -> ColumnSets:
    return ColumnSets(services.bench().settings.home, services.current_principal())


def _fields(request: Request) -> list[str]:
    return [name for name in request.query_params.get("fields", "").split(",") if name]


def quality(request: Request) -> Response:
    """What is known of how right a field is in a bucket, in plain sentences: `{lines}`; for reviewers."""
    bucket, field = request.query_params.get("bucket", ""), request.query_params.get("field", "")
    thresholds = services.session().thresholds
    found = thresholds.qualities(bucket, [field])[field]
    return JSONResponse({"lines": quality_lines(found, thresholds.outlook(bucket, field))}, headers=PRIVATE)


def promise(request: Request) -> Response:
    """How the promise of a bucket holds on what people checked here: `{text, broken}`; for reviewers."""
    bucket = request.query_params.get("bucket", "")
    cost = next(each for each in services.session().thresholds.promises(bucket) if each.is_chosen)
    broken, line = broken_promise(cost), promise_line(cost)
    text = " ".join(broken) or (f"Promise of clauses ({cost.level.value}), here: {line}." if line else "")
    return JSONResponse({"text": text, "broken": bool(broken)}, headers=PRIVATE)


def places(request: Request) -> Response:
    """Places of words in a version of the document: `{places: [{page, start, end, quote}]}`."""
    document, version = DocumentId(request.path_params["id"]), number_of(request, "version", 0)
    words = request.query_params.get("words", "")[:_LONGEST_WORDS]
    found = services.session().matrix.find_words(document, words, version=version or None, limit=MOST_PLACES)
    return JSONResponse({"places": [quote_json(each) for each in found]}, headers=PRIVATE)


def _place(request: Request) -> tuple[DocumentId, str]:
    return DocumentId(request.path_params["id"]), request.path_params["field"]


ROUTES = [
    Route("/matrix/rows", rows),
    Route("/matrix/counts", counts),
    Route("/matrix/work", work),
    Route("/matrix/cells/{id}/{field}", cell),
    Route("/matrix/cells/{id}/{field}", decide, methods=["POST"]),
    Route("/matrix/places/{id}", places),
    Route("/matrix/quality", quality),
    Route("/matrix/promise", promise),
    Route("/matrix/column-sets", column_sets),
    Route("/matrix/column-sets", change_column_sets, methods=["PUT", "DELETE"]),
    Route("/matrix.{kind}", export),
]
