from __future__ import annotations

import json

import numpy as np
import pytest

from core.extract.words.head import (
    LEAST_VERDICTS,
    WORDS,
    Candidates,
    JudgedDocument,
    WordHead,
    fit_head,
    lines,
    smoothed,
)
from core.extract.words.ranking import SIGNS

STATES, OTHER = np.eye(4, dtype=np.float32)[:2]


def document(is_stated: bool, seed: int, *, noise: float = 0.1) -> JudgedDocument:
    """Four sentences, of which the first states the field or not; told apart by their vectors."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(0, noise, (4, 4)).astype(np.float32) + OTHER
    if is_stated:
        vectors[0] += STATES - OTHER
    signs = rng.normal(0, 0.1, (4, len(SIGNS)))
    found = Candidates((0, 1, 2, 3), signs, vectors, np.zeros((4, WORDS), np.float32), np.arange(4.0)[::-1])
    return JudgedDocument(found, is_stated, (0,) if is_stated else ())


def verdicts(count: int, noise: float = 0.1) -> list[JudgedDocument]:
    return [document(seed % 2 == 0, seed, noise=noise) for seed in range(count)]


def test_few_verdicts_decide_nothing() -> None:
    head = fit_head(verdicts(LEAST_VERDICTS - 1))

    assert not head.decides


def test_enough_verdicts_that_agree_decide_documents_that_nobody_saw() -> None:
    head = fit_head(verdicts(24))

    yes, no = (head.probability(head.weigh(document(each, 99).candidates)) for each in (True, False))
    assert yes >= head.present_from
    assert no < head.absent_below
    assert head.figures["right"] == head.figures["decided"] > 0


def test_verdicts_without_anything_in_common_decide_nothing() -> None:
    rng = np.random.default_rng(5)
    judged = [
        JudgedDocument(document(False, seed, noise=1.0).candidates, bool(rng.random() < 0.5), ())
        for seed in range(24)
    ]

    assert fit_head(judged).figures["decided"] <= 8


@pytest.mark.parametrize("is_stated", [True, False])
def test_verdicts_of_one_kind_decide_nothing(is_stated: bool) -> None:
    assert not fit_head([document(is_stated, seed) for seed in range(25)]).decides


def test_no_verdicts_give_a_head_that_decides_nothing() -> None:
    assert not fit_head([]).decides


def test_a_head_is_the_same_after_it_was_written_and_read() -> None:
    head = fit_head(verdicts(24))

    again = WordHead.from_json(head.to_json())

    candidates = document(True, 7).candidates
    assert again.probability(again.weigh(candidates)) == pytest.approx(
        head.probability(head.weigh(candidates)), abs=1e-3
    )
    assert (again.absent_below, again.present_from) == (head.absent_below, head.present_from)


def test_a_head_from_before_a_sign_was_added_has_no_weight_for_it() -> None:
    head = fit_head(verdicts(24))
    plain = json.loads(head.to_json())
    plain["signs"] = plain["signs"][:-1]

    again = WordHead.from_json(json.dumps(plain))

    assert len(again.signs) == len(SIGNS)
    assert again.signs[-1] == 0


def test_a_line_is_not_drawn_through_wrong_verdicts() -> None:
    probabilities = np.array([0.95, 0.94, 0.93, 0.92, 0.91, 0.2, 0.1, 0.1, 0.05, 0.05])
    labels = np.array([True, False, False, True, True, False, False, False, False, False])

    absent_below, present_from = lines(probabilities, labels)

    assert present_from > 1
    assert 0.2 < absent_below < 0.31


def test_a_share_of_few_is_drawn_to_what_is_expected() -> None:
    assert smoothed(4, 4, 0.8) == pytest.approx(0.9)
