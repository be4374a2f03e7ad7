"""Small passages with vectors, for tests of engines."""

from __future__ import annotations

import numpy as np

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Passage, StoredPassage, Vector
from core.domain.span import PageSpan
from core.encode.base import EncoderSignature
from core.index.base import Filter, Mode, SearchRequest
from core.store.base import IndexedPassage

DIMENSION = 8
SIGNATURE = EncoderSignature("toy", DIMENSION, "0" * 64)


def toward(*parts: float) -> Vector:
    """A unit vector with these first components, zero elsewhere."""
    vector = np.zeros(DIMENSION, np.float32)
    vector[: len(parts)] = parts
    return vector / np.float32(np.linalg.norm(vector) or 1.0)


def random_vector(seed: int) -> Vector:
    """A unit vector that depends on nothing but `seed`."""
    vector = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def indexed(
    number: int,
    document: str,
    text: str,
    *,
    vector: Vector | None = None,
    bucket: str = "default",
    doc_type: str = "generic",
    acl: tuple[str, ...] = (),
    title: str = "",
    section: tuple[str, ...] = (),
) -> IndexedPassage:
    """A passage that stands on page 1 of its document."""
    passage = Passage(
        document=DocumentId(document),
        version=1,
        ordinal=0,
        parts=(PageSpan(1, 0, len(text)),),
        text=text,
        section=section,
        tokens=len(text.split()),
        sentences=((0, len(text)),),
    )
    stored = StoredPassage(PassageId(number), passage, bucket, title, document, doc_type, acl)
    return IndexedPassage(stored, random_vector(number) if vector is None else vector)


def ask(
    *terms: str,
    vector: Vector | None = None,
    mode: Mode | None = None,
    top_k: int = 10,
    pool: int = 100,
    alpha: float = 0.5,
    phrases: tuple[tuple[str, ...], ...] = (),
    within: Filter | None = None,
) -> SearchRequest:
    """A request; without a mode: keyword where no vector is given, semantic where no term is."""
    if mode is None:
        mode = Mode.KEYWORD if vector is None else Mode.HYBRID if terms else Mode.SEMANTIC
    weighted = tuple((term, 1.0) for term in terms)
    return SearchRequest(weighted, vector, mode, alpha, top_k, pool, phrases, within or Filter())
