"""Words of a line's image, and what is said where recognition is not installed."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import UsageError
from core.ingest import ocr
from core.ingest.ocr import cut_words
from core.processes.extra import Extra


def _image(*runs: int, height: int = 20) -> np.ndarray:
    """Columns of ink and of paper in turn, ink first; paper above and below."""
    columns: list[float] = []
    for index, width in enumerate(runs):
        columns += [0.0 if index % 2 == 0 else 255.0] * width
    image = np.full((height, len(columns)), 255.0)
    image[4:-4, :] = np.array(columns)
    return image


def test_a_line_is_cut_at_the_gaps_between_words_and_not_between_letters() -> None:
    image = _image(6, 2, 6, 8, 6, 2, 6, 2, 6, 9, 6)
    assert cut_words(image) == [(0, 14), (22, 44), (53, 59)]


def test_one_word_is_not_cut() -> None:
    assert cut_words(_image(6, 1, 6, 2, 6, 1, 6)) == [(0, 28)]


def test_light_text_on_dark_is_cut_alike() -> None:
    image = 255.0 - np.pad(_image(6, 2, 6, 8, 6), ((6, 6), (0, 0)), constant_values=255.0)
    assert cut_words(image) == [(0, 14), (22, 28)]


def test_an_image_without_contrast_is_one_piece() -> None:
    assert cut_words(np.full((20, 50), 200.0)) == [(0, 50)]


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "EXTRA", Extra("ocr", "no_such_package_of_ours"))
    with pytest.raises(UsageError) as refused:
        ocr.require_ocr()
    assert refused.value.next_step == ocr.HOW_TO_GET
