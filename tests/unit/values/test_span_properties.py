"""Whatever the text: every span holds the characters that its value was read from, and time stays bounded."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.document import Page
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.values.rules import RULES
from core.values import (
    find_dates,
    find_durations,
    find_money,
    find_percents,
    parse_date,
    parse_money,
)
from core.values.money import money_text
from core.values.numbers import NonOverlappingSpans
from tests.support.examples import examples

PIECES = st.sampled_from(
    [
        "This Agreement",
        " is made as of ",
        "May 1, 2004",
        ' (the "Effective Date") ',
        "by and between ",
        "Acme, Inc. ",
        '("Supplier")',
        " and ",
        "Beta LLC",
        ' ("Buyer")',
        ". ",
        "\n\n",
        "\n",
        "governed by the laws of ",
        "New York",
        " England",
        " shall continue until ",
        "31/12/2020",
        "two (2) years",
        " from the Effective Date",
        "$1,000.00",
        " TOTAL: ",
        "9.50",
        "RM",
        "____, 2004",
        " automatically renew for successive ",
        "one (1) year",
        " terms",
        " unless notice ",
        "ninety (90) days",
        " prior to the end of the term",
        "liability shall not exceed ",
        "\f",
        "Net 30",
        "5%",
        "[***]",
        "é",
        "￾",
        " ",
        "(",
        ")",
        "Amendment No. 2 to the Supply Agreement ",
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)
HOSTILE = [
    "_",
    "1.1,",
    "[ ](",
    "law ",
    "May 1, 2004 ",
    "1/1/",
    "$ ",
    '("',
    "term continue until expire ",
    "renew for ",
]


def document(text: str) -> DocumentText:
    pages = tuple(Page(number, page) for number, page in enumerate(text.split("\f"), start=1))
    return DocumentText(DocumentId("d1"), 1, "b", "t", "t.txt", "", "text/plain", "en", pages)


@settings(max_examples=examples(60), deadline=None)
@given(TEXTS)
def test_every_quote_of_every_rule_equals_the_page_at_its_span(text: str) -> None:
    read = document(text)
    pages = {page.page_no: page.text for page in read.pages}
    for rule in RULES.values():
        found = rule(read)
        for quote in [*found.spans, *(span for each in found.candidates for span in each.spans)]:
            assert pages[quote.span.page_no][quote.span.start : quote.span.end] == quote.quote
            assert quote.quote


@settings(max_examples=examples(60), deadline=None)
@given(TEXTS)
def test_found_values_stand_where_they_say_and_never_overlap(text: str) -> None:
    for finder in (find_dates, find_money, find_durations, find_percents):
        end = 0
        for start, stop, value in finder(text):
            assert end <= start < stop
            assert text[start:stop] == value.original
            end = stop


@given(st.integers(-(10**14), 10**14))
def test_money_survives_being_written_out(units: int) -> None:
    amount = Decimal(units).scaleb(-4)
    value = parse_money(f"USD {amount}")
    assert value is not None
    assert (value.amount, value.text) == (units, money_text(amount))


@given(st.dates(min_value=date(1800, 1, 1), max_value=date(2099, 12, 31)))
def test_a_calendar_date_survives_being_written_out(when: date) -> None:
    value = parse_date(when.isoformat())
    assert value is not None
    assert (value.text, value.amount) == (when.isoformat(), when.toordinal())


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=30))
def test_no_two_taken_spans_overlap(spans: list[tuple[int, int]]) -> None:
    free = NonOverlappingSpans()
    taken = [(start, start + length) for start, length in spans if free.take(start, start + length)]
    covered = [offset for start, end in taken for offset in range(start, end)]
    assert len(covered) == len(set(covered))


@pytest.mark.parametrize("seed", HOSTILE)
def test_hostile_text_costs_bounded_time(seed: str) -> None:
    text = (seed * 10_000)[:10_000]
    started = time.process_time()
    for finder in (find_dates, find_money, find_durations, find_percents):
        finder(text)
    assert time.process_time() - started < 2.0
