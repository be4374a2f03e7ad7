from __future__ import annotations

import pytest

from core.answer.prose.checks.cells import check_cells

SOURCES = ["(in millions) 2022 2021", "Net sales $ 3,642 $ 3,507\nOperating income 559 322"]


@pytest.mark.parametrize(
    "text",
    [
        "Net sales were $3,642 million in 2022.",
        "Net sales rose from $3,507 million in 2021 to $3,642 million in 2022.",
        "Revenue was $3,642 million in 2022.",
        "Net sales were $3,642 million.",
        "It was $9 million in 2022.",
    ],
)
def test_a_figure_in_its_row_and_column_passes(text: str) -> None:
    assert check_cells(text, SOURCES).ok


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Net sales were $3,507 million in 2022.", "stands under 2021"),
        ("Net sales were $559 million in 2022.", "stands in another row"),
    ],
)
def test_a_figure_of_another_row_or_column_is_named(text: str, said: str) -> None:
    found = check_cells(text, SOURCES)

    assert not found.ok
    assert said in found.detail


def test_a_row_that_shares_a_word_is_another_where_one_is_called_whole() -> None:
    table = "(in millions) 2022 2021\nTotal cash 96 65\nOther assets 12 10\nTotal assets 193 174"
    assert not check_cells("Total assets were $96 million in 2022.", [table]).ok
    assert check_cells("Total cash of all kinds was $96 million in 2022, of total assets.", [table]).ok
    assert check_cells("Cash was $96 million in 2022.", [table]).ok


def test_years_are_those_above_a_row() -> None:
    tables = "(in millions) 2022 2021\nNet sales 9 8\n2019 2018\nBacklog 7 6"
    assert check_cells("The backlog was $7 million in 2019.", [tables]).ok
    assert not check_cells("The backlog was $7 million in 2022.", [tables]).ok


def test_prose_has_no_cells() -> None:
    assert check_cells("The rent was 500 in 2020.", ["The rent was 400 in 2019 and 500 in 2020."]).ok
