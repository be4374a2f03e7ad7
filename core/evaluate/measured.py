"""A case as it was measured, and a run of a suite: the values that are kept, shown and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from core.domain.frozen import Frozen
from core.domain.job import Job
from core.evaluate.metrics import MetricFigure
from core.evaluate.scoring import CaseResult
from core.evaluate.suite import AnswerShape, Expectation


class CaseMeasures(Frozen):
    """Measures of one case; None where a case has none, as without expected documents.

    claims, citations: how many were shown. unfounded: claims that do not stand in what they rest on, each
    with the reason. broken: citations that are not the stored text. judge: the model that judged, "" for
    none. calls: of language models; failed ones gave nothing.
    """

    precision_at_10: float | None = None
    recall_at_50: float | None = None
    reciprocal_rank: float | None = None
    claims: int = 0
    unfounded: tuple[str, ...] = ()
    citations: int = 0
    broken: tuple[str, ...] = ()
    faithfulness: float | None = None
    answer_relevancy: float | None = None
    context_precision: float | None = None
    context_recall: float | None = None
    latency_ms: float | None = None
    model: str = ""
    judge: str = ""
    calls: int = 0
    failed: int = 0
    tokens: int = 0
    cost_usd: float | None = None


class MeasuredCase(Frozen):
    """A case of a run with what came of it. answer: the first words of its text.

    trace: of the answer, by which the inspector shows it; "" where it was only searched for. documents: ids
    of all that it tells of: who may not see one of them does not see the case. muted: why it does not count.
    skipped: why it was not asked: it has no right answer in this home. expect: what was expected where that
    was not what the suite has, since a scan was read.
    """

    result: CaseResult
    question: str
    bucket: str | None = None
    answer: str = ""
    trace: str = ""
    documents: tuple[str, ...] = ()
    measures: CaseMeasures = CaseMeasures()
    muted: str = ""
    skipped: str = ""
    expect: Expectation | None = None

    @property
    def counts(self) -> bool:
        """True where figures are over it, too."""
        return not (self.muted or self.skipped)

    @property
    def id(self) -> str:
        """Id of the case in its suite."""
        return self.result.id

    @property
    def is_asked(self) -> bool:
        """True where it was answered, and not only searched for."""
        return self.result.shape is not AnswerShape.RETRIEVAL and not self.skipped


class RunVersions(Frozen):
    """Versions that a run was made with; two runs can be compared where they differ in few of them.

    schemas: fingerprint by bucket. prompts: version by name. settings: those that change answers.
    """

    product: str
    data_version: int
    schemas: dict[str, str] = Field(default_factory=dict)
    encoder: str = ""
    model: str = ""
    prompts: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, str] = Field(default_factory=dict)

    def changed(self, other: RunVersions) -> dict[str, tuple[str, str]]:
        """Versions that differ, each with this run's and the other's; "" for what one of them has not."""
        one, two = self.lines(), other.lines()
        names = dict.fromkeys((*one, *two))
        return {name: pair for name in names if len(set(pair := (one.get(name, ""), two.get(name, "")))) > 1}

    def lines(self) -> dict[str, str]:
        """Each version by its name; "" for a model that is not configured."""
        plain = {"product": self.product, "data version": f"{self.data_version:,}", "encoder": self.encoder}
        schemas = {f"schemas of {bucket}": mark for bucket, mark in self.schemas.items()}
        prompts = {f"prompt {name}": mark for name, mark in self.prompts.items()}
        return {**plain, "model": self.model, **schemas, **prompts, **self.settings}


class SuiteKind(StrEnum):
    """Origin of a suite."""

    SHIPPED = "shipped"
    REVIEWS = "reviews"
    HOME = "home"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class SuiteOverview:
    """A suite that can be run. about: a sentence. problem: why it cannot be run here now, "" where it can."""

    name: str
    title: str
    kind: SuiteKind
    about: str
    cases: int
    shapes: dict[str, int] = field(default_factory=dict)
    muted: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A run of a suite. job None: it was made elsewhere. done: cases that are measured, of `total`.

    figures: over what is measured so far, of cases that may be seen. hidden: cases that may not. skipped:
    number of cases that have no right answer here, by the reason.
    """

    id: str
    suite: str
    with_model: bool
    user: str
    created_at: datetime
    total: int
    done: int
    versions: RunVersions
    figures: tuple[MetricFigure, ...]
    job: Job | None = None
    hidden: int = 0
    muted: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    def figure(self, name: str) -> MetricFigure:
        """The figure of a metric."""
        found = next((each for each in self.figures if each.name == name), None)
        return found or MetricFigure(name=name, value=None, reason="It was not measured.")

    @property
    def is_complete(self) -> bool:
        """True where every case is measured."""
        return self.done == self.total


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run with its measured cases, in the order of the suite."""

    run: EvaluationRun
    cases: tuple[MeasuredCase, ...]


@dataclass(frozen=True, slots=True)
class MutedCase:
    """A case that is kept and not counted."""

    suite: str
    case: str
    reason: str
    account: str
    at: datetime
