from __future__ import annotations

from core.evidence.dedupe import drop_near_duplicates

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
