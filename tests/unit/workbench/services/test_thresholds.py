import pytest

from core.domain.facts import head_probability
from core.domain.fields import Candidate, CellStatus, Finding
from core.workbench.services.thresholds import cost


def test_costs_count_what_is_decided_and_how_much_of_it_is_right() -> None:
    verdicts = [(0.01, False), (0.02, True), (0.4, True), (0.6, False), (0.95, True), (0.99, False)]

    found = cost(verdicts, 0.05, 0.9)

    assert (found.reviewed, found.uncertain) == (6, pytest.approx(1 / 3))
    assert (found.present_right, found.absent_right) == (0.5, 0.5)
    assert found.missed == pytest.approx(1 / 3)


def test_costs_of_nothing_say_that_nothing_is_known() -> None:
    found = cost([], 0.05, 0.9)

    assert (found.reviewed, found.present_right, found.absent_right, found.missed) == (0, None, None, None)


@pytest.mark.parametrize(
    ("finding", "probability"),
    [
        (Finding(CellStatus.PRESENT, confidence=0.97, method="head"), 0.97),
        (Finding(CellStatus.ABSENT, confidence=0.97, method="head"), 0.03),
        (
            Finding(
                CellStatus.UNCERTAIN,
                confidence=0.7,
                method="head",
                candidates=(Candidate(None, (), 0.3, "head"),),
            ),
            0.3,
        ),
        (Finding(CellStatus.PRESENT, confidence=0.97, method="pattern"), None),
    ],
)
def test_the_probability_of_a_head_is_read_back_from_its_cell(
    finding: Finding, probability: float | None
) -> None:
    assert head_probability(finding) == (None if probability is None else pytest.approx(probability))
