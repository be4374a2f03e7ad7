"""The text of a document as a model is given it: in blocks, all of them in one call or in windows of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.extract.base import DocumentText
from core.llm.budget import CHARS_PER_TOKEN

FRAME_TOKENS = 40  # of a block's id, page and fence
_LONGEST_BLOCK = 2_000  # characters
_ENDS = ("\n\n", ".\n", ". ", "\n", " ")  # of paragraphs, sentences, lines and words: the first that there is


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Characters [start, end) of a document's text with the id by which a model names them."""

    id: str
    start: int
    end: int

    @property
    def tokens(self) -> int:
        """Tokens that it takes in a prompt, about."""
        return (self.end - self.start) // CHARS_PER_TOKEN + FRAME_TOKENS


def blocks_of(document: DocumentText) -> tuple[TextBlock, ...]:
    """The whole text, page by page, in pieces that end with a line or a sentence; empty ones are left out."""
    found: list[tuple[int, int]] = []
    for begin, page in zip(document.starts, document.pages, strict=True):
        at, last = begin, begin + len(page.text)
        while at < last:
            end = min(last, at + _LONGEST_BLOCK)
            if end < last:
                ends = (document.text.rfind(mark, at + _LONGEST_BLOCK // 2, end) for mark in _ENDS)
                end = next((cut + 1 for cut in ends if cut > at), end)
            found.append((at, end))
            at = end
    spans = (span for span in found if document.text[slice(*span)].strip())
    return tuple(TextBlock(f"e{at}", *span) for at, span in enumerate(spans, 1))


def windows(blocks: Sequence[TextBlock], room: int) -> list[tuple[TextBlock, ...]]:
    """All blocks in windows of at most `room` tokens, and two blocks at least.

    Each begins with the last block of the one before: what stands across an end is whole in the next.
    """
    found: list[tuple[TextBlock, ...]] = []
    at = 0
    while at < len(blocks):
        end, left = at, room
        while end < len(blocks) and (end - at < 2 or blocks[end].tokens <= left):
            left -= blocks[end].tokens
            end += 1
        found.append(tuple(blocks[at:end]))
        at = end if end == len(blocks) else end - 1
    return found


def around(blocks: Sequence[TextBlock], ids: Iterable[str]) -> tuple[TextBlock, ...]:
    """The blocks of these ids with their neighbours, in reading order."""
    wanted = set(ids)
    near = {
        at + step for at, each in enumerate(blocks) if each.id in wanted for step in (-1, 0, 1)
    }  # fmt: skip
    return tuple(each for at, each in enumerate(blocks) if at in near)
