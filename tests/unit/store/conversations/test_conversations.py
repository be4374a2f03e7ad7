from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from core.domain.answer import Answer, Kind, OtherReading, Route, Status
from core.domain.conversation import TurnState
from core.domain.event import Finished, StageStarted, Trace
from core.domain.ids import TraceId
from core.errors import NotFoundError
from core.store.database import schema
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def an_answer(trace: str = "t1") -> Answer:
    return Answer(
        question="Who?",
        trace_id=trace,
        data_version=1,
        status=Status.ABSTAINED,
        kind=Kind.LOOKUP,
        route=Route.HYBRID,
        text="Nothing was found.",
        timings_ms={"total": 3.0},
    )


def a_trace(user: str = "ann") -> Trace:
    started = StageStarted(at_ms=0.1, stage="plan", label="Planning")
    finished = Finished(at_ms=3.0, answer=an_answer())
    return Trace(
        trace_id="t1", question="Who?", user=user, started_at=NOW.isoformat(), events=(started, finished)
    )


def test_a_turn_is_kept_from_its_question_to_its_answer(records: Records) -> None:
    conversation = records.conversations.create("ann", ["b"])
    turn = records.conversations.start_turn(conversation.id, "  Who  signed?  ", "ann", now=NOW)
    assert records.conversations.turns(conversation.id, "ann") == [turn]
    assert (turn.state, turn.ordinal) == (TurnState.RUNNING, 1)
    done = records.conversations.finish_turn(turn.id, an_answer(), "ann")
    assert (done.state, done.answer, done.asked_at) == (TurnState.DONE, an_answer(), NOW)
    found = records.conversations.get(conversation.id, "ann")
    assert (found.title, found.turns, found.buckets) == ("Who signed?", 1, ("b",))


def test_a_long_first_question_makes_a_short_title(records: Records) -> None:
    conversation = records.conversations.create("ann")
    records.conversations.start_turn(conversation.id, "word " * 10_000, "ann")
    title = records.conversations.get(conversation.id, "ann").title
    assert len(title) <= 80
    assert title.endswith("…")


def test_a_turn_that_was_stopped_while_it_was_written_has_its_answer(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "One?", "ann", now=NOW)

    kept = records.conversations.finish_turn(turn.id, an_answer(), "ann", state=TurnState.STOPPED)

    assert (kept.state, kept.answer) == (TurnState.STOPPED, an_answer())


def test_a_stopped_turn_stays_stopped_and_an_answered_one_answered(records: Records) -> None:
    conversation = records.conversations.create("ann")
    stopped = records.conversations.start_turn(conversation.id, "One?", "ann", now=NOW)
    answered = records.conversations.start_turn(conversation.id, "Two?", "ann", now=NOW)
    records.conversations.start_turn(conversation.id, "Three?", "ann", now=NOW)
    records.conversations.stop_turn(stopped.id, "ann")
    assert records.conversations.finish_turn(stopped.id, an_answer(), "ann").state is TurnState.STOPPED
    assert records.conversations.finish_turn(answered.id, an_answer(), "ann").state is TurnState.DONE
    assert records.conversations.stop_turn(answered.id, "ann").state is TurnState.DONE
    states = [turn.state for turn in records.conversations.turns(conversation.id, "ann")]
    assert states == [TurnState.STOPPED, TurnState.DONE, TurnState.RUNNING]


def test_conversations_are_renamed_rescoped_and_listed_by_last_use(records: Records) -> None:
    first = records.conversations.create("ann", now=NOW)
    second = records.conversations.create("ann", now=NOW + timedelta(seconds=1))
    records.conversations.create("bob", now=NOW)
    records.conversations.rename(first.id, " Names ", "ann", now=NOW + timedelta(seconds=2))
    records.conversations.set_scope(first.id, ["x", "y"], "ann", now=NOW + timedelta(seconds=2))
    listed = records.conversations.list("ann")
    assert [(row.id, row.title, row.buckets) for row in listed] == [
        (first.id, "Names", ("x", "y")),
        (second.id, "", ()),
    ]
    assert len(records.conversations.list("ann", limit=1)) == 1


def test_feedback_is_kept_and_taken_back(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann")
    assert records.conversations.give_feedback(turn.id, "wrong", "ann").feedback == "wrong"
    assert records.conversations.turns(conversation.id, "ann")[0].feedback == "wrong"
    assert records.conversations.give_feedback(turn.id, "", "ann").feedback == ""


def test_deleting_a_conversation_takes_its_turns_and_traces(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann")
    records.traces.save(a_trace())
    records.conversations.finish_turn(turn.id, an_answer(), "ann")
    records.conversations.delete(conversation.id, "ann")
    assert records.conversations.list("ann") == []
    with pytest.raises(NotFoundError):
        records.conversations.stop_turn(turn.id, "ann")
    with pytest.raises(NotFoundError):
        records.traces.get(TraceId("t1"), "ann")


def test_what_is_another_users_is_not_there(records: Records) -> None:
    conversation = records.conversations.create("ann").id
    turn = records.conversations.start_turn(conversation, "Who?", "ann").id
    parts = records.conversations
    deeds: list[Callable[[], object]] = [
        lambda: parts.get(conversation, "bob"),
        lambda: parts.turns(conversation, "bob"),
        lambda: parts.rename(conversation, "Mine", "bob"),
        lambda: parts.set_scope(conversation, [], "bob"),
        lambda: parts.delete(conversation, "bob"),
        lambda: parts.start_turn(conversation, "Hm?", "bob"),
        lambda: parts.finish_turn(turn, an_answer(), "bob"),
        lambda: parts.stop_turn(turn, "bob"),
        lambda: parts.give_feedback(turn, "right", "bob"),
    ]
    for deed in deeds:
        with pytest.raises(NotFoundError):
            deed()
    assert parts.list("bob") == []
    assert parts.turns(conversation, "ann")[0].state is TurnState.RUNNING


def test_a_trace_is_read_back_by_its_user_only(records: Records) -> None:
    records.traces.save(a_trace(), now=NOW)
    records.traces.save(a_trace(), now=NOW)
    assert records.traces.get(TraceId("t1"), "ann") == a_trace()
    with pytest.raises(NotFoundError):
        records.traces.get(TraceId("t1"), "bob")


def stored(records: Records, column: sa.Column[str | None]) -> list[str | None]:
    with records.database.read() as connection:
        return list(connection.execute(sa.select(column)).scalars())


def test_an_answer_is_kept_once_and_its_follow_ups_are_added(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)
    records.traces.save(a_trace())
    records.conversations.finish_turn(turn.id, an_answer(), "ann")

    [asked] = records.conversations.turns(conversation.id, "ann")
    assert asked.answer == an_answer()
    assert stored(records, schema.turns.c.answer) == [None]
    assert "Nothing was found." not in str(stored(records, schema.traces.c.trace))

    records.traces.add_follow_ups(TraceId("t1"), ["Who else?"], "bob")
    assert records.conversations.turns(conversation.id, "ann") == [asked]
    records.traces.add_follow_ups(TraceId("t1"), ["Who else?"], "ann")
    [asked] = records.conversations.turns(conversation.id, "ann")
    whole = an_answer().model_copy(update={"follow_ups": ("Who else?",)})
    assert asked.answer == whole
    assert records.conversations.give_feedback(turn.id, "right", "ann").answer == whole
    last = records.traces.get(TraceId("t1"), "ann").events[-1]
    assert isinstance(last, Finished)
    assert last.answer == whole


def test_an_answer_whose_trace_could_not_be_kept_is_kept_with_its_turn(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)
    records.traces.save(a_trace())
    other = an_answer().model_copy(update={"text": "Not what the trace says."})
    records.conversations.finish_turn(turn.id, other, "ann")
    records.traces.add_follow_ups(TraceId("t1"), ["Who else?"], "ann")
    assert records.conversations.turns(conversation.id, "ann")[0].answer == other


def test_turns_and_traces_that_each_hold_their_answer_are_read(records: Records) -> None:
    """As all were kept before schema 0008."""
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)
    row = {"id": "t1", "user": "ann", "saved_at": NOW, "trace": a_trace().model_dump_json()}
    with records.database.write_rows() as connection:
        connection.execute(sa.insert(schema.traces).values(**row))
        said = {"answer": an_answer().model_dump_json(), "trace": "t1", "state": TurnState.DONE.value}
        connection.execute(sa.update(schema.turns).values(**said))
    [asked] = records.conversations.turns(conversation.id, "ann")
    assert (asked.id, asked.answer) == (turn.id, an_answer())
    assert records.traces.get(TraceId("t1"), "ann") == a_trace()


def test_the_answer_of_another_reading_stands_beside_the_first_until_that_is_put_back(
    records: Records,
) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)
    records.traces.save(a_trace())
    first = records.conversations.finish_turn(turn.id, an_answer(), "ann")
    records.conversations.give_feedback(turn.id, "wrong", "ann")

    for trace in ("t2", "t3"):
        records.traces.save(a_trace().model_copy(update={"trace_id": trace}))
        now = records.conversations.replace_answer(turn.id, an_answer(trace), "ann")
        assert (now.answer, now.first, now.feedback) == (an_answer(trace), first.answer, "")
        assert records.conversations.turns(conversation.id, "ann") == [now]
    with pytest.raises(NotFoundError):
        records.traces.get(TraceId("t2"), "ann")
    assert records.traces.get(TraceId("t1"), "ann").trace_id == "t1"

    assert records.conversations.restore_answer(turn.id, "ann") == first
    assert records.conversations.restore_answer(turn.id, "ann") == first


def test_a_turn_that_has_no_answer_gets_none_of_another_reading(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)

    assert records.conversations.replace_answer(turn.id, an_answer(), "ann") == turn
    with pytest.raises(NotFoundError):
        records.conversations.replace_answer(turn.id, an_answer(), "bob")
    with pytest.raises(NotFoundError):
        records.conversations.restore_answer(turn.id, "bob")


def test_a_deleted_conversation_takes_the_first_answers_along(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)
    records.traces.save(a_trace())
    records.conversations.finish_turn(turn.id, an_answer(), "ann")
    records.conversations.replace_answer(turn.id, an_answer("t2"), "ann")

    records.conversations.delete(conversation.id, "ann")

    with pytest.raises(NotFoundError):
        records.traces.get(TraceId("t1"), "ann")


def test_other_readings_are_added_to_a_kept_answer(records: Records) -> None:
    conversation = records.conversations.create("ann")
    turn = records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)
    records.traces.save(a_trace())
    records.conversations.finish_turn(turn.id, an_answer(), "ann")
    reading = OtherReading(text="contracts · count", count=12, plan={"nodes": []})

    records.traces.add_readings(TraceId("t1"), [reading], "bob")
    records.traces.add_readings(TraceId("t1"), [reading], "ann")

    (asked,) = records.conversations.turns(conversation.id, "ann")
    assert asked.answer == an_answer().model_copy(update={"other_readings": (reading,)})
    last = records.traces.get(TraceId("t1"), "ann").events[-1]
    assert isinstance(last, Finished)
    assert last.answer == asked.answer


def test_a_cleared_set_is_cleared_for_the_turns_that_there_are(records: Records) -> None:
    conversation = records.conversations.create("ann")
    records.conversations.start_turn(conversation.id, "Who?", "ann", now=NOW)

    assert records.conversations.clear_set(conversation.id, "ann").cleared == 1
    assert records.conversations.get(conversation.id, "ann").cleared == 1
    with pytest.raises(NotFoundError):
        records.conversations.clear_set(conversation.id, "bob")
