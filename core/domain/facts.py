"""Facts of documents through their fields, as the workbench gives them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from core.domain.certainty.share import NOTHING_CHECKED, CheckedShare, ShareInterval
from core.domain.document import DocumentSummary
from core.domain.fields import (
    PROMISED,
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
    """Cost of a promise level over the reviewed cells of a bucket.

    reviewed: cells with a person's verdict. present, absent: those that the level would decide so, and how
    many of them are right.
    """

    level: PromiseLevel
    is_chosen: bool
    reviewed: int
    uncertain: float
    present: CheckedShare = NOTHING_CHECKED
    absent: CheckedShare = NOTHING_CHECKED

    @property
    def present_right(self) -> float | None:
        """Share of those called present that is right; None where none was checked."""
        return self.present.share

    @property
    def absent_right(self) -> float | None:
        """Share of those called absent that is right; None where none was checked."""
        return self.absent.share

    @property
    def broken(self) -> tuple[CellStatus, ...]:
        """The statuses of which the interval of what is right lies below the promise."""
        promised = zip((CellStatus.PRESENT, CellStatus.ABSENT), PROMISED[self.level], strict=True)
        checked = {CellStatus.PRESENT: self.present, CellStatus.ABSENT: self.absent}
        return tuple(status for status, share in promised if checked[status].misses(share))


@dataclass(frozen=True, slots=True)
class FieldQuality:
    """Quality of a field in a bucket.

    documents: asked for it; decided of them present or absent; guessed: undecided with a best guess.
    decisions, guesses: those that people checked, and how many of these were right.
    """

    field: str
    documents: int
    decided: int
    guessed: int
    unreadable: int
    pending: int
    decisions: CheckedShare = NOTHING_CHECKED
    guesses: CheckedShare = NOTHING_CHECKED

    @property
    def undecided(self) -> int:
        """Documents that were read and in which it is uncertain, or to be checked again."""
        return self.documents - self.decided - self.unreadable - self.pending


@dataclass(frozen=True, slots=True)
class FieldOutlook:
    """Outlook of some more verdicts on a field, the most doubtful cells first.

    verdicts: how many. interval: of what is right among its decisions, after as many more checks of these.
    decided: other cells expected to be decided; why: where nothing can be said, or none is.
    """

    verdicts: int
    interval: ShareInterval
    decided: float = 0.0
    why: str = ""


def head_probability(finding: Finding) -> float | None:
    """The probability that a head gave a clause; None where no head decided."""
    if finding.method != "head":
        return None
    if finding.status is CellStatus.ABSENT:
        return 1.0 - finding.confidence
    if finding.status is CellStatus.UNCERTAIN:
        return finding.candidates[0].confidence if finding.candidates else None
    return finding.confidence
