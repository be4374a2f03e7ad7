"""Datasets by REST: registered, listed, described, asked by SQL, removed."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, WholeLimit, page_of
from app.api.v1.requests import DatasetRegistration, DatasetRename, SqlRequest
from core.domain.ids import DocumentId
from core.domain.wire.datasets import DatasetRecord, DatasetRow, QueryResult
from core.domain.wire.records import JobRow
from core.domain.wire.shapes import envelope

ROUTER = APIRouter(tags=["Datasets"])


@ROUTER.get("/datasets", response_model=responses.DatasetList)
def list_datasets(removed: bool = False, limit: WholeLimit = None, cursor: Cursor = None) -> Response:
    """Datasets by name, a file each, and how each stands to it; families: files that are asked as one."""
    datasets = services.session().datasets
    rows, next_cursor = page_of(datasets.list(removed=removed), limit, cursor)
    families = [] if removed else [DatasetRow.of_dataset(each) for each in datasets.whole() if each.files]
    found = list(map(DatasetRow.of_dataset, rows))
    return reply(envelope(datasets=found, families=families, next_cursor=next_cursor))


@ROUTER.post("/datasets", status_code=202, response_model=responses.JobStarted)
def register_datasets(body: DatasetRegistration) -> Response:
    """Register files and folders of the server.

    A job reads them, which `GET jobs/{id}` follows. A file that is known becomes a new version.
    """
    session = services.session()
    job = session.datasets.submit_register(
        body.paths, bucket=body.bucket, acl=body.acl, name=body.name, header=body.header
    )
    return reply(envelope(job=JobRow.of(session.jobs.get(job))), 202, f"/jobs/{job}")


@ROUTER.post("/datasets/query", response_model=QueryResult)
def query_datasets(body: SqlRequest) -> Response:
    """Run one SELECT over the datasets and tables that may be seen.

    403 with the reason where the statement is refused.
    """
    return reply(services.session().datasets.query(body.sql).json_ready())


@ROUTER.get("/datasets/{id}", response_model=responses.OneDataset)
def get_dataset(id: str) -> Response:
    """A dataset, by its id or its name in SQL, with columns, problems and possible joins."""
    datasets = services.session().datasets
    found, whole = datasets.get(id), datasets.whole()
    joins, apart = datasets.joins(found, whole), datasets.apart(found, whole)
    return reply(envelope(dataset=DatasetRecord.of_whole(found, joins, apart)))


@ROUTER.patch("/datasets/{id}", response_model=responses.OneDataset)
def rename_dataset(id: str, body: DatasetRename) -> Response:
    """Give a dataset another name for people."""
    services.session().datasets.rename(DocumentId(id), body.name)
    return get_dataset(id)


@ROUTER.delete("/datasets/{id}", status_code=204, response_class=Response)
def remove_dataset(id: str) -> Response:
    """Remove a dataset; what cites it can be opened, and `restore` brings it back."""
    services.session().datasets.remove(id)
    return Response(status_code=204)


@ROUTER.post("/datasets/{id}/restore", response_model=responses.OneDataset)
def restore_dataset(id: str) -> Response:
    """Bring a removed dataset back."""
    services.session().datasets.restore(id)
    return get_dataset(id)
