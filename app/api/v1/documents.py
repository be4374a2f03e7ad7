"""Documents by REST: brought in, listed, read, removed, and their index built anew."""

from __future__ import annotations

import asyncio
import shutil
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, Limit, cursor_of, offset_of
from app.api.v1.requests import ReindexRequest
from app.running.uploads import Staging, refusing
from core.domain.document import DocumentStatus
from core.domain.ids import DocumentId, JobId
from core.domain.job import JobState
from core.domain.wire.records import DocumentRow, JobRow, WholeDocument
from core.domain.wire.shapes import envelope
from core.errors import InputError, NotFoundError, UsageError

ROUTER = APIRouter(tags=["Documents"])
MOST_FILES, MOST_FIELDS = 1_000, 200
_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "minItems": 1,
                            "maxItems": MOST_FILES,
                            "items": {"type": "string", "format": "binary"},
                            "description": "Files and ZIP archives; folders in a file's name are kept.",
                        },
                        "bucket": {"type": "string", "default": "default"},
                        "acl": {
                            "type": "array",
                            "items": {"type": "string"},
                            "description": "Groups that may see them; left out, known ones keep theirs.",
                        },
                    },
                }
            }
        },
    }
}


@ROUTER.get("/documents", response_model=responses.DocumentList)
def list_documents(
    bucket: Annotated[str | None, Query(description="Only this bucket.")] = None,
    status: Annotated[DocumentStatus | None, Query(description="Only this status.")] = None,
    text: Annotated[str, Query(max_length=300, description="Words of the title or source.")] = "",
    gaps: Annotated[bool, Query(description="Only those of whose file not all was read.")] = False,
    copies: Annotated[
        bool, Query(description="Each of several files of the same words; else they are one document.")
    ] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Documents by title, files of the same words as one: the oldest, with the ids of its copies."""
    documents, chosen = services.session().documents, (bucket, status, text, gaps, copies)
    offset = offset_of(cursor, *chosen)
    asked: dict[str, Any] = {"bucket": bucket, "text": text, "has_gaps": gaps, "once": not copies}
    asked["status"] = None if status is None else status.value
    total = documents.count(**asked)
    rows = documents.list(**asked, limit=limit, offset=offset)
    alike = documents.copies([each.id for each in rows], bucket)
    end = offset + len(rows)
    next_cursor = cursor_of(end, *chosen) if rows and end < total else None
    return reply(envelope(documents=DocumentRow.lines(rows, alike), total=total, next_cursor=next_cursor))


@ROUTER.post("/documents", status_code=202, response_model=responses.JobStarted, openapi_extra=_FORM)
async def add_documents(request: Request) -> Response:
    """Bring documents in.

    Files are read by a job, which `GET jobs/{id}` follows. The same file again is `unchanged`, a changed one
    under the same name a new version.
    """
    await run_in_threadpool(services.session().documents.require_ingest)  # before a byte of it is kept
    staging = services.staging()
    batch = staging.new_batch()
    try:
        async with request.form(max_files=MOST_FILES, max_fields=MOST_FIELDS) as form:
            files = [each for each in form.getlist("files") if isinstance(each, UploadFile)]
            names = set(form) - {"files", "bucket", "acl"}
            texts = [each for name in ("bucket", "acl") for each in form.getlist(name)]
            if names or not files or not all(isinstance(each, str) for each in texts):
                raise UsageError(
                    "The form has no files." if not files else "The form has a part that is not known.",
                    next_step="Send one or more parts `files`, and `bucket` and `acl` where wanted.",
                )
            bucket = str(form.get("bucket") or "default")
            groups = [str(each) for each in form.getlist("acl") if each]
            for file in files:
                await asyncio.to_thread(_keep, staging, batch, file)
        job = await run_in_threadpool(_submit, staging, batch, bucket, groups)
    except BaseException:
        await asyncio.to_thread(staging.discard, batch)
        raise
    return reply(envelope(job=job), 202, f"/jobs/{job.id}")


def _keep(staging: Staging, batch: str, file: UploadFile) -> None:
    """Put a file into the batch under its safe name."""
    name, settings = file.filename or "", services.bench().settings.ingest
    target = staging.place(batch, name)
    is_archive = target.suffix.lower() == ".zip"
    most_mb = settings.zip_max_mb if is_archive else settings.max_file_mb
    if (file.size or 0) > most_mb * 1_000_000:
        raise InputError(
            f"the file is larger than {most_mb:,} MB",
            source=name[:200],
            next_step="Split it, or raise ingest.max_file_mb.",
        )
    with refusing(name), target.open("wb") as kept:
        shutil.copyfileobj(file.file, kept)


def _submit(staging: Staging, batch: str, bucket: str, groups: list[str]) -> JobRow:
    session, paths = services.session(), staging.paths(batch)
    staging.sweep([job.id for job in session.jobs.list() if job.state is JobState.DONE])
    count = len(staging.files(batch))
    title = paths[0].name if count == 1 else f"{count:,} files"
    job: JobId = session.documents.submit_ingest(
        paths,
        bucket=bucket,
        acl=groups or None,
        title=f"{title} into {bucket}",
        names=[path.name for path in paths],
    )
    staging.link(batch, job)
    return JobRow.of(session.jobs.get(job))


@ROUTER.post("/documents/reindex", status_code=202, response_model=responses.JobStarted)
def reindex(body: Annotated[ReindexRequest | None, Body()] = None) -> Response:
    """Build the search index anew.

    Beside the one that serves, which is switched when the new one is complete.
    """
    session, engine = services.session(), (body.engine or "") if body is not None else ""
    job = session.jobs.get(session.index.submit_reindex(engine))
    return reply(envelope(job=JobRow.of(job)), 202, f"/jobs/{job.id}")


@ROUTER.get("/documents/{id}", response_model=WholeDocument)
def get_document(
    id: str,
    version: Annotated[int | None, Query(ge=1, le=10**9, description="Left out, the current one.")] = None,
) -> Response:
    """A document with the text of its pages, and of the current version all that it states."""
    return reply(services.session().documents.detail(DocumentId(id), version))


@ROUTER.delete("/documents/{id}", response_model=responses.Removed)
def remove_document(id: str) -> Response:
    """Remove a document with all its versions and its original."""
    removed = services.session().documents.remove([DocumentId(id)])
    if not removed:
        raise NotFoundError(f"There is no document {id[:80]!r}.", next_step="List the documents.")
    return reply(envelope(removed=list(removed)))
