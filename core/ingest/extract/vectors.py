"""The stored sentence vectors of a document, for fields that are found by meaning."""

from __future__ import annotations

from core.domain.sentence_vectors import SentenceVectors

__all__ = ["SentenceVectors"]
