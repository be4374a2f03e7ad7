"""Contradictions between what documents state: of one thing, at one time, different values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.fields import Quote, TypedValue
from core.domain.ids import DocumentId


@dataclass(frozen=True, slots=True)
class StatingDocument:
    """A document that states something. since, until: when it holds, ISO 8601 or its beginning; "" open.

    amends: it changes an older document. once: nothing newer takes its place, such as an invoice.
    """

    id: DocumentId
    name: str
    version: int
    bucket: str
    schema: str
    since: str = ""
    until: str = ""
    amends: bool = False
    once: bool = False


@dataclass(frozen=True, slots=True)
class ValueStatement:
    """A value that a document states, and where; is_fact: no best guess of an undecided cell."""

    document: StatingDocument
    value: TypedValue
    quote: Quote | None
    is_fact: bool = True


class ContradictionState(StrEnum):
    """State of a contradiction. Possible: values of it are undecided. Resolved: a later document decides."""

    OPEN = "open"
    POSSIBLE = "possible"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class ValueContradiction:
    """Different values of one thing. thing: in words, such as the parties and the name of an agreement.

    about: the name of a field, or the label of lines and columns of tables; title: as people read it.
    sides: one a value, the oldest first. resolved_by: the last side, where it takes the place of the others.
    """

    thing: str
    about: str
    title: str
    sides: tuple[ValueStatement, ...]
    state: ContradictionState = ContradictionState.OPEN

    @property
    def resolved_by(self) -> StatingDocument | None:
        """The document that decides it; None while nothing does."""
        return self.sides[-1].document if self.state is ContradictionState.RESOLVED else None

    @property
    def resolution(self) -> str:
        """The same in words, with its date; "" while nothing decides it."""
        by = self.resolved_by
        if by is None:
            return ""
        deed = "Amended" if by.amends else "Replaced"
        return f"{deed} by {by.name}" + (f" of {by.since}" if by.since else "")


@dataclass(frozen=True, slots=True)
class ContradictionReport:
    """Contradictions, open ones first, resolved ones last. is_whole: False where it was too much to read."""

    contradictions: tuple[ValueContradiction, ...]
    is_whole: bool = True
