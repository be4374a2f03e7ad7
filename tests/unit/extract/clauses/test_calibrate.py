from __future__ import annotations

import pytest

from core.domain.fields import CellStatus, Quote
from core.domain.span import PageSpan
from core.extract.base import Thresholds
from core.extract.clauses.calibrate import HeadFinding, decide

SPANS = tuple((Quote(PageSpan(1, n, n + 4), "text"), 1.0 - n) for n in range(5))


def finding(probability: float) -> HeadFinding:
    return HeadFinding("insurance", probability, SPANS)


def test_a_high_probability_is_present_with_its_best_span() -> None:
    cell = decide(finding(0.97), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.PRESENT
    assert [value.text for value in cell.values] == ["true"]
    assert cell.spans == (SPANS[0][0],)
    assert cell.confidence == pytest.approx(0.97)


def test_a_low_probability_is_absent_and_sure_of_it() -> None:
    cell = decide(finding(0.02), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.ABSENT
    assert cell.spans == ()
    assert cell.confidence == pytest.approx(0.98)


def test_what_lies_between_is_uncertain_with_three_spans() -> None:
    cell = decide(finding(0.5), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.UNCERTAIN
    assert cell.spans == ()
    assert [each.spans[0] for each in cell.candidates] == [quote for quote, _ in SPANS[:3]]


def test_a_type_with_candidates_only_is_never_present_and_says_why() -> None:
    cell = decide(finding(0.999), Thresholds(0.05, 1.01, "Too few examples."))
    assert cell.status is CellStatus.UNCERTAIN
    assert cell.note == "Too few examples."


def test_a_finding_without_spans_is_never_present() -> None:
    assert decide(HeadFinding("x", 0.99), Thresholds()).status is CellStatus.UNCERTAIN
