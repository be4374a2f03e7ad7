"""The choices of a reading: fields that are alike, values that are stated, kinds of documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.passage import Matrix
from core.errors import EncoderError
from core.plan.readers.trained.reading import QuestionReader, TextReader
from core.plan.reading_line.choices import NEAR, ReadingChoices, choices_of
from tests.support.read_questions import CATALOGUE, planned

CAPPED = "Which contracts have a liability cap above 100,000 USD?"


class Likeness(TextReader):
    """A reader that finds texts alike which have an insurance in them."""

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        return np.array([["insurance" in each.casefold() for each in texts] for _ in phrases], np.float32)


class Broken(TextReader):
    """A reader whose encoder fails."""

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        raise EncoderError("It is gone.")


def choices(question: str, reader: QuestionReader | None = None) -> ReadingChoices:
    return choices_of(planned(question), CATALOGUE, reader)


def test_each_part_has_its_choices_in_the_order_of_the_reading() -> None:
    found = choices(CAPPED, Likeness())
    subject, cap, listing = found.parts

    assert subject.near == ()
    assert len(cap.near) == NEAR
    assert "liability_cap_amount" not in cap.near
    assert cap.near[0] == "insurance"
    assert listing.near


def test_without_an_encoder_names_are_compared_by_their_letters() -> None:
    assert choices(CAPPED, Broken()).parts == choices(CAPPED).parts
    assert "cap_on_liability" in choices(CAPPED).parts[1].near


def test_all_fields_of_the_documents_can_be_chosen() -> None:
    schema = CATALOGUE.schema("contracts")
    assert schema is not None

    assert [each.name for each in choices(CAPPED).fields["contracts"]] == [f.name for f in schema.fields]


def test_values_that_documents_state_are_offered_with_the_most_frequent_first() -> None:
    law = choices("contracts governed by Texas law").parts[1]
    party = choices("contracts with Halden as vendor").parts[1]

    assert law.values[0] == "New York"
    assert "Halden Corporation" in party.values


def test_documents_of_one_schema_are_offered_by_their_kinds_too() -> None:
    found = {each.to: each.label for each in choices(CAPPED).subjects}

    assert found[""] == "all documents"
    assert found["contracts/agreement"] == "contracts"
    assert found["contracts"] == "contracts of any kind"
    assert found["certificates"] == "certificates"


def test_documents_of_any_kind_have_the_fields_of_all() -> None:
    names = [each.name for each in choices("How many documents do we have?").fields[""]]

    assert len(names) == len(set(names))
    assert {"governing_law", "total"} <= set(names)
