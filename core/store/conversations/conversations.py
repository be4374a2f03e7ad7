"""Conversations with their turns, and traces with their answers; each belongs to one user."""

from __future__ import annotations

import builtins
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.answer import Answer, OtherReading
from core.domain.conversation import Conversation, Turn, TurnState
from core.domain.event import Finished, Trace
from core.domain.ids import ConversationId, TraceId, TurnId
from core.domain.trust.deed import Deed, Outcome
from core.domain.trust.review import FlaggedAnswer
from core.errors import NotFoundError
from core.store.database.chain import append
from core.store.database.db import Database, Repository, from_row, insert_or_update
from core.store.database.schema import conversations, traces, turns
from core.store.database.trust_tables import review_items
from core.store.people.review_queue import note_flagged

_SHOWN = 100
"""Most documents that an audit entry names; it counts all."""


_READ_AT_ONCE = 50


class Traces(Repository):
    """Keeps traces. Thread-safe."""

    def save(
        self,
        trace: Trace,
        now: datetime | None = None,
        *,
        origin: str = "",
        flagged: FlaggedAnswer | None = None,
    ) -> None:
        """Keep a trace, and in the audit log that it was asked and what was shown; its id again replaces it.

        The answer of its last event is kept beside it, where the turn of a conversation finds it, too.
        origin: from where it was asked. flagged: the answer with its flags, for the review queue.
        """
        last = trace.events[-1] if trace.events else None
        at = now or datetime.now(UTC)
        row = {
            "id": trace.trace_id,
            "user": trace.user,
            "saved_at": at,
            "trace": trace.model_dump_json(exclude={"events": {-1: {"answer"}}}),
            "answer": last.answer.model_dump_json() if isinstance(last, Finished) else None,
            "follow_ups": None,
            "other_readings": None,
        }
        with self._database.write_rows() as connection:
            insert_or_update(connection, traces, row)
            flags = () if flagged is None else note_flagged(connection, flagged, at)
            append(connection, _asked(trace, origin, [each.reason.value for each in flags]), now)

    def add_follow_ups(self, trace: TraceId, questions: Sequence[str], user: str) -> None:
        """Keep the follow-ups of a user's answer that were planned once it was there."""
        own = sa.update(traces).where(traces.c.id == trace, traces.c.user == user)
        self._database.run_rows(own.values(follow_ups=list(questions)))

    def add_readings(self, trace: TraceId, readings: Sequence[OtherReading], user: str) -> None:
        """Keep the other readings of a user's answer, which were counted once it was there."""
        own = sa.update(traces).where(traces.c.id == trace, traces.c.user == user)
        values = [each.model_dump(mode="json") for each in readings]
        self._database.run_rows(own.values(other_readings=values))

    def get(self, trace: TraceId, user: str) -> Trace:
        """A user's own trace. Raises NotFoundError, also where it is another user's."""
        found = self._row(trace, traces.c.user == user)
        if found is None:
            raise NotFoundError(
                f"There is no trace {trace!r} of user {user!r}.",
                next_step="Open it from the answer that it belongs to.",
            )
        return _trace_of(found)

    def of_anybody(self, trace: TraceId) -> Trace:
        """A trace, whoever asked: for those who may look at what others were told. Raises NotFoundError."""
        found = self._row(trace, sa.true())
        if found is None:
            raise NotFoundError(
                f"There is no trace {trace!r}: its conversation was deleted, or it never was.",
                next_step="Look at the audit log for what was asked.",
            )
        return _trace_of(found)

    def last_questions(self, limit: int) -> list[str]:
        """The last questions that anybody asked in any way, each once, the newest first; for admins."""
        found: dict[str, None] = {}
        last = None
        while len(found) < limit:
            older = sa.true() if last is None else traces.c.saved_at < last
            newest = sa.select(traces.c.saved_at, traces.c.trace).where(older)
            rows = self._database.rows(newest.order_by(traces.c.saved_at.desc()).limit(_READ_AT_ONCE))
            found |= {json.loads(row.trace)["question"]: None for row in rows}
            if len(rows) < _READ_AT_ONCE:
                break
            last = rows[-1].saved_at
        return list(found)[:limit]

    def _row(self, trace: TraceId, condition: sa.ColumnElement[bool]) -> sa.Row[Any] | None:
        return self._database.first(sa.select(traces).where(traces.c.id == trace, condition))


def _trace_of(found: sa.Row[Any]) -> Trace:
    if found.answer is None:  # it holds its answer itself, as all did before schema 0008
        return Trace.model_validate_json(found.trace)
    document = json.loads(found.trace)
    document["events"][-1]["answer"] = answer_of(found.answer, found.follow_ups, found.other_readings)
    return Trace.model_validate(document)


def answer_of(
    kept: str, follow_ups: Sequence[str] | None, readings: Sequence[Mapping[str, Any]] | None = None
) -> Answer:
    """A kept answer with what was added to it later; None where nothing was."""
    answer, later = Answer.model_validate_json(kept), dict[str, object]()
    if follow_ups is not None:
        later["follow_ups"] = tuple(follow_ups)
    if readings is not None:
        later["other_readings"] = tuple(OtherReading.model_validate(each) for each in readings)
    return answer.model_copy(update=later) if later else answer


_TITLE_LENGTH = 80
_TURNS = sa.select(
    turns,
    traces.c.answer.label("kept_answer"),
    traces.c.follow_ups.label("kept_follow_ups"),
    traces.c.other_readings.label("kept_readings"),
)
_TRACED = sa.and_(traces.c.id == turns.c.trace, traces.c.user == conversations.c.user)


class Conversations:
    """Reads and changes conversations. Thread-safe. What is another user's raises NotFoundError."""

    def __init__(self, database: Database, new_id: Callable[[], str] = lambda: secrets.token_hex(10)) -> None:
        self._database = database
        self._new_id = new_id

    def create(
        self, user: str, buckets: Iterable[str] = (), title: str = "", now: datetime | None = None
    ) -> Conversation:
        """A new, empty conversation; without a title, its first question becomes the title."""
        now = now or datetime.now(UTC)
        made = Conversation(ConversationId(f"c{self._new_id()}"), user, title, tuple(buckets), 0, now)
        self._database.run_rows(
            sa.insert(conversations).values(
                id=made.id,
                user=user,
                title=title,
                buckets=list(made.buckets),
                turns=0,
                created_at=now,
                updated_at=now,
            )
        )
        return made

    def list(self, user: str, limit: int | None = None) -> list[Conversation]:
        """A user's conversations, the last used first."""
        statement = (
            sa.select(conversations)
            .where(conversations.c.user == user)
            .order_by(conversations.c.updated_at.desc(), conversations.c.id)
        )
        return [_conversation_of(row) for row in self._database.rows(statement.limit(limit))]

    def get(self, conversation: ConversationId, user: str) -> Conversation:
        """One of the user's conversations."""
        with self._database.read() as connection:
            return _conversation_of(_own(connection, conversation, user))

    def rename(
        self, conversation: ConversationId, title: str, user: str, now: datetime | None = None
    ) -> Conversation:
        """Give it another title."""
        return self._change(conversation, user, now, title=title.strip())

    def set_scope(
        self, conversation: ConversationId, buckets: Iterable[str], user: str, now: datetime | None = None
    ) -> Conversation:
        """Set the buckets that its questions are asked in; none means all."""
        return self._change(conversation, user, now, buckets=list(buckets))

    def clear_set(self, conversation: ConversationId, user: str) -> Conversation:
        """Put the set in hand away: later questions refer to no turn that there is now."""
        with self._database.write_rows() as connection:
            row = _own(connection, conversation, user, to_write=True)
            connection.execute(
                sa.update(conversations).where(conversations.c.id == conversation).values(cleared=row.turns)
            )
            return _conversation_of(_own(connection, conversation, user))

    def delete(self, conversation: ConversationId, user: str) -> None:
        """Delete it with its turns and their traces; those of flagged answers stay for the reviewers."""
        with self._database.write_rows() as connection:
            _own(connection, conversation, user, to_write=True)
            for column in (turns.c.trace, turns.c.first_trace):
                asked = sa.select(column).where(turns.c.conversation == conversation, column.is_not(None))
                own = sa.and_(traces.c.id.in_(asked), traces.c.user == user, _is_unflagged())
                connection.execute(sa.delete(traces).where(own))
            connection.execute(sa.delete(conversations).where(conversations.c.id == conversation))

    def start_turn(
        self, conversation: ConversationId, question: str, user: str, now: datetime | None = None
    ) -> Turn:
        """Keep a question before it is answered, so that it is there whatever happens next."""
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            row = _own(connection, conversation, user, to_write=True)
            turn = Turn(
                TurnId(f"t{self._new_id()}"),
                conversation,
                row.turns + 1,
                question,
                TurnState.RUNNING,
                None,
                now,
            )
            connection.execute(
                sa.insert(turns).values(
                    id=turn.id,
                    conversation=conversation,
                    ordinal=turn.ordinal,
                    question=question,
                    state=turn.state.value,
                    feedback="",
                    asked_at=now,
                )
            )
            title = row.title or _title_from(question)
            connection.execute(
                sa.update(conversations)
                .where(conversations.c.id == conversation)
                .values(turns=turn.ordinal, title=title, updated_at=now)
            )
        return turn

    def finish_turn(
        self,
        turn: TurnId,
        answer: Answer,
        user: str,
        now: datetime | None = None,
        *,
        state: TurnState = TurnState.DONE,
    ) -> Turn:
        """Keep the answer, in its trace where that has it. A stopped turn stays so, without an answer.

        state: how the turn ended; one that was stopped while a model wrote has an answer, too.
        """
        with self._database.write_rows() as connection:
            row = _own_turn(connection, turn, user, to_write=True)
            if row.state != TurnState.STOPPED:
                said = answer.model_dump_json()
                is_kept = sa.exists().where(
                    traces.c.id == answer.trace_id, traces.c.user == user, traces.c.answer == said
                )
                values = {
                    "state": state.value,
                    "answer": sa.case((is_kept, sa.null()), else_=said),
                    "trace": answer.trace_id,
                }
                connection.execute(sa.update(turns).where(turns.c.id == turn).values(**values))
                connection.execute(
                    sa.update(conversations)
                    .where(conversations.c.id == row.conversation)
                    .values(updated_at=now or datetime.now(UTC))
                )
            return _turn_of(_own_turn(connection, turn, user))

    def replace_answer(self, turn: TurnId, answer: Answer, user: str) -> Turn:
        """Put the answer of another reading in place; the first one is kept beside it.

        A turn without an answer stays as it is.
        """
        with self._database.write_rows() as connection:
            row = _own_turn(connection, turn, user, to_write=True)
            now = _turn_of(row)
            if now.answer is None:
                return now
            values: dict[str, Any] = {
                "answer": answer.model_dump_json(),
                "trace": answer.trace_id,
                "feedback": "",
            }
            if row.first_answer is None:
                values |= {"first_answer": now.answer.model_dump_json(), "first_trace": row.trace}
            elif row.trace != row.first_trace:
                own = sa.and_(traces.c.id == row.trace, traces.c.user == user, _is_unflagged())
                connection.execute(sa.delete(traces).where(own))
            connection.execute(sa.update(turns).where(turns.c.id == turn).values(**values))
            return _turn_of(_own_turn(connection, turn, user))

    def update_answer(self, turn: TurnId, answer: Answer, user: str) -> Turn:
        """Put an answer in place of an earlier one to the same reading; what a person changed stays as it is.

        A turn without an answer stays as it is.
        """
        with self._database.write_rows() as connection:
            row = _own_turn(connection, turn, user, to_write=True)
            if _turn_of(row).answer is None:
                return _turn_of(row)
            values = {"answer": answer.model_dump_json(), "trace": answer.trace_id}
            connection.execute(sa.update(turns).where(turns.c.id == turn).values(**values))
            return _turn_of(_own_turn(connection, turn, user))

    def restore_answer(self, turn: TurnId, user: str) -> Turn:
        """Put the answer of the first reading back; a turn whose reading nobody changed stays as it is."""
        with self._database.write_rows() as connection:
            row = _own_turn(connection, turn, user, to_write=True)
            if row.first_answer is not None:
                values = {
                    "answer": row.first_answer,
                    "trace": row.first_trace,
                    "first_answer": None,
                    "first_trace": None,
                    "feedback": "",
                }
                connection.execute(sa.update(turns).where(turns.c.id == turn).values(**values))
            return _turn_of(_own_turn(connection, turn, user))

    def stop_turn(self, turn: TurnId, user: str) -> Turn:
        """Note that its user stopped a running turn; one that has ended stays as it is."""
        with self._database.write_rows() as connection:
            _own_turn(connection, turn, user, to_write=True)
            connection.execute(
                sa.update(turns)
                .where(turns.c.id == turn, turns.c.state == TurnState.RUNNING.value)
                .values(state=TurnState.STOPPED.value)
            )
            return _turn_of(_own_turn(connection, turn, user))

    def turns(self, conversation: ConversationId, user: str) -> builtins.list[Turn]:
        """The turns in the order they were asked."""
        with self._database.read() as connection:
            rows = connection.execute(
                _TURNS.select_from(conversations)
                .outerjoin(turns, turns.c.conversation == conversations.c.id)
                .outerjoin(traces, _TRACED)
                .where(conversations.c.id == conversation, conversations.c.user == user)
                .order_by(turns.c.ordinal)
            ).all()
            if not rows:
                _own(connection, conversation, user)
            return [_turn_of(row) for row in rows if row.id is not None]

    def turns_before(self, trace: str, user: str) -> builtins.list[Turn]:
        """The answered turns before the one of a trace that its question went on from.

        Raises NotFoundError where no conversation of the user has the trace.
        """
        found = self._database.first(
            sa.select(turns.c.conversation, turns.c.ordinal)
            .join_from(turns, conversations, conversations.c.id == turns.c.conversation)
            .where(sa.or_(turns.c.trace == trace, turns.c.first_trace == trace))
            .where(conversations.c.user == user)
        )
        if found is None:
            raise NotFoundError(f"No conversation has the trace {trace!r}.", next_step="It was deleted.")
        every = self.turns(ConversationId(found.conversation), user)
        return [each for each in every if each.ordinal < found.ordinal and each.answer is not None]

    def conversation_of(self, turn: TurnId, user: str) -> ConversationId:
        """The conversation that a turn of this user stands in. Raises NotFoundError."""
        with self._database.read() as connection:
            return ConversationId(_own_turn(connection, turn, user).conversation)

    def give_feedback(self, turn: TurnId, feedback: Literal["right", "wrong", ""], user: str) -> Turn:
        """Keep what the user thinks of the answer; "" takes it back."""
        with self._database.write_rows() as connection:
            _own_turn(connection, turn, user, to_write=True)
            connection.execute(sa.update(turns).where(turns.c.id == turn).values(feedback=feedback))
            return _turn_of(_own_turn(connection, turn, user))

    def _change(
        self, conversation: ConversationId, user: str, now: datetime | None, **values: Any
    ) -> Conversation:
        with self._database.write_rows() as connection:
            _own(connection, conversation, user, to_write=True)
            connection.execute(
                sa.update(conversations)
                .where(conversations.c.id == conversation)
                .values(**values, updated_at=now or datetime.now(UTC))
            )
            return _conversation_of(_own(connection, conversation, user))


def _asked(trace: Trace, origin: str, flags: Sequence[str]) -> Deed:
    """The deed of asking, with the documents that its answer showed; the words are in the trace alone."""
    last = trace.events[-1] if trace.events else None
    detail: dict[str, object] = {}
    outcome: Outcome = "done"
    if isinstance(last, Finished):
        answer = last.answer
        shown = {place.document for place in answer.citations}
        shown |= set(answer.table.documents) if answer.table is not None else set()
        detail = {
            "status": answer.status,
            "kind": answer.kind,
            "route": answer.route,
            "data_version": answer.data_version,
            "shown": sorted(shown)[:_SHOWN],
            "shown_count": len(shown),
            **({"flags": list(flags)} if flags else {}),
        }
        outcome = "refused" if answer.status == "refused" else "done"
        lacking = sorted({role for each in (answer, *answer.parts) for role in each.lacking})
        if lacking:
            detail["lacking"] = lacking
    return Deed("question.ask", trace.user, origin, "", trace.trace_id, outcome, detail)


def _is_unflagged() -> sa.ColumnElement[bool]:
    """True of a trace that no reviewer has to look at, or has looked at."""
    return traces.c.id.not_in(sa.select(review_items.c.trace))


def _own(
    connection: Connection, conversation: ConversationId, user: str, *, to_write: bool = False
) -> sa.Row[Any]:
    statement = sa.select(conversations).where(
        conversations.c.id == conversation, conversations.c.user == user
    )
    row = connection.execute(statement.with_for_update() if to_write else statement).first()
    if row is None:
        raise NotFoundError(
            f"There is no conversation {conversation!r} of yours.", next_step="Choose one from the list."
        )
    return row


def _own_turn(connection: Connection, turn: TurnId, user: str, *, to_write: bool = False) -> sa.Row[Any]:
    statement = (
        _TURNS.join_from(turns, conversations, conversations.c.id == turns.c.conversation)
        .outerjoin(traces, _TRACED)
        .where(turns.c.id == turn, conversations.c.user == user)
    )
    locked = statement.with_for_update(of=(turns, conversations))  # an outer join cannot be locked whole
    row = connection.execute(locked if to_write else statement).first()
    if row is None:
        raise NotFoundError(f"There is no turn {turn!r} of yours.", next_step="Open its conversation again.")
    return row


def _conversation_of(row: sa.Row[Any]) -> Conversation:
    return from_row(Conversation, row, buckets=tuple(row.buckets))


def _turn_of(row: sa.Row[Any]) -> Turn:
    answer = None
    if row.answer is not None:
        answer = answer_of(row.answer, None)
    elif row.kept_answer is not None:
        answer = answer_of(row.kept_answer, row.kept_follow_ups, row.kept_readings)
    first = None if row.first_answer is None else answer_of(row.first_answer, None)
    return from_row(Turn, row, state=TurnState(row.state), answer=answer, first=first)


def _title_from(question: str) -> str:
    words = " ".join(question.split())
    return words if len(words) <= _TITLE_LENGTH else f"{words[: _TITLE_LENGTH - 1].rstrip()}…"
