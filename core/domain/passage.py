"""Passages: the units that are indexed and retrieved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.ids import DocumentId, PassageId
from core.domain.span import PageSpan

Vector = NDArray[np.float32]  # (d,), unit norm
Matrix = NDArray[np.float32]  # (n, d), rows of unit norm


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of text of one document.

    parts: where the text stands, in reading order; one part, except where several short pages
    were joined. `text` is the parts' page texts joined by a newline.
    sentences: spans within `text`, in order, not overlapping.
    """

    document: DocumentId
    version: int
    ordinal: int
    parts: tuple[PageSpan, ...]
    text: str
    section: tuple[str, ...]  # headings above, outermost first
    tokens: int
    sentences: tuple[tuple[int, int], ...]
    images: tuple[str, ...] = ()
    pdfs: tuple[str, ...] = ()

    def locate(self, start: int, end: int) -> PageSpan | None:
        """The page span of `text[start:end]`; None where it crosses from one part into the next."""
        base = 0
        for part in self.parts:
            length = part.end - part.start
            if base <= start and end <= base + length:
                return PageSpan(part.page_no, part.start + start - base, part.start + end - base)
            base += length + 1
        return None


@dataclass(frozen=True, slots=True)
class EncodedPassage:
    """A passage with its vectors: (d,) for the passage, (len(sentences), d) for its sentences."""

    passage: Passage
    vector: Vector
    sentence_vectors: Matrix


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage as records hold it, with its id and what ranking needs to know of its document."""

    id: PassageId
    passage: Passage
    bucket: str
    title: str
    source: str
    doc_type: str
    acl: tuple[str, ...]
    name: str = ""  # of the document as people see it; its title for ""

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.title or self.source)
