"""Facts about a search index beside its hits: where it is, what it holds, how its last repair went."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.domain.ids import DocumentId
from core.domain.job import Job


@dataclass(frozen=True, slots=True)
class RepairReport:
    """Outcome of a repair.

    checked: passages of the records. missing: not in the index; lost: in it, but their own vector does
    not find them; surplus: entries that the records know nothing of. repaired: of all these, how many are
    right now; unrepaired: documents that still are not. is_rebuilt: the whole index was built anew.
    """

    checked: int
    missing: int
    lost: int
    surplus: int
    repaired: int
    unrepaired: tuple[DocumentId, ...] = ()
    is_rebuilt: bool = False

    @property
    def found(self) -> int:
        """Number of faults."""
        return self.missing + self.lost + self.surplus

    @property
    def is_clean(self) -> bool:
        """True where there was nothing to repair."""
        return self.found == 0


@dataclass(frozen=True, slots=True)
class Repair:
    """A repair that came to its end. reason: why it was made, a sentence; at: when it ended."""

    engine: str
    at: datetime
    seconds: float
    reason: str
    report: RepairReport


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """Contents of one engine now.

    place: a folder or an address. collection, version: its name, and what serves under that name.
    sequence: the last change of the records that it has. waiting: vectors that are not found by meaning yet,
    None where there is no queue. quantiser: how vectors are kept. unlike_settings: what a rebuild
    would change that searches here do not notice, in a sentence; "" where nothing.
    """

    engine: str
    place: str
    collection: str
    version: str
    passages: int
    sequence: int
    waiting: int | None
    quantiser: str
    unlike_settings: str = ""


@dataclass(frozen=True, slots=True)
class EngineState:
    """A configured engine: its facts, or why it cannot be asked and what to do about it.

    is_standby: answers only while the other one cannot. repair: the last one of this engine.
    """

    name: str
    is_standby: bool
    facts: IndexFacts | None
    problem: str = ""
    next_step: str = ""
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class IndexOverview:
    """Every configured engine beside the records that it is built from.

    database: what holds the records, without a password. job: the repair or rebuild that runs or waits, or
    the newest one where it failed or ended within the last minutes.
    """

    engines: tuple[EngineState, ...]
    passages: int
    data_version: int
    database: str
    job: Job | None

    @property
    def is_busy(self) -> bool:
        """True where a repair or a rebuild runs or waits."""
        return self.job is not None and not self.job.state.is_ended
