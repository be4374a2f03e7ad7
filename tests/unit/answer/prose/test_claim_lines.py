from __future__ import annotations

import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answer.prose.claim_lines import (
    MOST_CLAIMS,
    MOST_SEARCHES,
    BadLine,
    ClaimLines,
    TextPiece,
    WrittenClaim,
    WrittenSearch,
    partial_text,
    plain_sentence,
    read_claim,
)


def line(text: str, *ids: str) -> str:
    return json.dumps({"text": text, "ids": list(ids)})


def read(*pieces: str) -> list[TextPiece | WrittenClaim | BadLine]:
    lines = ClaimLines()
    found = [part for piece in pieces for part in lines.feed(piece)]
    return [*found, *lines.end()]


def claims(*pieces: str) -> list[WrittenClaim]:
    return [part for part in read(*pieces) if isinstance(part, WrittenClaim)]


def test_each_line_is_a_sentence_with_its_ids() -> None:
    written = line("The rent is USD 4,500.", "e1") + "\n" + line("Water is paid by the tenant.", "e1", "e2")

    assert claims(written) == [
        WrittenClaim(0, "The rent is USD 4,500.", ("e1",)),
        WrittenClaim(1, "Water is paid by the tenant.", ("e1", "e2")),
    ]


@given(st.text(max_size=60), st.integers(1, 7))
def test_the_words_come_as_they_are_written_and_none_twice(text: str, size: int) -> None:
    written = line(text, "e1") + "\n"
    pieces = [written[at : at + size] for at in range(0, len(written), size)]

    shown = "".join(part.text for part in read(*pieces) if isinstance(part, TextPiece))

    assert shown == text


def test_an_escape_that_is_cut_in_two_is_shown_once_it_is_whole() -> None:
    assert partial_text('{"text": "a\\u00') == "a"
    assert partial_text('{"text": "a\\u00e9') == "a\u00e9"
    assert partial_text('{"text": "say \\') == "say "
    assert partial_text('{"ids": ["e1"], "te') == ""


@pytest.mark.parametrize("bad", ["no JSON", '["e1"]', '{"ids": []}', '{"text": 4, "ids": []}', "[" * 9_000])
def test_a_line_that_is_no_claim_is_told_as_such(bad: str) -> None:
    assert isinstance(read_claim(bad, 3), BadLine)


def test_fences_blank_lines_and_commas_are_forgiven() -> None:
    assert claims("```json\n", line("It is so.", "e1") + ",\n", "\n", "```") == [
        WrittenClaim(0, "It is so.", ("e1",))
    ]


def test_an_empty_text_says_that_nothing_answers() -> None:
    assert read(line("") + "\n") == []


def test_what_is_not_stated_is_named_in_a_line_of_its_own() -> None:
    lines = ClaimLines()
    written = line("It is so.", "e1") + "\n" + json.dumps({"lacks": "the fee in 2027."}) + "\n"
    assert [each for each in lines.feed(written) if isinstance(each, WrittenClaim)] == [
        WrittenClaim(0, "It is so.", ("e1",))
    ]
    assert lines.lacks == ["the fee in 2027"]


def test_no_more_sentences_are_taken_than_an_answer_may_hold() -> None:
    lines = ClaimLines()
    many = "".join(line(f"Sentence {at}.", "e1") + "\n" for at in range(50))

    found = [part for part in lines.feed(many) if isinstance(part, WrittenClaim)]

    assert len(found) == MOST_CLAIMS
    assert lines.is_full
    assert list(lines.end()) == []


def test_a_line_without_end_makes_it_full() -> None:
    lines = ClaimLines()
    list(lines.feed('{"text": "' + "word " * 3_000))

    assert lines.is_full


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("## **Rent** is due.", "Rent is due."),
        (":material/home: Rent is :red[due].", "Rent is due."),
        (":warning: Rent is due at 10:30.", "Rent is due at 10:30."),
        ("| Rent is `due`. |", "Rent is due."),
        ("- Rent is due in 2 * 3 weeks.", "Rent is due in 2 * 3 weeks."),
    ],
)
def test_marks_around_words_are_no_words(text: str, plain: str) -> None:
    assert plain_sentence(text) == plain


def test_a_line_may_ask_for_a_search() -> None:
    lines = ClaimLines()

    parts = list(lines.feed('{"search": " cost of sales ", "doc_id": "d1"}\n{"search": ""}\n'))

    assert parts[0] == WrittenSearch("cost of sales", "d1")
    assert isinstance(parts[1], BadLine)


def test_no_more_searches_are_heard_than_a_round_may_have() -> None:
    lines = ClaimLines()

    assert len(list(lines.feed('{"search": "rent", "doc_id": null}\n' * 9))) == MOST_SEARCHES


def test_no_sentence_takes_seconds_to_be_made_plain() -> None:
    began = process_time()
    for text in ("__a " * 20_000, "** " * 20_000, "`" * 40_000):
        plain_sentence(text)

    assert process_time() - began < 2
