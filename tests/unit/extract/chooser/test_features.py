"""Hashed words around a candidate."""

from __future__ import annotations

from core.extract.chooser.features import COLUMNS, context_columns

TEXT = "The term of this Agreement is three years from the date."


def test_equal_surroundings_give_equal_columns() -> None:
    at = TEXT.index("three")

    one, other = context_columns(TEXT, at, at + 11, ("own",)), context_columns(TEXT, at, at + 11, ("own",))

    assert one == other
    assert all(0 <= each < COLUMNS for each in one)
    assert set(one) != set(context_columns(TEXT, 0, 3, ("own",)))
