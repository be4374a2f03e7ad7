"""Traces: what was done for each question, kept for the user who asked it."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa

from core.domain.event import Trace
from core.domain.ids import TraceId
from core.errors import NotFoundError
from core.records.database.db import Database, insert_or_update
from core.records.database.schema import traces


class Traces:
    """Keeps traces. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, trace: Trace, now: datetime | None = None) -> None:
        """Keep a trace; the same trace id again replaces it."""
        row = {
            "id": trace.trace_id,
            "user": trace.user,
            "saved_at": now or datetime.now(UTC),
            "trace": trace.model_dump_json(),
        }
        with self._database.write_rows() as connection:
            insert_or_update(connection, traces, row)

    def get(self, trace: TraceId, user: str) -> Trace:
        """A user's own trace. Raises NotFoundError, also where it is another user's."""
        with self._database.read() as connection:
            found = connection.execute(
                sa.select(traces.c.trace).where(traces.c.id == trace, traces.c.user == user)
            ).scalar()
        if found is None:
            raise NotFoundError(
                f"There is no trace {trace!r} of user {user!r}.",
                next_step="Open it from the answer that it belongs to.",
            )
        return Trace.model_validate_json(found)
