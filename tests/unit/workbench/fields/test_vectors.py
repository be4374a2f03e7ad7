"""Vectors of fields outlive the process that made them, and no damage to their file is felt."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.workbench.fields.vectors import FieldVectors

VECTORS = {"Term": np.array([1.0, 0.0], np.float32), "Größe": np.array([0.0, 1.0], np.float32)}


def test_what_was_saved_is_loaded_for_the_same_encoder_only(tmp_path: Path) -> None:
    FieldVectors(tmp_path, "one").save(VECTORS)

    kept = FieldVectors(tmp_path, "one").load()

    assert {text: vector.tolist() for text, vector in kept.items()} == {
        text: vector.tolist() for text, vector in VECTORS.items()
    }
    assert FieldVectors(tmp_path, "two").load() == {}


def test_a_damaged_file_is_as_good_as_none(tmp_path: Path) -> None:
    kept = FieldVectors(tmp_path, "one")
    kept.save(VECTORS)
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(file.read_bytes()[:40])

    assert kept.load() == {}
    kept.save(VECTORS)
    assert set(kept.load()) == set(VECTORS)


def test_a_home_that_cannot_be_written_still_answers(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder would be")

    kept = FieldVectors(tmp_path, "one")
    kept.save(VECTORS)

    assert kept.load() == {}
