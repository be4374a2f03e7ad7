from __future__ import annotations

import numpy as np
import pytest

from core.domain.ids import DocumentId
from core.errors import JobError
from core.ingest.extract.clauses import ClauseHeads
from core.ingest.extract.definitions import Definitions
from core.ingest.extract.retraining import Verdict, is_held_back, retrain
from core.ingest.extract.work import load_heads

HEAD = "insurance"


def verdicts(is_there: float, probability: float, count: int = 120) -> list[Verdict]:
    """Of `count` documents so many, as a share, hold a clause that was given this probability."""
    return [
        Verdict(DocumentId(f"d{number}"), HEAD, probability, (number % 100) / 100 < is_there)
        for number in range(count)
    ]


def test_probabilities_that_were_too_low_rise_and_the_model_is_used() -> None:
    artefact = ClauseHeads.load(None).artefact

    found = retrain(artefact, verdicts(is_there=0.9, probability=0.5))

    assert found.is_better
    assert found.figures["made_worse"] == 0
    assert found.figures["after"]["log_loss"] < found.figures["before"]["log_loss"]
    assert found.figures["moved"][HEAD] > 1
    heads = load_heads(Definitions((), model="home", artefact=found.artefact))
    assert isinstance(heads, ClauseHeads)
    at = list(artefact.thresholds).index(HEAD)
    logits = np.zeros(artefact.parts[0].heads)
    before = artefact.parts[0].calibration.probabilities(logits)
    after = heads.artefact.parts[0].calibration.probabilities(logits)
    assert after[at] > before[at]
    assert np.delete(after, at) == pytest.approx(np.delete(before, at), abs=1e-6)


def test_a_model_that_would_spoil_a_held_back_cell_is_not_used() -> None:
    artefact = ClauseHeads.load(None).artefact
    limits = artefact.thresholds[HEAD]
    # Those it learns from say that the clause is there, those held back that it is not.
    given = [
        Verdict(each.document, HEAD, limits.absent_below * 0.8, not is_held_back(each.document))
        for each in verdicts(1.0, 0.5)
    ]

    found = retrain(artefact, given)

    assert not found.is_better
    assert found.figures["after"]["log_loss"] > found.figures["before"]["log_loss"]


def test_probabilities_that_were_right_stay_where_they_are() -> None:
    found = retrain(ClauseHeads.load(None).artefact, verdicts(is_there=0.7, probability=0.7, count=300))

    assert abs(found.figures["moved"].get(HEAD, 0.0)) < 0.4


def test_too_few_verdicts_are_refused_with_how_many_are_needed() -> None:
    with pytest.raises(JobError) as refused:
        retrain(ClauseHeads.load(None).artefact, verdicts(0.5, 0.5, count=10))

    assert "30" in refused.value.next_step
