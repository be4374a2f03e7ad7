"""The JSON of searches, documents, jobs, questions and plans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field

from core.domain.answer import Answer, Degradation
from core.domain.document import DocumentSummary, DocumentVersion, confidence_in
from core.domain.job import IngestItem, IngestReport, Job, JobState
from core.domain.wire.shapes import Envelope, Moment, Shape, envelope


class Health(Envelope):
    """Health of the server; who is not signed in sees `status` alone."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    status: Literal["ok", "failed"]
    detail: str | None = None
    engine: str | None = None
    data_version: int | None = None
    documents: int | None = None
    worker_alive: bool | None = None


class Scores(Shape):
    """Parts of a score."""

    keyword: float | None
    semantic: float | None
    best_sentence: float | None


class Hit(Shape):
    """A passage: `text` is the page's text from `start` to `end`. Scores fall with rank."""

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
    scores: Scores | None = None


class SearchResult(Envelope):
    """Hits, best first, and what did not work."""

    hits: tuple[Hit, ...]
    named_documents: tuple[str, ...]
    degradations: tuple[Degradation, ...]


class QuestionState(Envelope):
    """A question and, once there is one, its answer. feedback: right, wrong, or "".

    state: running, done, stopped by its user, or interrupted by the end of the server.
    """

    id: str
    conversation: str
    question: str
    state: Literal["running", "done", "stopped", "interrupted"]
    answer: Answer | None
    feedback: str
    status_url: str = ""
    stream_url: str = ""

    @property
    def is_ended(self) -> bool:
        """True where nothing more will come of it."""
        return self.state != "running"


class PartOfFile(Shape):
    """Things of one kind in a file beside its plain text. state: read, left out (hidden or deleted), unread.

    part: their kind in the plural. read: False only of what can be seen in the file and was not read.
    """

    part: str = Field(validation_alias="kind")
    state: Literal["read", "left out", "unread"]
    read: bool = Field(validation_alias="is_read")
    count: int
    place: str
    reason: str


class DocumentRow(Shape):
    """A document as lists have it. status: ready, unreadable, failed, ..., with the reason beside it.

    gaps: how many parts of its file can be seen and were not read. copies: the ids of other documents of the
    same words.
    """

    id: str
    title: str
    name: str
    source: str
    bucket: str
    status: str
    reason: str = Field(validation_alias="note")
    version: int
    doc_type: str
    language: str
    acl: tuple[str, ...]
    pages: int
    passages: int
    size_bytes: int
    updated_at: Moment
    gaps: int = 0
    copies: tuple[str, ...] = ()

    @classmethod
    def lines(cls, documents: Iterable[DocumentSummary], copies: Mapping[str, tuple[str, ...]]) -> list[Self]:
        """The lines of a list. copies: by document, of those that have any, the others of the same words."""
        return [cls.of(each).model_copy(update={"copies": copies.get(each.id, ())}) for each in documents]


class PageText(Shape):
    """A page, from 1, with its text."""

    page: int = Field(validation_alias="page_no")
    text: str


class WholeDocument(Envelope):
    """A document with the text of its pages and, of the current version, all that it states.

    read_by: null where the file itself holds the text. parts: what was read of its file, what not, and why.
    copies: the ids of other documents of the same words.
    """

    id: str
    title: str
    name: str
    source: str
    bucket: str
    version: int
    doc_type: str
    language: str = ""
    acl: tuple[str, ...]
    status: str
    reason: str
    pages: tuple[PageText, ...]
    images: tuple[str, ...] = ()
    pdfs: tuple[str, ...] = ()
    fields: tuple[dict[str, Any], ...]
    read_by: dict[str, Any] | None = None
    gaps: int = 0
    parts: tuple[PartOfFile, ...] = ()
    copies: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: DocumentVersion) -> Self:
        """The shape of a version, without what it states."""
        about, read = document.summary, confidence_in(document.metadata)
        names = ("id", "title", "name", "source", "bucket", "doc_type", "language", "acl", "status", "gaps")
        more = {
            "version": document.version,
            "reason": about.note,
            "pages": document.pages,
            "images": [link.target for link in document.links if link.kind == "image"],
            "pdfs": [link.target for link in document.links if link.kind == "pdf"],
            "fields": (),
            "parts": tuple(map(PartOfFile.of, document.parts)),
            "read_by": None if read is None else {"method": "ocr", "confidence": read},
        }
        return cls.model_validate({name: getattr(about, name) for name in names} | more)

    def text_of(self, page: int) -> str:
        """Text of a page, "" where there is none of that number."""
        return next((each.text for each in self.pages if each.page == page), "")


class JobInput(Shape):
    """Outcome of one input of a job. id: of its document, null where there came none of it.

    decision: what it was taken for, where its source or its bytes were known; remark: why.
    """

    id: str | None = Field(validation_alias="document")
    source: str
    title: str
    bucket: str
    status: str = Field(validation_alias="outcome")
    reason: str
    pages: int
    passages: int
    gaps: int = 0
    parts: tuple[PartOfFile, ...] = ()
    decision: Literal["", "version", "other", "renamed"] = ""
    remark: str = ""


class JobCurrent(Shape):
    """The input that a job is working on."""

    source: str
    done: int
    total: int
    left_s: float | None


class JobRow(Shape):
    """Progress of a job; ended are done, partial, failed and cancelled."""

    id: str
    kind: str
    title: str
    state: Literal["queued", "running", "done", "partial", "failed", "cancelled"]
    done: int
    total: int
    rate: float | None = None
    eta_s: float | None
    last_item: str = ""
    current: JobCurrent | None = None
    error: str | None
    created_at: Moment = ""
    updated_at: Moment = ""

    @property
    def is_ended(self) -> bool:
        """True where it does not go on any more."""
        return JobState(self.state).is_ended


class JobDetail(JobRow, Envelope):
    """A job with the outcome of each input so far."""

    items: tuple[JobInput, ...]


class PlanMade(Envelope):
    """A plan with what is wrong with it. id: under which it runs; null where it cannot run.

    clarification: the question back, where the question has several readings; `plan` is null then.
    """

    id: str | None
    plan: dict[str, Any] | None
    problems: tuple[dict[str, Any], ...]
    clarification: dict[str, Any] | None


def job_detail_json(job: Job, items: Iterable[IngestItem]) -> dict[str, Any]:
    """A job with what it did to each input."""
    return envelope(**JobRow.of(job).json_ready(), items=list(map(JobInput.of, items)))


def ingest_json(report: IngestReport) -> dict[str, Any]:
    """JSON of one ingest with all its inputs."""
    documents, seconds = list(map(JobInput.of, report.items)), round(report.seconds, 3)
    gone = [{"id": each.id, "source": each.source, "title": each.name} for each in report.vanished]
    return envelope(job=report.job, documents=documents, counts=report.counts, seconds=seconds, vanished=gone)
