"""Ledgers of crawls, under the filters of their page, and schemas as files."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from app import services
from app.api.http import NUMBER, PRIVATE
from core.domain.crawl.ledger import Change, LedgerQuery, UrlReason, UrlState
from core.domain.ids import CrawlId
from core.errors import UsageError
from core.workbench.services.crawls import ledger_csv


def ledger(request: Request) -> Response:
    """Its rows as CSV, sent as they are read. Raises UsageError for a filter that there is not."""
    crawl, query = CrawlId(request.path_params["id"]), _query(request)
    crawls = services.session().crawls
    crawls.get(crawl)  # refused or missing before the first line is sent
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="crawl-{crawl[:40]}.csv"'}
    lines = ledger_csv(crawls.every_row(crawl, query))
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)


def _query(request: Request) -> LedgerQuery:
    asked = request.query_params
    depth = asked.get("depth", "")
    try:
        return LedgerQuery(
            states=tuple(UrlState(each) for each in asked.getlist("state")),
            reasons=tuple(UrlReason(each) for each in asked.getlist("reason")),
            changes=tuple(Change(each) for each in asked.getlist("change")),
            depth=int(depth) if NUMBER.match(depth) else None,
            host=asked.get("host", ""),
            text=asked.get("address", ""),
        )
    except ValueError as error:
        raise UsageError(
            f"The ledger has no such filter: {str(error)[:80]}.", next_step="Copy the link from the page."
        ) from None


def schema_file(request: Request) -> Response:
    """A schema as TOML, which a file in another home's folder `schemas` understands."""
    name = request.path_params["name"]
    text = services.session().schemas.export(name)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, media_type="application/toml", headers=headers)


ROUTES = [Route("/crawls/{id:str}/ledger.csv", ledger), Route("/schemas/{name}.toml", schema_file)]
