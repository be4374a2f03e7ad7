from __future__ import annotations

from app.presenting.column_groups import built_in_sets, filled_first
from core.config.schema_store import shipped_schemas
from core.domain.fields import CellStatus, FieldType
from core.domain.matrix import FieldCounts, MatrixColumn


def columns(schema: str) -> list[MatrixColumn]:
    return [
        MatrixColumn(each.name, each.title, each.type, each.many, each.group, (schema,))
        for each in shipped_schemas()[schema].fields
    ]


def test_contracts_come_with_names_and_dates_money_and_clauses() -> None:
    found = built_in_sets(columns("contracts"))

    assert list(found)[:3] == ["Names and dates", "Money", "Clauses"]
    assert {"parties", "document_name", "expiration_date"} <= set(found["Names and dates"])
    assert {"contract_value", "discount", "payment_period"} <= set(found["Money"])
    assert "audit_rights" in found["Clauses"]
    assert "contract_value" not in found["Clauses"]
    assert "Liability" in found


def test_every_shipped_schema_gives_sets_of_its_own_fields_only() -> None:
    for name in shipped_schemas():
        known = [each.name for each in columns(name)]
        for fields in built_in_sets(columns(name)).values():
            assert 2 <= len(fields) < len(known)
            assert set(fields) <= set(known)


def test_no_fields_give_no_sets() -> None:
    assert built_in_sets([]) == {}


def test_columns_with_values_or_guesses_come_first_in_their_order() -> None:
    given = [MatrixColumn(name, name, FieldType.TEXT) for name in "abcd"]
    counts = {
        "a": FieldCounts({CellStatus.ABSENT: 3}),
        "b": FieldCounts({CellStatus.PRESENT: 1}),
        "c": FieldCounts({CellStatus.UNCERTAIN: 2}, guessed=1),
    }

    assert [each.name for each in filled_first(given, counts)] == ["b", "c", "a", "d"]
