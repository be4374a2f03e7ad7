"""Pages of registered datasets: each row is found by its characters."""

from core.datasets.pages import first_row_of, page, page_of, row_span


def test_a_row_stands_where_its_page_says() -> None:
    text = page(("Region", "Spend"), [("North", "12.50"), (None, "a\nb"), ("", "x" * 900)])
    spans = [span for row in (101, 102, 103) if (span := row_span(text, row)) is not None]
    assert text.splitlines()[0] == "Region | Spend"
    rows = [text[start:end] for start, end in spans]
    assert rows[:2] == ["North | 12.50", " | a b"]
    assert 500 < len(rows[2]) < 600
    assert row_span(text, 104) is None


def test_a_row_stands_on_one_page() -> None:
    assert [page_of(row) for row in (1, 100, 101)] == [1, 1, 2]
    assert first_row_of(2) == 101
