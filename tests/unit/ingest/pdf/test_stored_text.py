from __future__ import annotations

from core.ingest.clean import normalise
from core.ingest.pdf.stored_text import store_text


def test_line_ends_and_hyphens_are_stored_plainly_with_their_way_back() -> None:
    raw = "a non\ufffeexclusive right\r\nand nota\u0300 e\u0301"
    stored = store_text(raw, joins_hyphens=False)
    assert stored.text == "a non-exclusive right\nand not\u00e0 \u00e9"
    assert normalise(stored.text) == stored.text
    for offset, mark in enumerate(stored.text):
        if mark.isascii() and mark.isalpha():
            assert raw[stored.origins[offset]] == mark


def test_a_typesetters_hyphen_is_joined_unless_the_page_shows_the_word_with_it() -> None:
    assert store_text("the termi\ufffenation of", joins_hyphens=True).text == "the termination of"
    kept = store_text("well-known, and well\ufffeknown", joins_hyphens=True)
    assert kept.text == "well-known, and well-known"


def test_a_word_that_the_page_shows_joined_is_joined() -> None:
    assert store_text("agreement; the agree\ufffement", joins_hyphens=False).text.endswith("the agreement")


def test_equal_raw_text_gives_equal_offsets() -> None:
    raw = "x\ufffey \U0001d54f\r\nz\u200b"
    assert store_text(raw, joins_hyphens=False) == store_text(raw, joins_hyphens=False)
    assert len(store_text(raw, joins_hyphens=False).origins) == len(store_text(raw, joins_hyphens=False).text)
