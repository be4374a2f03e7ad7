"""Crawls by REST."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.v1 import responses
from app.api.v1.reply import reply
from app.api.v1.requests import CrawlStart
from core.domain.crawl.request import CrawlRequest
from core.domain.wire.records import envelope, job_json

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
    return reply(envelope(crawl=crawl, job=None if job is None else job_json(job)), 202, place)
