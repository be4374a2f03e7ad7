"""Documents as the viewer reads them: page images, page text, words and boxes, the original file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from app import services
from app.api.http import NUMBER, PRIVATE, home_address, number_of
from app.presenting.sheet_rows import last_names, sheet_rows
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.span import Box, PageSpan
from core.errors import InputError, NotFoundError
from core.ingest.stored_page import CONTENT_POLICY
from core.spreadsheet import KINDS, Linked, sheet
from core.workbench.exports.exported_cell import place_address

IMMUTABLE = {"Cache-Control": "private, max-age=31536000, immutable"}
HARMLESS = {
    "Cache-Control": "private, max-age=600",  # not for good: what is harmless is decided anew by each release
    "Content-Security-Policy": f"{CONTENT_POLICY}; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox",
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
WIDTHS = (240, 1000, 1600)
MAX_WINDOW = 60_000
MAX_SPANS = 50
MOST_BACK = 60  # pages that are read for the head of a sheet that goes on
_SPAN = re.compile(r"(\d{1,9})-(\d{1,9})\Z")
HEADS = (
    "Document",
    "File",
    "Bucket",
    "Status",
    "Reason",
    "Version",
    "Kind of file",
    "Pages",
    "Passages",
    "Size in bytes",
    "Updated",
    "Link",
    "Document id",
    "Copies",
)


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


def page_rows(request: Request) -> Response:
    """A page of a sheet as rows and cells with their characters, for a grid."""
    document, version, page_no = _page_of(request)
    documents = services.session().documents
    page = documents.page(document, version, page_no)
    names: list[str] = []
    for before in range(page_no - 1, max(0, page_no - MOST_BACK), -1):  # a long sheet goes on over pages
        earlier = documents.page(document, version, before)
        if earlier.label != page.label or (names := last_names(earlier.text)):
            break
    found = sheet_rows(page.text, names)
    return JSONResponse({"label": page.label, **asdict(found)}, headers=IMMUTABLE)


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


def stored_page(request: Request) -> Response:
    """A web page as it was, for a frame: nothing of it runs, and it fetches nothing."""
    path, asked = request.path_params, request.query_params
    match = _SPAN.match(asked.get("span", ""))
    quote = PageSpan(number_of(request, "page", 1), int(match[1]), int(match[2])) if match else None
    found = services.session().documents.stored_page(
        DocumentId(path["id"]), path["version"], quote, asked.get("theme", "")
    )
    if found is None:
        raise NotFoundError("There is no page of the web to show.", next_step="Read the document's text.")
    return HTMLResponse(found, headers=HARMLESS)


def original(request: Request) -> Response:
    """The file as it was ingested, as a download."""
    file = services.session().documents.original(
        DocumentId(request.path_params["id"]), version=_version(request)
    )
    headers = {**PRIVATE, "X-Content-Type-Options": "nosniff"}
    return FileResponse(file.path, filename=file.name, media_type=file.media_type, headers=headers)


def table(request: Request) -> Response:
    """The documents table as a file, under the filters of the page."""
    asked, kind = request.query_params, request.path_params["kind"]
    bucket = asked.get("bucket") or None
    if kind not in KINDS:
        raise NotFoundError(f"No export as {kind[:20]!r}. Expected csv or xlsx.")
    found = services.session().documents.list(
        bucket=bucket,
        status=asked.get("status") or None,
        text=asked.get("text", ""),
        has_gaps=bool(asked.get("has_gaps")),
        has_copies=bool(asked.get("has_copies")),
        with_gone=True,
        once=True,
    )
    base, alike = (
        home_address(request),
        services.session().documents.with_copies([e.id for e in found], bucket),
    )
    lines = [_line(each, alike.get(each.id, ()), place_address(base, each.id)) for each in found]
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="documents.{kind}"'}
    return Response(sheet(kind, HEADS, lines), media_type=KINDS[kind], headers=headers)


def _line(each: DocumentSummary, copies: Sequence[DocumentSummary], link: str) -> list[Any]:
    return [
        Linked(each.name, link),
        each.source,
        each.bucket,
        each.status.value,
        each.note,
        each.version,
        each.doc_type,
        each.pages,
        each.passages,
        each.size_bytes,
        each.updated_at.date(),
        Linked(link, link),
        each.id,
        "; ".join(copy.source for copy in copies),
    ]


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
    Route(f"{PAGE}/rows", page_rows),
    Route(f"{PAGE}/words", page_words),
    Route(f"{PAGE}/boxes", page_boxes),
    Route("/documents/{id}/versions/{version:int}/page.html", stored_page),
    Route("/documents/{id}/original", original),
    Route("/documents.{kind}", table),
]
