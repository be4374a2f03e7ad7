"""A question's promise level decides clauses as extraction at that level would."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.fields import Candidate, Cell, CellStatus, Finding, PromiseLevel, Quote, Review
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.extract.base import Thresholds
from core.extract.clauses.classifier import HeadFinding, decide
from core.fields.promise import (
    NO_WORDS,
    WORDS,
    ClauseLimit,
    QuestionPromise,
    at_limits,
    clause_probability,
)

QUOTES = tuple(Quote(PageSpan(1, at, at + 9), f"sentence{at}") for at in (0, 20, 40))
LINES = {"strict": (0.01, 0.95), "balanced": (0.05, 0.8), "broad": (0.1, 0.7)}
PROBABILITIES = [0.0, 0.00996, 0.01, 0.03, 0.0501, 0.08, 0.1, 0.5, 0.69999, 0.7, 0.75, 0.8, 0.9, 0.95, 1.0]


def found(p: float, name: str) -> Finding:
    head = HeadFinding("audit", spans=tuple((quote, 1.0) for quote in QUOTES), probability=p)
    return decide(head, Thresholds(*LINES[name]))


@pytest.mark.parametrize("stored", LINES)
@pytest.mark.parametrize("asked", LINES)
@pytest.mark.parametrize("p", PROBABILITIES)
def test_a_head_decides_as_it_would_have_been_put(stored: str, asked: str, p: float) -> None:
    wanted, got = found(p, asked), at_limits(found(p, stored), *LINES[asked])

    assert (got.status, got.values, got.method) == (wanted.status, wanted.values, wanted.method)
    assert got.spans == wanted.spans
    assert got.candidates == wanted.candidates
    assert got.confidence == pytest.approx(wanted.confidence)


def test_what_changes_nothing_is_the_same_finding() -> None:
    finding = found(0.5, "balanced")
    assert at_limits(finding, *LINES["strict"]) is finding


def test_an_absence_that_the_words_allow_stays_where_the_head_is_not_sure() -> None:
    by_words = replace(found(0.3, "balanced"), status=CellStatus.ABSENT, method=WORDS, note=NO_WORDS)

    assert clause_probability(by_words) == 0.3
    assert at_limits(by_words, *LINES["strict"]) is by_words
    assert at_limits(by_words, 0.1, 0.25).status is CellStatus.PRESENT
    noted = replace(found(0.03, "balanced"), note=NO_WORDS)
    assert at_limits(noted, *LINES["strict"]).status is CellStatus.ABSENT
    assert at_limits(replace(noted, note=""), *LINES["strict"]).status is CellStatus.UNCERTAIN


def test_a_doubt_of_an_earlier_method_gives_way_to_a_sure_head_only() -> None:
    doubt = Finding(
        CellStatus.UNCERTAIN,
        method="heading",
        candidates=(Candidate(None, QUOTES[:1], 0.4, "heading"), Candidate(None, QUOTES[1:2], 0.75, "head")),
    )

    assert at_limits(doubt, *LINES["broad"]).status is CellStatus.PRESENT
    assert at_limits(doubt, *LINES["balanced"]) is doubt
    assert at_limits(doubt, 0.8, 0.9) is doubt


def test_patterns_and_people_and_fields_without_lines_stay_as_they_are() -> None:
    promise = QuestionPromise(PromiseLevel.BROAD, (ClauseLimit("contracts", "audit", *LINES["broad"]),))
    cell = Cell(DocumentId("d"), 1, "audit", found(0.75, "balanced"))
    review = Review("ann", datetime(2026, 11, 25, tzinfo=UTC))

    assert promise.cell(cell, "contracts").finding.status is CellStatus.PRESENT
    assert promise.cell(cell, "invoices") is cell
    assert promise.cell(replace(cell, review=review), "contracts").finding.status is CellStatus.UNCERTAIN
    assert promise.cell(replace(cell, field="law"), "contracts").finding is cell.finding
    pattern = Finding(CellStatus.PRESENT, confidence=0.9, method="pattern")
    assert at_limits(pattern, *LINES["strict"]) is pattern
    assert promise.range_of("audit") == LINES["broad"]
    assert promise.range_of("law") is None
