"""What may be stored as vectors of a variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.domain.passage import Matrix
from core.encode.base import EncodedText, EncoderSignature, TextToEncode
from core.errors import EncoderError
from core.workbench.work.vectors import encoded_by, require_encoder
from tests.support.hashed_encoder import HashedEncoder


class Wrong(HashedEncoder):
    """Gives what it was given."""

    def __init__(self, shape: int, value: float, error: Exception | None = None) -> None:
        super().__init__()
        self._row, self._error = np.full(shape, value, np.float32), error

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        return np.stack([self._row for _ in texts])

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        if self._error is not None:
            raise self._error
        return [EncodedText(self._row, self._row[None])]


def test_an_encoder_must_be_the_one_of_the_set_and_give_vectors() -> None:
    good = HashedEncoder()
    require_encoder(good, good.signature)
    with pytest.raises(EncoderError, match="changed since"):
        require_encoder(good, replace(good.signature, sha256="other"))
    for wrong in (Wrong(3, 1.0), Wrong(64, np.nan)):
        with pytest.raises(EncoderError, match="config says 64"):
            require_encoder(wrong, wrong.signature)


@pytest.mark.parametrize(
    ("encoder", "reason"),
    [
        (Wrong(3, 1.0), "64 finite"),
        (Wrong(64, np.inf), "64 finite"),
        (Wrong(64, 1.0, MemoryError()), "not enough memory"),
        (Wrong(64, 1.0, RuntimeError("DefaultCPUAllocator: can't allocate memory")), "not enough memory"),
    ],
)
def test_what_are_no_vectors_is_never_stored(encoder: Wrong, reason: str) -> None:
    with pytest.raises(EncoderError, match=reason):
        encoded_by(encoder, [])


def test_other_faults_of_an_encoder_are_not_taken_for_memory() -> None:
    with pytest.raises(RuntimeError, match="size mismatch"):
        encoded_by(Wrong(64, 1.0, RuntimeError("size mismatch")), [])
    assert EncoderSignature("hashed", 64, "1" * 64) == Wrong(64, 1.0).signature
