"""Drill-down of an answer: its lists of documents, its table and its chart, to look at and as files."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from app import services
from app.api.http import PRIVATE, file_name, home_address, number_of
from app.presenting.answer_parts import PART, answer_of, asked_of, citations_of, row_json, rows_of, sheet_of
from app.presenting.charts import chart_of, chart_page, plotly_gzipped
from core.answer.export import LAST_HEADS, typed_column
from core.domain.answer import LEDGER_PARTS, Answer, Citation
from core.domain.fields import Quote
from core.domain.span import PageSpan
from core.errors import NotFoundError
from core.spreadsheet import KINDS, Linked, sheet
from core.workbench.exports.exported_cell import place_address

IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable", "Content-Encoding": "gzip"}
MOST_ROWS = 200


def part(request: Request) -> Response:
    """Some documents of a part: `{total, offset, fields, rows, changed}`.

    fields: names of those that the answer asked for; changed: whether the collection has, since.
    """
    answer, name = _asked(request)
    offset = number_of(request, "offset", 0)
    rows = rows_of(answer, name)
    body = {
        "total": len(rows),
        "offset": offset,
        "rows": [row_json(at, rows[at]) for at in range(offset, min(len(rows), offset + MOST_ROWS))],
        "fields": asked_of(answer),
        "changed": services.bench().data_version() != answer.data_version,
    }
    return JSONResponse(body, headers=PRIVATE)


def part_file(request: Request) -> Response:
    """A part as a file: every document with what it states and where."""
    answer, name = _asked(request)
    heads, lines = sheet_of(answer, name, home_address(request))
    return _file(request, answer, name, heads, list(lines))


def table_file(request: Request) -> Response:
    """The table of an answer as a file; numbers are numbers, days are days, documents are linked."""
    answer = _answer(request)
    table = answer.table
    if table is None:
        raise NotFoundError("This answer has no table.")
    columns = [typed_column(table, at) for at in range(len(table.columns))]
    lines: list[list[object]] = [
        [part for column in columns for part in column.cells[at]] for at in range(len(table.rows))
    ]
    heads = [head for column in columns for head in column.heads]
    if table.documents:
        places, address = citations_of(answer, "row"), home_address(request)
        heads += LAST_HEADS
        for at, (line, id) in enumerate(zip(lines, table.documents, strict=True)):
            link = place_address(address, id, *_place(places.get(at)))
            line[0] = Linked(line[0], link)
            line += [Linked(link, link), id]
    return _file(request, answer, "table", heads, lines)


def _place(citation: Citation | None) -> tuple[int | None, Quote | None]:
    """Version and place of a citation; (None, None) of a document as a whole."""
    if citation is None or not citation.quote:
        return None, None
    span = PageSpan(citation.page, citation.start, citation.end)
    return citation.version, Quote(span, citation.quote)


def _file(
    request: Request, answer: Answer, name: str, heads: Sequence[str], lines: Sequence[Sequence[object]]
) -> Response:
    kind = request.path_params["kind"]
    if kind not in KINDS:
        raise NotFoundError(f"No export as {kind[:20]!r}. Expected csv or xlsx.")
    headers = {
        **PRIVATE,
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": f'attachment; filename="{file_name(answer.question)}-{name}.{kind}"',
    }
    return Response(sheet(kind, heads, lines, _about(answer, name)), media_type=KINDS[kind], headers=headers)


def _about(answer: Answer, name: str) -> list[tuple[str, str]]:
    ledger = answer.ledger
    lines = [
        ("Question", answer.question),
        ("List", name),
        ("State of the collection", str(answer.data_version)),
    ]
    if ledger is not None:
        counts = " + ".join(f"{getattr(ledger, each):,} {each}" for each in LEDGER_PARTS)
        lines.append(("Ledger", f"{ledger.scope:,} in scope = {counts}"))
        lines += [("Scope", ledger.scope_said)] * bool(ledger.scope_said)
    return lines


def chart(request: Request) -> Response:
    """The chart of an answer: `{name, note, figure}`, or null where it has none."""
    found = chart_of(_answer(request))
    body = None if found is None else {"name": found.name, "note": found.note, "figure": found.figure}
    return JSONResponse(body, headers=PRIVATE)


def chart_file(request: Request) -> Response:
    """The chart as a page that works anywhere, without a network."""
    answer = _answer(request)
    found = chart_of(answer)
    if found is None:
        raise NotFoundError("This answer has no chart.")
    headers = {**PRIVATE, "Content-Disposition": 'attachment; filename="chart.html"'}
    return HTMLResponse(chart_page(answer, found), headers=headers)


def plotly(_request: Request) -> Response:
    """The script that draws charts."""
    return Response(plotly_gzipped(), media_type="text/javascript; charset=utf-8", headers=IMMUTABLE)


def _answer(request: Request) -> Answer:
    return answer_of(request.path_params["conversation"], request.path_params["turn"])


def _asked(request: Request) -> tuple[Answer, str]:
    name = request.path_params["part"]
    if not PART.fullmatch(name):
        expected = ", ".join(LEDGER_PARTS)
        raise NotFoundError(f"No part {name[:20]!r} of an answer. Expected one of: {expected}.")
    return _answer(request), name


_TURN = "/conversations/{conversation}/turns/{turn}"
ROUTES = [
    Route("/plotly/{version}.js", plotly),
    Route(_TURN + "/parts/{part}.{kind}", part_file),
    Route(_TURN + "/parts/{part}", part),
    Route(_TURN + "/table.{kind}", table_file),
    Route(_TURN + "/chart.json", chart),
    Route(_TURN + "/chart.html", chart_file),
]
