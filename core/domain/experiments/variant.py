"""Variants of a home: settings that differ from its own, with vectors and an index of their own beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from core.domain.frozen import Frozen
from core.domain.job import Job

HOME = 0
"""Id of the variant that changes nothing: the settings of the home."""

ENCODER, PROFILE = "encode.model", "ingest.profile"
"""Settings of which vectors are: variants that share both share these."""


@dataclass(frozen=True, slots=True)
class HomeVariant:
    """A named set of settings. settings: what differs, by dotted name, such as "encode.model".

    vector_set: of which vectors it searches; variants of one encoder and profile share them.
    """

    id: int
    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    vector_set: int = 0
    created_at: datetime | None = None
    user: str = ""

    @property
    def profile(self) -> str:
        """The chunk profile of its passages; "" for those of the home, as they were ingested."""
        return self.settings.get(PROFILE, "")


@dataclass(frozen=True, slots=True)
class Serving:
    """The variant that answers, and those that did before it, the last one at the end."""

    variant: HomeVariant
    history: tuple[int, ...] = ()

    @property
    def before(self) -> int | None:
        """The variant that a roll-back leads to; None where nothing is before."""
        return next(reversed(self.history), None)


@dataclass(frozen=True, slots=True)
class Lag:
    """A part that lags behind what it is made of, with what brings it up; sentences."""

    kind: Literal["encoder", "vectors", "setting", "index", "fields"]
    text: str
    next_step: str

    @property
    def explanation(self) -> str:
        """Both sentences."""
        return f"{self.text} {self.next_step}".strip()


VariantStatus = Literal["live", "ready", "behind", "waiting", "building", "failed"]
"""waiting: it was never built. behind: documents changed since."""


@dataclass(frozen=True, slots=True)
class VariantState:
    """A variant with how far it is. encoder, dimension: of its vectors; "" and 0 where it has none yet.

    missing: passages that have no vector of it; uncut: documents
    without passages of its profile. job: the newest one that built it.
    """

    variant: HomeVariant
    status: VariantStatus
    is_before: bool
    encoder: str
    dimension: int
    passages: int
    missing: int
    uncut: int
    job: Job | None
    lags: tuple[Lag, ...] = ()


class QuestionDifference(Frozen):
    """One question on both sides. left, right: the first hits, as "document, page". overlap: 0 to 1.

    overlap: of the characters of pages that the first ten hits of one side hold, as many as the other's hold,
    too, over those of the side that found more text. left_rank, right_rank: of the first hit in a place of
    `gold`, which holds the answer; None: none. moved: mean change of rank of hits that both have: two
    are the same where they share half of the shorter one's characters.
    """

    question: str
    overlap: float
    moved: float
    left: tuple[str, ...]
    right: tuple[str, ...]
    gold: tuple[str, ...] = ()
    left_rank: int | None = None
    right_rank: int | None = None


class SideFigures(Frozen):
    """Retrieval of one side over the questions whose documents or pages are known; None where there are none.

    precision, recall: among the first ten hits, as evaluations have them. mrr: mean of 1 / rank of the first
    right one. characters: mean number of those that the first ten hits hold, each counted once.
    """

    variant: str
    known: int
    precision_at_10: float | None
    recall_at_10: float | None
    mrr: float | None
    median_ms: float
    characters: int = 0


class VariantComparison(Frozen):
    """Two variants over the same questions; differences: those that differ most first.

    overlap_at_10: mean of theirs. same_first: share of the questions whose first hits are the same.
    """

    left: SideFigures
    right: SideFigures
    questions: int
    overlap_at_10: float
    same_first: float
    differences: tuple[QuestionDifference, ...]
