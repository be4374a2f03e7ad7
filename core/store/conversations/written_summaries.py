"""Summaries as a language model wrote them: nobody pays for the same one twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from pydantic import ValidationError

from core.domain.answer import Answer
from core.store.database.db import Repository, insert_or_update
from core.store.database.work_tables import written_summaries


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """A summary that a model wrote. basis: of what it was written; of anything else it is out of date."""

    basis: str
    answer: Answer
    at: datetime


class WrittenSummaries(Repository):
    """Keeps the newest of each scope. Thread-safe.

    Whoever reads one has computed its basis, and so seen all that it rests on.
    """

    def get(self, scope: str) -> WrittenSummary | None:
        """The one that was kept last; None where there is none, or it cannot be read any more."""
        rows = self._database.rows(sa.select(written_summaries).where(written_summaries.c.scope == scope))
        for row in rows:
            try:
                return WrittenSummary(row.basis, Answer.model_validate_json(row.answer), row.at)
            except ValidationError:
                return None
        return None

    def put(self, scope: str, basis: str, answer: Answer) -> None:
        """Keep one in place of that before it."""
        row = {
            "scope": scope,
            "basis": basis,
            "documents": sorted(answer.document_ids),
            "answer": answer.model_dump_json(),
            "at": datetime.now(UTC),
        }
        with self._database.write_rows() as connection:
            insert_or_update(connection, written_summaries, row)
