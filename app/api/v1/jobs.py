"""Jobs by REST: listed, followed, stopped."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, Limit, page_of
from app.api.v1.requests import CrawlStart
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import JobId
from core.domain.wire.records import JobDetail, JobRow, job_detail_json
from core.domain.wire.shapes import envelope

ROUTER = APIRouter(tags=["Jobs"])


@ROUTER.get("/jobs", response_model=responses.JobList)
def list_jobs(limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Jobs, newest first."""
    rows, next_cursor = page_of(services.session().jobs.list(), limit, cursor)
    return reply(envelope(jobs=list(map(JobRow.of, rows)), next_cursor=next_cursor))


@ROUTER.get("/jobs/{id}", response_model=JobDetail)
def get_job(id: str) -> Response:
    """A job with the outcome of each input so far."""
    jobs = services.session().jobs
    return reply(job_detail_json(jobs.get(JobId(id)), jobs.items(JobId(id))))


@ROUTER.delete("/jobs/{id}", response_model=JobDetail)
def cancel_job(id: str) -> Response:
    """Stop a job.

    What it has finished stays; it ends within seconds. 409 where it has ended.
    """
    jobs = services.session().jobs
    jobs.cancel(JobId(id))
    return reply(job_detail_json(jobs.get(JobId(id)), jobs.items(JobId(id))))


CRAWLS = APIRouter(tags=["Crawls"])


@CRAWLS.post("/crawls", status_code=202, response_model=responses.CrawlStarted)
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
