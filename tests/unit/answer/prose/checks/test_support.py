"""Score of support."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import align
from core.answer.prose.checks.support import check_support, support_of


def test_the_score_is_the_share_of_words_that_are_said() -> None:
    assert support_of(align("Tenants pay rent.", ["The tenant is paying rents."])) == pytest.approx(1)
    assert support_of(align("Whales sing loudly.", ["The tenant pays rent."])) == 0
    assert support_of(align("Tenants sing.", ["The tenant pays rent."])) == pytest.approx(0.5)


def test_a_claim_without_words_is_supported_and_one_without_sources_is_not() -> None:
    assert support_of(align("...", ["The tenant pays."])) == 1
    assert support_of(align("Tenants pay.", [])) == 0


def test_the_threshold_decides() -> None:
    assert check_support(0.5, 0.5).ok
    assert not check_support(0.49, 0.5).ok


def test_values_are_no_words() -> None:
    assert support_of(align("It is due on 3 Oct 2024.", ["It is due on 2024-10-03."])) == 1
