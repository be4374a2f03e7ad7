"""Numbers and amounts of a claim: each in its source, with its sign and unit."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.numbers import (
    check_cells,
    check_numbers,
)
from core.domain.answer import Check


def outcome(name: str, text: str, sources: list[str]) -> Check:
    return next(each for each in check_numbers(text, sources) if each.name == name)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Notice is 60 days.", "Notice is sixty (60) days."),
        ("Notice is sixty days.", "Notice is given 60 days before."),
        ("It grew 5 percent.", "It grew 5%."),
        ("It grew five percent.", "It grew by five percent (5%)."),
        ("There are 3,500,000 shares.", "There are 3.5 million shares."),
        ("There are 3500 units.", "There are 3,500 units."),
        ("The third quarter was weak.", "The 3rd quarter was weak."),
        ("The year was 2019.", "It closed on October 3, 2019."),
        ("One of the parties pays.", "The parties pay."),
        ("1. The tenant pays.", "The tenant pays."),
        ("Between 30 and 60 days.", "A period of 30-60 days."),
        ("The change was 5 percent, a decrease.", "The change was -5%."),
        ("See 1.2.3 there.", "As in 1.2.3 above."),
        ("No number.", ""),
    ],
)
def test_a_number_that_the_source_states_in_any_notation_passes(claim: str, source: str) -> None:
    assert outcome("numbers", claim, [source]).ok


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Notice is 90 days.", "Notice is sixty (60) days."),
        ("Notice is 60 months.", "Notice is sixty (60) days."),
        ("It grew 5 percent.", "It grew by 5 days."),
        ("The margin was 5%.", "The margin was -5%."),
        ("There are 3.5 billion shares.", "There are 3.5 million shares."),
        ("There are twelve units.", "There are ten units."),
        ("The third quarter was weak.", "The second quarter was weak."),
        ("The year was 2018.", "It closed on October 3, 2019."),
        ("See 1.2.4 there.", "As in 1.2.3 above."),
        ("It weighs 5 kg.", "It weighs 5 lbs."),
        ("There are 7.", ""),
    ],
)
def test_another_number_sign_or_unit_fails(claim: str, source: str) -> None:
    check = outcome("numbers", claim, [source])
    assert not check.ok
    assert check.detail


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The fee is USD 3,500,000.", "The fee is $3.5 million."),
        ("The fee is five dollars.", "A fee of $5.00 is due."),
        ("The loss was $500.", "Net result: $(500)."),
        ("It costs $5\u20137.", "It costs $5\u20137."),
    ],
)
def test_an_amount_in_another_notation_passes(claim: str, source: str) -> None:
    assert outcome("amounts", claim, [source]).ok


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The fee is \u20ac500.", "The fee is $500."),
        ("The fee is $500.", "The fee is $5,000."),
        ("The fee is $500 million.", "The fee is $500 billion."),
        ("The result was $500.", "The result was $(500)."),
        ("The fee is $60.", "Notice is 60 days."),
    ],
)
def test_another_amount_or_currency_fails(claim: str, source: str) -> None:
    assert not outcome("amounts", claim, [source]).ok


def test_kinds_of_days_are_not_one_another() -> None:
    assert not outcome("numbers", "Within 30 business days.", ["Within 30 days."]).ok
    assert not outcome("numbers", "Within 30 days.", ["Within thirty (30) working days."]).ok
    assert outcome("numbers", "Within 30 calendar days.", ["Within 30 days."]).ok
    assert outcome("numbers", "Within 30 working days.", ["Within 30 business days."]).ok


HEAD = "($ in millions, except per share data) 2022 2021"
ROW = "Net sales $ 3,642 $ 3,507\nOperating income 559 322\nCost of sales (2,980) (2,862)"


def test_a_figure_may_be_written_in_the_scale_that_the_head_states() -> None:
    for said in ("Net sales were $3,642 million.", "Operating income was $559 million."):
        assert outcome("amounts", said, [ROW, HEAD]).ok, said
    assert not outcome("amounts", "Net sales were $3,642 billion.", [ROW, HEAD]).ok
    assert not outcome("amounts", "Net sales were $3,642 million.", [ROW]).ok
    assert not outcome("amounts", "Operating income was €559 million.", [ROW, HEAD]).ok


def test_brackets_around_a_figure_are_for_a_checking_model_to_read() -> None:
    said = "Cost of sales was $2,862 million."

    assert outcome("amounts", said, [ROW, HEAD]).ok
    assert not outcome("signs", said, [ROW, HEAD]).ok
    assert outcome("signs", "Net sales were $3,642 million.", [ROW, HEAD]).ok


def test_a_place_or_a_small_count_that_nothing_contradicts_is_in_doubt_alone() -> None:
    for claim in ("It grew in the second quarter.", "The two of them agree."):
        assert outcome("numbers", claim, ["It grew, and they agree."]).ok
        assert not outcome("counts", claim, ["It grew, and they agree."]).ok
    assert not outcome("numbers", "It grew in the third quarter.", ["It grew in the second quarter."]).ok


def test_a_year_over_columns_is_no_amount() -> None:
    table = "(in millions) 2022 2021\nNet sales $ 2,021 $ 3,507\nCosts 2018 1,950"
    assert not outcome("amounts", "Net sales were $2022 million.", [table]).ok
    assert outcome("amounts", "Net sales were $2,021 million.", [table]).ok
    assert outcome("amounts", "Costs were $2018 million.", [table]).ok


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
