"""Pieces put together: days that only say when, and kinds that are but said to be in as well."""

from __future__ import annotations

from datetime import date

import pytest

from core.plan.language.reading.composition import is_included
from core.plan.planner import RulePlanner
from tests.support.known_collection import in_a_line, known_collection

TODAY = date(2024, 11, 22)


def _line(question: str) -> str:
    return in_a_line(RulePlanner(known_collection(), None, TODAY).plan(question))


@pytest.mark.parametrize(
    "question",
    [
        "Which contracts are still running today?",
        "Which contracts are still valid at the moment?",
        "As of today, which contracts are still active?",
    ],
)
def test_today_beside_a_state_is_no_other_condition(question: str) -> None:
    assert _line(question) == _line("Which contracts are still active?")


def test_today_beside_a_verb_is_its_day() -> None:
    assert "expiration_date = 2024-11-22" in _line("Which contracts expire today?")


def test_a_kind_that_is_included_restricts_nothing() -> None:
    plain, more = _line("contracts with Castor"), _line("contracts with Castor, amendments included")
    assert more.replace("document_kind in agreement .. amendment", "document_kind = agreement") == plain


@pytest.mark.parametrize(
    ("before", "kind", "behind", "is_in"),
    [
        ("all we signed, ", "amendments", " included", True),
        ("all we signed, with their ", "amendments", " included?", True),
        ("all we signed including all ", "amendments", "", True),
        ("which ", "amendments", " included a fee", False),
        ("list ", "amendments", "", False),
    ],
)
def test_words_that_put_something_in(before: str, kind: str, behind: str, *, is_in: bool) -> None:
    start = len(before)
    assert is_included(f"{before}{kind}{behind}", start, start + len(kind)) is is_in
