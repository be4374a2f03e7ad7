"""Vectors kept by the text that they are of: a document is encoded once, for every run and size."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from core.domain.passage import Matrix
from core.encode.base import EncodedText, Encoder, EncoderSignature, TextToEncode

FILE = "vectors.sqlite"


class KeptVectors:
    """The product's encoder, which is asked for what `folder` does not hold; loaded when first needed."""

    def __init__(self, folder: Path, signature: EncoderSignature, load: Callable[[], Encoder]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._kept = sqlite3.connect(folder / FILE, timeout=60)
        self._kept.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, rows BLOB) WITHOUT ROWID"
        )
        self._signature = signature
        self._load = load
        self._encoder: Encoder | None = None

    @property
    def signature(self) -> EncoderSignature:
        """Of the encoder behind it."""
        return self._signature

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        """By the encoder itself."""
        return self._behind().encode_queries(texts)

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        """Of every text the vectors that are kept, else new ones, which are kept at once."""
        keys = [self._key(text) for text in texts]
        held = {key: rows for key in keys if (rows := self._find(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in held}
        if missing:
            made = self._behind().encode_passages(list(missing.values()))
            rows = {
                key: np.vstack([each.vector, each.sentences]) for key, each in zip(missing, made, strict=True)
            }
            self._keep(rows.items())
            held |= rows
        return [EncodedText(held[key][0], held[key][1:]) for key in keys]

    def _behind(self) -> Encoder:
        self._encoder = self._encoder or self._load()
        return self._encoder

    def _key(self, text: TextToEncode) -> bytes:
        whole = f"{self._signature.sha256}\n{text.sentences}\n{text.text}"
        return hashlib.sha256(whole.encode()).digest()[:16]

    def _find(self, key: bytes) -> Matrix | None:
        row = self._kept.execute("SELECT rows FROM vectors WHERE key = ?", (key,)).fetchone()
        return (
            None if row is None else np.frombuffer(row[0], np.float32).reshape(-1, self._signature.dimension)
        )

    def _keep(self, rows: Iterable[tuple[bytes, Matrix]]) -> None:
        with self._kept:
            self._kept.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                [(key, np.asarray(each, np.float32).tobytes()) for key, each in rows],
            )
