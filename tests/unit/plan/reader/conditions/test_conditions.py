"""Conditions of a whole reading; the plans that come of them are in `assembled.txt`."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.language.pieces import Noun
from core.plan.reader.conditions.conditions import Conditions
from core.plan.reader.exact_reading import UnreadableError
from tests.support.known_readings import KNOWN, TODAY


def _conditions(marked: str) -> Conditions:
    return Conditions(reading_of("list", marked, "contracts"), KNOWN, TODAY)


def test_words_that_a_span_explains_are_not_outside() -> None:
    marked = "[contracts]{kind} without [insurance]{-insurance} from [Halden]{party} in Texas"

    outside = _conditions(marked).outside()

    said = [piece.text for piece in outside.pieces if not isinstance(piece.meaning, Noun)]
    assert said == ["from", "in", "Texas"]


def test_a_reading_that_fits_no_schema_is_unreadable() -> None:
    with pytest.raises(UnreadableError):
        _conditions("something with [nothing]{doc}")
