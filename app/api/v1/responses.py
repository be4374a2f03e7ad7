"""Bodies of responses, for the OpenAPI document; their JSON is made by `core.domain.wire`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.domain.answer import Answer, Degradation


class ResponseBody(BaseModel):
    """Base of every part of a response. More keys may come, so programs leave alone what they do not know."""

    model_config = ConfigDict(extra="allow")


class Envelope(ResponseBody):
    """Base of every response: `schema` rises when a program of today could not read it any more."""

    schema_: Literal[1] = Field(default=1, alias="schema")


class Fault(ResponseBody):
    """One thing that is wrong with a request. location: the key, as `body.question`."""

    location: str
    message: str


class Problem(ResponseBody):
    """An error, by RFC 9457. code: E001 to E006, where the fault has one."""

    type: str
    title: str
    status: int
    detail: str
    next_step: str
    code: str | None
    request_id: str
    errors: list[Fault] | None = None
    problems: list[dict[str, Any]] | None = None


class Health(Envelope):
    """Health of the server; who is not signed in sees `status` alone."""

    status: Literal["ok", "failed"]
    detail: str | None = None
    engine: str | None = None
    data_version: int | None = None
    documents: int | None = None
    worker_alive: bool | None = None


class Scores(ResponseBody):
    """Parts of a score."""

    keyword: float | None
    semantic: float | None
    best_sentence: float | None


class Hit(ResponseBody):
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
    section: list[str]
    scores: Scores


class SearchResult(Envelope):
    """Hits, best first, and what did not work."""

    hits: list[Hit]
    named_documents: list[str]
    degradations: list[Degradation]


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
    status_url: str
    stream_url: str


class DocumentRow(ResponseBody):
    """A document as lists have it."""

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
    acl: list[str]
    pages: int
    passages: int
    size_bytes: int
    updated_at: str


class DocumentList(Envelope):
    """Documents by title. next_cursor: of the next page, null on the last one."""

    documents: list[DocumentRow]
    total: int
    next_cursor: str | None


class PageText(ResponseBody):
    """A page, from 1, with its text."""

    page: int
    text: str


class WholeDocument(Envelope):
    """A document with the text of its pages and, of the current version, all that it states."""

    id: str
    title: str
    name: str
    source: str
    bucket: str
    version: int
    doc_type: str
    status: str
    reason: str
    acl: list[str]
    pages: list[PageText]
    fields: list[dict[str, Any]]


class Removed(Envelope):
    """Ids of the documents that were removed."""

    removed: list[str]


class Job(ResponseBody):
    """Progress of a job; ended are done, partial, failed and cancelled."""

    id: str
    kind: str
    title: str
    state: Literal["queued", "running", "done", "partial", "failed", "cancelled"]
    done: int
    total: int
    rate: float | None
    eta_s: float | None
    last_item: str
    current: dict[str, Any] | None
    error: str | None
    created_at: str
    updated_at: str


class JobItem(ResponseBody):
    """Outcome of one input of a job."""

    id: str | None
    source: str
    title: str
    bucket: str
    status: str
    reason: str
    pages: int
    passages: int


class JobStarted(Envelope):
    """A job that was queued; `GET jobs/{id}` follows it."""

    job: Job


class JobDetail(Envelope, Job):
    """A job with the outcome of each input so far."""

    items: list[JobItem]


class JobList(Envelope):
    """Jobs, newest first."""

    jobs: list[Job]
    next_cursor: str | None


class CrawlStarted(Envelope):
    """A crawl whose first run was queued."""

    crawl: str
    job: Job | None


class MatrixField(ResponseBody):
    """A column of the matrix."""

    name: str
    type: str
    title: str
    many: bool


class MatrixCell(ResponseBody):
    """Statement of one document in one field, with its places."""

    document: str
    field: str
    value: Any
    status: str
    confidence: float | None
    method: str | None
    spans: list[dict[str, Any]]


class WholeMatrix(Envelope):
    """All cells of a bucket."""

    fields: list[MatrixField]
    documents: list[dict[str, Any]]
    cells: list[MatrixCell]
    pending: dict[str, list[str]]
    not_asked: dict[str, list[str]]


class PlanMade(Envelope):
    """A plan with what is wrong with it. id: under which it runs; null where it cannot run.

    clarification: the question back, where the question has several readings; `plan` is null then.
    """

    id: str | None
    plan: dict[str, Any] | None
    problems: list[dict[str, Any]]
    clarification: dict[str, Any] | None


class Run(ResponseBody):
    """A run of a kept plan; `result` is null in lists."""

    id: str
    audit: str
    audit_version: int
    at: str
    user: str
    data_version: int
    parameters: dict[str, list[str]]
    status: str
    value: dict[str, Any] | None
    counts: dict[str, int]
    latency_ms: float
    is_whole: bool
    result: dict[str, Any] | None


class PlanRan(Envelope):
    """A run with its answer."""

    run: Run
    answer: Answer


class OneRun(Envelope):
    """A run with its result."""

    run: Run


class RunList(Envelope):
    """Runs, the newest first."""

    runs: list[Run]
    next_cursor: str | None


class Audit(ResponseBody):
    """A plan kept under a name. acl: null for its owner alone, [] for everybody; no `plan` in lists."""

    id: str
    name: str
    question: str
    owner: str
    acl: list[str] | None
    version: int
    created_at: str
    updated_at: str
    updated_by: str
    runs: int
    parameters: list[dict[str, Any]]
    plan: dict[str, Any] | None = None


class OneAudit(Envelope):
    """One audit with its plan."""

    audit: Audit


class AuditList(Envelope):
    """The audits that may be seen."""

    audits: list[Audit]
    next_cursor: str | None


class OutdatedList(Envelope):
    """Audits whose evidence has changed since their last run."""

    audits: list[dict[str, Any]]


class Comparison(Envelope):
    """Differences between two runs."""

    before: Run
    after: Run
    new: list[dict[str, Any]]
    gone: list[dict[str, Any]]
    left_answer: list[dict[str, Any]]
    gone_from_collection: list[dict[str, Any]]
    changed: list[dict[str, Any]]
    outside_answer: list[dict[str, Any]]
    unchanged: int
    parameters: list[dict[str, Any]]
    plan_changed: bool


class UncoveredList(Envelope):
    """Words of questions that no condition took, the most frequent first."""

    phrases: list[dict[str, Any]]
    next_cursor: str | None


class FieldPhrases(Envelope):
    """A field with the words that mean it."""

    field: str
    phrases: list[str]


class LessonBody(ResponseBody):
    """A question that went wrong, and its correction."""

    id: str
    question: str
    outcome: str
    uncovered: list[str]
    plan: dict[str, Any] | None
    corrected: dict[str, Any] | None


class OneLesson(Envelope):
    """One question that went wrong."""

    lesson: LessonBody


class LessonList(Envelope):
    """The questions that went wrong."""

    lessons: list[LessonBody]
    next_cursor: str | None
