"""Rows of tables as page text shows them."""

from __future__ import annotations

import pytest

from core.domain.fields import AnnotationRow, FieldType
from core.extract.pdf_tables import aligned_tables, looks_tabular
from core.extract.tables import read_rows
from tests.support.document_text import document_text


def _rows(text: str) -> list[AnnotationRow]:
    return read_rows(document_text(text))[0]


def _plain(text: str) -> list[list[tuple[str, str]]]:
    return [[(cell.column, cell.value.text) for cell in row.cells] for row in _rows(text)]


_EXPECTED = [
    [("Item", "Tire"), ("Qty", "4"), ("Amount", "868.00")],
    [("Item", "Wheel"), ("Qty", "1"), ("Amount", "99.00")],
]


@pytest.mark.parametrize(
    "text",
    [
        "Item | Qty | Amount\nTire | 4 | $868.00\nWheel | 1 | $99.00",
        "| Item | Qty | Amount |\n|---|--:|---|\n| Tire | 4 | $868.00 |\n| Wheel | 1 | $99.00 |",
        "Item   Qty   Amount\nTire   4   $868.00\nWheel   1   $99.00",
        "Item\tQty\tAmount\nTire\t4\t$868.00\nWheel\t1\t$99.00",
        "Item | Qty | Amount\nItem: Tire | Qty: 4 | Amount: $868.00\nItem: Wheel | Qty: 1 | Amount: $99.00",
    ],
)
def test_tables_of_every_writing_give_the_same_rows(text: str) -> None:
    assert _plain(f"Above.\n\n{text}\n\nBelow.") == _EXPECTED


def test_every_cell_quotes_its_own_characters() -> None:
    document = document_text("Intro", "Item | Qty | Amount\nTire | 4 | $868.00\nWheel | 1 | $99.00")

    rows, _ = read_rows(document)

    quotes = [cell.quote for row in rows for cell in row.cells]
    assert [quote.quote for quote in quotes] == ["Tire", "4", "$868.00", "Wheel", "1", "$99.00"]
    assert all(document.pages[1].text[q.span.start : q.span.end] == q.quote for q in quotes)


def test_columns_are_typed_by_name_and_content() -> None:
    text = "id | when | amount_usd | note\n" + "\n".join(
        f"id: {n} | when: 2024-0{n}-01 | amount_usd: {n}00.50 | note: row {n}" for n in range(1, 6)
    )

    first = _rows(text)[0].cells

    assert [cell.value.type for cell in first] == [
        FieldType.TEXT,
        FieldType.DATE,
        FieldType.MONEY,
        FieldType.TEXT,
    ]
    assert (first[2].value.text, first[2].value.unit, first[2].value.amount) == ("100.50", "USD", 1_005_000)


def test_a_cell_of_another_kind_than_its_column_keeps_its_words() -> None:
    text = "Item | Amount\n" + "".join(f"Tire {n} | ${n}.00\n" for n in range(1, 9)) + "Rim | on request\n"

    last = _rows(text)[-1].cells[1]

    assert (last.value.type, last.value.text) == (FieldType.TEXT, "on request")


def test_prose_is_no_table() -> None:
    assert _rows("This is a sentence   with wide gaps.\nAnd this is the next one.\n") == []


def test_a_long_table_is_cut_and_says_so() -> None:
    text = "name | number\n" + "\n".join(f"name: n{n} | number: {n}" for n in range(50))

    rows, notes = read_rows(document_text(text), max_rows=5)

    assert len(rows) == 5
    assert notes == ["Only the first 5 rows of its tables are kept as values."]


def test_words_that_stand_under_one_another_are_a_table() -> None:
    def word(text: str, x0: float, x1: float, top: float) -> dict[str, object]:
        return {"text": text, "x0": x0, "x1": x1, "top": top, "bottom": top + 10}

    words = [
        word("Item", 50, 70, 100), word("Amount", 300, 340, 100),
        word("Winter", 50, 80, 115), word("tire", 83, 100, 115), word("$868.00", 300, 342, 115),
        word("Wheel", 50, 80, 130), word("$99.00", 300, 338, 130),
        word("A", 50, 55, 160), word("sentence", 58, 100, 160),
    ]  # fmt: skip

    assert aligned_tables(words) == [[["Item", "Amount"], ["Winter tire", "$868.00"], ["Wheel", "$99.00"]]]


def test_a_page_of_clauses_does_not_look_like_a_table() -> None:
    assert looks_tabular("Description Amount\nMonitoring $34,722.00\nInspection $6,900.00\nTotal $41,622.00")
    assert not looks_tabular(
        "1. Definitions\nWords have meaning.\n2. Scope\nIt is wide.\n3. Term\nIt is long."
    )
