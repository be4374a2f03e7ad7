from __future__ import annotations

from datetime import UTC, datetime

from core.domain.certainty.share import CheckedShare
from core.domain.fields import Cell, CellStatus, Finding, Review
from core.domain.ids import DocumentId
from core.domain.matrix import FieldCounts
from core.workbench.services.thresholds import is_same, quality_of
from tests.support.stated_values import absent, money, present, text, uncertain

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def checked(said: Finding, found: Finding) -> Cell:
    return Cell(DocumentId("d"), 1, "fee", found, Review("carol", NOW), said)


def test_decisions_and_guesses_are_counted_apart_and_right_where_people_found_the_same() -> None:
    usd, other = money("100.00"), money("200.00")
    counts = FieldCounts(
        {CellStatus.PRESENT: 6, CellStatus.ABSENT: 3, CellStatus.UNCERTAIN: 5, CellStatus.UNREADABLE: 1},
        pending=2,
        guessed=2,
    )

    found = quality_of(
        "fee",
        counts,
        [
            checked(present(usd), present(usd)),
            checked(present(usd), present(other)),
            checked(absent(), present(usd)),
            checked(uncertain(0.6, usd), present(usd)),
            checked(uncertain(0.6, usd), absent()),
            checked(Finding(CellStatus.UNCERTAIN), present(usd)),
        ],
    )

    assert (found.documents, found.decided, found.undecided, found.guessed) == (15, 9, 3, 2)
    assert found.decisions == CheckedShare(1, 3)
    assert found.guesses == CheckedShare(1, 2)


def test_a_clause_guessed_missing_is_right_where_a_person_found_none() -> None:
    found = quality_of("audit", FieldCounts(), [checked(uncertain(0.2), absent())])

    assert found.guesses == CheckedShare(1, 1)


def test_lists_are_the_same_in_any_order() -> None:
    first, second = text("Acme"), text("Beta")

    assert is_same(present(first, second), present(second, first))
    assert not is_same(present(first), present(first, second))
    assert not is_same(present(first), absent())
