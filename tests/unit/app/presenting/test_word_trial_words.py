from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from app.presenting.word_trial_words import likelihoods
from core.fields.word_field import Likelihood, WordTrial


def trial(chances: list[float], is_calibrated: bool) -> WordTrial:
    documents = [SimpleNamespace(chance=each, likelihood=Likelihood.UNLIKELY) for each in chances]
    return cast("WordTrial", SimpleNamespace(documents=documents, is_calibrated=is_calibrated))


def test_before_verdicts_bear_chances_out_only_the_order_is_told() -> None:
    said = likelihoods(trial([0.02, 0.2, 0.1], False))

    assert said == ["Among the farthest from its words", "Among the nearest to its words", "In between"]
    assert not any("%" in each for each in said)


def test_then_each_has_its_probability() -> None:
    assert likelihoods(trial([0.23], True)) == ["Unlikely to state it · 23%"]


def test_a_trial_without_documents_says_nothing() -> None:
    assert likelihoods(trial([], True)) == []
