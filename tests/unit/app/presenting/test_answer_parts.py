"""The set in hand after the turns of a conversation."""

from __future__ import annotations

from datetime import UTC, datetime

from app.presenting.answer_parts import in_hand_after
from core.domain.answer import Answer, ConversationSet, Kind, Route, Status
from core.domain.conversation import Turn, TurnState, find_turn
from core.domain.ids import ConversationId, TurnId

SET = ConversationSet(documents=("a", "b"), label="contracts")


def answer(status: Status = Status.ANSWERED, kind: Kind = Kind.LOOKUP, **fields: object) -> Answer:
    values = {"question": "Q", "trace_id": "t", "data_version": 1, "route": Route.STRUCTURED, "text": "A."}
    return Answer.model_validate({**values, "status": status, "kind": kind, **fields})


def turns(*answers: Answer | None) -> list[Turn]:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Turn(TurnId(f"t{at}"), ConversationId("c"), at, "Q", TurnState.DONE, each, now)
        for at, each in enumerate(answers, 1)
    ]


def test_the_last_answer_says_what_is_in_hand() -> None:
    assert in_hand_after(turns(answer(), answer(conversation=SET)), 0) == ("t2", SET)
    assert in_hand_after(turns(answer(conversation=SET), answer()), 0) is None
    assert in_hand_after([], 0) is None


def test_questions_back_remarks_and_turns_that_run_leave_it_as_it_was() -> None:
    back, remark = answer(Status.CLARIFY), answer(kind=Kind.GENERAL)

    assert in_hand_after(turns(answer(conversation=SET), back, remark, None), 0) == ("t1", SET)


def test_what_was_cleared_is_in_hand_no_more() -> None:
    found = turns(answer(conversation=SET), answer(Status.CLARIFY))

    assert in_hand_after(found, 1) is None
    assert in_hand_after([*found, *turns(None, None, answer(conversation=SET))[2:]], 1) == ("t3", SET)


def test_of_several_questions_in_one_the_last_counts_and_is_found_by_its_number() -> None:
    found = turns(answer(parts=(answer(), answer(conversation=SET), answer(Status.CLARIFY))))

    assert in_hand_after(found, 0) == ("t1.1", SET)
    assert (part := find_turn(found, "t1.1")) is not None
    assert part.answer is not None
    assert part.answer.conversation == SET
    assert find_turn(found, "t1.7") is None
    assert find_turn(found, "t1.x") is None
    assert find_turn(found, "t9") is None
