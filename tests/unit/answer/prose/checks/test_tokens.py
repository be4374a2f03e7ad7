"""Sentences in words."""

from __future__ import annotations

from core.answer.prose.checks.tokens import token_sentences


def test_stop_words_have_no_term() -> None:
    tokens = token_sentences("The tenant's rent")[0].tokens
    assert [token.term for token in tokens] == ["", "tenant", "rent"]


def test_terms_are_counted_by_sentence() -> None:
    assert [dict(each.terms) for each in token_sentences("Rent, no rents. Pay!")] == [{"rent": 2}, {"pay": 1}]
