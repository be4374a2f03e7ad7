"""What PDF files are told in: rectangles, bookmarks, fields and annotations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class PdfLockedError(Exception):
    """The file needs a password."""


class PdfDamagedError(Exception):
    """PDFium can make nothing of the file."""


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A bookmark: its level from 1, and the page it leads to, from 1; 0 where it leads nowhere."""

    level: int
    title: str
    page_no: int


class Bounds(NamedTuple):
    """A rectangle in points along the lines of text and upwards, from an origin that a page shares."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> float:
        """Height of its middle."""
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        """Its height."""
        return self.y1 - self.y0

    def union(self, other: Bounds) -> Bounds:
        """The rectangle around both."""
        lows, highs = map(min, self[:2], other[:2]), map(max, self[2:], other[2:])
        return Bounds(*lows, *highs)


class NoteKind(StrEnum):
    """Things on a page beside its content: annotations, and fields of forms."""

    TEXT_FIELD = "text field"
    CHOICE = "choice"
    BOX = "box"  # to be ticked, alone or one of several
    SIGNATURE = "signature"
    FREE_TEXT = "free text"
    STAMP = "stamp"
    COMMENT = "comment"
    STRIKE_OUT = "strike-out"
    FILE = "file"
    MEDIA = "media"


@dataclass(frozen=True, slots=True)
class PageNote:
    """A field or an annotation. text: value, contents, name of a file; label: tooltip or name of a field."""

    kind: NoteKind
    box: Bounds
    text: str = ""
    label: str = ""
    author: str = ""
    quads: tuple[Bounds, ...] = ()
    is_ticked: bool = False
    is_hidden: bool = False
