from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.ids import DocumentId, PassageId
from core.domain.search import SearchQuery
from core.search.multi_hop import HopSearch, MultiHop, PairPassage, extend_pairs, in_order, rank_pairs
from core.store.database.visibility import Visibility
from tests.support.shelf import Shelf

WEIGHTS = {"a": 0.5, "b": 0.3, "c": 0.2}


def piece(id: int, score: float, terms: str = "", links: str = "") -> PairPassage:
    return PairPassage(
        PassageId(id), DocumentId(str(id)), score, frozenset(terms), frozenset(map(DocumentId, links))
    )


PIECES = st.lists(
    st.builds(
        piece,
        st.integers(0, 9),
        st.floats(0, 1),
        st.text("abc", max_size=3),
        st.text("0123456789", max_size=4),
    ),
    max_size=10,
    unique_by=lambda each: each.id,
)


def test_two_that_cover_the_question_together_go_before_two_that_score_alike_alone() -> None:
    front, same, other = piece(1, 0.5, "ab"), piece(2, 0.5, "ab"), piece(3, 0.45, "c")
    best = rank_pairs([front], [front, same, other], WEIGHTS)[0]
    assert (best.passages, round(best.coverage, 6)) == ((1, 3), 1.0)


def test_a_passage_that_is_named_goes_before_one_that_scores_a_little_more() -> None:
    front, other, named = piece(1, 0.5, links="3"), piece(2, 0.5), piece(3, 0.4)
    assert [pair.passages[1] for pair in rank_pairs([front], [other, named], WEIGHTS)] == [3, 2]


def test_it_does_not_matter_which_of_two_names_the_other() -> None:
    front, naming, other = piece(1, 0.5), piece(2, 0.4, links="1"), piece(3, 0.5)
    assert [pair.passages[1] for pair in rank_pairs([front], [other, naming], WEIGHTS)] == [2, 3]


@given(PIECES, st.integers(0, 5))
def test_every_front_is_paired_with_every_other_piece_once_and_scores_fall(
    pieces: list[PairPassage], count: int
) -> None:
    fronts = pieces[:count]
    pairs = rank_pairs(fronts, pieces, WEIGHTS)
    assert len({pair.passages for pair in pairs}) == len(pairs) == len(fronts) * max(len(pieces) - 1, 0)
    assert [pair.score for pair in pairs] == sorted((pair.score for pair in pairs), reverse=True)
    assert all(0 <= pair.coverage <= 1.000001 for pair in pairs)


@given(PIECES)
def test_the_order_holds_every_passage_once(pieces: list[PairPassage]) -> None:
    order = in_order(rank_pairs(pieces[:3], pieces, WEIGHTS)[:4], [each.id for each in pieces])
    assert sorted(order) == sorted(each.id for each in pieces)


def test_a_third_passage_joins_a_linked_pair_whose_second_names_it() -> None:
    pieces = {
        each.id: each for each in (piece(1, 0.5, "a", "2"), piece(2, 0.1, "b", "3"), piece(3, 0.1, "c"))
    }
    pairs = rank_pairs([pieces[PassageId(1)]], pieces.values(), WEIGHTS)
    (chain,) = extend_pairs(pairs, pieces, WEIGHTS)
    assert (chain.passages, round(chain.coverage, 6), chain.is_linked) == ((1, 2, 3), 1.0, True)


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
