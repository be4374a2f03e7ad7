"""Opinions of askers on their answers and on single citations."""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from core.domain.trust.review import Feedback, FeedbackWord
from core.errors import NotFoundError
from core.store.database.db import Repository, insert_or_update, matches, to_row
from core.store.database.trust_tables import answer_feedback, evaluation_cases


class AnswerFeedback(Repository):
    """Keeps one opinion of each account on each answer and citation. Thread-safe."""

    def give(self, feedback: Feedback, now: datetime | None = None) -> None:
        """Keep an opinion; a later one takes its place."""
        at = now or datetime.now(UTC)
        row = to_row(answer_feedback, feedback, word=feedback.word.value, at=at)
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


@dataclass(frozen=True, slots=True)
class KeptCase:
    """A case with the flagged answer that it came from, and who kept it."""

    id: str
    item: str
    case: Mapping[str, Any]
    account: str
    at: datetime


class EvaluationCases(Repository):
    """Keeps cases. Thread-safe."""

    def keep(self, item: str, case: Mapping[str, Any], account: str, now: datetime | None = None) -> KeptCase:
        """Keep a case, in place of an earlier one of the same question and bucket."""
        question = " ".join(str(case["question"]).casefold().split())
        key = f"{case.get('bucket') or ''}\n{question}"
        id = case_id(key)
        kept = KeptCase(id, item, {**case, "id": id}, account, now or datetime.now(UTC))
        with self._database.write_rows() as connection:
            connection.execute(sa.delete(evaluation_cases).where(evaluation_cases.c.question == key))
            connection.execute(
                sa.insert(evaluation_cases).values(
                    id=id, question=key, item=item, case=dict(kept.case), account=account, at=kept.at
                )
            )
        return kept

    def remove(self, case: str) -> None:
        """Forget a case. Raises NotFoundError."""
        with self._database.write_rows() as connection:
            gone = connection.execute(sa.delete(evaluation_cases).where(evaluation_cases.c.id == case))
            if not gone.rowcount:
                raise NotFoundError(f"There is no case {case!r}.", next_step="Choose one from the list.")

    def list(self) -> builtins.list[KeptCase]:
        """Every case, the oldest first."""
        rows = self._database.rows(
            sa.select(evaluation_cases).order_by(evaluation_cases.c.at, evaluation_cases.c.id)
        )
        return [KeptCase(row.id, row.item, dict(row.case), row.account, row.at) for row in rows]


def case_id(key: str) -> str:
    """The id of the case of a question: always the same one."""
    return f"review-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
