"""Score of support."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.support import check_support, support_of


def test_the_score_is_the_share_of_words_that_are_said() -> None:
    assert support_of("Tenants pay rent.", ["The tenant is paying rents."]) == pytest.approx(1)
    assert support_of("Whales sing loudly.", ["The tenant pays rent."]) == 0
    assert support_of("Tenants sing.", ["The tenant pays rent."]) == pytest.approx(0.5)


def test_a_claim_without_words_is_supported_and_one_without_sources_is_not() -> None:
    assert support_of("...", ["The tenant pays."]) == 1
    assert support_of("Tenants pay.", []) == 0


def test_each_sentence_is_held_against_those_that_share_most_with_it() -> None:
    source = "The tenant pays rent. The landlord repairs the roof. Whales sing."
    assert support_of("The roof is repaired by the landlord. Whales sing.", [source]) == 1


def test_the_threshold_decides() -> None:
    assert check_support(0.5, 0.5).ok
    assert not check_support(0.49, 0.5).ok


def test_values_are_no_words() -> None:
    assert support_of("It is due on 3 Oct 2024.", ["It is due on 2024-10-03."]) == 1
