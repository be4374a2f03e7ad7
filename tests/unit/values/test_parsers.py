"""Typed parsers: every odd spelling that contracts and receipts were seen to use."""

from __future__ import annotations

from datetime import date

import pytest

from core.domain.fields import FieldType, Special
from core.values import (
    canonical_unit,
    date_order,
    find_dates,
    find_durations,
    find_identifiers,
    find_money,
    find_percents,
    find_phones,
    parse_cardinal,
    parse_date,
    parse_duration,
    parse_money,
    parse_number,
    parse_ordinal,
    parse_party,
    same_party,
)
from core.values.dates import add_months, ambiguous_date, impossible_date
from core.values.numbers import cuts_number


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("June 22 nd, 1999", "1999-06-22"),
        ("the 20t h day of June, 2005", "2005-06-20"),
        ("22-Jun-99", "1999-06-22"),
        ("this twenty-second day of June, nineteen hundred ninety-nine", "1999-06-22"),
        ("first (1st) day of May, 2005", "2005-05-01"),
        ("May 1, two thousand four", "2004-05-01"),
        ("2018-03-30", "2018-03-30"),
        ("30.3.2018", "2018-03-30"),
        ("25/12/2018", "2018-12-25"),
        ("12/28/2017 10:17", "2017-12-28"),
        ("3. März 2018", "2018-03-03"),
        ("2018年3月30日", "2018-03-30"),
        ("May 3,2006", "2006-05-03"),
    ],
)
def test_a_written_date_is_read(text: str, iso: str) -> None:
    value = parse_date(text)
    assert value is not None
    assert (value.text, value.amount) == (iso, date.fromisoformat(iso).toordinal())


@pytest.mark.parametrize(
    "text", ["31/02/2020", "Feb 30, 2001", "May 5", "1.2.10", "Section 12.5", "", "99/99/9999"]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse_date(text) is None


def test_a_date_with_two_readings_is_ambiguous_and_holds_both() -> None:
    value = parse_date("03/04/2021")
    assert value is not None
    assert (value.special, value.text, value.amount) == (Special.AMBIGUOUS, "2021-03-04/2021-04-03", None)


def test_the_documents_own_dates_decide_the_order_and_are_named() -> None:
    found = date_order("Delivered 25/12/2018, paid 03/04/2021")
    value = parse_date("03/04/2021", found.order)
    assert value is not None
    assert (found.order, value.text) == ("dmy", "2021-04-03")
    assert "25/12/2018" in found.evidence


def test_dates_of_both_orders_tell_nothing() -> None:
    assert date_order("25/12/2018 and 12/25/2018").order == ""


def test_a_german_document_writes_the_day_first() -> None:
    assert date_order("Am 03/04/2021", "de").order == "dmy"


@pytest.mark.parametrize(
    ("text", "special", "known"),
    [
        ("____, 2004", Special.BLANK, "2004"),
        ("the __ day of ____ 20__", Special.BLANK, ""),
        ("[]/[]/2004", Special.BLANK, "2004"),
        ("December __, 2004", Special.BLANK, "2004-12"),
        ("the [●] day of June, 2010", Special.BLANK, "2010-06"),
        ("[***], 2010", Special.REDACTED, "2010"),
    ],
)
def test_a_blank_is_a_blank_and_keeps_what_is_known(text: str, special: Special, known: str) -> None:
    value = parse_date(text)
    assert value is not None
    assert (value.special, value.text, value.amount) == (special, known, None)


def test_a_month_without_a_day_counts_only_where_it_is_asked_for() -> None:
    assert find_dates("in July 2013") == []
    assert find_dates("in July 2013", partial=True)[0][2].text == "2013-07"


def test_a_month_after_the_31st_is_the_shorter_months_last_day() -> None:
    assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert add_months(date(2020, 2, 29), 12) == date(2021, 2, 28)


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("$3.5 million", "3500000.00", "USD"),
        ("(1,234.50)", "-1234.50", ""),
        ("($5.00)", "-5.00", "USD"),
        ("1.234,50 EUR", "1234.50", "EUR"),
        ("1.234 EUR", "1234.00", "EUR"),
        ("USD 5,000,000 (five million dollars)", "5000000.00", "USD"),
        ("five million dollars ($5,000,000)", "5000000.00", "USD"),
        ("Five Hundred Thousand and no/100 Dollars ($500,000.00)", "500000.00", "USD"),
        ("Rs 1,00,000", "100000.00", "INR"),
        ("Rs. 500/-", "500.00", "INR"),
        ("RM 12.50", "12.50", "MYR"),
        ("CHF 1'250.00", "1250.00", "CHF"),
        ("JPY 120000", "120000.00", "JPY"),
        ("US$1.2bn", "1200000000.00", "USD"),
        ("EUR 2 Mio", "2000000.00", "EUR"),
        ("$0.0125", "0.0125", "USD"),
        ("12 500,75 EUR", "12500.75", "EUR"),
    ],
)
def test_money_is_exact_in_its_currency(text: str, amount: str, unit: str) -> None:
    value = parse_money(text)
    assert value is not None
    assert (value.type, value.text, value.unit) == (FieldType.MONEY, amount, unit)
    assert value.decimal is not None
    assert f"{value.decimal:.4f}".startswith(amount[:-2])


@pytest.mark.parametrize(
    "text",
    ["Net 30 days", "$5 or $6", "$5,00,0", "$0.00001", "$99999999999999999999", "", "ten (10)", "12/28/2017"],
)
def test_what_is_no_one_amount_is_none(text: str) -> None:
    assert parse_money(text) is None


def test_a_number_without_currency_takes_the_fields() -> None:
    value = parse_money("30", "usd")
    assert value is not None
    assert (value.text, value.unit) == ("30.00", "USD")


def test_a_dollar_is_the_documents_dollar() -> None:
    value = parse_money("$30", "CAD")
    assert value is not None
    assert value.unit == "CAD"


def test_words_and_digits_of_one_amount_are_one() -> None:
    text = "a fee of two hundred dollars ($200) plus US$ 300 and -$5"
    assert [(text[start:end], value.text) for start, end, value in find_money(text)] == [
        ("two hundred dollars ($200)", "200.00"),
        ("US$ 300", "300.00"),
        ("-$5", "-5.00"),
    ]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("sixty (60) days", "P60D"),
        ("two years", "P2Y"),
        ("one (I) year", "P1Y"),
        ("18 months", "P18M"),
        ("24 months", "P2Y"),
        ("6-month", "P6M"),
        ("one year and six months", "P18M"),
        ("one and one-half years", "P18M"),
        ("two weeks", "P14D"),
        ("forty-eight hours", "P2D"),
        ("thirty (30) business days", "P30D"),
        ("P60D", "P60D"),
        ("12 (twelve) months", "P1Y"),
        ("40min", "PT40M"),
        ("1h30", "PT1H30M"),
        ("2 hrs 5 mins", "PT2H5M"),
        ("1.5 hours", "PT1H30M"),
        ("one hour and 15 minutes", "PT1H15M"),
        ("2 days 4 hours", "P2DT4H"),
        ("45 sec", "PT45S"),
        ("P1DT2H30M", "P1DT2H30M"),
        ("annual", "P1Y"),
        ("30 business days", "P30D"),
    ],
)
def test_a_length_of_time_is_canonical(text: str, iso: str) -> None:
    value = parse_duration(text)
    assert value is not None
    assert value.text == iso


def test_words_and_digits_that_disagree_are_ambiguous() -> None:
    value = parse_duration("sixty (90) days")
    assert value is not None
    assert (value.special, value.text, value.amount) == (Special.AMBIGUOUS, "P60D/P90D", None)


def test_a_month_is_as_long_as_a_twelfth_of_a_year() -> None:
    year, months = parse_duration("one year"), parse_duration("12 months")
    assert year is not None
    assert months is not None
    assert (year.text, year.amount) == (months.text, months.amount)


@pytest.mark.parametrize("text", ["PT", "P5", "30-60 min", "an annual fee", "3 m", "1h75", "h30"])
def test_what_says_no_length_of_time_has_none(text: str) -> None:
    assert parse_duration(text) is None


def test_lengths_are_found_one_by_one() -> None:
    found = find_durations("Down for 40min, then 1h30; 5 mins 30 secs of it at 14:30.")

    assert [value.text for _, _, value in found] == ["PT40M", "PT1H30M", "PT5M30S"]


def test_a_rate_a_year_is_no_length() -> None:
    assert find_durations("$5 a year") == []


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("5,000 mg", "5", "g"),
        ("five percent (5%)", "5", "%"),
        ("seven and one-half percent (7.5%)", "7.5", "%"),
        ("77 °F", "25", "°C"),
        ("-40 °C", "-40", "°C"),
        ("4.7 µF", "4700", "nF"),
        ("10 kΩ", "10000", "Ω"),
        ("1.5e3 V", "1500", "V"),
        ('5"', "127", "mm"),
        ("12 pcs", "12", ""),
        ("12 Nm", "12", "N\u00b7m"),
        ("12 N\u00b7m", "12", "N\u00b7m"),
        ("3 kNm", "3000", "N\u00b7m"),
        ("50 Ncm", "0.5", "N\u00b7m"),
        ("100 ft-lb", "135.581795", "N\u00b7m"),
        ("16 A", "16000", "mA"),
        ("2.5 Ah", "2500", "mAh"),
        ("3000 mAh", "3000", "mAh"),
        ("2 kWh", "2000", "Wh"),
        ("3 GWh", "3000000000", "Wh"),
        ("48 dB", "48", "dB"),
        ("20 dBm", "20", "dBm"),
        ("6 dBi", "6", "dBi"),
        ("3,000 rpm", "3000", "rpm"),
        ("3000 min-1", "3000", "rpm"),
        ("5 kVA", "5000", "VA"),
        ("10 kvar", "10000", "var"),
        ("50 ppm", "50", "ppm"),
        ("800 lm", "800", "lm"),
        ("500 lx", "500", "lx"),
        ("6 bar", "600000", "Pa"),
        ("100 psi", "689475.729317", "Pa"),
        ("100 PSI", "689475.729317", "Pa"),
        ("15 psig", "15", "psig"),
        ("6 m3/h", "100", "l/min"),
        ("600 dpi", "600", "dpi"),
        ("1 Gbit/s", "1000000000", "bit/s"),
        ("ten (10)", "10", ""),
    ],
)
def test_a_quantity_is_in_its_canonical_unit(text: str, number: str, unit: str) -> None:
    value = parse_number(text)
    assert value is not None
    assert (value.text, value.unit) == (number, unit)


@pytest.mark.parametrize(
    "text", ["10**9**9", "5 foo", "ten (12)", "Net 30 days", "", "__import__", "6 in", "12 M"]
)
def test_what_is_no_quantity_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_a_quantity_is_converted_into_the_fields_unit_or_refused() -> None:
    value = parse_number("5 mg", "g")
    assert value is not None
    assert (value.text, value.unit) == ("0.005", "g")
    assert parse_number("5 mg", "m") is None
    assert canonical_unit("kg") == "g"
    assert (canonical_unit("Nm"), canonical_unit("rpm")) == ("N\u00b7m", "rpm")


@pytest.mark.parametrize(("text", "number"), [("4th", "4"), ("3rd", "3"), ("21st", "21"), ("2nd", "2")])
def test_a_place_in_an_order_is_a_plain_number(text: str, number: str) -> None:
    value = parse_number(text)
    assert value is not None
    assert (value.text, value.unit) == (number, "")


@pytest.mark.parametrize(
    ("text", "wanted", "number"),
    [("12 Nm", "N*m", "12"), ("500 mA", "A", "0.5"), ("7.2 MJ", "kWh", "2"), ("3.5 Ah", "C", "12600")],
)
def test_the_fields_unit_may_be_spelled_otherwise(text: str, wanted: str, number: str) -> None:
    value = parse_number(text, wanted)
    assert value is not None
    assert (value.text, value.unit) == (number, wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("5 VA", "W"), ("12 J", "N*m"), ("12 Nm", "J"), ("50 rpm", "Hz"), ("9 lm", "cd"), ("9 dBm", "dB")],
)
def test_what_only_shares_a_dimension_is_of_another_kind(text: str, wanted: str) -> None:
    assert parse_number(text, wanted) is None


def test_percentages_are_found_with_their_spans() -> None:
    text = "a fee of five percent (5%) and 3.25% or ten (10) percent"
    assert [(text[start:end], value.text) for start, end, value in find_percents(text)] == [
        ("five percent (5%)", "5"),
        ("3.25%", "3.25"),
        ("ten (10) percent", "10"),
    ]


def test_numbers_in_words() -> None:
    assert parse_cardinal("one hundred and twenty-five thousand") == 125_000
    assert parse_cardinal("five twenty") is None
    assert (parse_ordinal("twenty-second"), parse_ordinal("20t h"), parse_ordinal("2nd")) == (22, 20, 2)


def test_identifiers_are_checked_not_believed() -> None:
    text = (
        "LEI 529900T8BM49AURSDO55, LEI 529900T8BM49AURSDO56, EIN: 91-1144442, "
        "VAT DE136695976, VAT DE136695977"
    )
    assert [(found.kind, found.number) for found in find_identifiers(text)] == [
        ("lei", "529900T8BM49AURSDO55"),
        ("tax_id", "91-1144442"),
        ("vat", "DE136695976"),
    ]


def test_telephone_numbers_are_international() -> None:
    assert [found.number for found in find_phones("call (650) 253-0000")] == ["+16502530000"]


def test_one_company_is_one_however_it_is_written() -> None:
    first, second = parse_party('ACME Widgets, Inc. ("Acme")'), parse_party("Acme Widgets")
    assert first is not None
    assert second is not None
    assert first.normal == second.normal == "acme widgets"
    assert same_party("iMine Corporation", "IMINE CORP")
    assert not same_party("Alpha Energy LLC", "Beta Energy LLC")
    assert parse_party("( )") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("leases signed on 30 February 2021", "30 February 2021"),
        ("due before 2022-13-05", "2022-13-05"),
        ("after 31/04/2020", "31/04/2020"),
        ("signed on 28 February 2021", ""),
        ("no day at all", ""),
    ],
)
def test_a_day_that_no_calendar_has_is_found(text: str, found: str) -> None:
    assert impossible_date(text) == found


def test_a_day_with_two_readings_gives_both() -> None:
    assert ambiguous_date("paid on 05/06/2019") == ("05/06/2019", ("2019-05-06", "2019-06-05"))


@pytest.mark.parametrize("text", ["paid on 25/06/2019", "paid on 5 June 2019", "paid in 2019", ""])
def test_a_day_with_one_reading_is_clear(text: str) -> None:
    assert ambiguous_date(text) is None


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("CHF\u202f23\u202f456.70", "23456.70", "CHF"),
        ("5\u202f670,00\u202f\u20ac", "5670.00", "EUR"),
        ("23\u2009456,70 \u20ac", "23456.70", "EUR"),
        ("CHF 23\u00b4456.70", "23456.70", "CHF"),
        ("2'345'678.90 Fr.", "2345678.90", "CHF"),
        ("2,350.00- USD", "-2350.00", "USD"),
        ("Rs 3.5 Cr", "35000000.00", "INR"),
        ("EUR 2.3 mln", "2300000.00", "EUR"),
        ("EUR 23 Tsd.", "23000.00", "EUR"),
        ("2,5 Millionen Euro", "2500000.00", "EUR"),
        ("TEUR 560", "560000.00", "EUR"),
        ("k\u20ac 56", "56000.00", "EUR"),
    ],
)
def test_amounts_are_read_in_every_usual_writing(text: str, amount: str, unit: str) -> None:
    assert [(value.text, value.unit) for _, _, value in find_money(text)] == [(amount, unit)]


def test_a_credit_is_no_crore() -> None:
    assert find_money("USD 250.00 CR") == []


@pytest.mark.parametrize("quote", ["345.60", "CHF 12", "12'345", "2'345"])
def test_words_that_begin_or_end_within_a_number_are_told(quote: str) -> None:
    text = "Due: CHF 12'345.60 now"
    start = text.index(quote)
    assert cuts_number(text, start, start + len(quote))
    assert not cuts_number(text, text.index("12"), text.index(" now"))
