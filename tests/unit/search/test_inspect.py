from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.search import EngineInspection, SearchQuery
from core.errors import IndexUnavailableError, UsageError
from core.index.base import EngineAtHand, EngineHit, SearchRequest
from core.search.inspect import Inspector
from core.store.database.visibility import Visibility
from tests.support.memory_engine import MemoryEngine
from tests.support.shelf import Shelf

ALL = Visibility.everything()
QUESTION = "which payment for cookies is number 5"


class Gone(MemoryEngine):
    """An engine that stops answering."""

    def search(self, request: SearchRequest) -> list[EngineHit]:
        raise IndexUnavailableError("It did not answer within 2 s.")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    shelf.put(
        "Fiverr.txt", "Fiverr privacy policy. Data is kept for two years.", "Cookies are sold to partners."
    )
    for number in range(8):
        shelf.put(f"note{number}.txt", f"The parties agree that payment number {number} is due on time.")
    yield shelf
    shelf.close()


def inspector(shelf: Shelf, *others: EngineAtHand) -> Inspector:
    return Inspector(shelf.retriever, lambda: (*others, EngineAtHand("embedded", shelf.engine)))


def only(shelf: Shelf, query: SearchQuery, visibility: Visibility = ALL) -> EngineInspection:
    [engine] = inspector(shelf).inspect(query, visibility).engines
    return engine


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
@pytest.mark.parametrize("text", [QUESTION, "How long does Fiverr keep data?"])
def test_the_fused_list_is_what_a_search_gives(shelf: Shelf, mode: str, text: str) -> None:
    query = SearchQuery(text, mode=mode)
    hits = shelf.retriever.search(query, ALL).hits
    fused = only(shelf, query).fused.entries
    assert [(e.passage, e.score, e.start, e.text) for e in fused] == [
        (h.passage, h.score, h.start, h.text) for h in hits
    ]


@pytest.mark.parametrize("text", [QUESTION, "How long does Fiverr keep data?"])
@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
def test_the_parts_of_a_fused_score_add_up_to_it(shelf: Shelf, text: str, alpha: float) -> None:
    for entry in only(shelf, SearchQuery(text, alpha=alpha, top_k=50)).fused.entries:
        parts = [entry.keyword_part, entry.meaning_part, entry.named_part]
        assert sum(part or 0 for part in parts) == pytest.approx(entry.score, abs=1e-6)
        if alpha == 1.0:
            assert entry.keyword_part == 0
        if alpha == 0.0:
            assert entry.meaning_part == 0


def test_a_keyword_part_is_the_share_of_a_full_match(shelf: Shelf) -> None:
    entry = only(shelf, SearchQuery(QUESTION, alpha=0.25)).fused.entries[0]
    assert entry.keyword is not None
    assert entry.keyword_part == pytest.approx(0.75 * entry.keyword / entry.full_match)


def test_each_list_is_ordered_by_its_own_score(shelf: Shelf) -> None:
    engine = only(shelf, SearchQuery(QUESTION))
    assert [e.score for e in engine.keyword.entries] == sorted(
        (e.keyword or 0 for e in engine.keyword.entries), reverse=True
    )
    assert [e.score for e in engine.meaning.entries] == sorted(
        (e.cosine or 0 for e in engine.meaning.entries), reverse=True
    )


def test_a_passage_tells_its_place_in_every_list(shelf: Shelf) -> None:
    engine = only(shelf, SearchQuery(QUESTION, top_k=50))
    places = {e.passage: e.rank for e in engine.meaning.entries}
    for entry in (*engine.keyword.entries, *engine.fused.entries):
        assert entry.meaning_rank == places.get(entry.passage)
    assert [e.keyword_rank for e in engine.keyword.entries] == [e.rank for e in engine.keyword.entries]


def test_lists_are_cut_to_what_was_asked_for_and_say_how_long_they_are(shelf: Shelf) -> None:
    found = only(shelf, SearchQuery(QUESTION, top_k=2)).meaning
    assert len(found.entries) == 2
    assert found.total == 10


def test_a_search_by_one_list_leaves_the_other_empty(shelf: Shelf) -> None:
    keyword = only(shelf, SearchQuery(QUESTION, mode="keyword"))
    semantic = only(shelf, SearchQuery(QUESTION, mode="semantic"))
    assert (keyword.meaning.total, semantic.keyword.total) == (0, 0)
    assert keyword.keyword.entries
    assert semantic.meaning.entries


def test_what_may_not_be_seen_is_in_no_list(shelf: Shelf) -> None:
    secret = shelf.put("Zephyrion.txt", "Zephyrion pays for cookies, payment number 5.", acl=("legal",))
    query = SearchQuery(f"Zephyrion {QUESTION}", top_k=50)
    report = inspector(shelf).inspect(query, Visibility(frozenset({"sales"})))
    [outside] = report.engines
    inside = only(shelf, query, Visibility(frozenset({"legal"})))
    lists = (outside.keyword, outside.meaning, outside.fused)
    assert secret not in {entry.document for each in lists for entry in each.entries}
    assert report.named_documents == ()
    assert secret in {entry.document for entry in inside.fused.entries}


def test_a_named_document_is_called_by_its_title_and_its_words_are_told_apart(shelf: Shelf) -> None:
    report = inspector(shelf).inspect(SearchQuery("How long does Fiverr keep data?"), ALL)
    [engine] = report.engines
    assert [each.title for each in report.named_documents] == ["Fiverr.txt"]
    assert engine.fused.entries[0].named_part == 0.5
    assert {term.term: term.is_of_name for term in engine.terms}["fiverr"]
    assert all(term.idf >= 0 for term in engine.terms)


def test_an_engine_that_is_away_gives_its_reason_and_the_other_answers(shelf: Shelf) -> None:
    closed = EngineAtHand("weaviate", None, "Nothing listens on port 8080.")
    report = inspector(shelf, closed).inspect(SearchQuery(QUESTION), ALL)
    assert report.engines[0].reason == "Nothing listens on port 8080."
    assert report.engines[1].fused.entries
    assert report.answered_by == "embedded"


def test_an_engine_that_fails_while_asked_gives_its_reason(shelf: Shelf) -> None:
    gone = EngineAtHand("weaviate", Gone(shelf.engine._memory))
    report = inspector(shelf, gone).inspect(SearchQuery(QUESTION), ALL)
    assert "2 s" in report.engines[0].reason
    assert report.answered_by == "embedded"


def test_two_engines_that_hold_the_same_give_the_same(shelf: Shelf) -> None:
    twin = EngineAtHand("weaviate", MemoryEngine(shelf.engine._memory))
    report = inspector(shelf, twin).inspect(SearchQuery(QUESTION), ALL)
    assert report.engines[0].fused == report.engines[1].fused
    assert report.answered_by == "weaviate"


def test_a_blank_query_asks_no_engine(shelf: Shelf) -> None:
    assert inspector(shelf).inspect(SearchQuery(" \x00"), ALL).engines == ()


def test_an_unknown_mode_is_refused(shelf: Shelf) -> None:
    with pytest.raises(UsageError, match="hybrid"):
        inspector(shelf).inspect(SearchQuery("x", mode="best"), ALL)
