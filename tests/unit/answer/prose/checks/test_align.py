"""Alignment of a claim with its sources."""

from __future__ import annotations

from core.answer.prose.checks.align import align, token_sentences


def test_the_sentence_that_shares_most_comes_first() -> None:
    source = "The tenant pays rent. The landlord repairs the roof. Whales sing."
    pair = align("The roof is repaired by the landlord.", [source])[0]
    assert pair.sources[0].text == "The landlord repairs the roof."
    assert pair.coverage[0] == 1


def test_each_sentence_of_a_claim_is_aligned() -> None:
    assert len(align("Tenants pay. Landlords repair.", ["The tenant pays."])) == 2


def test_a_text_without_words_gives_nothing() -> None:
    assert align("...", ["The tenant pays."]) == []


def test_stop_words_have_no_term() -> None:
    tokens = token_sentences("The tenant's rent")[0].tokens
    assert [token.term for token in tokens] == ["", "tenant", "rent"]
