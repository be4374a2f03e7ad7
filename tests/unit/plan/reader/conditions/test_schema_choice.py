"""The schema that a reading is about."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.reader.conditions.schema_choice import schema_of
from core.plan.reader.exact_reading import mentions_of
from tests.support.known_readings import KNOWN, TODAY


@pytest.mark.parametrize(
    ("marked", "linked", "name"),
    [
        ("invoices above [1,000 dollars]{=total}", "invoices", "invoices"),
        ("what do we have with [Halden]{party}", "contracts", "contracts"),
    ],
)
def test_fields_nouns_and_parties_choose_between_schemas(marked: str, linked: str, name: str) -> None:
    reading = reading_of("list", marked, linked)
    mentions = mentions_of(reading.question, KNOWN, TODAY)

    schema = schema_of(reading, mentions, KNOWN.lexicon)

    assert schema is not None
    assert schema.name == name
