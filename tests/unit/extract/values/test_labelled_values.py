"""A key with its value: a fact where all of the value was understood, else a doubt with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.config.fields import FieldDefinition, KeyValueExtractor, PatternExtractor, TableExtractor
from core.domain.fields import CellStatus, FieldType, Finding, Special
from core.extract.document_rules import RULES
from core.extract.key_value import find_beside_keys
from core.extract.patterns import find_patterns
from core.extract.tables import find_in_columns, read_rows
from core.extract.values.receipts import amounts_in
from core.fields.typed import text_value, values_in
from tests.support.document_text import document_text


def _field(kind: str, **values: Any) -> FieldDefinition:
    return FieldDefinition(name="asked", title="Asked", type=FieldType(kind), **values)


def _labelled(kind: str, said: str, **values: Any) -> Finding | None:
    document = document_text(f"NOTE\n\nAsked for: {said}\nOther: nothing is said here.\n")
    return find_beside_keys(document, _field(kind, **values), KeyValueExtractor(keys=("Asked for",)))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("money", "half a million dollars"),
        ("money", "$99999999999999999999"),
        ("money", "$0.00001"),
        ("money", "$1.2.3"),
        ("money", "$1O0"),
        ("money", "$10 to 20 million"),
        ("date", "31/02/2020"),
        ("date", "29/02/2021"),
        ("date", "March 5-7, 2021"),
        ("date", "Version 1.2.2021"),
        ("number", "(5) kg"),
        ("number", "5\u00bd"),
        ("number", "-2+3"),
        ("number", "=1+1"),
        ("number", "5\u00b11 kg"),
        ("number", "5O"),
        ("number", "672 to 864 V DC"),
        ("duration", "30-60 days"),
        ("duration", "-5 days"),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_a_labelled_value_that_cannot_be_read_is_uncertain_where_it_stands(
    kind: str, said: str, many: bool
) -> None:
    finding = _labelled(kind, said, many=many)

    assert finding is not None
    assert (finding.status, finding.values) == (CellStatus.UNCERTAIN, ())
    assert [(each.value, each.spans[0].quote) for each in finding.candidates] == [(None, said)]
    assert finding.note


@pytest.mark.parametrize(
    ("kind", "said", "candidates"),
    [
        ("money", "not to exceed $5", ["5.00"]),
        ("money", "at least $5", ["5.00"]),
        ("money", "$5,000 or more", ["5000.00"]),
        ("money", "5 USD or 6 USD", ["5.00", "6.00"]),
        ("money", "$5,000 and $6,000", ["5000.00", "6000.00"]),
        ("money", "between $1 and $2 million", ["2000000.00"]),
        ("date", "on or before March 5, 2021", ["2021-03-05"]),
        ("date", "not March 5, 2021", ["2021-03-05"]),
        ("date", "May 1, 2021 to May 5, 2021", ["2021-05-01", "2021-05-05"]),
        ("number", "< 5 kg", ["5000"]),
        ("number", "twenty-five percent (30%)", ["25/30"]),
        ("duration", "at least 30 days", ["P30D"]),
    ],
)
def test_a_bound_or_one_of_several_is_a_candidate_and_no_fact(
    kind: str, said: str, candidates: list[str]
) -> None:
    finding = _labelled(kind, said)

    assert finding is not None
    assert finding.status is CellStatus.UNCERTAIN
    assert [each.value.text for each in finding.candidates if each.value] == candidates


@pytest.mark.parametrize(
    ("kind", "said", "special"),
    [
        ("money", "$[***]", Special.REDACTED),
        ("money", "$______", Special.BLANK),
        ("date", "the __ day of ____ 20__", Special.BLANK),
        ("date", "this 1st day of January 20__", Special.BLANK),
    ],
)
def test_a_labelled_blank_is_a_blank(kind: str, said: str, special: Special) -> None:
    finding = _labelled(kind, said)

    assert finding is not None
    assert finding.status is CellStatus.UNCERTAIN
    assert [each.value.special for each in finding.candidates if each.value] == [special]


@pytest.mark.parametrize(
    ("kind", "said"), [("money", "N/A"), ("money", "none"), ("number", "heavy"), ("date", "-")]
)
def test_words_that_say_no_value_are_no_doubt(kind: str, said: str) -> None:
    assert _labelled(kind, said) is None


@pytest.mark.parametrize(
    ("kind", "said", "span", "text"),
    [
        ("text", "-1,234.50", "-1,234.50", "-1,234.50"),
        ("text", "-2+3", "-2+3", "-2+3"),
        ("text", "=1+1", "=1+1", "=1+1"),
        ("text", "**Acme** ", "Acme", "Acme"),
        ("text", "- Acme", "Acme", "Acme"),
        ("text", '"Acme", ', "Acme", "Acme"),
        ("party", "**Acme Widgets, Inc.**", "Acme Widgets, Inc.", "Acme Widgets, Inc."),
        ("money", "-1,234.50", "-1,234.50", "-1234.50"),
        ("money", "(1,234.50)", "(1,234.50)", "-1234.50"),
        ("money", "USD (500)", "USD (500)", "-500.00"),
        ("money", "**$5,000**", "$5,000", "5000.00"),
        ("number", "-5%", "-5%", "-5"),
        ("number", "(1,234.50)", "(1,234.50)", "-1234.5"),
        ("boolean", "yes.", "yes", "true"),
    ],
)
def test_a_span_holds_what_was_read_with_its_sign(kind: str, said: str, span: str, text: str) -> None:
    finding = values_in(said, _field(kind))

    assert [(said[each.start : each.end], each.value.text) for each in finding] == [(span, text)]


def test_a_text_says_what_it_was_read_from() -> None:
    value = text_value('  "-5 apples." ')

    assert value is not None
    assert (value.text, value.original) == ("-5 apples", "-5 apples")


@pytest.mark.parametrize(
    "said", ["Mon, 09 Sep 2024 10:00:00 +0200", "Monday, September 9, 2024", "Mon 9 Sep 2024"]
)
def test_a_day_of_the_week_before_a_date_is_understood(said: str) -> None:
    finding = _labelled("date", said)

    assert finding is not None
    assert [value.text for value in finding.values] == ["2024-09-09"]


def test_a_later_key_with_a_value_counts_before_a_doubt() -> None:
    document = document_text("Price: $1O0\nTotal: $7.00\n")
    finding = find_beside_keys(document, _field("money"), KeyValueExtractor(keys=("price", "total")))

    assert finding is not None
    assert [value.text for value in finding.values] == ["7.00"]


@pytest.mark.parametrize(
    ("cell", "quotes"),
    [("$1O0", ["$1O0"]), ("$5 or more", ["$5"]), ("$10 to 20 million", ["$10 to 20 million"])],
)
def test_a_cell_of_the_column_that_cannot_be_read_is_uncertain(cell: str, quotes: list[str]) -> None:
    document = document_text(f"Item | Price | Kind\nTire | {cell} | new\n")
    document = replace(document, rows=tuple(read_rows(document)[0]))
    finding = find_in_columns(document, _field("money"), TableExtractor(columns=("price",)))

    assert finding is not None
    assert (finding.status, finding.method) == (CellStatus.UNCERTAIN, "table")
    assert [each.spans[0].quote for each in finding.candidates] == quotes


@pytest.mark.parametrize("shift", range(24))
def test_an_amount_on_the_border_of_two_pieces_is_read_whole(shift: int) -> None:
    before = "word " * 4_000
    finding = RULES["all_amounts"](
        document_text(f"{before[: 20_000 - shift]} $5,000,000.00 million and 7,000,000 EUR ")
    )

    assert sorted((value.text, value.unit) for value in finding.values) == [
        ("5000000000000.00", "USD"),
        ("7000000.00", "EUR"),
    ]


@pytest.mark.parametrize("said", ["$5 million", "$5MM", "$5.5.5", "$5-6"])
def test_a_pattern_that_cuts_an_amount_short_gives_no_fact(said: str) -> None:
    extractor = PatternExtractor(patterns=(r"deposit of (\$\d)",))
    finding = find_patterns(document_text(f"A deposit of {said} is due."), _field("money"), extractor)

    assert finding is not None
    assert (finding.status, finding.values) == (CellStatus.UNCERTAIN, ())


@pytest.mark.parametrize(
    ("line", "amount"),
    [("DISCOUNT -5.00", "-5.00"), ("REFUND 5.00-", "-5.00"), ("TOTAL - 5.00", "5.00"), ("-RM 5.00", "-5.00")],
)
def test_an_amount_of_a_receipt_keeps_its_sign(line: str, amount: str) -> None:
    assert [each.value.text for each in amounts_in(line, 0, len(line), "MYR")] == [amount]
