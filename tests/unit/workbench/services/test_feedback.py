from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.ids import TraceId
from core.domain.principal import Principal
from core.domain.trust.review import FlagReason, ReviewFilter
from core.errors import NotFoundError, UsageError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand

ANN, BOB = Principal("ann", frozenset({"analyst"})), Principal("bob", frozenset({"analyst"}))


@pytest.fixture
def contracts(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


@pytest.fixture
def trace(contracts: Contracts) -> TraceId:
    answer = contracts.bench.for_principal(ANN).questions.ask("What is the governing law of Cobalt?")
    return TraceId(answer.trace_id)


def test_down_flags_the_answer_and_up_does_not(contracts: Contracts, trace: TraceId) -> None:
    feedback = contracts.bench.for_principal(ANN).feedback
    reviews = contracts.bench.local.reviews
    feedback.give(trace, "up")
    assert reviews.page(ReviewFilter()).total == 0

    feedback.give(trace, "down", reason="wrong_value", note="call me: ann@example.com")

    [item] = reviews.page(ReviewFilter()).items
    assert [(each.reason, each.note) for each in item.flags] == [
        (FlagReason.THUMBS_DOWN, "answer: a value is wrong")
    ]
    [opinion] = feedback.of_traces([trace])[trace]
    assert opinion.reason == "wrong_value"
    assert "ann@example.com" not in opinion.note
    feedback.give(trace, "")
    assert feedback.of_traces([trace]) == {}


def test_an_opinion_is_of_ones_own_answer_and_of_what_is_there(contracts: Contracts, trace: TraceId) -> None:
    with pytest.raises(NotFoundError):
        contracts.bench.for_principal(BOB).feedback.give(trace, "down")
    feedback = contracts.bench.for_principal(ANN).feedback
    with pytest.raises(NotFoundError, match="no citation 9"):
        feedback.give(trace, "down", citation=9)
    with pytest.raises(UsageError, match="no reason"):
        feedback.give(trace, "down", reason="mood")
    with pytest.raises(UsageError, match="neither"):
        feedback.give(trace, "sideways")
