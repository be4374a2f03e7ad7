"""Vectors of known texts: those of the shipped reader, and of no other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.reader.known_texts import to_file
from core.encode.minilm import MiniLm
from core.plan.reader.artefact_file import ARRAYS, TEXTS, read_artefact, read_known_texts
from core.plan.reader.linker import TextVectors
from core.plan.reader.network import ReaderNetwork


def test_the_shipped_vectors_are_those_that_the_reader_would_make(minilm: MiniLm) -> None:
    artefact = read_artefact()
    network = ReaderNetwork(minilm, artefact.layers, artefact.heads)
    known = read_known_texts()
    texts = list(known)[::100]

    frozen, own = TextVectors(minilm, network).of(texts)

    np.testing.assert_allclose(np.stack([known[text][0] for text in texts]), frozen, atol=2e-3)
    np.testing.assert_allclose(np.stack([known[text][1] for text in texts]), own, atol=2e-3)


def test_vectors_of_another_training_are_left_alone(tmp_path: Path) -> None:
    one = np.ones((1, 2), dtype=np.float32)
    (tmp_path / TEXTS).write_bytes(to_file(["law"], one, one, b"another"))
    (tmp_path / ARRAYS).write_bytes(b"one")

    assert read_known_texts(tmp_path) == {}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off"])
def test_a_damaged_file_gives_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / TEXTS).write_bytes(content)

    assert read_known_texts(tmp_path) == {}
