"""Bodies of responses and problems that only REST has, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from core.domain.answer import Answer
from core.domain.wire.accounting import AccountingRecord
from core.domain.wire.audits import (
    AuditRecord,
    AuditRow,
    LessonRecord,
    OutdatedRecord,
    RunDifferences,
    RunRecord,
    UncoveredRecord,
)
from core.domain.wire.datasets import DatasetRecord, DatasetRow
from core.domain.wire.experiments import VariantRecord
from core.domain.wire.failures import FailedShapeRecord
from core.domain.wire.records import DocumentRow, JobRow
from core.domain.wire.shapes import Envelope, Shape


class Fault(Shape):
    """One thing that is wrong with a request. location: the key, as `body.question`."""

    location: str
    message: str


class Problem(Shape):
    """An error, by RFC 9457. code: E001 to E006, where the fault has one."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    type: str
    title: str
    status: int
    detail: str
    next_step: str
    code: str | None
    request_id: str
    errors: list[Fault] | None = None
    problems: list[dict[str, Any]] | None = None


class DocumentList(Envelope):
    """Documents by title. next_cursor: of the next page, null on the last one."""

    documents: tuple[DocumentRow, ...]
    total: int
    next_cursor: str | None


class SummaryAnswer(Envelope):
    """A summary, in the form of an answer."""

    answer: Answer


class Removed(Envelope):
    """Ids of the documents that were removed."""

    removed: tuple[str, ...]


class JobStarted(Envelope):
    """A job that was queued; `GET jobs/{id}` follows it."""

    job: JobRow


class DatasetList(Envelope):
    """Datasets by name."""

    datasets: tuple[DatasetRow, ...]
    families: tuple[DatasetRow, ...]
    next_cursor: str | None


class OneDataset(Envelope):
    """A dataset with all that is known of it."""

    dataset: DatasetRecord


class JobList(Envelope):
    """Jobs, newest first."""

    jobs: tuple[JobRow, ...]
    next_cursor: str | None


class CrawlStarted(Envelope):
    """A crawl whose first run was queued."""

    crawl: str
    job: JobRow | None


class MatrixField(Shape):
    """A column of the matrix."""

    name: str
    type: str
    title: str
    many: bool


class MatrixCell(Shape):
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


class Reading(Shape):
    """Statement of one of two readers on a cell."""

    status: str
    value: Any
    unit: str | None
    spans: list[dict[str, Any]]


class Contradiction(Shape):
    """A cell that extraction and a model decided differently."""

    document: str
    title: str
    field: str
    extraction: Reading
    model: Reading


class ContradictionList(Envelope):
    """Cells that extraction and a model decided differently and no person has."""

    contradictions: list[Contradiction]


class StatedSide(Shape):
    """One value of a contradiction, and where a document states it."""

    document: str
    name: str
    bucket: str
    version: int
    since: str | None
    value: Any
    unit: str | None
    is_fact: bool
    span: dict[str, Any] | None


class DocumentContradiction(Shape):
    """Different values of one thing."""

    state: str
    thing: str
    field: str
    title: str
    resolution: str
    resolved_by: str | None
    sides: list[StatedSide]


class DocumentContradictionList(Envelope):
    """Contradictions in documents and between them."""

    contradictions: list[DocumentContradiction]
    is_whole: bool


class MappedNode(Shape):
    """A party, document, product, place, number or value."""

    id: str
    kind: str
    name: str
    document: str | None
    bucket: str | None
    forms: list[str]


class MappedEdge(Shape):
    """A connection, with the words that state it."""

    source: str
    target: str
    kind: str
    about: str
    probability: float
    places: list[dict[str, Any]]


class WholeMap(Envelope):
    """A map."""

    nodes: list[MappedNode]
    edges: list[MappedEdge]
    left_out: dict[str, int]


class MapWay(Shape):
    """A way: edges[n] joins nodes[n] and nodes[n + 1]."""

    nodes: list[MappedNode]
    edges: list[MappedEdge]


class MapPaths(Envelope):
    """Ways between two nodes."""

    from_: MappedNode = Field(alias="from")
    to: MappedNode
    paths: list[MapWay]
    others: list[MappedNode]


class PlanRan(Envelope):
    """A run with its answer."""

    run: RunRecord
    answer: Answer


class OneRun(Envelope):
    """A run with its result."""

    run: RunRecord


class RunList(Envelope):
    """Runs, the newest first."""

    runs: tuple[RunRecord, ...]
    next_cursor: str | None


class OneAudit(Envelope):
    """One audit with its plan."""

    audit: AuditRecord


class AuditList(Envelope):
    """The audits that may be seen."""

    audits: tuple[AuditRow, ...]
    next_cursor: str | None


class OutdatedList(Envelope):
    """Audits whose evidence has changed since their last run."""

    audits: tuple[OutdatedRecord, ...]


class Comparison(RunDifferences, Envelope):
    """Differences between two runs."""


class UncoveredList(Envelope):
    """Words of questions that no condition took, the most frequent first."""

    phrases: tuple[UncoveredRecord, ...]
    next_cursor: str | None


class FailedShapeList(Envelope):
    """Questions that failed, by their shape."""

    shapes: tuple[FailedShapeRecord, ...]
    next_cursor: str | None


class OneFailedShape(Envelope):
    """The failed questions of one shape, with what was learnt since."""

    shape: FailedShapeRecord


class FieldPhrases(Envelope):
    """A field with the words that mean it."""

    field: str
    phrases: tuple[str, ...]


class OneLesson(Envelope):
    """One question that went wrong."""

    lesson: LessonRecord


class LessonList(Envelope):
    """The questions that went wrong."""

    lessons: tuple[LessonRecord, ...]
    next_cursor: str | None


class ReviewRecord(Shape):
    """A flagged answer. flags: each a `reason` with a `note`; revision: rises with each change."""

    id: str
    trace_id: str
    question: str
    asker: str
    kind: str
    status: str
    confidence: float
    data_version: int
    flags: list[dict[str, str]]
    state: str
    assignee: str | None
    verdict: str | None
    reviewer: str | None
    note: str
    corrections: list[dict[str, Any]]
    revision: int
    flagged_at: str
    resolved_at: str | None


class ReviewList(Envelope):
    """Flagged answers, newest first."""

    reviews: tuple[ReviewRecord, ...]
    total: int
    next_cursor: str | None


class OneReview(Envelope):
    """One flagged answer."""

    review: ReviewRecord


class EvaluationList(Envelope):
    """Suites that can be run, and runs with their figures, newest first."""

    suites: list[dict[str, Any]]
    runs: list[dict[str, Any]]


class EvaluationTrend(Envelope):
    """Runs of a suite, the oldest first: versions, and the value of each metric by its name."""

    suite: str
    runs: list[dict[str, Any]]


class OneEvaluation(Envelope):
    """A run with its versions, figures (each with its definition) and cases so far."""

    run: dict[str, Any]


class EvaluationCompared(Envelope):
    """Two runs: versions in which they differ, figures of the cases of both, and each case.

    change of a case: same, better, worse, changed, only_before or only_after.
    """

    before: dict[str, Any]
    after: dict[str, Any]
    versions: dict[str, list[str]]
    counts: dict[str, int]
    figures: list[dict[str, Any]]
    cases: list[dict[str, Any]]


class OneAccounting(Envelope, AccountingRecord):
    """The base currency, its rates and the fiscal year."""


class VariantList(Envelope):
    """Variants of the home, itself first."""

    variants: tuple[VariantRecord, ...]


class VariantJobStarted(Envelope):
    """The job that does it; null where it is done."""

    job: JobRow | None


class ComparedVariants(Envelope):
    """Two variants over the same questions, the questions that differ most first."""

    left: dict[str, Any]
    right: dict[str, Any]
    questions: int
    overlap_at_10: float
    same_first: float
    differences: tuple[dict[str, Any], ...]
