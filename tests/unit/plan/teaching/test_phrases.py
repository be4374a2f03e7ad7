"""Example phrases that marked questions hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.reader.marks import reading_of
from core.plan.teaching.phrases import example_phrases
from tests.support.compact_readings import COLLECTION
from tests.support.marked_reader import marking_of


def phrases(said: str) -> list[str]:
    reading = reading_of("list", said, "contracts")
    found = example_phrases(reading.question, marking_of(reading), COLLECTION)
    return [f"{each.field}: {each.text}" for each in found]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("deals that [Let us walk  away]{+termination_for_convenience}",
         ["termination_for_convenience: let us walk away"]),
        ("deals [without a ceiling on what we owe]{-cap_on_liability}",
         ["cap_on_liability: ceiling on what we owe"]),
        ("the ones [wobbling before March 2025]{=expiration_date}", ["expiration_date: wobbling"]),
        ("the ones [worth above 5,000 dollars in dosh]{=contract_value}", ["contract_value: dosh"]),
        ("[how far ahead must we say so]{?termination_notice} in the [Halden deal]{doc}",
         ["termination_notice: how far ahead must we say so"]),
        ("the three with the [highest dosh]{order contract_value}", ["contract_value: dosh"]),
        ("count them [per boss]{by vendor}", ["vendor: boss"]),
        ("contracts with [insurance]{+insurance}", []),
        ("contracts [under Texas law]{=governing_law}", []),
        ("contracts with [Halden]{party}", []),
        ("the ones that [end]{=expiration_date}", []),
    ],
)  # fmt: skip
def test_a_phrase_is_what_speaks_of_the_field_and_of_nothing_else(said: str, found: list[str]) -> None:
    assert phrases(said) == found


def test_a_phrase_that_was_taught_before_is_found_again() -> None:
    said = "deals that [let us walk away]{+termination_for_convenience}"
    schemas = tuple(
        replace(
            schema,
            fields=tuple(
                replace(each, phrases=("let us walk away",))
                if each.name == "termination_for_convenience"
                else each
                for each in schema.fields
            ),
        )
        for schema in COLLECTION.schemas
    )
    taught = replace(COLLECTION, fingerprint="taught", schemas=schemas)
    reading = reading_of("list", said, "contracts")

    found = example_phrases(reading.question, marking_of(reading), taught)

    assert [each.text for each in found] == ["let us walk away"]
