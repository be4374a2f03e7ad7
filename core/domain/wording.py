"""Questions that went wrong by their wording: how often, for whom, and what was made of them since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.domain.audit import Outcome

WordingState = Literal["open", "corrected", "all"]
WordingOrder = Literal["last", "count", "question"]


@dataclass(frozen=True, slots=True)
class FailedWording:
    """Questions of one wording that went wrong. ids: of each time, the last first. question: as last written.

    outcomes, users: those that there were, the last first. uncovered: words that were left out. lead: the
    time whose correction holds, else the last one. corrected_at: None until it is corrected; is_taught: by
    marks on its words.
    """

    question: str
    ids: tuple[str, ...]
    lead: str
    outcomes: tuple[Outcome, ...]
    users: tuple[str, ...]
    last_at: datetime
    uncovered: tuple[str, ...] = ()
    corrected_at: datetime | None = None
    corrected_by: str = ""
    is_taught: bool = False

    @property
    def count(self) -> int:
        """Number of times."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class WordingQuery:
    """A choice of wordings. text: in the question, in words left out, or in a name; outcome: "" for any."""

    text: str = ""
    outcome: Outcome | Literal[""] = ""
    state: WordingState = "open"
    order: WordingOrder = "last"
    descending: bool = True

    def matches(self, wording: FailedWording) -> bool:
        """True where a wording is chosen."""
        if self.state != "all" and (wording.corrected_at is None) is not (self.state == "open"):
            return False
        if self.outcome and self.outcome not in wording.outcomes:
            return False
        said = " ".join((wording.question, *wording.uncovered, *wording.users, wording.corrected_by))
        return _folded(self.text) in _folded(said)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class WordingPage:
    """Wordings that were chosen. total: all that match; outcomes: of each, whatever is chosen of them."""

    wordings: tuple[FailedWording, ...]
    total: int
    outcomes: dict[str, int]
