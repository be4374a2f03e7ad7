"""Evidence that has changed: how a cited place stands in its document as it is now, and old and new text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from core.domain.ids import DocumentId
from core.domain.span import PageSpan

Side = Literal["same", "removed", "added"]


class EvidenceState(StrEnum):
    """State of a cited place by the document as it is now."""

    CURRENT = "current"  # no newer version
    SAME_WORDS = "same_words"  # there is one; the quoted words and their paragraph are as they were
    CHANGED = "changed"
    GONE = "gone"  # withdrawn: its source gives it no more
    REMOVED = "removed"  # not there, or not for who asks


@dataclass(frozen=True, slots=True)
class EvidenceStanding:
    """How a cited place stands now. version: the cited one; newest: the current one, 0 where there is none.

    at: when the current version came, or since when the document is gone. stands: True where the quoted words
    stand in the current version; place: where. note: the same in words, "" of what is current.
    """

    document: DocumentId
    state: EvidenceState
    version: int
    newest: int
    at: datetime | None = None
    stands: bool = True
    place: PageSpan | None = None
    note: str = ""

    @property
    def is_other(self) -> bool:
        """True where who relies on the place should look at it again."""
        return self.state not in (EvidenceState.CURRENT, EvidenceState.SAME_WORDS)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A run of characters of a paragraph, that is only in the old text, only in the new one, or in both."""

    side: Side
    text: str


@dataclass(frozen=True, slots=True)
class ParagraphChange:
    """A paragraph in two versions: its parts "same" and "removed" were it, "same" and "added" are it now.

    before_page, after_page: None where the paragraph is new, or is no longer there. is_cited: it holds the
    quoted words.
    """

    parts: tuple[TextPart, ...]
    before_page: int | None
    after_page: int | None
    is_cited: bool = False

    @property
    def before(self) -> str:
        """The paragraph as it was; "" where it is new."""
        return "".join(part.text for part in self.parts if part.side != "added")

    @property
    def now(self) -> str:
        """The paragraph as it is; "" where it is no longer there."""
        return "".join(part.text for part in self.parts if part.side != "removed")


@dataclass(frozen=True, slots=True)
class TextComparison:
    """Changed paragraphs between a version and the current one, the cited first. left_out: further ones."""

    before_version: int
    version: int
    changes: tuple[ParagraphChange, ...] = ()
    left_out: int = 0
