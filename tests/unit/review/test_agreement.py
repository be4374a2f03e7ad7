from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.trust.review import (
    AnswerVerdict,
    ClaimVerdict,
    Flag,
    FlagReason,
    ReviewItem,
    ReviewState,
)
from core.review.agreement import agreements, cohen_kappa, precisions

NOW = datetime(2026, 11, 26, tzinfo=UTC)
C, W, P = AnswerVerdict.CORRECT, AnswerVerdict.WRONG, AnswerVerdict.PARTLY


def said(item: str, reviewer: str, *verdicts: AnswerVerdict) -> list[ClaimVerdict]:
    return [ClaimVerdict(item, number, reviewer, each, "", NOW) for number, each in enumerate(verdicts)]


def test_kappa_is_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = random.Random(7)
    for _ in range(20):
        pairs = [(rng.choice((C, W, P)), rng.choice((C, C, W, P))) for _ in range(30)]
        one, other = zip(*pairs, strict=True)
        expected = metrics.cohen_kappa_score([each.value for each in one], [each.value for each in other])
        assert cohen_kappa(pairs) == pytest.approx(expected)


def test_kappa_tells_nothing_where_everybody_always_says_the_same() -> None:
    assert cohen_kappa([(C, C), (C, C)]) is None
    assert cohen_kappa([]) is None
    assert cohen_kappa([(C, C), (W, W)]) == 1
    assert cohen_kappa([(C, W), (W, C)]) == -1


def test_pairs_are_compared_on_what_both_judged() -> None:
    found = agreements(
        [*said("r1", "bob", C, W), *said("r1", "ann", C, C), *said("r2", "ann", W), *said("r3", "eve", W)]
    )

    [pair] = found
    assert (pair.one, pair.other, pair.judged, pair.agreed) == ("ann", "bob", 2, 1)


def test_precision_counts_what_was_not_wholly_right() -> None:
    item = ReviewItem(
        "r1", "t1", "ann", "Who?", "lookup", "answered", 0.3, 1,
        (Flag(FlagReason.LOW_CONFIDENCE), Flag(FlagReason.SAMPLE)),
        ReviewState.RESOLVED, "", W, "bob", "", (), 2, NOW,
    )  # fmt: skip
    every = [
        item,
        replace(item, verdict=P, flags=(Flag(FlagReason.LOW_CONFIDENCE),)),
        replace(item, verdict=C, flags=(Flag(FlagReason.LOW_CONFIDENCE),)),
        replace(item, verdict=None, state=ReviewState.OPEN),
    ]

    low, sample = precisions(every)
    assert (low.reason, low.found.right, low.found.checked, low.open) == (FlagReason.LOW_CONFIDENCE, 2, 3, 1)
    assert low.found.interval.low < 2 / 3 < low.found.interval.high
    assert (sample.reason, sample.found.right, sample.found.checked) == (FlagReason.SAMPLE, 1, 1)
