"""Codes in texts, however they are joined."""

from __future__ import annotations

import pytest

from core.domain.search import SearchQuery
from core.search.evidence.base import span_of
from core.search.evidence.pack import codes_of, drop_near_duplicates, has_code, pack
from core.store.database.visibility import Visibility
from tests.support.library import Library


@pytest.mark.parametrize("text", ["valve V-31 is shut", "valve v 31.", "V31", "V/31, then", "(V-31)"])
def test_a_code_is_found_however_it_is_joined(text: str) -> None:
    assert has_code("V-31", text)


@pytest.mark.parametrize("text", ["rev 31 of it", "3.1. Valves", "v 3.1", "V-31.5", "V-310", "DV-31", ""])
def test_a_number_of_something_else_is_no_code(text: str) -> None:
    assert not has_code("V-31", text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("the seal of pump P-7 and valve V-31", ["P-7", "V-31"]),
        ("the AS-600, RT20931 or t-45b", ["AS-600", "RT20931", "t-45b"]),
        ("Q4 of FY2024, section 3.1, type 2 and the e-1 of it", []),
        ("P-7-9", ["P-7"]),
    ],
)
def test_one_digit_makes_a_code_of_capitals_alone(text: str, codes: list[str]) -> None:
    assert codes_of(text) == codes


CLAUSE = "Either party may terminate this Agreement upon written notice to the other party."


def _kept(*texts: str) -> list[str]:
    return drop_near_duplicates(texts, lambda text: text)


def test_a_text_that_differs_by_a_letter_is_a_duplicate() -> None:
    assert _kept(CLAUSE, CLAUSE.replace("party.", "parties.")) == [CLAUSE]


def test_case_and_white_space_do_not_count() -> None:
    assert _kept(CLAUSE, CLAUSE.upper().replace(" ", "\n")) == [CLAUSE]


def test_texts_with_other_numbers_are_both_kept() -> None:
    one, two = f"{CLAUSE} within 30 days", f"{CLAUSE} within 60 days"
    assert _kept(one, two) == [one, two]


def test_different_texts_keep_their_order() -> None:
    assert _kept("b", "a", "c") == ["b", "a", "c"]


def test_nothing_gives_nothing() -> None:
    assert _kept() == []


def test_the_same_sentence_in_two_documents_is_one_piece_of_evidence() -> None:
    library = Library()
    for name in ("a.txt", "b.txt"):
        library.add(name, "Either party may terminate upon written notice to the other.")
    evidence = pack(library.retrieve(SearchQuery("terminate upon notice"), Visibility.everything()))
    assert len(evidence.sentences) == 1
    assert len(evidence.candidates) == 2


def test_a_specification_row_is_kept_where_a_bare_heading_is_not() -> None:
    library = Library()
    library.add("a.txt", "DC VOLTAGE\nMaximum DC Voltage 1,100 V\nThe voltage must be checked before work.")
    evidence = pack(library.retrieve(SearchQuery("maximum DC voltage"), Visibility.everything()))
    texts = [sentence.text.strip() for sentence in evidence.sentences]
    assert "Maximum DC Voltage 1,100 V" in texts
    assert "DC VOLTAGE" not in texts


def test_what_is_said_of_another_model_is_no_evidence() -> None:
    library = Library()
    library.add("cabinet-b-120.txt", "The B-120 has a usable capacity of 120 kWh.")
    library.add("cabinet-b-200.txt", "The B-200 stands outdoors.")
    library.add("overview.txt", "Every cabinet has a usable capacity of its own.")

    def sources(question: str) -> set[str]:
        found = pack(library.retrieve(SearchQuery(question), Visibility.everything())).sentences
        return {span_of(sentence).source for sentence in found}

    assert sources("usable capacity of the B-200") == {"cabinet-b-200.txt", "overview.txt"}
    assert sources("usable capacity of B120 or B-200") == {
        "cabinet-b-120.txt",
        "cabinet-b-200.txt",
        "overview.txt",
    }
    assert "cabinet-b-120.txt" in sources("usable capacity of the X-9 and of cabinets")


def test_a_span_leaves_out_the_white_space_around_a_sentence() -> None:
    library = Library()
    library.add("a.txt", "One thing.   Another thing here. ")
    evidence = pack(library.retrieve(SearchQuery("another thing"), Visibility.everything()))
    for sentence in evidence.sentences:
        span = span_of(sentence)
        assert span.quote == span.quote.strip()
        page = library.page(span.document, 1, span.page, Visibility.everything())
        assert page.text[span.start : span.end] == span.quote
