from __future__ import annotations

import numpy as np
import pytest

from core.domain.ids import DocumentId
from core.errors import JobError
from core.extract.base import Definitions, Thresholds
from core.extract.clauses.classifier import ClauseHeads
from core.extract.clauses.retraining import ClauseVerdict, OpenCell, is_held_back, outlook, retrain
from core.extract.jobs.work import load_heads

HEAD = "insurance"


def verdicts(is_there: float, probability: float, count: int = 120) -> list[ClauseVerdict]:
    """Of `count` documents so many, as a share, hold a clause that was given this probability."""
    return [
        ClauseVerdict(DocumentId(f"d{number}"), HEAD, probability, (number % 100) / 100 < is_there)
        for number in range(count)
    ]


def test_probabilities_that_were_too_low_rise_and_the_model_is_used() -> None:
    artefact = ClauseHeads.load(None).artefact

    found = retrain(artefact, verdicts(is_there=0.7, probability=0.2))

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
    # Most that it learns from say that the clause is there, those held back that it is not.
    given = [
        ClauseVerdict(
            each.document,
            HEAD,
            limits.absent_below * 0.8,
            not is_held_back(each.document) and bool(number % 4),
        )
        for number, each in enumerate(verdicts(1.0, 0.5))
    ]

    found = retrain(artefact, given)

    assert not found.is_better


def test_a_clause_of_which_all_verdicts_say_the_same_is_left_as_it_is() -> None:
    for everyone in (0.0, 1.0):
        found = retrain(ClauseHeads.load(None).artefact, verdicts(is_there=everyone, probability=0.5))

        assert found.figures["moved"] == {}
        assert not found.is_better


def test_cells_that_would_be_decided_wrongly_too_often_keep_a_model_out() -> None:
    found = retrain(ClauseHeads.load(None).artefact, verdicts(is_there=0.9, probability=0.75, count=300))

    assert found.figures["after"]["log_loss"] < found.figures["before"]["log_loss"]
    assert found.figures["after"]["decided"] > 0
    assert found.figures["promises_broken"] > 0
    assert not found.is_better


def test_verdicts_on_clauses_that_no_head_knows_take_no_part() -> None:
    artefact = ClauseHeads.load(None).artefact
    known = verdicts(is_there=0.8, probability=0.4)
    strange = [ClauseVerdict(each.document, "nothing_like_it", 0.5, not each.is_there) for each in known]

    assert retrain(artefact, known + strange).figures == retrain(artefact, known).figures
    with pytest.raises(JobError, match="0 verdicts"):
        retrain(artefact, strange)


def test_cells_are_held_to_the_thresholds_that_decide_them() -> None:
    artefact = ClauseHeads.load(None).artefact
    never = Thresholds(0.0, 1.01)
    given = [
        ClauseVerdict(each.document, each.head, each.probability, each.is_there, never)
        for each in verdicts(is_there=0.9, probability=0.75, count=300)
    ]

    found = retrain(artefact, given)

    assert found.figures["after"]["decided"] == 0
    assert found.is_better


def test_probabilities_that_were_right_stay_where_they_are() -> None:
    found = retrain(ClauseHeads.load(None).artefact, verdicts(is_there=0.7, probability=0.7, count=300))

    assert abs(found.figures["moved"].get(HEAD, 0.0)) < 0.4


def test_a_gain_that_chance_would_bring_too_switches_nothing() -> None:
    found = retrain(ClauseHeads.load(None).artefact, verdicts(is_there=0.65, probability=0.5))

    assert found.figures["made_worse"] == found.figures["promises_broken"] == 0
    assert 0 < found.figures["gain"] < 2 * found.figures["gain_by_chance"]
    assert not found.is_better


def test_a_home_whose_contracts_differ_alike_in_all_clauses_is_learnt_from_few_verdicts_on_each() -> None:
    artefact = ClauseHeads.load(None).artefact
    of_each = [
        ClauseVerdict(each.document, head, 0.3, (7 * number + 3 * offset) % 10 < 6)
        for offset, head in enumerate(list(artefact.thresholds)[:20])
        for number, each in enumerate(verdicts(1.0, 0.5, count=16))
    ]

    found = retrain(artefact, of_each)

    assert found.is_better
    assert min(found.figures["moved"].values()) > 0.5


def test_too_few_verdicts_are_refused_with_how_many_are_needed() -> None:
    with pytest.raises(JobError, match="0 verdicts"):
        retrain(ClauseHeads.load(None).artefact, [])
    with pytest.raises(JobError) as refused:
        retrain(ClauseHeads.load(None).artefact, verdicts(0.5, 0.5, count=10))

    assert "30" in refused.value.next_step


HEAD = "insurance"
LIMITS = Thresholds(0.05, 0.9)


def reviewed(count: int, probability: float, there: float) -> list[ClauseVerdict]:
    return [
        ClauseVerdict(DocumentId(f"d{number}"), HEAD, probability, (number % 100) / 100 < there, LIMITS)
        for number in range(count)
    ]


def cells(*probabilities: float) -> list[OpenCell]:
    return [OpenCell(DocumentId(f"open{at}"), p) for at, p in enumerate(probabilities)]


def test_nothing_is_expected_where_nothing_is_open() -> None:
    found = outlook(ClauseHeads.load(None).artefact, reviewed(60, 0.5, 0.5), [], HEAD, LIMITS)

    assert found.verdicts == 0
    assert found.why


def test_too_few_verdicts_say_plainly_that_nothing_can_be_said() -> None:
    found = outlook(ClauseHeads.load(None).artefact, reviewed(5, 0.5, 0.5), cells(*[0.5] * 30), HEAD, LIMITS)

    assert (found.verdicts, found.decided) == (10, 0.0)
    assert "30 verdicts" in found.why
    assert "there are 5" in found.why


def test_verdicts_that_move_the_probabilities_decide_others() -> None:
    # Seven of ten that were given .2 are there: what the head gave .85 is then as good as sure.
    moved = outlook(
        ClauseHeads.load(None).artefact,
        reviewed(200, 0.2, 0.7),
        cells(*[0.5] * 10, *[0.85] * 8),
        HEAD,
        LIMITS,
    )

    assert moved.used > 0.5
    assert moved.decided == 8 * moved.used


def test_probabilities_that_fit_already_decide_nothing_more() -> None:
    calm = outlook(
        ClauseHeads.load(None).artefact,
        reviewed(200, 0.5, 0.5),
        cells(*[0.5] * 10, *[0.6] * 8),
        HEAD,
        LIMITS,
    )

    assert calm.decided < 0.5
