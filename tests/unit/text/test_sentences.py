from __future__ import annotations

import pytest

from core.text.sentences import MAX_WORDS, split_sentences


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


def test_a_full_stop_before_a_capital_ends_a_sentence() -> None:
    assert sentences("It ends. It begins again! Does it? Yes.") == [
        "It ends.",
        "It begins again!",
        "Does it?",
        "Yes.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Smith of ACME Inc. signed it.",
        "See Section 5. Termination applies.",
        "The price is 3.50 USD per unit.",
        "Fees, e.g. Taxes, are due.",
        "J. R. Hartley wrote it.",
        "5. Termination",
    ],
)
def test_abbreviations_numbers_and_initials_do_not(text: str) -> None:
    assert sentences(text) == [text]


def test_a_company_suffix_ends_a_sentence_where_a_new_one_plainly_begins() -> None:
    assert sentences("It was sold to ACME Inc. The buyer paid.") == [
        "It was sold to ACME Inc.",
        "The buyer paid.",
    ]


def test_blank_lines_and_list_items_end_sentences() -> None:
    assert sentences("Heading\n\nfirst part\n(a) one thing\n(b) another") == [
        "Heading",
        "first part",
        "(a) one thing",
        "(b) another",
    ]


def test_rows_of_a_table_are_sentences() -> None:
    assert sentences("name | price\nbolt | 3\nnut | 4") == ["name | price", "bolt | 3", "nut | 4"]


def test_a_wrapped_line_does_not_end_a_sentence() -> None:
    text = "The parties agree that the term of this\nagreement is five years from the date\nof the signature."
    assert sentences(text) == [text]


def test_a_sentence_over_ninety_words_is_cut_at_its_semicolons() -> None:
    clause = "the supplier shall deliver the goods in good order and " * 4
    text = "; ".join([clause.strip()] * 5) + "."
    parts = sentences(text)
    assert len(parts) > 1
    assert all(len(part.split()) <= MAX_WORDS for part in parts)
    assert all(part.endswith(";") for part in parts[:-1])


def test_chinese_stops_need_no_space() -> None:
    assert len(sentences("\u4f60\u597d\u3002\u518d\u89c1\u3002")) == 2


def test_a_giant_word_is_cut_and_blank_text_has_no_sentence() -> None:
    assert "".join(sentences("x" * 10_000)) == "x" * 10_000
    assert split_sentences(" \n\t ") == []


def test_a_part_of_a_text_gives_offsets_into_the_whole() -> None:
    text = "Skip this. Take this. And this."
    assert [text[a:b] for a, b in split_sentences(text, 11, len(text))] == ["Take this.", "And this."]
