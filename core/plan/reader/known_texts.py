"""Vectors of the texts by which shipped fields are known, made once: no first question waits for them."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from core.domain.passage import Matrix, Vector

TEXTS = "texts.npz"

TextPair = tuple[Vector, Vector]
"""A text's vectors in the frozen and the trained space."""


def to_file(texts: Sequence[str], frozen: Matrix, own: Matrix, trained: bytes) -> bytes:
    """The file's content. frozen, own: (texts, d); trained: the arrays of the reader that made `own`."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        allow_pickle=False,
        texts=np.array(list(texts)),
        frozen=frozen.astype(np.float16),
        own=own.astype(np.float16),
        reader=np.array(_digest(trained)),
    )
    return buffer.getvalue()


def read_known_texts(path: Path, trained: Path) -> Mapping[str, TextPair]:
    """Vectors by text; none where the file is missing, damaged, or of another training than `trained`."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            if str(kept["reader"]) != _digest(trained.read_bytes()):
                return {}
            frozen, own = kept["frozen"].astype(np.float32), kept["own"].astype(np.float32)
            return dict(zip(kept["texts"].tolist(), zip(frozen, own, strict=True), strict=True))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}


def _digest(trained: bytes) -> str:
    return hashlib.sha256(trained).hexdigest()
