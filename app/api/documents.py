"""Documents as the viewer reads them: page images, page text, words and boxes, the original file."""

from __future__ import annotations

import io
import re

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from app import services
from app.api.http import NUMBER, PRIVATE, number_of
from core.domain.ids import DocumentId
from core.domain.span import Box
from core.domain.wire.records import summary_json
from core.errors import InputError, NotFoundError
from core.spreadsheet import write_csv

IMMUTABLE = {"Cache-Control": "private, max-age=31536000, immutable"}
WIDTHS = (240, 1000, 1600)
MAX_WINDOW = 60_000
MAX_SPANS = 50
_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})\Z")
_COLUMNS = "id name title source bucket status reason version doc_type pages passages size_bytes updated_at"
COLUMNS = _COLUMNS.split()


def page_image(request: Request) -> Response:
    """A page as JPEG; 404 where the format has no page images."""
    document, version, page_no = _page_of(request)
    asked = number_of(request, "w", WIDTHS[1])
    width = min(WIDTHS, key=lambda known: abs(known - asked))
    data = services.session().documents.page_image(document, version, page_no, width_px=width)
    if data is None:
        raise NotFoundError("This format has no page images.", next_step="Read the page's text.")
    return Response(data, media_type="image/jpeg", headers=IMMUTABLE)


def page_text(request: Request) -> Response:
    """A window of a page's text with its place; `start` and `end` are clamped to the page."""
    document, version, page_no = _page_of(request)
    page = services.session().documents.page(document, version, page_no)
    total = len(page.text)
    start = max(0, min(number_of(request, "start", 0), total))
    end = max(start, min(number_of(request, "end", total), total, start + MAX_WINDOW))
    body = {
        "page": page_no,
        "label": page.label,
        "start": start,
        "end": end,
        "total": total,
        "text": page.text[start:end],
    }
    return JSONResponse(body, headers=IMMUTABLE)


def page_words(request: Request) -> Response:
    """The words of a page with their boxes, for a text layer over its image."""
    document, version, page_no = _page_of(request)
    words = services.session().documents.words(document, version, page_no)
    return JSONResponse([[word, *_corners(box)] for word, box in words], headers=IMMUTABLE)


def page_boxes(request: Request) -> Response:
    """The boxes of spans of a page: `spans=10-20,40-55`; one list of boxes a span, in order."""
    document, version, page_no = _page_of(request)
    parts = request.query_params.get("spans", "").split(",")
    if len(parts) > MAX_SPANS:
        raise InputError(
            f"More than {MAX_SPANS} places of a page were asked for at once.",
            source=document[:40],
            next_step="Ask for fewer at a time.",
        )
    given = [_SPAN.match(part) for part in parts]
    spans = [(int(match[1]), int(match[2])) for match in given if match]
    boxes = services.session().documents.boxes(document, version, page_no, spans)
    return JSONResponse([[_corners(box) for box in found] for found in boxes], headers=IMMUTABLE)


def original(request: Request) -> Response:
    """The file as it was ingested, as a download."""
    file = services.session().documents.original(
        DocumentId(request.path_params["id"]), version=_version(request)
    )
    headers = {**PRIVATE, "X-Content-Type-Options": "nosniff"}
    return FileResponse(file.path, filename=file.name, media_type=file.media_type, headers=headers)


def table(request: Request) -> Response:
    """The documents table as CSV, under the filters of the page."""
    asked = request.query_params
    found = services.session().documents.list(
        bucket=asked.get("bucket") or None, status=asked.get("status") or None, text=asked.get("text", "")
    )
    out = io.StringIO()
    lines = (summary_json(each) for each in found)
    write_csv(out, (COLUMNS, *([line.get(name) for name in COLUMNS] for line in lines)))
    headers = {**PRIVATE, "Content-Disposition": 'attachment; filename="documents.csv"'}
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def _corners(box: Box) -> list[float]:
    return [round(box.x0, 5), round(box.y0, 5), round(box.x1, 5), round(box.y1, 5)]


def _version(request: Request) -> int | None:
    """The version asked for, None for the current one. Raises NotFoundError for what is no version."""
    value = request.query_params.get("version", "")
    if not value:
        return None
    if not NUMBER.match(value) or not int(value):
        raise NotFoundError(
            f"The document has no version {value[:40]!r}.",
            next_step="Leave the version out for the current one.",
        )
    return int(value)


def _page_of(request: Request) -> tuple[DocumentId, int, int]:
    path = request.path_params
    return DocumentId(path["id"]), path["version"], path["page"]


PAGE = "/documents/{id}/versions/{version:int}/pages/{page:int}"
ROUTES = [
    Route(f"{PAGE}.jpg", page_image),
    Route(f"{PAGE}/text", page_text),
    Route(f"{PAGE}/words", page_words),
    Route(f"{PAGE}/boxes", page_boxes),
    Route("/documents/{id}/original", original),
    Route("/documents.csv", table),
]
