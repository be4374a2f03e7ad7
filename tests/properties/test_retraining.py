"""Whatever people say of clauses, a retrained model that is used decides no held-back cell worse."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from core.domain.ids import DocumentId
from core.extract.base import Definitions, Thresholds
from core.extract.clauses.classifier import ClauseHeads
from core.extract.clauses.retraining import ClauseVerdict, Retraining, is_held_back, retrain
from core.extract.jobs.work import load_heads
from tests.support.examples import examples
from tests.support.small_heads import LIMITS, NAMES, small_heads

ARTEFACT = small_heads()
PLACES = [DocumentId(f"d{number}") for number in range(12)]
MOVED = st.sampled_from([None, Thresholds(0.2, 0.6), Thresholds(0.02, 0.98), Thresholds(0.02, 1.01)])


@st.composite
def verdicts(draw: st.DrawFn) -> list[ClauseVerdict]:
    """Of clauses that hold about as often as their probability and a bias say, so that some may be learnt."""
    count, bias = draw(st.integers(30, 300)), draw(st.floats(-3, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    limits, spread = {name: draw(MOVED) for name in NAMES}, draw(st.floats(0.2, 2.5))
    given = []
    for _ in range(count):
        logit = rng.normal(0, spread)
        name = NAMES[rng.integers(len(NAMES))]
        is_there = bool(rng.random() < _sigmoid(logit + bias))
        document = PLACES[rng.integers(len(PLACES))]
        given.append(ClauseVerdict(document, name, round(_sigmoid(logit), 4), is_there, limits[name]))
    held = [is_held_back(each.document) for each in given]
    return given if any(held) and not all(held) else draw(verdicts())


@settings(max_examples=examples(120), deadline=None)
@given(verdicts())
def test_what_is_switched_in_spoils_no_held_back_cell_that_was_decided_rightly(
    given: list[ClauseVerdict],
) -> None:
    found = retrain(ARTEFACT, given)
    event("used" if found.is_better else "not used")
    if not found.is_better:
        return

    shifts = _shifts(found)
    for each in given:
        if not is_held_back(each.document):
            continue
        limits = each.limits or LIMITS
        p = min(max(each.probability, 1e-4), 1 - 1e-4)
        moved = _sigmoid(math.log(p / (1 - p)) + shifts[each.head])
        assert not _is_right(p, each.is_there, limits) or _is_right(moved, each.is_there, limits)


def _shifts(found: Retraining) -> dict[str, float]:
    """What the packed model adds to logits, read from it as the product reads it."""
    heads = load_heads(Definitions((), model="home", artefact=found.artefact))
    assert isinstance(heads, ClauseHeads)
    moved = [float(each) for part in heads.artefact.parts for each in part.calibration.offsets]
    return dict(zip(heads.names, moved, strict=True))


def _is_right(p: float, is_there: bool, limits: Thresholds) -> bool:
    if p < limits.absent_below:
        return not is_there
    return is_there and p >= limits.present_from


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
