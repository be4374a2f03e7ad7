"""The vectors of field names and descriptions, kept in the home, so that no first question waits for them."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

FOLDER = "cache"


class FieldVectors:
    """A file for one encoder; made anew where it is lost or damaged.

    encoder: the hash of the encoder, whose vectors fit no other.
    """

    def __init__(self, home: Path, encoder: str) -> None:
        self._path = home / FOLDER / f"field-vectors-{encoder[:16]}.npz"

    def load(self) -> dict[str, np.ndarray]:
        """Vectors that are kept, by text; none where the file cannot be read."""
        try:
            with self._path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                return dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return {}

    def save(self, vectors: Mapping[str, np.ndarray]) -> None:
        """Replace the file in one step; where the folder cannot be written nothing is kept."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, part = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
            with os.fdopen(handle, "wb") as file:
                np.savez(file, texts=np.array(list(vectors)), vectors=np.stack(list(vectors.values())))
            os.replace(part, self._path)
        except OSError:
            return
