"""Searches in the collections of facts, on the embedded engine, fed from records by the change sequence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.domain.search import SearchQuery
from core.errors import UsageError
from core.index.collections import Collection, FactFeed
from core.store.database.visibility import Visibility
from tests.support.stated import TEXT
from tests.support.stated import Stating as Place

ALL = Visibility.everything()
LEGAL, NOBODY = Visibility(frozenset({"legal"})), Visibility(frozenset())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with closing(Place(tmp_path)) as made:
        yield made


def test_each_collection_gives_its_facts_with_their_exact_places(place: Place) -> None:
    document = place.publish("lease")
    place.state(document)
    place.index()

    found = {
        index: place.facts.search(SearchQuery(text, index=index), ALL).hits[0]
        for index, text in {
            "clauses": "hall insured",
            "parties": "landlord",
            "financials": "liability cap",
            "summaries": "legal summary",
        }.items()
    }

    page = place.records.documents.page(document, 1, 1, ALL).text
    assert {index: page[hit.start : hit.end] for index, hit in found.items()} == {
        "clauses": "The tenant keeps the hall insured.",
        "parties": "Mill Road Holdings LLC",
        "financials": "$5,000",
        "summaries": "The tenant keeps the hall insured.",
    }
    assert all(hit.text == page[hit.start : hit.end] and hit.index == index for index, hit in found.items())


def test_a_facts_vector_is_the_mean_of_the_sentences_it_overlaps(place: Place) -> None:
    document = place.publish("lease")
    place.state(document)
    [passage] = place.records.passages.of_documents([document])
    sentences = place.records.passages.sentence_vectors([passage.stored.id])[passage.stored.id]

    rows = FactFeed(place.records, Collection.SUMMARIES).of_documents([document])

    mean = sentences[:2].sum(axis=0)
    assert rows[0].vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    [party] = FactFeed(place.records, Collection.PARTIES).of_documents([document])
    assert party.vector == pytest.approx(sentences[2] / np.linalg.norm(sentences[2]), abs=1e-5)


@pytest.mark.parametrize(
    ("index", "where", "count"),
    [
        ("clauses", "type = insurance", 2),
        ("clauses", "type = 'Cap on liability'", 2),
        ("clauses", "confidence >= 0.85", 2),
        ("clauses", "type ~ ^cap", 2),
        ("clauses", "governing_law = Delaware", 2),
        ("financials", "amount > 4000 USD", 2),
        ("financials", "amount > 5000 USD", 0),
        ("financials", "amount between 1000 USD and 5000 USD", 2),
        ("financials", "amount > 100 EUR", 0),
        ("financials", "effective < 2024-04-01", 2),
        ("financials", "expires is-missing", 2),
        ("parties", "role in landlord, tenant", 2),
        ("parties", "name contains mill", 2),
        ("summaries", "kind = legal", 2),
    ],
)
def test_conditions_choose_before_the_ranking(place: Place, index: str, where: str, count: int) -> None:
    for name, law in (("one", "Delaware"), ("two", "Nevada")):
        place.state(place.publish(name, f"{TEXT} Of house {name}."), law)  # equal texts would be copies
    place.index()

    assert len(place.texts("hall liability mill", index, where)) == count


def test_a_condition_that_cannot_be_read_is_refused_with_what_can(place: Place) -> None:
    place.state(place.publish("lease"))
    for where in ("lawyer = x", "type is present", "confidence > much", "confidence contains 1"):
        with pytest.raises(UsageError) as refused:
            place.texts("hall", "clauses", where)
        assert refused.value.next_step
    with pytest.raises(UsageError, match="Unknown index"):
        place.texts("hall", "sentences")


def test_facts_of_hidden_documents_are_not_found(place: Place) -> None:
    place.state(place.publish("secret", acl=("legal",)))
    place.index()

    assert place.texts("hall", "clauses", visible=LEGAL)
    assert place.texts("hall", "clauses", visible=NOBODY) == []
    assert place.texts("hall", "clauses", "type = insurance", visible=NOBODY) == []


def test_a_new_version_takes_its_old_facts_with_it_and_brings_new_ones(
    place: Place,
) -> None:
    document = place.publish("lease")
    place.state(document)
    place.index()
    text = f"A preamble. {TEXT}"
    place.publish("lease", text)
    place.index()
    before = place.texts("hall", "clauses")

    place.state(document, text=text, version=2)
    place.index()

    assert before == []
    [hit, *_] = place.facts.search(SearchQuery("hall insured", index="clauses"), ALL).hits
    assert (hit.version, text[hit.start : hit.end]) == (2, "The tenant keeps the hall insured.")
    place.records.documents.remove([document])
    place.index()
    assert place.texts("hall", "clauses") == []


def test_facts_that_did_not_change_are_not_written_again(place: Place) -> None:
    document = place.publish("lease")
    place.state(document)
    place.index()
    place.state(document)
    place.index()

    engine = place.engines[Collection.CLAUSES]
    assert engine.status().passages == 2
    assert engine._view().rows.state.dead == 0
