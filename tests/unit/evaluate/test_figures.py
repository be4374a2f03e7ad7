"""Figures of hand-made cases, each worked out by hand."""

from __future__ import annotations

import pytest

from core.domain.answer import Status
from core.evaluate.figures import figures, figures_by_shape
from core.evaluate.measured import MeasuredCase
from core.evaluate.metrics import METRICS, MetricFigure
from core.evaluate.suite import AnswerShape
from tests.support.evaluations import measured

ABSTAINED, RETRIEVAL = Status.ABSTAINED, AnswerShape.RETRIEVAL


def figure(name: str, *cases: MeasuredCase) -> MetricFigure:
    return next(each for each in figures(cases) if each.name == name)


CASES = (
    measured("a", latency_ms=10, claims=2, citations=3, faithfulness=1.0, calls=1, tokens=7, cost_usd=0.5),
    measured(
        "b", False, silent=True, latency_ms=30, claims=2, citations=1, unfounded=("x",), faithfulness=0.5
    ),
    measured("c", False, status=ABSTAINED, latency_ms=20, citations=1, broken=("y",)),
    measured("d", status=ABSTAINED, expected=ABSTAINED, latency_ms=40),
    measured("e", False, expected=ABSTAINED, latency_ms=50, reciprocal_rank=0.5, recall_at_50=1.0),
    measured("f", shape=RETRIEVAL, reciprocal_rank=0.0, recall_at_50=0.0),
    measured(
        "g", False, muted="known", silent=True, latency_ms=999, citations=5, broken=("z",), tokens=3, calls=1
    ),
)


@pytest.mark.parametrize(
    ("name", "value", "of"),
    [
        ("exact", 2 / 5, 5),  # a and d of a to e: f is only searched for, g is muted
        ("silently_wrong", 1 / 5, 5),  # b
        ("mrr", 0.25, 2),  # 1/2 of e and 0 of f
        ("recall_at_50", 0.5, 2),
        ("hallucination_rate", 1 / 2, 2),  # b of a and b, which alone show claims
        ("faithfulness", 0.75, 2),
        ("citation_accuracy", 4 / 5, 5),  # 3 + 1 + 1, one of them wrong
        ("abstention_precision", 1 / 2, 2),  # d of c and d
        ("abstention_recall", 1 / 2, 2),  # d of d and e
        ("p50_ms", 30, 5),
        ("tokens", 10, 2),  # what is muted was paid for, too
        ("cost_usd", 0.5, 1),
    ],
)
def test_a_figure_is_what_its_definition_says(name: str, value: float, of: int) -> None:
    found = figure(name, *CASES)

    assert (found.value, found.cases) == (pytest.approx(value), of)
    assert found.by == METRICS[name].by


def test_what_cannot_be_computed_is_no_figure_and_says_why() -> None:
    found = figures([measured("f", shape=RETRIEVAL)])

    assert [each.name for each in found] == list(METRICS)
    assert {each.value for each in found} == {None}
    assert all(each.reason for each in found)


def test_a_judged_figure_says_so() -> None:
    found = figure("faithfulness", measured("a", claims=1, faithfulness=0.5, judge="m"))

    assert "language model judged" in found.by


def test_figures_of_a_shape_are_over_its_cases_alone() -> None:
    found = figures_by_shape(CASES)

    assert list(found) == [AnswerShape.LOOKUP, RETRIEVAL]
    assert found[AnswerShape.LOOKUP] == figures(each for each in CASES if each.id != "f")
