"""Fields in plain words: verdicts on them, what a trial shows, and what adding them costs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.certainty.share import CheckedShare
from core.domain.document import DocumentSummary
from core.domain.fields import Candidate, CellStatus, Finding, Quote
from core.domain.ids import DocumentId


@dataclass(frozen=True, slots=True)
class FieldVerdict:
    """A person's word on a field of a document. quotes: where it is stated, () where it is not."""

    document: DocumentId
    is_stated: bool
    quotes: tuple[Quote, ...] = ()

    @classmethod
    def of(cls, document: DocumentId, finding: Finding) -> FieldVerdict:
        """The same, of a reviewed cell."""
        return cls(document, finding.status is CellStatus.PRESENT, finding.spans)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A sentence of two documents that states a field in one and not in the other, as people say."""

    sentence: str
    stated_in: DocumentId
    not_in: DocumentId


@dataclass(frozen=True, slots=True)
class ExampleProposal:
    """Words that state a field, or that somebody took for it. quote: on one line.

    states_it: as a person decided; None where extraction and a model disagree. by_model: then, whether it is
    the model that takes them for it.
    """

    quote: str
    document: DocumentId
    title: str
    states_it: bool | None
    by_model: bool = False


class Likelihood(StrEnum):
    """How a document that is shown for a verdict looked before it."""

    LIKELY = "likely"
    UNDECIDED = "undecided"
    UNLIKELY = "unlikely"


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """State of a scan: documents looked at, of how many, and the seconds that it took so far."""

    done: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TrialDocument:
    """A document to judge. chance: that it states the field; candidates: best first, at most three."""

    summary: DocumentSummary
    likelihood: Likelihood
    chance: float
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class WordTrial:
    """Result of a trial. scanned: documents looked at, of `total` in the bucket, in `seconds`.

    first_right: of the judged documents that state the field, those whose first sentence was the right one.
    decided_right: of the verdicts that the head would decide without having seen them, those that agree.
    decided: expected share of the bucket's cells that would be decided. lacking: verdicts that are still
    needed before anything is decided. is_calibrated: the verdicts bear out what is said of chances.
    """

    documents: tuple[TrialDocument, ...]
    scanned: int
    total: int
    seconds: float
    verdicts: int
    first_right: CheckedShare
    decided_right: CheckedShare
    decided: float
    lacking: int
    contradictions: tuple[Contradiction, ...]
    is_calibrated: bool = False


@dataclass(frozen=True, slots=True)
class AddCost:
    """Cost of filling some new fields: cells, and about how many seconds of one core."""

    fields: int
    documents: int
    seconds: float

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.fields * self.documents


@dataclass(frozen=True, slots=True)
class LearntField:
    """State of a field in words: verdicts that stand, those that its head has learnt from, and its figures.

    decides: the head may call documents absent or present.
    """

    verdicts: int
    learnt: int
    decides: bool
    decided: int
    right: int
    contradictions: tuple[Contradiction, ...]
