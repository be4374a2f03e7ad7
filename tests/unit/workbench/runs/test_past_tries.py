"""Words that a question's plan left out, of which what was tried is told."""

from __future__ import annotations

from typing import Any

from core.ask.text_answer import UNMENTIONED
from core.domain.answer import Answer, Kind, Route, Status
from core.plan.ir.nodes import Note
from core.workbench.runs.past_tries import unread_words
from tests.support.contracts_at_hand import plan_for


def answer(plan: dict[str, Any] | None) -> Answer:
    return Answer(
        question="Which contracts let us skedaddle?",
        trace_id="t1",
        data_version=1,
        status=Status.ABSTAINED,
        kind=Kind.LOOKUP,
        route=Route.HYBRID,
        text="None.",
        gaps=("skedaddle",),
        plan=plan,
    )


def test_words_are_unread_where_the_plan_or_no_text_took_them() -> None:
    note = Note(phrase="wriggle", reading=UNMENTIONED)
    plan = plan_for().model_copy(update={"uncovered": ("skedaddle",), "notes": (note,)})
    assert unread_words(answer(plan.model_dump(mode="json"))) == ("skedaddle", "wriggle")
    assert unread_words(answer(plan_for().model_dump(mode="json"))) == ()  # a gap of a search is none
    assert unread_words(answer(None)) == ()
