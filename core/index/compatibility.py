"""Compatibility before an engine compares anything: the index that it opens, vectors, and queries."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.encode.base import EncoderSignature
from core.errors import EncoderError, IndexUnavailableError, UsageError
from core.index.base import IndexedPassage, Mode, SearchRequest


def check_index(
    what: str, stored: EncoderSignature, wanted: EncoderSignature, *, is_of_this_version: bool
) -> None:
    """Refuse an index of another encoder (EncoderError) or version (IndexUnavailableError).

    what: begins the sentence, such as "The collection 'X'". is_of_this_version: of format and analyser.
    """
    if stored != wanted:
        raise EncoderError(
            f"{what} holds vectors of {_described(stored)}, the configured encoder is {_described(wanted)}.",
            next_step=f"Run `groundwork reindex` to encode again with {wanted.name!r}, "
            f"or set encode.model back to {stored.name!r}.",
        )
    if not is_of_this_version:
        raise IndexUnavailableError(
            f"{what} was built by another version of Groundwork.",
            next_step="Run `groundwork reindex` to build it again from the records.",
        )


def check_vectors(passages: Iterable[IndexedPassage], signature: EncoderSignature) -> None:
    """Raises EncoderError where a passage's vector is not of the encoder's dimension, or not finite."""
    for one in passages:
        vector = np.asarray(one.vector)
        if vector.shape != (signature.dimension,) or not np.isfinite(vector).all():
            raise EncoderError(
                f"The vector of passage {one.stored.id} has shape {vector.shape}; expected "
                f"{signature.dimension} finite numbers, as {signature.name!r} gives.",
                next_step="Run `groundwork reindex` to encode every passage again.",
            )


def check_query(request: SearchRequest, dimension: int) -> None:
    """Raises UsageError where a search lacks the vector that it needs, EncoderError where it does not fit."""
    if request.mode is Mode.KEYWORD:
        return
    if request.vector is None:
        raise UsageError(
            f"A search of mode {request.mode.value!r} needs a query vector.",
            next_step="Give the vector, or search by keyword.",
        )
    query = np.asarray(request.vector)
    if query.shape != (dimension,) or not np.isfinite(query).all():
        raise EncoderError(
            f"The query vector has shape {query.shape}; expected {dimension} finite numbers.",
            next_step="Encode queries with the encoder that the index was built with.",
        )


def _described(signature: EncoderSignature) -> str:
    return f"{signature.name!r} ({signature.dimension} numbers, {signature.sha256[:12]})"
