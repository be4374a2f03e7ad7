"""Spans of a reading, tidied before anything is made of them."""

from __future__ import annotations

from datetime import date

from bench.reader.marks import reading_of
from core.plan.catalogue import NoTexts
from core.plan.language.interpretation import lexicon_of
from core.plan.language.lexicon.meaning import Known
from core.plan.reader.conditions import schema_of, tidied
from core.plan.reader.exact_reading import mentions_of
from tests.support.known_collection import known_collection

COLLECTION = known_collection()


def test_parts_of_one_condition_are_joined() -> None:
    reading = reading_of("list", "[roll on]{+renewal_term} by [themselves]{+renewal_term}", "contracts")

    assert [reading.question[s.start : s.end] for s in tidied(reading).spans] == ["roll on by themselves"]


def test_two_documents_stay_two() -> None:
    reading = reading_of("compare", "[the Halden deal]{doc} versus [the Orion deal]{doc}", "contracts")

    assert len(tidied(reading).spans) == 2


def test_a_clause_is_one_condition_however_often_it_is_said() -> None:
    marked = "[no cap]{-cap_on_liability}, i.e. nothing that [limits what we owe]{-cap_on_liability}"

    assert len(tidied(reading_of("list", marked, "contracts")).spans) == 1


def test_the_noun_of_a_question_decides_between_schemas() -> None:
    reading = reading_of("list", "invoices above [1,000 dollars]{=total}", "invoices")
    mentions = mentions_of(
        reading.question, Known(lexicon_of(COLLECTION), None, NoTexts()), date(2024, 11, 22)
    )

    schema = schema_of(reading, mentions, lexicon_of(COLLECTION))

    assert schema is not None
    assert schema.name == "invoices"
