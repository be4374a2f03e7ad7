"""A number keeps its sign wherever it is stored: in its text and in its amount."""

from __future__ import annotations

import pytest

from core.domain.fields import FieldType
from core.extract.column_types import ColumnType, typed_cell
from core.fields.typed import inferred
from core.values import parse_number


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("-12", -12_000_000),
        ("\u221212", -12_000_000),
        ("+12", 12_000_000),
        ("-0.5", -500_000),
        ("-40 \u00b0C", -40_000_000),
        ("(1,234.50)", -1_234_500_000),
        ("0", 0),
        ("-0", 0),
        ("-5%", -5_000_000),
    ],
)
def test_the_stored_amount_of_a_number_has_its_sign(text: str, stored: int) -> None:
    value = parse_number(text)

    assert value is not None
    assert value.amount == stored
    assert value.decimal is not None
    assert f"{value.decimal.normalize() + 0:f}" == value.text


@pytest.mark.parametrize("kind", [None, FieldType.NUMBER])
def test_a_cell_in_brackets_of_accounting_is_a_negative_number(kind: FieldType | None) -> None:
    value = typed_cell("(1,234.50)", ColumnType(kind))

    assert value is not None
    assert (value.type, value.text) == (FieldType.NUMBER, "-1234.5")


def test_a_bracketed_note_is_no_number() -> None:
    value = inferred("(5)")

    assert value is not None
    assert value.type is FieldType.TEXT
