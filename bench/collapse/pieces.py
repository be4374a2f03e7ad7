"""Texts divided into documents of like size, which know where they stood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.text.sentences import split_sentences

LEAST, MOST = 600, 900  # characters of a document, its heading apart


@dataclass(frozen=True, slots=True)
class Piece:
    """One document: characters [start, end) of the text of `parent` (normalised) under a heading."""

    path: str
    parent: str
    start: int
    end: int
    heading: str
    body: str

    @property
    def is_whole(self) -> bool:
        """True of a paper of some pages that was not divided."""
        return len(self.body) > 2 * MOST

    @property
    def text(self) -> str:
        """What the file holds."""
        return f"{self.heading}{self.body}\n"

    def place(self, at: int) -> int:
        """Where a character of the parent's text stands in the file."""
        return at - self.start + len(self.heading)


def divide(parent: str, title: str, text: str) -> list[Piece]:
    """The pieces of a text, numbered in headings and paths; one of MOST characters at most stays whole."""
    spans = list(cut(text)) if len(text.strip()) > MOST else [_trimmed(text, 0, len(text))]
    return [
        Piece(
            f"{parent}/{number:04}.txt" if len(spans) > 1 else f"{parent}.txt",
            parent,
            start,
            end,
            f"# {title}, part {number}\n\n" if len(spans) > 1 else f"# {title}\n\n" if title else "",
            text[start:end],
        )
        for number, (start, end) in enumerate(spans, 1)
        if end > start
    ]


def cut(text: str) -> Iterator[tuple[int, int]]:
    """Runs of whole sentences of LEAST to MOST characters, in order; the last may be shorter."""
    begin = end = -1
    for start, stop in (part for span in split_sentences(text) for part in _parts(text, *span)):
        if begin >= 0 and (end - begin >= LEAST or stop - begin > MOST):
            yield begin, end
            begin = -1
        begin, end = start if begin < 0 else begin, stop
    if begin >= 0:
        yield begin, end


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence, at spaces where it is longer than a document."""
    while end - start > MOST:
        gap = text.rfind(" ", start + LEAST, start + MOST)
        border = gap if gap > 0 else start + MOST
        yield _trimmed(text, start, border)
        start = border
    yield _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends."""
    held = text[start:end]
    first = start + len(held) - len(held.lstrip())
    return first, max(first, end - len(held) + len(held.rstrip()))
