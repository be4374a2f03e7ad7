from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.search import SearchQuery
from core.records.database.visibility import Visibility
from core.retrieval.multi_hop import HopSearch, MultiHop
from tests.support.shelf import Shelf

ALL = Visibility.everything()
QUESTION = "In which year was the director of Silver Lantern born?"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    for number in range(12):
        shelf.put(
            f"n{number}",
            f"The director of company {number} signs for a year.",
            title=f"Note {number}",
        )
    yield shelf
    shelf.close()


def put_film(shelf: Shelf, acl: tuple[str, ...] = ()) -> None:
    shelf.put("film", "Silver Lantern is a film. It was made by Mara Quist.", title="Silver Lantern")
    shelf.put("maker", "Mara Quist was born at Lund in 1931.", title="Mara Quist (filmmaker)", acl=acl)


def titles(found: HopSearch, count: int = 2) -> list[str]:
    return [each.stored.title for each in found.retrieval.candidates[:count]]


def test_the_document_that_a_found_passage_names_comes_beside_it(shelf: Shelf) -> None:
    put_film(shelf)
    found = MultiHop(shelf.retriever).search(SearchQuery(QUESTION), ALL)
    assert titles(found) == ["Silver Lantern", "Mara Quist (filmmaker)"]
    assert found.chains[0].is_linked
    assert len(found.steps) >= 2


def test_scores_fall_and_no_passage_is_lost(shelf: Shelf) -> None:
    put_film(shelf)
    first = shelf.retriever.retrieve(SearchQuery(QUESTION), ALL).candidates
    found = MultiHop(shelf.retriever).search(SearchQuery(QUESTION), ALL).retrieval.candidates
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    ids = [each.stored.id for each in found]
    assert len(ids) == len(set(ids))
    assert {each.stored.id for each in first} <= set(ids)


def test_what_may_not_be_seen_is_not_followed(shelf: Shelf) -> None:
    put_film(shelf, acl=("secret",))
    some = Visibility(frozenset({"public"}))
    found = MultiHop(shelf.retriever).search(SearchQuery(QUESTION), some)
    assert "Mara Quist (filmmaker)" not in [each.stored.title for each in found.retrieval.candidates]
    assert len(found.steps) == 1


def test_links_stay_within_the_buckets_and_documents_that_are_asked(shelf: Shelf) -> None:
    put_film(shelf)
    shelf.put("other", "Silver Lantern was remade by Odo Bark.", title="Remakes", bucket="films")
    shelf.put("bark", "Odo Bark came to the world in 1950.", title="Odo Bark", bucket="people")
    found = MultiHop(shelf.retriever).search(SearchQuery(QUESTION, buckets=("films",)), ALL)
    assert [each.stored.title for each in found.retrieval.candidates] == ["Remakes"]


def test_without_links_the_first_search_stands(shelf: Shelf) -> None:
    query = SearchQuery("company 5")
    found = MultiHop(shelf.retriever).search(query, ALL)
    alone = shelf.retriever.retrieve(query, ALL).candidates
    assert [each.stored.id for each in found.retrieval.candidates] == [each.stored.id for each in alone]
    assert found.ended == "Nothing that was found names a further document."


def test_an_empty_collection_is_no_error(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    try:
        found = MultiHop(shelf.retriever).search(SearchQuery(QUESTION), ALL)
    finally:
        shelf.close()
    assert not found.retrieval.candidates
    assert found.ended == "Nothing was found to go on from."


def test_a_chain_goes_on_to_a_third_hop_and_no_further(shelf: Shelf) -> None:
    shelf.put("a", "The Amber Gate was drawn by Ilse Vance.", title="Amber Gate")
    shelf.put("b", "Ilse Vance grew up at Port Selm.", title="Ilse Vance")
    shelf.put("c", "Port Selm lies on the Grey Firth.", title="Port Selm")
    shelf.put("d", "The Grey Firth is deep.", title="Grey Firth")
    question = "Amber Gate architect's childhood town mayor's shoe size"
    found = MultiHop(shelf.retriever).search(SearchQuery(question), ALL)
    assert len(found.steps) == 3
    assert "Port Selm" in titles(found, 6)
    assert found.ended == "3 hops were made."


def test_a_hop_that_takes_too_long_is_the_last_and_says_so(shelf: Shelf) -> None:
    put_film(shelf)
    ticks = iter(range(0, 1000, 3))
    found = MultiHop(shelf.retriever, tick=lambda: float(next(ticks))).search(SearchQuery(QUESTION), ALL)
    assert len(found.steps) == 1
    assert [each.code for each in found.retrieval.degradations] == ["E005"]
    assert "took 3.0 s" in found.ended


def test_two_passages_that_cover_the_question_end_the_hops(shelf: Shelf) -> None:
    shelf.put("film", "Silver Lantern is by director Mara Quist.", title="Silver Lantern")
    shelf.put("maker", "The year in which Mara Quist was born is 1931, says Ed Roy.", title="Mara Quist")
    shelf.put("roy", "Ed Roy writes.", title="Ed Roy")
    found = MultiHop(shelf.retriever).search(SearchQuery(QUESTION), ALL)
    assert len(found.steps) == 2
    assert found.ended == "What was found covers 100% of the question."
