from __future__ import annotations

from core.answer.abstain import ARTEFACT, abstention_text, confidence, load_models, should_abstain
from core.search.evidence.score import Features

STRONG = Features(0.9, 1.0, 1.0)
NOTHING = Features(0.0, 0.0, 0.0)


def test_strong_evidence_is_answered_and_none_is_not() -> None:
    assert not should_abstain(STRONG)
    assert should_abstain(NOTHING)


def test_more_of_anything_never_lowers_the_confidence() -> None:
    rising = [confidence(Features(share / 10, share / 10, share / 10)) for share in range(11)]
    assert rising == sorted(rising)
    assert 0 <= rising[0] < rising[-1] <= 1


def test_the_threshold_can_be_set() -> None:
    assert should_abstain(STRONG, 1.0)
    assert not should_abstain(NOTHING, 0.0)


def test_the_artefact_ships_with_its_model_card() -> None:
    assert set(load_models()) == {"answerable", "confidence"}
    assert ARTEFACT.with_suffix(".md").exists()


def test_an_abstention_says_what_was_searched_missing_and_what_to_try() -> None:
    text = abstention_text("3 documents in “a”", ["parking"], has_nearest=True)
    assert "Searched 3 documents in “a”." in text
    assert "“parking”" in text
    assert "Try " in text
