"""Bodies of requests; whatever a model does not name is refused."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core import plugins

LONGEST_QUESTION = 4_000
MOST_NAMES = 1_000

Names = list[str]


class RequestBody(BaseModel):
    """Base of every body."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class SearchRequest(RequestBody):
    """A search. alpha: share of the meaning in a hybrid search; null for the default of the question's kind.

    where: conditions `field op value`, all of which hold. resolve: search a document that is named first.
    """

    query: str = Field(min_length=1, max_length=LONGEST_QUESTION, examples=["termination for convenience"])
    mode: Literal["hybrid", "keyword", "semantic"] = "hybrid"
    alpha: float | None = Field(default=None, ge=0, le=1)
    top_k: int = Field(default=10, ge=1, le=1_000)
    bucket: str | None = None
    buckets: Names = Field(default=[], max_length=MOST_NAMES)
    documents: Names = Field(default=[], max_length=MOST_NAMES)
    index: Literal["passages", "clauses", "parties", "financials", "summaries"] = "passages"
    where: list[str] = Field(default=[], max_length=20)
    resolve: bool = True


class SummaryRequest(RequestBody):
    """Documents to summarise, or a bucket. write: by the language model, as far as it is new."""

    documents: Names = Field(default=[], max_length=MOST_NAMES)
    bucket: str | None = None
    kind: Literal["executive", "legal", "financial"] = "executive"
    write: bool = False


class QuestionRequest(RequestBody):
    """A question. wait_s: seconds to wait for the answer; 0 gives the question's id at once.

    conversation: one of yours, which a follow-up refers to; null begins one. offline: no language model.
    plan: an edited plan, which is run instead of a planner's.
    """

    question: str = Field(
        min_length=1, max_length=LONGEST_QUESTION, examples=["Which contracts lack a force majeure clause?"]
    )
    bucket: str | None = None
    buckets: Names = Field(default=[], max_length=MOST_NAMES)
    conversation: str | None = None
    offline: bool = False
    plan: dict[str, Any] | None = None
    wait_s: float = Field(default=30.0, ge=0, le=120)


class FeedbackRequest(RequestBody):
    """Opinion of an answer; "" takes it back. id: of the question."""

    id: str = Field(min_length=1, max_length=100)
    feedback: Literal["right", "wrong", ""]


class PlanRequest(RequestBody):
    """A question to be planned, or a plan to be checked."""

    question: str | None = Field(default=None, max_length=LONGEST_QUESTION)
    plan: dict[str, Any] | None = None
    buckets: Names | None = None


class RunRequest(RequestBody):
    """A run of a kept plan. parameters: values by name, one or several each."""

    parameters: dict[str, str | Names] | None = None
    buckets: Names | None = None


class AuditRequest(RequestBody):
    """A plan to be kept under a name. acl: null for the owner alone, [] for everybody, else groups."""

    name: str = Field(min_length=1, max_length=200)
    plan: dict[str, Any]
    acl: Names | None = None
    parameters: list[dict[str, Any]] | None = None


class AuditChange(RequestBody):
    """Changes of an audit. expected: the version that was looked at."""

    expected: int = Field(ge=0, le=10**9)
    name: str | None = Field(default=None, min_length=1, max_length=200)
    plan: dict[str, Any] | None = None
    acl: Names | None = None
    parameters: list[dict[str, Any]] | None = None


class PhraseRequest(RequestBody):
    """Words that mean a field from now on."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    field: str = Field(min_length=1, max_length=200)
    phrase: str = Field(min_length=1, max_length=200)
    of_schema: str | None = Field(default=None, alias="schema", min_length=1, max_length=200)


class RateRequest(RequestBody):
    """A rate; day: ISO 8601, "" for today."""

    currency: str = Field(min_length=1, max_length=40)
    rate: str = Field(min_length=1, max_length=40)
    day: str = Field(default="", max_length=40)
    source: str = Field(default="", max_length=200)


class RatesRequest(RequestBody):
    """Rates to set, or a CSV of them; instead: of all that there are."""

    rates: list[RateRequest] | None = Field(default=None, max_length=10_000)
    csv: str | None = Field(default=None, max_length=5_000_000)
    instead: bool = False


class AccountingRequest(RequestBody):
    """Choices; null leaves one as it is. base: "" for none."""

    base: str | None = Field(default=None, max_length=40)
    dated_by: list[str] | None = Field(default=None, max_length=20)
    fiscal_month: int | None = Field(default=None, ge=1, le=12)


class AskAgainRequest(RequestBody):
    """A shape whose failed questions are asked once more."""

    shape: str = Field(min_length=1, max_length=4_000)


class LessonRequest(RequestBody):
    """A question with the plan that it should have been given. lesson: the failure that this corrects."""

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    plan: dict[str, Any]
    lesson: str | None = Field(default=None, min_length=1, max_length=100)


Verdict = Literal["correct", "wrong", "partly"]


class VerdictOnClaim(RequestBody):
    """A verdict on one claim; claim: its number from 0."""

    claim: int = Field(ge=0, le=1_000)
    verdict: Verdict


class VerdictRequest(RequestBody):
    """A verdict on a flagged answer. revision: of the answer as it was seen; null: as it is now."""

    verdict: Verdict
    note: str = Field(default="", max_length=2_000)
    claims: list[VerdictOnClaim] = Field(default=[], max_length=MOST_NAMES)
    revision: int | None = Field(default=None, ge=0, le=10**9)


class EvaluationStart(RequestBody):
    """A run of a suite. resume: a run that was stopped, and is to go on instead of a new one."""

    suite: str = Field(default="design", min_length=1, max_length=120)
    with_model: bool = False
    resume: str | None = Field(default=None, min_length=1, max_length=64)


class ReindexRequest(RequestBody):
    """A rebuild of the search index beside the one that serves. engine: null for each that is configured."""

    engine: str | None = Field(default=None, min_length=1, max_length=64)

    @field_validator("engine")
    @classmethod
    def _is_installed(cls, engine: str | None) -> str | None:
        names = plugins.registry().plugins(plugins.ENGINES)
        if engine is not None and engine not in names:
            raise ValueError(f"input should be one of: {', '.join(names)}")
        return engine


class CrawlStart(RequestBody):
    """A crawl: its addresses and how far it goes; `groundwork crawl --help` says more of each.

    dry_run: list the addresses and keep nothing. schedule: when it runs again ("day", "week", a cron line).
    """

    urls: list[str] = Field(min_length=1, max_length=20, examples=[["https://example.com/policies"]])
    depth: int = Field(default=2, ge=0, le=4)
    max_pages: int = Field(default=1_000, ge=1, le=1_000_000)
    scope: Literal["host", "domain", "prefix"] = "host"
    include: list[str] = Field(default=[], max_length=50)
    exclude: list[str] = Field(default=[], max_length=50)
    kinds: list[Literal["html", "pdf", "office", "text"]] = Field(default=["html", "pdf"], min_length=1)
    bucket: str = "default"
    acl: Names | None = None
    dry_run: bool = False
    schedule: str = Field(default="", max_length=100)


class DatasetRegistration(RequestBody):
    """Files and folders of the server to register. acl: null as the bucket has it, or as they had before.

    name: of the dataset, where one file is registered. header: where the names of columns stand.
    """

    paths: list[str] = Field(min_length=1, max_length=MOST_NAMES)
    bucket: str = "default"
    acl: Names | None = None
    name: str = Field(default="", max_length=200)
    header: Literal["auto", "first", "none"] = "auto"


class DatasetRename(RequestBody):
    """Another name for people."""

    name: str = Field(min_length=1, max_length=200)


class SqlRequest(RequestBody):
    """One SELECT."""

    sql: str = Field(
        min_length=1, max_length=8_000, examples=["SELECT region, sum(amount) FROM spend GROUP BY 1"]
    )


class VariantRequest(RequestBody):
    """A variant by its name. settings: what differs, by dotted name; {} builds the known one further."""

    name: str = Field(min_length=1, max_length=60)
    settings: dict[str, str] = Field(default_factory=dict, max_length=20)


class CompareRequest(RequestBody):
    """Two variants by name. cases: of a suite; without them the `recent` last questions are asked."""

    left: str = Field(max_length=60)
    right: str = Field(default="home", max_length=60)
    cases: list[dict[str, Any]] = Field(default_factory=list, max_length=1000)
    recent: int = Field(default=50, ge=1, le=1000)
