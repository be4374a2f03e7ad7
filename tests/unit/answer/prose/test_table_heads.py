from __future__ import annotations

from core.answer.prose.table_heads import is_row, table_heads

PAGE = """Amcor plc and Subsidiaries
Condensed Consolidated Statements of Income
Three Months Ended December 31, Six Months Ended December 31,
($ in millions, except per share data) 2022 2021 2022 2021
Net sales $ 3,642 $ 3,507 $ 7,354 $ 6,927
Cost of sales (2,980) (2,862) (6,024) (5,632)
"""


def heads(row: str, page: str = PAGE) -> list[str]:
    return [page[start:end] for start, end in table_heads(page, page.index(row))]


def test_the_lines_of_scale_and_years_head_a_row() -> None:
    assert heads("Cost of sales") == [
        "Three Months Ended December 31, Six Months Ended December 31,",
        "($ in millions, except per share data) 2022 2021 2022 2021",
    ]


def test_the_nearest_table_above_counts() -> None:
    page = PAGE + "Assets (in thousands)\n2020 2019\nCash 3 4\n"

    assert heads("Cash", page) == ["Assets (in thousands)", "2020 2019"]


def test_prose_has_no_heads() -> None:
    page = "The tenant pays the rent.\nIn 2021 it was 5 of 7 rooms, for 3 and 4 people.\nIt rises in 2022."

    assert heads("It rises", page) == []


def test_cells_in_percent_make_a_row() -> None:
    assert is_row("Jordan Brand 4,711 3,609 31 % 28 %")
    assert not is_row("It grew in fiscal 2021.")
