"""What the client reads is what the server says that it sends."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from app.api.v1 import responses
from core.client import models

PAIRS: list[tuple[type[BaseModel], type[BaseModel]]] = [
    (models.ServerHealth, responses.Health),
    (models.HitRecord, responses.Hit),
    (models.SearchResponse, responses.SearchResult),
    (models.QuestionRecord, responses.QuestionState),
    (models.DocumentRecord, responses.DocumentRow),
    (models.DocumentPage, responses.PageText),
    (models.DocumentPages, responses.WholeDocument),
    (models.JobInput, responses.JobItem),
    (models.JobRecord, responses.JobDetail),
    (models.PlanRecord, responses.PlanMade),
]


@pytest.mark.parametrize(("read", "sent"), PAIRS)
def test_the_server_sends_every_key_that_the_client_reads(
    read: type[BaseModel], sent: type[BaseModel]
) -> None:
    assert set(read.model_fields) <= set(sent.model_fields)


def test_a_page_that_is_not_there_has_no_text() -> None:
    document = models.DocumentPages(
        id="d", title="", name="", source="", bucket="", version=1, doc_type="", status="", reason="",
        acl=(), pages=(models.DocumentPage(page=1, text="x"),), fields=(),
    )  # fmt: skip
    assert (document.text_of(1), document.text_of(2)) == ("x", "")
