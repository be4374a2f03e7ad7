"""Words that nothing is called by, read by what they mean: the field whose description is nearest.

Cosine to MiniLM vectors of title and description, on 30 phrases for clauses of contracts: the right field had
.41 to .88 and was first in 22, phrases for nothing there .20 to .38. So from CERTAIN on it is taken, from
NEAR on it is asked for, and below there is no such field.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.encode.base import Encoder, TokenCounter
from core.plan.catalogue import FieldEntry, SchemaEntry, Texts
from core.plan.language.lexicon.lexicon import Lexicon

CERTAIN = 0.60
MARGIN = 0.10  # to the next best
NEAR = 0.35
_KEPT = 5_000  # texts whose vectors are kept


class KeptVectors(Protocol):
    """Store of texts' vectors from one start to the next: a schema has hundreds of texts."""

    def load(self) -> dict[str, np.ndarray]:
        """Those that are kept, by text."""
        ...

    def save(self, vectors: Mapping[str, np.ndarray]) -> None:
        """Keep these in place of what was kept."""
        ...


class FieldMeanings:
    """Vectors of fields, made when first needed. Thread-safe."""

    def __init__(self, encoder: Encoder, kept: KeptVectors | None = None) -> None:
        self._encoder = encoder
        self._kept = kept
        self._lock = threading.Lock()  # guards _vectors
        self._vectors: dict[str, np.ndarray] | None = None

    def warm(self, schemas: Iterable[SchemaEntry]) -> None:
        """Make the vectors of these schemas, so that no question waits for them."""
        self._encoded([text for schema in schemas for field in schema.fields for text in _texts(field)])

    def nearest(self, phrase: str, schema: SchemaEntry, limit: int = 4) -> list[tuple[FieldEntry, float]]:
        """The fields of a schema nearest in meaning to a phrase, best first, with their likeness."""
        if not schema.fields:
            return []
        wanted = np.asarray(self._encoder.encode_queries([phrase]))[0]
        scored: dict[str, tuple[FieldEntry, float]] = {}
        texts = [text for field in schema.fields for text in _texts(field)]
        vectors = self._encoded(texts)
        for field in schema.fields:
            best = max(float(vectors[text] @ wanted) for text in _texts(field))
            scored[field.name] = (field, best)
        return sorted(scored.values(), key=lambda each: -each[1])[:limit]

    def _encoded(self, texts: Sequence[str]) -> dict[str, np.ndarray]:
        with self._lock:
            if self._vectors is None:
                self._vectors = self._kept.load() if self._kept is not None else {}
            known = self._vectors
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            made = np.asarray(self._encoder.encode_queries(missing))
            with self._lock:
                known = {} if len(self._vectors) > _KEPT else dict(self._vectors)
                known.update(zip(missing, made, strict=True))
                self._vectors = known
            if self._kept is not None:
                self._kept.save(known)
        return {text: known[text] for text in texts if text in known}


def _texts(field: FieldEntry) -> tuple[str, ...]:
    said = f"{field.title}. {field.description}".strip()
    return (field.title, said, field.description or field.title)


@dataclass(frozen=True, slots=True)
class Known:
    """Sources that the words of a question are held against. meanings: None tells none by what they mean.

    words: tells words of the language from misspelt ones and from names.
    """

    lexicon: Lexicon
    meanings: FieldMeanings | None
    texts: Texts
    buckets: tuple[str, ...] = ()
    words: TokenCounter | None = None
