"""Plans over readings of the trained reader: what is asked back, and what is mended."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from bench.reader.marks import reading_of as marked
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.readers.trained.reading import QuestionReading
from core.plan.reading_planner import ReadingPlanner
from tests.support.known_collection import known_collection

KNOWN = known_collection()


@dataclass
class MarkedReader:
    """A reader that was told how one question is read."""

    text: str = ""
    asked: list[str] = field(default_factory=list)

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        self.asked.append(question)
        return marked("list", self.text or question, "contracts", is_labelled=True)


def _planned(text: str) -> Plan | Clarify:
    question = text
    for sign in ("{+termination_for_convenience}", "[", "]"):
        question = question.replace(sign, "")
    planner = ReadingPlanner(KNOWN, MarkedReader(text), today=date(2024, 11, 22))  # type: ignore[arg-type]
    return planner.plan(question)


def test_a_day_that_no_calendar_has_is_asked_back() -> None:
    found = _planned("leases signed on 31 April 2021")

    assert isinstance(found, Clarify)
    assert found.phrase == "31 April 2021"


def test_a_day_with_two_readings_is_asked_back_with_both() -> None:
    found = _planned("leases signed on 05/06/2021")

    assert isinstance(found, Clarify)
    assert [each.label for each in found.options] == ["2021-05-06", "2021-06-05"]


def test_a_negation_that_was_lost_is_mended() -> None:
    found = _planned("contracts that [cannot be terminated for convenience]{+termination_for_convenience}")

    assert isinstance(found, Plan)
    assert found.reading is not None
    assert [each.negated for each in found.reading.conditions] == [True]


def test_words_with_a_negation_that_a_field_is_called_by_are_no_denial() -> None:
    found = _planned("contracts [ended without giving a reason]{+termination_for_convenience}")

    assert isinstance(found, Plan)
    assert found.reading is not None
    assert [each.negated for each in found.reading.conditions] == [False]
