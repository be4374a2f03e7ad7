"""Evaluation cases that came from verdicts: one for each question in each bucket, as JSON."""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from core.errors import NotFoundError
from core.records.database.db import Repository
from core.records.database.trust_tables import evaluation_cases


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
