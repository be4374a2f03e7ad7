from __future__ import annotations

import pytest

from core.fields.word_field import AddCost, Share, interval


def test_the_interval_of_a_share_narrows_with_its_count() -> None:
    assert Share(0, 0).bounds == (0.0, 1.0)
    assert interval(10, 10)[0] < 0.9 < interval(100, 100)[0]
    assert interval(10, 10)[1] == pytest.approx(1.0)


def test_cells_are_fields_times_documents() -> None:
    assert AddCost(100, 60, 1.0).cells == 6_000
