"""The part of a long text that asks: a pasted e-mail has its question somewhere in the middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.text.sentences import split_sentences

MOST_PARTS = 12


def asking_parts(text: str, fits: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Spans of a text that may be its question, each short enough to be read as one.

    Those that end in a question mark where there are any, else all sentences; neighbours together where
    they fit. At most MOST_PARTS, the last ones.
    """
    sentences = [_stripped(text, start, end) for start, end in split_sentences(text)]
    sentences = [(start, end) for start, end in sentences if start < end]
    asking = [(start, end) for start, end in sentences if text[start:end].rstrip("\"')” ").endswith("?")]
    return _joined(text, asking or sentences, fits)[-MOST_PARTS:]


def _joined(
    text: str, parts: Sequence[tuple[int, int]], fits: Callable[[str], bool]
) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in parts:
        if joined and not text[joined[-1][1] : start].strip() and fits(text[joined[-1][0] : end]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
