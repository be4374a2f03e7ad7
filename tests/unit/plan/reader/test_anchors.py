from __future__ import annotations

import pytest

from core.domain.fields import FieldType
from core.plan.catalogue import (
    Catalogue,
    ColumnEntry,
    FieldEntry,
    SchemaEntry,
    TableEntry,
    ValueEntry,
)
from core.plan.reader.anchors import candidates, column_texts, distinct_texts, plain_words


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("unit_price", "unit price"),
        ("UnitPrice", "unit price"),
        ("ORDER NO", "order no"),
        ("Qty (kg)", "qty (kg)"),
    ],
)
def test_headers_are_read_as_plain_words(header: str, words: str) -> None:
    assert plain_words(header) == words


def test_a_column_is_known_by_its_header_and_unit() -> None:
    assert column_texts("Net weight", "kg") == ("net weight", "net weight in kg")


def test_fields_of_schemas_without_documents_are_no_candidates_where_others_have_some() -> None:
    full = SchemaEntry("a", "A", fields=(FieldEntry("a", "x", "X", FieldType.TEXT),), documents=1)
    empty = SchemaEntry("b", "B", fields=(FieldEntry("b", "y", "Y", FieldType.TEXT),))

    assert [each.key for each in candidates(Catalogue("", (full, empty)))] == [("a", "x")]
    assert [each.key for each in candidates(Catalogue("", (empty,)))] == [("b", "y")]


def test_columns_of_the_same_name_are_one_candidate() -> None:
    table = TableEntry((ColumnEntry("Price", FieldType.MONEY),), ("d",))
    other = TableEntry((ColumnEntry("price", FieldType.MONEY),), ("e",))

    assert [each.key for each in candidates(Catalogue("", (), tables=(table, other)))] == [("", "Price")]


def test_values_of_a_field_are_known() -> None:
    schema = SchemaEntry("a", "A", fields=(FieldEntry("a", "x", "X", FieldType.TEXT, options=("one",)),))
    catalogue = Catalogue("", (schema,), values=(ValueEntry("a", "x", "two"),))

    (found,) = candidates(catalogue)

    assert found.values == ("one", "two")
    assert distinct_texts([found]) == ["X"]
