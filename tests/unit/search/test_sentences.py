from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.search import SearchQuery
from core.search.sentences import ScoredSentence, rank_sentences
from core.store.database.visibility import Visibility
from tests.support.shelf import Shelf

ALL = Visibility.everything()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.close()


def ask(shelf: Shelf, question: str) -> list[ScoredSentence]:
    found = shelf.retriever.retrieve(SearchQuery(question), ALL)
    return rank_sentences(found.analysis, found.candidates)


def test_the_sentence_that_answers_comes_first_and_is_page_text(shelf: Shelf) -> None:
    shelf.put("a.txt", "The tank holds water. Its width is nine metres. Call us for help.")
    shelf.put("b.txt", "The pump moves water. Its noise is low.")
    best = ask(shelf, "What is the width of the tank in metres?")[0]
    page = shelf.records.documents.page(best.document, best.version, best.span.page_no, ALL)
    assert best.text == "Its width is nine metres."
    assert page.text[best.span.start : best.span.end] == best.text


def test_scores_fall_and_coverage_is_a_share(shelf: Shelf) -> None:
    shelf.put("a.txt", "The tank holds water. Its width is nine metres. Call us for help.")
    shelf.put("b.txt", "Payment is due in June.")
    sentences = ask(shelf, "What is the width of the tank in metres?")
    assert [s.score for s in sentences] == sorted((s.score for s in sentences), reverse=True)
    assert all(0 <= s.coverage <= s.coverage_in_context <= 1.0001 for s in sentences)
    assert all(0 <= s.keyword <= 1 for s in sentences)


def test_a_heading_is_not_an_answer(shelf: Shelf) -> None:
    shelf.put(
        "a.txt",
        "LIABILITY CAP\nThe cap on the liability of each party is nine dollars.",
        section=("LIABILITY CAP",),
    )
    shelf.put("b.txt", "Payment is due in June.")
    sentences = ask(shelf, "What is the cap on the liability of a party in dollars?")
    assert sentences[0].text == "The cap on the liability of each party is nine dollars."
    assert next(s for s in sentences if s.text == "LIABILITY CAP").is_heading


def test_a_row_of_a_table_is_no_heading(shelf: Shelf) -> None:
    shelf.put("a.txt", "Maximum Input Voltage | 1,100 V\nPanel Width 992 mm\nPARTS AND PAYMENTS")
    headings = {s.text.strip() for s in ask(shelf, "What is the panel width?") if s.is_heading}
    assert headings <= {"PARTS AND PAYMENTS"}


def test_a_field_that_is_filled_in_is_no_heading(shelf: Shelf) -> None:
    shelf.put("a.txt", "Delivery Term: DAP\n[x] Conflict Declared\nArticle 3: Delivery Terms\nDelivery Term:")
    headings = {s.text.strip() for s in ask(shelf, "What is the delivery term?") if s.is_heading}

    assert headings == {"Article 3: Delivery Terms", "Delivery Term:"}


def test_a_sentence_of_two_overlapping_passages_is_given_once(shelf: Shelf) -> None:
    overlapping = ("One is first. Two is second.", "Two is second. Three is third.")
    shelf.put_page("a.txt", "One is first. Two is second. Three is third.", overlapping)
    assert sorted(s.text for s in ask(shelf, "second")) == [
        "One is first.",
        "Three is third.",
        "Two is second.",
    ]


def test_a_sentence_is_found_by_the_words_of_its_title_and_section(shelf: Shelf) -> None:
    shelf.put("a.txt", "It ends in June.", title="Alpha lease", section=("Term",))
    shelf.put("b.txt", "It ends in July.", title="Beta lease", section=("Term",))
    best = ask(shelf, "When does the term of the Beta lease end?")[0]
    assert best.text == "It ends in July."
    assert best.coverage_in_context > best.coverage


def test_no_candidates_give_no_sentences(shelf: Shelf) -> None:
    assert ask(shelf, "anything") == []


def test_what_is_deleted_or_the_head_of_a_mail_is_no_sentence_and_a_quotation_stands_behind(
    shelf: Shelf,
) -> None:
    shelf.put(
        "a.eml",
        "From: Ada <ada@mill.example>\nDate: 4 June 2024\nSubject: The silo is delivered\n\n"
        "The silo is delivered on 9 July 2024.\n[deleted: The silo is delivered on 5 July 2024.]\n\n"
        "> The silo is delivered on 1 July 2024.",
    )
    shelf.put("b.txt", "Payment is due in June.")
    found = [(each.text, each.kind) for each in ask(shelf, "When is the silo delivered?")]
    mail = [each for each in found if "silo" in each[0]]
    assert mail == [
        ("The silo is delivered on 9 July 2024.", None),
        ("> The silo is delivered on 1 July 2024.", "quoted"),
    ]
    assert any("From: Ada" in each.text for each in ask(shelf, "Who sent the mail on the silo?"))
