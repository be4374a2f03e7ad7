"""What touches a number belongs to it: read rightly it is a value, not understood it is none."""

from __future__ import annotations

import pytest

from core.domain.fields import Special
from core.values import (
    date_order,
    find_dates,
    find_durations,
    find_money,
    find_percents,
    parse_date,
    parse_duration,
    parse_money,
    parse_number,
)


@pytest.mark.parametrize(
    ("text", "span", "amount", "unit"),
    [
        ("$5MM", "$5MM", "5000000.00", "USD"),
        ("US$5 mn", "US$5 mn", "5000000.00", "USD"),
        ("\u20ac2 Mrd", "\u20ac2 Mrd", "2000000000.00", "EUR"),
        ("1,5 Mio. EUR", "1,5 Mio. EUR", "1500000.00", "EUR"),
        ("EUR 1,5 Mio.", "EUR 1,5 Mio", "1500000.00", "EUR"),
        ("12 hundred dollars", "12 hundred dollars", "1200.00", "USD"),
        ("3.5 million dollars", "3.5 million dollars", "3500000.00", "USD"),
        ("a million dollars", "million dollars", "1000000.00", "USD"),
        ("twelve hundred dollars", "twelve hundred dollars", "1200.00", "USD"),
        ("$1,234.50-", "$1,234.50-", "-1234.50", "USD"),
        ("$(1,234.50)", "$(1,234.50)", "-1234.50", "USD"),
        ("a loss of $(1,234.50)", "$(1,234.50)", "-1234.50", "USD"),
        ("of USD (500)", "USD (500)", "-500.00", "USD"),
        ("Total: ($1,234.50)", "($1,234.50)", "-1234.50", "USD"),
        ("five hundred dollars ($500)", "five hundred dollars ($500)", "500.00", "USD"),
        ("$5,000 CAD", "$5,000 CAD", "5000.00", "CAD"),
        ("$500 USD", "$500 USD", "500.00", "USD"),
        ("a price of 12 500,75 EUR", "12 500,75 EUR", "12500.75", "EUR"),
        ("$500, 30 days after", "$500", "500.00", "USD"),
        ("$500\nB. Payment", "$500", "500.00", "USD"),
        ("$12.50/unit", "$12.50", "12.50", "USD"),
        ("a $500-a-month fee", "$500", "500.00", "USD"),
        ("$5,000\u2014payable", "$5,000", "5000.00", "USD"),
    ],
)
def test_what_touches_an_amount_is_read_with_it(text: str, span: str, amount: str, unit: str) -> None:
    assert [(text[start:end], value.text, value.unit) for start, end, value in find_money(text)] == [
        (span, amount, unit)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "$10 to 20 million",
        "$10 to $20 million",
        "$10-$20 million",
        "$10\u201320 million",
        "$5,000-6,000",
        "$1 million 500 thousand",
        "half a million dollars",
        "several million dollars",
        "1/2 million dollars",
        "one and a half million dollars",
        "twenty to thirty dollars",
        "five dollars and fifty cents",
        "$2\u00bd million",
        "$2 1/2 million",
        "$1e6",
        "$1O0",
        "$1.5x",
        "$500 B. Payment",
        "$5 000 2020",
        "March 5 100 EUR",
        "section 5 100 USD",
        "$5,000 EUR",
        "$5,000 +/- 10%",
        "$5,000 (in thousands)",
        "Net loss ($1,234.50)",
        "fee-$5",
        "5$10",
        "$1.2.3",
        "$5__",
    ],
)
def test_an_amount_that_is_not_all_understood_is_none(text: str) -> None:
    assert find_money(text) == []
    assert parse_money(text) is None


def test_the_first_of_two_amounts_that_share_a_scale_is_left_out() -> None:
    text = "between $1 and $2 million"

    assert [value.text for _, _, value in find_money(text)] == ["2000000.00"]
    assert parse_money(text) is None


@pytest.mark.parametrize(
    ("text", "special", "known"),
    [
        ("20-12-31", Special.AMBIGUOUS, "2020-12-31/2031-12-20"),
        ("January 5th, 2020 or 2021", Special.AMBIGUOUS, "2020-01-05/2021-01-05"),
        ("5 January 2020/2021", Special.AMBIGUOUS, "2020-01-05/2021-01-05"),
        ("this 1st day of January 20__", Special.BLANK, ""),
        ("January 1, 20__", Special.BLANK, ""),
        ("1st day of January, ____", Special.BLANK, ""),
    ],
)
def test_a_date_that_is_not_all_there_is_no_day(text: str, special: Special, known: str) -> None:
    found = find_dates(text)

    assert [(value.special, value.text, value.amount) for _, _, value in found] == [(special, known, None)]
    assert text.endswith(found[0][2].original)


@pytest.mark.parametrize(
    "text",
    ["Version 1.2.2021", "Rev. 1.2.2021", "Section 1.12.2021", "1/1/20__", "1/1/20xx", "March 5-7, 2021"],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert [value for _, _, value in find_dates(text) if not value.special] == []


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Rev. 01.02.2021", "2021-02-01"),
        ("am 1.2.2021", "2021-02-01"),
        ("December 31, 2020 and 2019", "2020-12-31"),
        ("25-13-20", None),
        ("25-12-2018", "2018-12-25"),
    ],
)
def test_a_date_is_still_read_where_nothing_speaks_against_it(text: str, iso: str | None) -> None:
    value = parse_date(text)

    assert (value.text if value else None) == iso


def test_a_short_year_decides_no_order_and_is_decided_by_one() -> None:
    assert date_order("20-12-31").order == ""
    value = parse_date("20-12-18", "dmy")
    assert value is not None
    assert value.text == "2018-12-20"


@pytest.mark.parametrize(
    "text",
    [
        "-5 days",
        "30-60 days",
        "thirty to sixty days",
        "thirty (30) to sixty (60) days",
        "2 or 3 years",
        "2-3 years",
    ],
)
def test_a_range_or_a_sign_is_no_length_of_time(text: str) -> None:
    assert find_durations(text) == []
    assert parse_duration(text) is None


@pytest.mark.parametrize("text", ["a 5-day term", "sixty (60) days", "thirty days to cure", "term: 5 days"])
def test_a_plain_length_of_time_is_still_read(text: str) -> None:
    assert len(find_durations(text)) == 1


@pytest.mark.parametrize(
    ("text", "span", "number"),
    [
        ("a change of -5%", "-5%", "-5"),
        ("(5%)", "5%", "5"),
        ("thirty percent (30%)", "thirty percent (30%)", "30"),
    ],
)
def test_a_percentage_keeps_its_sign(text: str, span: str, number: str) -> None:
    assert [(text[start:end], value.text) for start, end, value in find_percents(text)] == [(span, number)]


def test_words_and_digits_of_a_percentage_that_disagree_are_ambiguous() -> None:
    value = parse_number("twenty-five percent (30%)")

    assert value is not None
    assert (value.special, value.text, value.amount) == (Special.AMBIGUOUS, "25/30", None)
