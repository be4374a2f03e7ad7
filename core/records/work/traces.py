"""Traces: what was done for each question, with its answer, kept for the user who asked it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from core.domain.answer import Answer
from core.domain.event import Finished, Trace
from core.domain.ids import TraceId
from core.errors import NotFoundError
from core.records.database.db import Database, insert_or_update
from core.records.database.schema import traces


class Traces:
    """Keeps traces. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, trace: Trace, now: datetime | None = None) -> None:
        """Keep a trace; the same trace id again replaces it.

        The answer of its last event is kept beside it, where the turn of a conversation finds it, too.
        """
        last = trace.events[-1] if trace.events else None
        row = {
            "id": trace.trace_id,
            "user": trace.user,
            "saved_at": now or datetime.now(UTC),
            "trace": trace.model_dump_json(exclude={"events": {-1: {"answer"}}}),
            "answer": last.answer.model_dump_json() if isinstance(last, Finished) else None,
            "follow_ups": None,
        }
        with self._database.write_rows() as connection:
            insert_or_update(connection, traces, row)

    def add_follow_ups(self, trace: TraceId, questions: Sequence[str], user: str) -> None:
        """Keep the follow-ups of a user's answer that were planned once it was there."""
        own = sa.update(traces).where(traces.c.id == trace, traces.c.user == user)
        with self._database.write_rows() as connection:
            connection.execute(own.values(follow_ups=list(questions)))

    def get(self, trace: TraceId, user: str) -> Trace:
        """A user's own trace. Raises NotFoundError, also where it is another user's."""
        with self._database.read() as connection:
            found = connection.execute(
                sa.select(traces).where(traces.c.id == trace, traces.c.user == user)
            ).first()
        if found is None:
            raise NotFoundError(
                f"There is no trace {trace!r} of user {user!r}.",
                next_step="Open it from the answer that it belongs to.",
            )
        if found.answer is None:  # it holds its answer itself, as all did before schema 0007
            return Trace.model_validate_json(found.trace)
        document = json.loads(found.trace)
        document["events"][-1]["answer"] = answer_of(found.answer, found.follow_ups)
        return Trace.model_validate(document)


def answer_of(kept: str, follow_ups: Sequence[str] | None) -> Answer:
    """A kept answer with the follow-ups that were planned for it; None where there are none of their own."""
    answer = Answer.model_validate_json(kept)
    return answer if follow_ups is None else answer.model_copy(update={"follow_ups": tuple(follow_ups)})
