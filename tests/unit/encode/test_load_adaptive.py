from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.domain.passage import Matrix
from core.encode.base import EncodedText, EncoderSignature, TextToEncode
from core.encode.load import AdaptiveEncoder
from core.errors import EncoderError


class CountingEncoder:
    """An encoder of two dimensions that remembers how many passages it saw."""

    def __init__(self, sha256: str = "same") -> None:
        self.signature = EncoderSignature("fake", 2, sha256)
        self.passages = 0

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        return np.ones((len(texts), 2), dtype=np.float32)

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        self.passages += len(texts)
        row = np.ones((1, 2), dtype=np.float32)
        return [EncodedText(row[0], row) for _ in texts]


TEXTS = [TextToEncode("a", ())] * 4


def test_small_work_never_loads_the_large_encoder() -> None:
    small, loads = CountingEncoder(), list[CountingEncoder]()
    encoder = AdaptiveEncoder(small, lambda: loads.append(CountingEncoder()) or loads[0], 8)

    encoder.encode_passages(TEXTS)
    encoder.encode_passages(TEXTS)
    encoder.encode_queries(["a"] * 50)

    assert loads == []
    assert small.passages == 8


def test_once_the_work_is_large_the_large_encoder_does_it() -> None:
    small, large = CountingEncoder(), CountingEncoder()
    encoder = AdaptiveEncoder(small, lambda: large, 8)

    for _ in range(4):
        encoder.encode_passages(TEXTS)

    assert (small.passages, large.passages) == (8, 8)


def test_threads_that_switch_at_once_load_once() -> None:
    loads: list[CountingEncoder] = []
    encoder = AdaptiveEncoder(CountingEncoder(), lambda: loads.append(CountingEncoder()) or loads[-1], 0)

    with ThreadPoolExecutor(4) as executor:
        list(executor.map(encoder.encode_passages, [TEXTS] * 8))

    assert len(loads) == 1
    assert loads[0].passages == 32


def test_a_large_encoder_of_another_model_is_refused() -> None:
    encoder = AdaptiveEncoder(CountingEncoder(), lambda: CountingEncoder("other"), 0)

    with pytest.raises(EncoderError, match="does not fit"):
        encoder.encode_passages(TEXTS)
