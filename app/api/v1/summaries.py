"""Summaries of documents by REST."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.requests import SummaryRequest
from core.domain.fields import SummaryKind
from core.domain.ids import DocumentId
from core.domain.wire.shapes import envelope
from core.errors import UsageError

ROUTER = APIRouter(tags=["Summaries"])


@ROUTER.post("/summaries", response_model=responses.SummaryAnswer)
def summarise(body: SummaryRequest) -> Response:
    """Summarise documents, or all of a bucket.

    The answer has what fields come to, with who states least and most, what is unusual, and citations.
    `write` has the language model write it, each sentence checked; what it wrote of the same is not paid for
    again, and is given without `write`, too.
    """
    if bool(body.documents) == bool(body.bucket):
        raise UsageError("What is to be summarised?", next_step="Send `documents`, or `bucket`.")
    wanted = (SummaryKind(body.kind), tuple(map(DocumentId, body.documents)), body.bucket)
    summaries = services.session().summaries
    answer = summaries.write(*wanted) if body.write else summaries.show(*wanted)
    return reply(envelope(answer=answer.model_dump(mode="json")))
