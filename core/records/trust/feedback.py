"""Opinions of askers on their answers and on single citations."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

import sqlalchemy as sa

from core.domain.trust.review import Feedback, FeedbackWord
from core.records.database.db import Repository, insert_or_update, slices
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
        found: dict[str, list[Feedback]] = {}
        with self._database.read() as connection:
            for some in slices(traces):
                rows = sa.select(answer_feedback).where(answer_feedback.c.trace.in_(some))
                if account:
                    rows = rows.where(answer_feedback.c.account == account)
                for row in connection.execute(
                    rows.order_by(
                        answer_feedback.c.trace, answer_feedback.c.citation, answer_feedback.c.account
                    )
                ):
                    kept = Feedback(
                        row.trace,
                        row.citation,
                        row.account,
                        FeedbackWord(row.word),
                        row.reason,
                        row.note,
                        row.at,
                    )
                    found.setdefault(row.trace, []).append(kept)
        return found
