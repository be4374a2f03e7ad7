from __future__ import annotations

from itertools import pairwise

from core.domain.document import Link, Page
from core.ingest.chunk import chunk
from core.text.headings import find_headings
from tests.support.words import WordCounter

COUNTER = WordCounter()
SENTENCE = "The supplier shall deliver the goods to the buyer in good order. "  # 12 words, 13 tokens


def page(number: int, text: str) -> Page:
    return Page(number, text, find_headings(text))


def test_a_document_below_200_tokens_is_one_passage() -> None:
    passages = chunk([page(1, SENTENCE * 3), page(2, SENTENCE)], COUNTER)
    assert len(passages) == 1
    assert [part.page_no for part in passages[0].parts] == [1, 2]


def test_an_empty_document_has_no_passage() -> None:
    assert chunk([page(1, " \n "), page(2, "")], COUNTER) == []
    assert chunk([], COUNTER) == []


def test_passages_fit_the_window_and_overlap_by_up_to_50_tokens() -> None:
    text = SENTENCE * 100
    passages = chunk([page(1, text)], COUNTER)
    assert all(200 <= passage.tokens <= 254 for passage in passages)
    for before, after in pairwise(passages[:-1]):
        shared = text[after.parts[0].start : before.parts[0].end]
        assert 0 < len(COUNTER.offsets(shared)) <= 50


def test_a_new_passage_begins_at_a_heading_once_200_tokens_are_reached() -> None:
    text = SENTENCE * 16 + "\n\n7. Governing Law\n\n" + SENTENCE * 40
    passages = chunk([page(1, text)], COUNTER)
    begun = [passage for passage in passages if passage.text.startswith("7. Governing Law")]
    assert len(begun) == 1
    assert begun[0].section == ("7. Governing Law",)
    assert passages[0].section == ()


def test_a_running_head_before_the_first_heading_does_not_give_the_section_of_the_page_before() -> None:
    pages = [
        page(1, "1. Cash Flows\n\n" + SENTENCE * 16),
        page(2, "Table of Contents\n2. Balance Sheets\n\n" + SENTENCE * 16),
    ]
    passages = chunk(pages, COUNTER)
    sections = {passage.parts[0].page_no: passage.section for passage in passages}
    assert sections == {1: ("1. Cash Flows",), 2: ("2. Balance Sheets",)}


def test_a_short_page_between_long_ones_borrows_from_the_page_before() -> None:
    pages = [page(1, SENTENCE * 30), page(2, SENTENCE * 2), page(3, SENTENCE * 30)]
    passages = chunk(pages, COUNTER)
    joined = [passage for passage in passages if len(passage.parts) > 1]
    assert [part.page_no for part in joined[0].parts] == [1, 2]
    assert len(joined) == 1
    assert joined[0].tokens >= 200


def test_a_short_first_page_borrows_from_the_next() -> None:
    passages = chunk([page(1, "Cover Page"), page(2, SENTENCE * 30)], COUNTER)
    assert [part.page_no for part in passages[0].parts] == [1, 2]
    assert passages[0].text.startswith("Cover Page\n")


def test_a_giant_word_becomes_many_passages() -> None:
    text = "x" * 200_000
    passages = chunk([page(1, text)], COUNTER)
    assert len(passages) >= 5
    assert sum(part.end - part.start for passage in passages for part in passage.parts) >= len(text)


def test_the_long_profile_makes_passages_of_about_a_thousand_words() -> None:
    passages = chunk([page(1, SENTENCE * 400)], COUNTER, "long")
    assert all(1_200 <= passage.tokens <= 2_000 for passage in passages)


def test_links_go_to_the_passage_that_holds_them() -> None:
    text = SENTENCE * 100
    links = [
        Link("image", "logo.png", 1, 5),
        Link("pdf", "annex.pdf", 1, len(text) - 10),
        Link("image", "seal.png", 1),
    ]
    passages = chunk([page(1, text)], COUNTER, links=links)
    assert passages[0].images == ("logo.png", "seal.png")
    assert passages[0].pdfs == ()
    assert passages[-1].images == ("seal.png",)
    assert passages[-1].pdfs == ("annex.pdf",)
