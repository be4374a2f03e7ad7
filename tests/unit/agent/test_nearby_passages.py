"""Answers that were computed, or that know of no such thing, still say where to go on."""

from __future__ import annotations

import pytest

from core.agent.nearby_passages import with_surroundings
from core.domain.answer import Answer, Kind, Route, Status
from core.domain.principal import LOCAL_ADMIN
from core.records.database.visibility import Visibility
from tests.support.library import Library

ALL = Visibility.of(LOCAL_ADMIN)


def answer_of(status: Status) -> Answer:
    return Answer(
        question="What is the notice period of the tenant?",
        trace_id="t",
        data_version=1,
        status=status,
        kind=Kind.LOOKUP,
        route=Route.NONE,
        text="",
    )


def test_an_absence_shows_the_nearest_passages(library: Library) -> None:
    answer = with_surroundings(answer_of(Status.ABSTAINED), library, ALL, ())
    assert answer.nearest[0].quote == "The notice period is thirty days."
    assert len(set(answer.follow_ups)) == 3


@pytest.mark.parametrize(("status", "count"), [(Status.ANSWERED, 3), (Status.CLARIFY, 0)])
def test_an_answer_goes_on_and_a_question_back_waits(library: Library, status: Status, count: int) -> None:
    answer = with_surroundings(answer_of(status), library, ALL, ())
    assert len(set(answer.follow_ups)) == count
    assert not answer.nearest


def test_an_answer_from_sheets_does_not_go_on_to_the_program(library: Library) -> None:
    computed = answer_of(Status.ANSWERED).model_copy(update={"route": Route.STRUCTURED})
    assert with_surroundings(computed, library, ALL, ()).follow_ups == ()
