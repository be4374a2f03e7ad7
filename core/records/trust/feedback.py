"""Opinions of askers on their answers and on single citations."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from core.domain.trust.review import Feedback, FeedbackWord
from core.records.database.db import Repository, insert_or_update, matches
from core.records.database.trust_tables import answer_feedback


class AnswerFeedback(Repository):
    """Keeps one opinion of each account on each answer and citation. Thread-safe."""

    def give(self, feedback: Feedback, now: datetime | None = None) -> None:
        """Keep an opinion; a later one takes its place."""
        row = {
            "trace": feedback.trace,
            "citation": feedback.citation,
            "account": feedback.account,
            "word": feedback.word.value,
            "reason": feedback.reason,
            "note": feedback.note,
            "at": now or datetime.now(UTC),
        }
        with self._database.write_rows() as connection:
            insert_or_update(connection, answer_feedback, row)

    def take_back(self, trace: str, citation: int, account: str) -> None:
        """Forget an opinion; nothing where there is none."""
        own = sa.and_(
            answer_feedback.c.trace == trace,
            answer_feedback.c.citation == citation,
            answer_feedback.c.account == account,
        )
        self._database.run_rows(sa.delete(answer_feedback).where(own))

    def of_traces(self, traces: Collection[str], account: str = "") -> dict[str, list[Feedback]]:
        """Opinions by trace, the answer's before those of its citations. account: its own alone; "": all."""
        column = answer_feedback.c
        ordered = sa.select(answer_feedback).order_by(column.trace, column.citation, column.account)
        of_account = ordered.where(matches(column.account, account or None))
        found: dict[str, list[Feedback]] = {}
        for row in self._database.rows_among(of_account, column.trace, traces):
            found.setdefault(row.trace, []).append(_feedback(row))
        return found


def _feedback(row: Any) -> Feedback:
    word = FeedbackWord(row.word)
    return Feedback(row.trace, row.citation, row.account, word, row.reason, row.note, row.at)
