"""Crawls by REST."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.requests import CrawlStart
from core.domain.crawl.request import CrawlRequest
from core.domain.wire.records import JobRow
from core.domain.wire.shapes import envelope

ROUTER = APIRouter(tags=["Crawls"])


@ROUTER.post("/crawls", status_code=202, response_model=responses.CrawlStarted)
def start_crawl(body: CrawlStart) -> Response:
    """Crawl sites.

    Queues the first run; its job tells how far it is, and `groundwork crawl --ledger` every address.
    """
    session = services.session()
    request = CrawlRequest.checked(**body.model_dump(exclude={"dry_run", "schedule"}))
    crawl = session.crawls.start(request, is_dry_run=body.dry_run, schedule=body.schedule)
    job = session.crawls.get(crawl).job
    place = "" if job is None else f"/jobs/{job.id}"
    return reply(envelope(crawl=crawl, job=None if job is None else JobRow.of(job)), 202, place)
