"""Normalised text stays as it is when it is normalised again, and holds nothing that cannot be stored."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.clean import normalise
from tests.support.examples import examples

ANY_TEXT = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from(
            "\r\n\t\x00\x0c\x85\u200b\u202e\ufeff\ufffe\u2028\ud800\udc00e\u0301\u00ad\u1100\u1161"
        ),
    ),
    max_size=200,
)


@settings(max_examples=examples(300))
@given(ANY_TEXT)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@settings(max_examples=examples(300))
@given(ANY_TEXT)
def test_normalised_text_can_be_stored_and_read_by_a_person(text: str) -> None:
    clean = normalise(text)
    clean.encode("utf-8")
    assert unicodedata.is_normalized("NFC", clean)
    assert not any(unicodedata.category(mark) in ("Cc", "Cs") for mark in clean if mark not in "\n\t")
    assert not set(clean) & set("\r\u200b\u200d\u202a\u202e\ufeff\ufffe\u00ad")


@settings(max_examples=examples(200))
@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=200))
def test_plain_text_keeps_every_offset(text: str) -> None:
    assert normalise(text) == text
