"""Facts of documents through their fields, as the workbench gives them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from core.domain.document import DocumentSummary
from core.domain.fields import (
    Cell,
    CellStatus,
    Clause,
    Financial,
    Finding,
    PartyRow,
    PromiseLevel,
    Quote,
    Summary,
    TypedValue,
)
from core.domain.matrix import MatrixColumn


@dataclass(frozen=True, slots=True)
class DateFact:
    """A date that a document's fields state: for a time line."""

    field: str
    title: str
    value: TypedValue
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class DocumentParty:
    """A party of a document as it counts now. quote: None where the document was not found to name it.

    reviewed_by: who decided that it is one, "" for nobody.
    """

    name: str
    normal: str
    quote: Quote | None
    role: str = ""
    entity_type: str = ""
    jurisdiction: str = ""
    identifiers: tuple[tuple[str, str], ...] = ()
    reviewed_by: str = ""

    @classmethod
    def of(cls, row: PartyRow) -> DocumentParty:
        """The same party."""
        about = (row.role, row.entity_type, row.jurisdiction, row.identifiers)
        return cls(row.name, row.normal, row.quote, *about)

    def decided_by(self, user: str) -> DocumentParty:
        """The same, confirmed by this reviewer."""
        return replace(self, reviewed_by=user)

    def as_role(self, role: str) -> DocumentParty:
        """The same in another role."""
        return replace(self, role=role)


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """All that is stated in one document. schema: by which its cells were found, "" before the first time."""

    document: DocumentSummary
    schema: str
    columns: tuple[MatrixColumn, ...]
    cells: tuple[Cell, ...]
    clauses: tuple[Clause, ...] = ()
    parties: tuple[DocumentParty, ...] = ()
    financials: tuple[Financial, ...] = ()
    summaries: tuple[Summary, ...] = ()
    dates: tuple[DateFact, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldThresholds:
    """From which probabilities on a clause counts as present, and below which as absent, in one bucket.

    is_default: as shipped. set_by, set_at: who moved them last, "" and None for nobody.
    """

    field: str
    absent_below: float
    present_from: float
    is_default: bool = True
    set_by: str = ""
    set_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ThresholdCost:
    """Cost of a pair of thresholds over reviewed cells.

    reviewed: cells with a person's verdict. present_right, absent_right: shares of those decided, None where
    none was; missed: real clauses that would be called absent, as a share of all real ones.
    """

    absent_below: float
    present_from: float
    reviewed: int
    uncertain: float
    present_right: float | None
    absent_right: float | None
    missed: float | None


@dataclass(frozen=True, slots=True)
class PromiseCost:
    """Cost of a promise level over the reviewed cells of a bucket; shares as in `ThresholdCost`."""

    level: PromiseLevel
    is_chosen: bool
    reviewed: int
    uncertain: float
    present_right: float | None
    absent_right: float | None


def head_probability(finding: Finding) -> float | None:
    """The probability that a head gave a clause; None where no head decided."""
    if finding.method != "head":
        return None
    if finding.status is CellStatus.ABSENT:
        return 1.0 - finding.confidence
    if finding.status is CellStatus.UNCERTAIN:
        return finding.candidates[0].confidence if finding.candidates else None
    return finding.confidence
