from __future__ import annotations

from datetime import UTC, datetime

from core.agent.conversation.clarification import chosen_before, read_as_before, stands_alone
from core.domain.answer import Answer, Kind, Route, Status, Understood
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.plan.clarify import Clarify, Option
from core.plan.ir.nodes import Plan


def turn(*understood: Understood) -> Turn:
    answer = Answer(
        question="q",
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        text="",
        understood=understood,
    )
    moment = datetime(2024, 10, 3, tzinfo=UTC)
    return Turn(TurnId("t"), ConversationId("c"), 1, "q", TurnState.DONE, answer, moment)


CAP = Understood(phrase="liability", meaning="liability cap")
ASKED = Clarify(
    type="several_meanings",
    question="Which contracts lack liability?",
    reason="Which?",
    phrase="liability",
    options=(Option(label="Liability cap", question="Which contracts lack liability cap?", documents=11),),
)


def test_the_choice_that_was_made_last_counts_whatever_the_letters() -> None:
    other = Understood(phrase="Liability", meaning="indemnification")

    assert chosen_before([turn(CAP), turn(other)]) == {"liability": other}


def test_the_question_that_the_same_choice_stands_for_now_is_asked() -> None:
    reading = read_as_before(ASKED, {"liability": CAP})

    assert reading is not None
    assert reading.question == "Which contracts lack liability cap?"
    assert reading.understood == CAP


def test_words_that_were_typed_stand_in_for_the_phrase() -> None:
    typed = Understood(phrase="liability", meaning="insurance")
    reading = read_as_before(ASKED, {"liability": typed})

    assert reading is not None
    assert reading.question == "Which contracts lack insurance?"


def test_nothing_is_taken_for_granted_that_was_never_chosen() -> None:
    assert read_as_before(ASKED, {"indemnity": CAP}) is None
    assert read_as_before(ASKED.model_copy(update={"phrase": ""}), {"": CAP}) is None


def test_a_short_question_about_a_set_needs_no_earlier_one_and_a_look_up_may() -> None:
    def plan(kind: Kind, *uncovered: str) -> Plan:
        return Plan(question="q", kind=kind, route=Route.STRUCTURED, uncovered=uncovered)

    assert stands_alone(plan(Kind.AGGREGATE))
    assert stands_alone(ASKED)
    assert not stands_alone(plan(Kind.LOOKUP))
    assert not stands_alone(plan(Kind.AGGREGATE, "the rest"))
    assert not stands_alone(ASKED.model_copy(update={"type": "no_match"}))
