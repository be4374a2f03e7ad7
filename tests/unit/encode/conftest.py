"""Encoders for the tests: the built-in model once, and tiny random ones of other shapes."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from core.encode.identity import find_model
from core.encode.minilm import MiniLm
from core.encode.tokens import WordPieceCounter


@pytest.fixture(scope="session")
def model_dir() -> Path:
    return find_model("minilm")


@pytest.fixture(scope="session")
def minilm(model_dir: Path) -> MiniLm:
    return MiniLm.load(model_dir)


@pytest.fixture(scope="session")
def counter(model_dir: Path) -> WordPieceCounter:
    return WordPieceCounter.load(model_dir)


@pytest.fixture(scope="session")
def torch_libraries() -> None:
    """Imports torch and sentence-transformers once, letting pass what their own imports warn of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import sentence_transformers  # noqa: F401
