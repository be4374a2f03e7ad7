"""Words around a span that leave out what it names."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.reader.conditions.exclusion import is_excluded


@pytest.mark.parametrize(
    ("marked", "left_out"),
    [
        ("contracts except for [amendments]{kind}", [True]),
        ("[amendments]{kind} aside", [True]),
        ("[amendments]{kind} are not counted", [True]),
        ("everything except [receipts]{kind} and [credit notes]{kind}", [True, True]),
        ("[receipts]{kind} and [credit notes]{kind}", [False, False]),
    ],
)
def test_words_before_behind_and_in_a_list_leave_out(marked: str, left_out: list[bool]) -> None:
    reading = reading_of("list", marked, "contracts")

    assert [is_excluded(span, reading) for span in reading.spans] == left_out
