from __future__ import annotations

import pytest

from core.domain.certainty.guess import guesses_of, tied
from core.domain.fields import Candidate, CellStatus, FieldType, Finding, Special, TypedValue
from tests.support.stated_values import day, money, special, text


def open_cell(*candidates: tuple[TypedValue | None, float], method: str = "rule") -> Finding:
    made = tuple(Candidate(value, (), sure, method) for value, sure in candidates)
    return Finding(CellStatus.UNCERTAIN, confidence=0.5, method=method, candidates=made)


def test_a_clause_is_guessed_by_its_probability_and_what_is_missing_is_in_no_candidate() -> None:
    likely, unlikely = (guesses_of(open_cell((None, p), (None, p), method="head")) for p in (0.7, 0.2))

    assert [(each.value.text, each.candidate) for each in likely] == [("true", 0), ("false", None)]
    assert [each.value.text for each in unlikely] == ["false", "true"]
    assert unlikely[0].probability == pytest.approx(0.8)


def test_equal_values_count_once_and_share_the_probability_with_others() -> None:
    usd = money("500.00")

    found = guesses_of(open_cell((usd, 0.9), (usd, 0.8), (money("700.00"), 0.6)))

    assert [(each.value.text, each.candidate) for each in found] == [("500.00", 0), ("700.00", 2)]
    assert [each.probability for each in found] == pytest.approx([0.6, 0.4])


def test_places_without_a_value_and_dates_with_two_readings_are_no_guess() -> None:
    two = special(FieldType.DATE, Special.AMBIGUOUS)

    assert guesses_of(open_cell((None, 0.3), (two, 0.9))) == ()
    [only] = guesses_of(open_cell((two, 0.9), (day("2024-03-01"), 0.4)))
    assert (only.value.text, only.candidate, only.probability) == ("2024-03-01", 1, 0.4)


def test_a_decided_cell_has_no_guess() -> None:
    assert guesses_of(Finding(CellStatus.PRESENT, (text("Texas"),))) == ()
    assert guesses_of(Finding(CellStatus.UNCERTAIN)) == ()


def test_readings_tie_where_their_probabilities_read_alike() -> None:
    alike = guesses_of(open_cell((text("Texas"), 0.62), (text("Ohio"), 0.62), (text("Utah"), 0.1)))
    apart = guesses_of(open_cell((text("Texas"), 0.62), (text("Ohio"), 0.60)))
    even = guesses_of(open_cell((None, 0.501), method="head"))

    assert [each.value.text for each in tied(alike)] == ["Texas", "Ohio"]
    assert tied(apart) == ()
    assert len(tied(even)) == 2
