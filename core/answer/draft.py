"""Drafts: claims before they are checked and numbered."""

from __future__ import annotations

from dataclasses import dataclass

from core.answer.markdown import flatten
from core.evidence.base import Span


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim to be checked: quoted spans, with a label of our own words before them, or "".

    marker: how the line starts in a list: "-", "1." for its own number, "" for a paragraph of its own.
    """

    spans: tuple[Span, ...]
    label: str = ""
    marker: str = ""

    @property
    def quote(self) -> str:
        """The quoted words, several spans joined by an ellipsis."""
        return " … ".join(flatten(span.quote) for span in self.spans)

    @property
    def text(self) -> str:
        """The claim as a plain sentence."""
        return f"{self.label}: {self.quote}" if self.label else self.quote


@dataclass(frozen=True, slots=True)
class Layout:
    """An answer before checking: drafts in order, with the words of our own around them.

    lead stands before the first claim, aside before the second, closing after the last one. has_rivals:
    the claims state different values, so there is no one direct answer. gaps: what is known to be missing.
    """

    drafts: tuple[Draft, ...]
    lead: str = ""
    aside: str = ""
    closing: str = ""
    is_complete: bool = True
    has_rivals: bool = False
    gaps: tuple[str, ...] = ()
