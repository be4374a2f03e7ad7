"""Responses of the interface as a program reads them.

Keys that a later server adds are left alone, so that a program of today goes on working with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from core.domain.answer import Answer, Degradation

ENDED = ("done", "partial", "failed", "cancelled")
"""States of a job that has ended."""


class ApiModel(BaseModel):
    """Base of every part of a response."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ServerHealth(ApiModel):
    """Health of the server; without a valid token there is `status` alone."""

    status: str
    detail: str | None = None
    engine: str | None = None
    data_version: int | None = None
    documents: int | None = None
    worker_alive: bool | None = None


class HitRecord(ApiModel):
    """A passage or fact that fits a search: `text` is the page's text from `start` to `end`."""

    rank: int
    score: float
    index: str
    document: str
    title: str
    source: str
    bucket: str
    version: int
    page: int
    start: int
    end: int
    text: str
    section: tuple[str, ...]


class SearchResponse(ApiModel):
    """Hits, best first, and what did not work."""

    hits: tuple[HitRecord, ...]
    named_documents: tuple[str, ...]
    degradations: tuple[Degradation, ...]


class QuestionRecord(ApiModel):
    """A question and, once there is one, its answer. state: running, done, stopped or interrupted."""

    id: str
    conversation: str
    question: str
    state: str
    answer: Answer | None
    feedback: str

    @property
    def is_ended(self) -> bool:
        """True where nothing more will come of it."""
        return self.state != "running"


class DocumentRecord(ApiModel):
    """A document as lists have it. status: ready, unreadable, failed, ..., with the reason beside it."""

    id: str
    title: str
    name: str
    source: str
    bucket: str
    status: str
    reason: str
    version: int
    doc_type: str
    language: str
    acl: tuple[str, ...]
    pages: int
    passages: int
    size_bytes: int
    updated_at: str


class DocumentPage(ApiModel):
    """A page, from 1, with its text."""

    page: int
    text: str


class DocumentPages(ApiModel):
    """A document with the text of its pages and, of the current version, what it states in each field."""

    id: str
    title: str
    name: str
    source: str
    bucket: str
    version: int
    doc_type: str
    status: str
    reason: str
    acl: tuple[str, ...]
    pages: tuple[DocumentPage, ...]
    fields: tuple[dict[str, Any], ...]

    def text_of(self, page: int) -> str:
        """Text of a page, "" where there is none of that number."""
        return next((each.text for each in self.pages if each.page == page), "")


class JobInput(ApiModel):
    """Outcome of one input of a job. id: of its document, None where there came none of it."""

    id: str | None
    source: str
    title: str
    bucket: str
    status: str
    reason: str
    pages: int
    passages: int


class JobRecord(ApiModel):
    """Progress of a job, with the outcome of each input so far where it was asked for by its id."""

    id: str
    kind: str
    title: str
    state: str
    done: int
    total: int
    eta_s: float | None
    error: str | None
    items: tuple[JobInput, ...] = ()

    @property
    def is_ended(self) -> bool:
        """True where it does not go on any more."""
        return self.state in ENDED


class PlanRecord(ApiModel):
    """A plan with what is wrong with it. id: under which it runs, None where it cannot."""

    id: str | None
    plan: dict[str, Any] | None
    problems: tuple[dict[str, Any], ...]
    clarification: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A citation held against its document. before, after: the text of the page around the quote.

    is_exact: the page's text at that place equals the citation's quote, character for character.
    """

    document: str
    page: int
    quote: str
    before: str
    after: str
    is_exact: bool
