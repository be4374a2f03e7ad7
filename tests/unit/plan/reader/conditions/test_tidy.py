"""Spans of a reading, joined, parted and dropped before conditions are made of them."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.reader.conditions.tidy import fit_to_schema, repetitions, tidy
from core.plan.reader.reading import SpanRole
from tests.support.known_readings import schema_reading


def test_parts_of_one_condition_are_joined() -> None:
    reading = reading_of("list", "[roll on]{+renewal_term} by [themselves]{+renewal_term}", "contracts")

    assert [reading.question[s.start : s.end] for s in tidy(reading).spans] == ["roll on by themselves"]


def test_two_documents_stay_two() -> None:
    reading = reading_of("compare", "[the Halden deal]{doc} versus [the Orion deal]{doc}", "contracts")

    assert len(tidy(reading).spans) == 2


def test_a_clause_is_one_condition_however_often_it_is_said() -> None:
    marked = "[no cap]{-cap_on_liability}, i.e. nothing that [limits what we owe]{-cap_on_liability}"

    assert len(tidy(reading_of("list", marked, "contracts")).spans) == 1


def test_a_span_that_says_a_clause_once_more_is_a_repetition() -> None:
    marked = "[no cap]{-cap_on_liability}, i.e. nothing that [limits what we owe]{-cap_on_liability}"
    reading = reading_of("list", marked, "contracts")

    assert [reading.text(each) for each in repetitions(reading, tidy(reading))] == ["limits what we owe"]


@pytest.mark.parametrize(
    ("marked", "spans"),
    [
        ("contracts with a [Halden]{+exclusivity}", [("Halden", SpanRole.PARTY)]),
        ("[Halden agreements]{kind}", [("Halden", SpanRole.PARTY), ("agreements", SpanRole.KIND)]),
        (
            "[effective date]{+effective_date} in [2023]{=effective_date}",
            [("effective date in 2023", SpanRole.VALUE)],
        ),
    ],
)
def test_spans_are_fitted_to_a_schema(marked: str, spans: list[tuple[str, SpanRole]]) -> None:
    own = schema_reading(marked)

    found = fit_to_schema(own.reading, own.schema, own.mentions)

    assert [(found.text(each), each.role) for each in found.spans] == spans
