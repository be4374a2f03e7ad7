"""Words inside the parts of a reading that say more than these do."""

from __future__ import annotations

import pytest

from core.plan.check.context import Severity
from tests.unit.plan.check.test_wrong_plans import Case, c, f, has, judged, of

SWALLOWED = (
    Case(
        "Which agreements have a cap on liability above the usual?",
        of("list", has("liability_cap_amount", "a cap on liability above the usual")),
        "lost_comparison",
    ),
    Case(
        "Contracts governed by the law of Atlantis",
        of("list", c("governing_law", "=", "Lemurian law", words="governed by the law of Atlantis")),
        "unstated_value",
    ),
    Case(
        "What is the colour of the contracts?",
        of("lookup", asked=(f("governing_law", "colour"),)),
        "uncalled_field",
    ),
    Case(
        "Contracts by governing law",
        of("group", groups=(f("governing_law", "governing law"),)),
        "uncalled_figure",
    ),
)
KEPT = (
    Case(
        "Contracts governed by Texas law",
        of("list", c("governing_law", "=", "Texas", words="governed by Texas law")),
    ),
    Case(
        "Contracts with a cap on liability above $100,000",
        of("list", c("liability_cap_amount", ">", "100000 USD", words="a cap on liability above $100,000")),
    ),
)


@pytest.mark.parametrize("case", SWALLOWED, ids=lambda case: case.problem)
def test_what_a_part_swallows_is_found(case: Case) -> None:
    verdict = judged(case, "trained")

    assert case.problem in {each.name for each in verdict.problems}


@pytest.mark.parametrize("case", KEPT, ids=lambda case: case.question)
def test_what_is_stated_and_called_so_passes(case: Case) -> None:
    names = {each.name for each in judged(case, "trained").problems}

    assert not names & {each.problem for each in SWALLOWED}


def test_a_value_that_nothing_states_is_doubted_and_not_refused() -> None:
    (found,) = [each for each in judged(SWALLOWED[1], "trained").problems if each.name == "unstated_value"]

    assert found.severity is Severity.DOUBTS
    assert found.words == "Lemurian law"
