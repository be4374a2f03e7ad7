"""Pages of registered datasets: each row and cell is found by its characters."""

from core.datasets.pages import first_row_of, page, page_of


def test_a_row_and_its_cells_stand_where_the_page_says() -> None:
    made = page(2, ("Region", "Spend"), [("North", "12.50"), (None, "a\nb"), ("", "x" * 900)])
    assert made.text.splitlines()[0] == "Region | Spend"
    rows = [made.text[row.start : row.end] for row in made.rows]
    assert rows[:2] == ["North | 12.50", " | a b"]
    assert [made.text[start:end] for start, end in made.rows[0].cells] == ["North", "12.50"]
    assert len(rows[2]) < 600


def test_a_row_stands_on_one_page() -> None:
    assert [page_of(row) for row in (1, 100, 101)] == [1, 1, 2]
    assert first_row_of(2) == 101
