"""Token ids and their places in a text, windows over long texts, and vectors pooled from token states."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from core.domain.passage import Matrix, Vector
from core.encode.base import EncodedText, TextToEncode
from core.errors import EncoderError

Integers = NDArray[np.int64]
DEFAULT_MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Tokens:
    """The content tokens of one text, special tokens left out: three arrays of equal length."""

    ids: Integers
    starts: Integers
    ends: Integers  # one past the token's last character

    def __len__(self) -> int:
        return len(self.ids)


class WordPieceCounter:
    """A TokenCounter over a model folder's `tokenizer.json`. Thread-safe."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int) -> None:
        tokenizer.no_truncation()  # MiniLM's file says 128, which would silently drop half a passage
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.prefix, self.suffix = _special_ids(tokenizer)
        self._window = max_tokens - len(self.prefix) - len(self.suffix)

    @classmethod
    def load(cls, model_dir: Path | str) -> Self:
        """The counter of the model in `model_dir`. Raises EncoderError where it has no readable tokenizer."""
        folder = Path(model_dir)
        try:
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # tokenizers raises bare Exception for a missing or broken file
            raise EncoderError(
                f"No readable tokenizer.json in {str(folder)!r}.",
                next_step="Name a complete sentence-transformers folder, or 'minilm', as encode.model.",
            ) from error
        return cls(tokenizer, max_tokens(folder))

    @property
    def window(self) -> int:
        """Content tokens of one forward pass: 254 for MiniLM."""
        return self._window

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The character span of every token of `text`, in order; [] for blank text."""
        spans: list[tuple[int, int]] = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return spans

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """Ids and places of the tokens of many texts, on all cores."""
        return [
            _tokens(found) for found in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        ]


def max_tokens(folder: Path) -> int:
    """Most tokens of one forward pass, special tokens included: the folder's own limit, else 512."""
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ):
        value = read_json(folder / name).get(key)
        if isinstance(value, int) and 0 < value < 1_000_000:  # "no limit" is written as 1e30
            return value
    return DEFAULT_MAX_TOKENS


def read_json(path: Path) -> dict[str, object]:
    """The object in `path`; {} where the file is missing or is no JSON object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _special_ids(tokenizer: Tokenizer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Ids that the tokenizer puts before and after a text, e.g. ([CLS],) and ([SEP],)."""
    found = tokenizer.encode("a")
    mask = found.special_tokens_mask
    first = mask.index(0) if 0 in mask else len(mask)
    last = len(mask) - mask[::-1].index(0) if 0 in mask else len(mask)
    return tuple(found.ids[:first]), tuple(found.ids[last:])


def _tokens(found: object) -> Tokens:
    spans = np.asarray(found.offsets, dtype=np.int64).reshape(-1, 2)  # type: ignore[attr-defined]
    return Tokens(np.asarray(found.ids, dtype=np.int64), spans[:, 0], spans[:, 1])  # type: ignore[attr-defined]


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
