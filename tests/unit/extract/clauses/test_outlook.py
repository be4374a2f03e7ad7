from __future__ import annotations

from core.domain.ids import DocumentId
from core.extract.base import Thresholds
from core.extract.clauses.classifier import ClauseHeads
from core.extract.clauses.outlook import OpenCell, outlook
from core.extract.clauses.retraining import ClauseVerdict

HEAD = "insurance"
LIMITS = Thresholds(0.05, 0.9)


def verdicts(count: int, probability: float, there: float) -> list[ClauseVerdict]:
    return [
        ClauseVerdict(DocumentId(f"d{number}"), HEAD, probability, (number % 100) / 100 < there, LIMITS)
        for number in range(count)
    ]


def cells(*probabilities: float) -> list[OpenCell]:
    return [OpenCell(DocumentId(f"open{at}"), p) for at, p in enumerate(probabilities)]


def test_nothing_is_expected_where_nothing_is_open() -> None:
    found = outlook(ClauseHeads.load(None).artefact, verdicts(60, 0.5, 0.5), [], HEAD, LIMITS)

    assert found.verdicts == 0
    assert found.why


def test_too_few_verdicts_say_plainly_that_nothing_can_be_said() -> None:
    found = outlook(ClauseHeads.load(None).artefact, verdicts(5, 0.5, 0.5), cells(*[0.5] * 30), HEAD, LIMITS)

    assert (found.verdicts, found.decided) == (10, 0.0)
    assert "30 verdicts" in found.why
    assert "there are 5" in found.why


def test_verdicts_that_move_the_probabilities_decide_others() -> None:
    # Seven of ten that were given .2 are there: what the head gave .85 is then as good as sure.
    moved = outlook(
        ClauseHeads.load(None).artefact,
        verdicts(200, 0.2, 0.7),
        cells(*[0.5] * 10, *[0.85] * 8),
        HEAD,
        LIMITS,
    )

    assert moved.used > 0.5
    assert moved.decided == 8 * moved.used


def test_probabilities_that_fit_already_decide_nothing_more() -> None:
    calm = outlook(
        ClauseHeads.load(None).artefact,
        verdicts(200, 0.5, 0.5),
        cells(*[0.5] * 10, *[0.6] * 8),
        HEAD,
        LIMITS,
    )

    assert calm.decided < 0.5
