"""Jobs by REST: listed, followed, stopped."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, Limit, page_of
from app.api.v1.reply import reply
from core.domain.ids import JobId
from core.domain.wire.records import envelope, job_detail_json, job_json

ROUTER = APIRouter(tags=["Jobs"])


@ROUTER.get("/jobs", response_model=responses.JobList)
def list_jobs(limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Jobs, newest first."""
    rows, next_cursor = page_of(services.session().jobs.list(), limit, cursor)
    return reply(envelope(jobs=[job_json(each) for each in rows], next_cursor=next_cursor))


@ROUTER.get("/jobs/{id}", response_model=responses.JobDetail)
def get_job(id: str) -> Response:
    """A job with the outcome of each input so far."""
    jobs = services.session().jobs
    return reply(job_detail_json(jobs.get(JobId(id)), jobs.items(JobId(id))))


@ROUTER.delete("/jobs/{id}", response_model=responses.JobDetail)
def cancel_job(id: str) -> Response:
    """Stop a job.

    What it has finished stays; it ends within seconds. 409 where it has ended.
    """
    jobs = services.session().jobs
    jobs.cancel(JobId(id))
    return reply(job_detail_json(jobs.get(JobId(id)), jobs.items(JobId(id))))
