"""What a named vector of ours may be made by."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.index.weaviate.collection import vectorizer_difference


def vector(made_by: str, sources: list[str] | None = None, **model: Any) -> SimpleNamespace:
    """The configuration of a named vector, as the client reads it."""
    return SimpleNamespace(
        vectorizer=SimpleNamespace(vectorizer=made_by, source_properties=sources, model=model)
    )


def test_vectors_that_passages_bring_and_those_of_the_content_are_ours() -> None:
    assert vectorizer_difference(vector("none")) == ""
    assert vectorizer_difference(vector("text2vec-transformers", ["content"], vectorizeClassName=False)) == ""


@pytest.mark.parametrize(
    "other",
    [
        vector("text2vec-openai", ["content"], vectorizeClassName=False),
        vector("text2vec-transformers", None, vectorizeClassName=False),
        vector("text2vec-transformers", ["content", "state"], vectorizeClassName=False),
        vector("text2vec-transformers", ["content"], vectorizeClassName=True),
        vector("text2vec-transformers", ["content"]),
    ],
)
def test_vectors_that_the_state_object_would_have_too_are_not(other: SimpleNamespace) -> None:
    assert "its vectors are made" in vectorizer_difference(other)
