"""Examples of how questions speak of a field, as the rules read them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.plan.catalogue import KnownCatalogue
from core.plan.planner import RulePlanner
from tests.support.known_collection import in_a_line, known_collection

COLLECTION = known_collection()


def taught(field: str, phrase: str) -> KnownCatalogue:
    """The collection with an example phrase of a field of contracts."""
    schemas = tuple(
        replace(
            schema,
            fields=tuple(
                replace(each, phrases=(phrase,)) if (each.schema, each.name) == ("contracts", field) else each
                for each in schema.fields
            ),
        )
        for schema in COLLECTION.schemas
    )
    return replace(COLLECTION, fingerprint=f"{COLLECTION.fingerprint} {phrase}", schemas=schemas)


def planned(catalogue: KnownCatalogue, question: str) -> str:
    return in_a_line(RulePlanner(catalogue, today=date(2024, 11, 22)).plan(question))


@pytest.mark.parametrize(
    ("field", "phrase", "question", "plan"),
    [
        ("termination_for_convenience", "let us skedaddle", "Which contracts let us skedaddle?",
         "contracts[document_kind = agreement; termination_for_convenience = true]"),
        ("termination_for_convenience", "let us skedaddle", "Which contracts do not let us skedaddle?",
         "contracts[document_kind = agreement; termination_for_convenience is-missing]"),
        ("cap_on_liability", "a ceiling on what we owe", "contracts without a ceiling on what we owe",
         "contracts[document_kind = agreement; cap_on_liability is-missing]"),
        ("contract_value", "money in it", "sum of the money in it per governing law",
         "contracts[] -> sum(contract_value) per governing_law"),
        ("termination_notice", "how long beforehand must we tell them that we are leaving",
         "how long beforehand must we tell them that we are leaving under the Halden cleaning contract?",
         "contracts in d02[] show termination_notice"),
    ],
)  # fmt: skip
def test_a_phrase_means_its_field_where_it_is_said_as_it_stands(
    field: str, phrase: str, question: str, plan: str
) -> None:
    assert planned(taught(field, phrase), question) == plan
    assert planned(COLLECTION, question) != plan


def test_words_of_a_phrase_mean_nothing_by_themselves() -> None:
    question = "Which contracts let us carry insurance?"

    assert planned(taught("audit_rights", "let us rummage"), question) == planned(COLLECTION, question)
