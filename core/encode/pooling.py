"""Windows over long texts, and vectors pooled from token states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.domain.passage import Matrix, Vector
from core.encode.base import EncodedText, TextToEncode
from core.encode.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Window:
    """Content tokens `start:stop` of text number `text`, to be taken in one forward pass."""

    text: int
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


def cut_windows(lengths: Sequence[int], limit: int) -> list[Window]:
    """Windows of at most `limit` tokens that cover every text, of nearly equal size within a text.

    Equal sizes, because each window counts alike in the mean: a tail of 3 tokens must not weigh as
    much as 254. A text without tokens gets none.
    """
    windows: list[Window] = []
    for number, length in enumerate(lengths):
        count = -(-length // limit)
        edges = [length * part // count for part in range(count + 1)] if count else []
        windows += [Window(number, start, stop) for start, stop in pairwise(edges)]
    return windows


def sentence_ranges(tokens: Tokens, sentences: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """(sentences, 2): first and one-past-last token of each, a token going where its last character stands.

    The last character, since SentencePiece counts the blank before a word into its token.
    """
    spans = np.asarray(sentences, dtype=np.int64).reshape(-1, 2)
    return np.searchsorted(tokens.ends, spans, side="right")


class Pools:
    """Gathers the window vectors and token states of a list of texts, in any order of windows.

    Each window belongs to one thread at a time; two windows of one text may not be added at once.
    """

    def __init__(
        self, texts: Sequence[TextToEncode], tokens: Sequence[Tokens], dimension: int, state_size: int
    ) -> None:
        self._ranges = [sentence_ranges(t, text.sentences) for t, text in zip(tokens, texts, strict=True)]
        self._state_size = state_size
        self._vectors = np.zeros((len(texts), dimension), dtype=np.float32)
        self._sentences = [np.zeros((len(ranges), state_size), dtype=np.float32) for ranges in self._ranges]

    def add(self, window: Window, vector: Vector, states: Matrix) -> None:
        """Count in one window: its unit vector, and the states of its content tokens (len(window), d)."""
        self._vectors[window.text] += vector
        sums = self._sentences[window.text]
        for row, (first, last) in enumerate(self._ranges[window.text]):
            begin, end = max(first, window.start), min(last, window.stop)
            if begin < end:
                sums[row] += states[begin - window.start : end - window.start].sum(axis=0)

    def results(self, project: Callable[[Matrix], Matrix] | None = None) -> list[EncodedText]:
        """One per text: the mean of its windows and of each sentence's tokens, of unit norm; blank is zero.

        project: what the model does to a mean of states after pooling, (n, state_size) to (n, d).
        """
        vectors = unit(self._vectors)
        if project is None:
            return [EncodedText(v, unit(s)) for v, s in zip(vectors, self._sentences, strict=True)]
        counts = [np.diff(ranges, axis=1) for ranges in self._ranges]
        sizes = np.cumsum([len(c) for c in counts])[:-1]
        count = np.concatenate([*counts, np.zeros((0, 1), dtype=np.int64)])
        means = np.concatenate([*self._sentences, np.zeros((0, self._state_size), dtype=np.float32)])
        means /= np.maximum(count, 1)
        rows = project(means) if len(means) else np.zeros((0, vectors.shape[1]), dtype=np.float32)
        rows = unit(np.where(count > 0, rows, 0))
        return [EncodedText(v, s) for v, s in zip(vectors, np.split(rows, sizes), strict=True)]


def unit(rows: Matrix) -> Matrix:
    """`rows` scaled to unit norm; zero rows stay zero."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(norms == 0, 1, norms), dtype=np.float32)
