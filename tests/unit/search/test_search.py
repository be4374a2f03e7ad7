from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.errors import EncoderError, UsageError
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from tests.support.shelf import Shelf

ALL = Visibility.everything()
ODD = [
    "O'Neil \"x / y",
    "\x00\x1b[31m\u202e",
    "\ud800",
    '"',
    '""""',
    "((((",
    "a" * 50_000,
    "/ OR AND NOT *:?~^",
]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.close()


def two_policies(shelf: Shelf) -> tuple[DocumentId, DocumentId]:
    groupon = shelf.put(
        "Groupon.txt", "Groupon privacy policy. Data is kept for nine years.", "Cookies are sold to no one."
    )
    fiverr = shelf.put(
        "Fiverr.txt", "Fiverr privacy policy. Data is kept for two years.", "Cookies are sold to partners."
    )
    for number in range(8):
        shelf.put(f"note{number}.txt", f"The parties agree that payment number {number} is due on time.")
    return fiverr, groupon


def test_the_passage_that_answers_comes_first_and_its_text_is_the_page_text(shelf: Shelf) -> None:
    two_policies(shelf)
    report = shelf.retriever.search(SearchQuery("which payment is number 5"), ALL)
    first = report.hits[0]
    page = shelf.records.documents.page(first.document, first.version, first.page, ALL)
    assert first.source == "note5.txt"
    assert page.text[first.start : first.end] == first.text
    assert [hit.rank for hit in report.hits] == list(range(1, len(report.hits) + 1))


def test_scores_fall_with_rank_and_lie_between_0_and_1(shelf: Shelf) -> None:
    two_policies(shelf)
    for question in ("How long does Fiverr keep data?", "payment due"):
        scores = [hit.score for hit in shelf.retriever.search(SearchQuery(question), ALL).hits]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_a_named_document_comes_first_and_the_rest_fills_up(shelf: Shelf) -> None:
    fiverr, groupon = two_policies(shelf)
    report = shelf.retriever.search(SearchQuery("How long does Fiverr keep cookies and data?"), ALL)
    assert report.named_documents == (fiverr,)
    assert [hit.document for hit in report.hits[:2]] == [fiverr, fiverr]
    assert groupon in {hit.document for hit in report.hits[2:]}


def test_what_is_attached_to_a_named_document_is_searched_with_it(shelf: Shelf) -> None:
    fiverr, _ = two_policies(shelf)
    terms = shelf.put("Fiverr.txt/terms.csv", "all mails are kept for ninety days.")
    report = shelf.retriever.search(SearchQuery("How long are mails and data kept by Fiverr?"), ALL)
    assert report.named_documents == (fiverr,)
    assert {hit.document for hit in report.hits[:3]} == {fiverr, terms}
    assert report.hits[0].document == terms


def test_names_are_not_looked_for_where_the_caller_says_so(shelf: Shelf) -> None:
    two_policies(shelf)
    query = SearchQuery("How long does Fiverr keep data?", resolve=False)
    assert shelf.retriever.search(query, ALL).named_documents == ()


def test_a_document_added_or_removed_later_is_known_by_its_name(shelf: Shelf) -> None:
    two_policies(shelf)
    question = SearchQuery("What does Zephyrion pay?")
    assert shelf.retriever.search(question, ALL).named_documents == ()
    added = shelf.put("Zephyrion.txt", "Zephyrion pays nine dollars.")
    assert shelf.retriever.search(question, ALL).named_documents == (added,)
    shelf.records.documents.remove([added])
    shelf.index()
    assert shelf.retriever.search(question, ALL).named_documents == ()


def test_what_may_not_be_seen_is_neither_named_nor_found(shelf: Shelf) -> None:
    two_policies(shelf)
    secret = shelf.put("Zephyrion.txt", "Zephyrion pays nine dollars for cookies.", acl=("legal",))
    question = SearchQuery("What does Zephyrion pay for cookies?", top_k=100)
    outsider = shelf.retriever.search(question, Visibility(frozenset({"sales"})))
    insider = shelf.retriever.search(question, Visibility(frozenset({"legal"})))
    assert secret not in outsider.named_documents
    assert secret not in {hit.document for hit in outsider.hits}
    assert insider.hits[0].document == secret


def test_buckets_and_documents_bound_the_search(shelf: Shelf) -> None:
    _, groupon = two_policies(shelf)
    other = shelf.put("data.txt", "Data is kept.", bucket="other")
    by_bucket = shelf.retriever.search(SearchQuery("Fiverr data kept", buckets=("other",)), ALL)
    by_document = shelf.retriever.search(SearchQuery("Fiverr data kept", documents=(groupon,)), ALL)
    assert {hit.document for hit in by_bucket.hits} == {other}
    assert {hit.document for hit in by_document.hits} == {groupon}


def test_a_keyword_search_keeps_the_order_of_the_keyword_list(shelf: Shelf) -> None:
    two_policies(shelf)
    report = shelf.retriever.search(SearchQuery("Fiverr cookies sold", mode="keyword"), ALL)
    keyword = [hit.keyword for hit in report.hits]
    assert all(score is not None for score in keyword)
    assert keyword == sorted(keyword, key=lambda score: -(score or 0))
    assert shelf.encoder.queries == []


def test_a_semantic_search_keeps_the_order_of_the_vectors(shelf: Shelf) -> None:
    two_policies(shelf)
    report = shelf.retriever.search(SearchQuery("Fiverr cookies sold", mode="semantic"), ALL)
    cosines = [hit.cosine for hit in report.hits]
    assert [hit.keyword for hit in report.hits] == [None] * len(report.hits)
    assert cosines == sorted(cosines, key=lambda score: -(score or 0))
    assert report.named_documents == ()


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
@pytest.mark.parametrize("top_k", [0, 1, 3, 50])
def test_a_search_shows_the_first_of_all_candidates(shelf: Shelf, mode: str, top_k: int) -> None:
    for number in range(30):
        shelf.put(f"note{number}.txt", f"The fee is {number % 3} EUR for visitors.")
    query = SearchQuery("fee for visitors", mode, top_k=top_k)
    whole = shelf.retriever.retrieve(query, ALL)
    assert shelf.retriever.search(query, ALL).hits == shelf.retriever.report(whole, query).hits


def test_passages_that_are_gone_from_the_records_make_room_for_the_next(shelf: Shelf) -> None:
    put = [shelf.put(f"note{number}.txt", "fee " * (50 - number)) for number in range(40)]
    query = SearchQuery("fee", "keyword", top_k=5)
    first = [hit.document for hit in shelf.retriever.search(replace(query, top_k=30), ALL).hits]
    assert set(first) <= set(put)
    shelf.records.documents.remove(first[:25])  # the index is told later
    assert [hit.document for hit in shelf.retriever.search(query, ALL).hits] == first[25:30]


def test_a_quoted_phrase_binds_in_a_keyword_search(shelf: Shelf) -> None:
    shelf.put("a.txt", "Termination for convenience is allowed.")
    shelf.put("b.txt", "Convenience of termination for all is allowed.")
    report = shelf.retriever.search(SearchQuery('"termination for convenience"', mode="keyword"), ALL)
    assert [hit.source for hit in report.hits] == ["a.txt"]


def test_an_unknown_mode_is_refused_with_the_ones_there_are(shelf: Shelf) -> None:
    with pytest.raises(UsageError, match=r"'fuzzy'.*hybrid, keyword, semantic"):
        shelf.retriever.search(SearchQuery("x", mode="fuzzy"), ALL)


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
@pytest.mark.parametrize("text", ODD)
def test_odd_input_is_searched_for_without_an_error(shelf: Shelf, text: str, mode: str) -> None:
    shelf.put("a.txt", "O'Neil signed x and y.")
    report = shelf.retriever.search(SearchQuery(text, mode=mode), ALL)
    assert len(report.hits) <= 1


@pytest.mark.parametrize("text", ["", "   ", "\x00\u200b"])
def test_a_blank_query_finds_nothing(shelf: Shelf, text: str) -> None:
    shelf.put("a.txt", "Something.")
    assert shelf.retriever.search(SearchQuery(text), ALL).hits == ()


def test_an_empty_collection_gives_nothing(shelf: Shelf) -> None:
    assert shelf.retriever.search(SearchQuery("Who signed?"), ALL).hits == ()


def test_without_an_encoder_the_search_goes_on_by_keyword_and_says_so(shelf: Shelf) -> None:
    two_policies(shelf)
    shelf.encoder.fail()
    report = shelf.retriever.search(SearchQuery("payment number 5"), ALL)
    assert report.hits[0].source == "note5.txt"
    assert [note.code for note in report.degradations] == ["E003"]
    with pytest.raises(EncoderError):
        shelf.retriever.search(SearchQuery("payment", mode="semantic"), ALL)


def test_a_passage_over_several_pages_is_shown_by_the_part_that_answers(shelf: Shelf) -> None:
    shelf.put("slides.txt", pages=["Welcome to the meeting.", "Revenue grew by nine percent.", "Thank you."])
    hit = shelf.retriever.search(SearchQuery("By how much percent grew revenue?"), ALL).hits[0]
    assert (hit.page, hit.text) == (2, "Revenue grew by nine percent.")


def test_more_hits_than_the_pool_can_be_asked_for(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pool=10)
    for number in range(15):
        shelf.put(f"note{number}.txt", f"Payment {number} is due.")
    report = shelf.retriever.search(SearchQuery("payment due", top_k=15), ALL)
    assert len(report.hits) == 15
    assert shelf.records.documents.count(ALL, DocumentQuery()) == 15
    shelf.close()


def test_what_earlier_turns_carry_leads_a_short_follow_up(shelf: Shelf) -> None:
    two_policies(shelf)
    query = SearchQuery("And for how long?", carried="Groupon data kept years", resolve=False)
    assert shelf.retriever.search(query, ALL).hits[0].source == "Groupon.txt"


def test_warming_up_reads_the_names_of_all_documents(shelf: Shelf) -> None:
    two_policies(shelf)
    shelf.retriever.warm()
    assert shelf.encoder.queries == ["warm"]


def test_a_further_wording_finds_what_the_question_has_no_word_of(shelf: Shelf) -> None:
    two_policies(shelf)
    shelf.put("Moped.txt", "A moped is insured by its keeper.")
    asked = SearchQuery("payment number 5", mode="keyword")

    alone = shelf.retriever.search(asked, ALL).hits
    found = shelf.retriever.search(replace(asked, wordings=("moped insured",)), ALL).hits

    assert "Moped.txt" not in {hit.source for hit in alone}
    assert "Moped.txt" in {hit.source for hit in found}
    assert found[0].source == alone[0].source == "note5.txt"
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_further_wordings_stay_in_the_documents_that_a_question_names(shelf: Shelf) -> None:
    fiverr, _ = two_policies(shelf)
    asked = SearchQuery("How long does Fiverr keep data?", wordings=("cookies are sold to no one",), top_k=3)

    found = shelf.retriever.search(asked, ALL)

    assert found.named_documents == (fiverr,)
    assert {hit.document for hit in found.hits[:2]} == {fiverr}


def test_a_question_of_a_period_finds_the_rows_of_figures_before_the_prose_about_them(shelf: Shelf) -> None:
    shelf.put(
        "prose.txt", "Sales of the period rose, and the sales of services rose more than sales of goods."
    )
    rows = "Sales of goods 118,573 94,665 79,268\nSales of services 59,293 41,322 27,738\n177,866 135,987"
    shelf.put("rows.txt", rows)
    for text, first in (
        ("How did sales of goods rise?", "prose.txt"),
        ("How did sales of goods rise in FY2017?", "rows.txt"),
    ):
        found = shelf.retriever.retrieve(SearchQuery(text), ALL).candidates
        assert found[0].stored.source == first
        for each in found:
            assert each.score == pytest.approx(each.parts.keyword + each.parts.meaning, abs=1e-5)
        assert shelf.retriever.search(SearchQuery(text, top_k=1), ALL).hits[0].source == first
