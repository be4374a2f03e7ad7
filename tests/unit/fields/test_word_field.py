from __future__ import annotations

from core.fields.word_field import AddCost


def test_cells_are_fields_times_documents() -> None:
    assert AddCost(100, 60, 1.0).cells == 6_000
