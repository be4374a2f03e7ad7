"""An encoder without a model: words hashed into a vector, so that texts with common words are near."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np

from core.domain.passage import Matrix, Vector
from core.encode.base import EncodedText, EncoderSignature, TextToEncode
from core.errors import EncoderError

DIMENSION = 64


class HashedEncoder:
    """An Encoder; after `fail()` it raises EncoderError."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self._is_broken = False

    def fail(self) -> None:
        self._is_broken = True

    @property
    def signature(self) -> EncoderSignature:
        return EncoderSignature("hashed", DIMENSION, "1" * 64)

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        if self._is_broken:
            raise EncoderError("The encoder is broken.", next_step="Mend it.")
        self.queries.extend(texts)
        return np.stack([_vector(text) for text in texts])

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        return [
            EncodedText(
                _vector(item.text),
                np.stack([_vector(item.text[start:end]) for start, end in item.sentences])
                if item.sentences
                else np.zeros((0, DIMENSION), np.float32),
            )
            for item in texts
        ]


def _vector(text: str) -> Vector:
    vector = np.zeros(DIMENSION, np.float32)
    for word in re.findall(r"\w+", text.lower()):
        vector[zlib.crc32(word.encode()) % DIMENSION] += 1
    return vector / np.float32(max(float(np.linalg.norm(vector)), 1e-9))
