"""Protocol of an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.passage import Matrix, Vector


@dataclass(frozen=True, slots=True)
class EncoderSignature:
    """Properties that must be equal for two vectors to be comparable; stored beside every index."""

    name: str
    dimension: int
    sha256: str  # of the weights file


@dataclass(frozen=True, slots=True)
class TextToEncode:
    """A passage's text with its sentence spans (character offsets into `text`)."""

    text: str
    sentences: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class EncodedText:
    """`vector` (d,) and `sentences` (number of spans, d), all of unit norm, float32."""

    vector: Vector
    sentences: Matrix


class TokenCounter(Protocol):
    """Counts and places tokens without loading any weights."""

    @property
    def window(self) -> int:
        """Tokens of content that one forward pass can take, special tokens not counted."""
        ...

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The character span of every token of `text`, in order; [] for blank text."""
        ...


class Encoder(Protocol):
    """Turns text into unit vectors. Thread-safe."""

    @property
    def signature(self) -> EncoderSignature:
        """Identity of the vectors that these may be compared with."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), d); a blank text gives a zero row."""
        ...

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        """Passage and sentence vectors from one forward pass each, in the order given.

        A text longer than the window is encoded in windows and pooled; nothing is cut off.
        A sentence's vector is the mean of its tokens' states within the passage (late pooling).
        """
        ...
