"""Ways by which questions were tried, kept for a while."""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from core.domain.principal import Principal
from core.domain.trust.failures import FailureStage, LearntChange, QuestionTry
from core.store.database.db import Repository, insert_or_ignore
from core.store.database.field_tables import cell_reviews
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.database.work_tables import lessons, question_tries, settled_phrases

KEPT = 50_000
"""Tries; the oldest go first."""

_CHANGES = 20
_EVERY = 100  # notes between two looks at how many there are


def sight_key(visible: Visibility) -> str:
    """Key of what is seen: what failed for one of these tells nothing of another."""
    parts = [None if each is None else sorted(each) for each in visible.sight]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


class QuestionTries(Repository):
    """Keeps tries. Thread-safe. Everybody has their own; admins see all of them."""

    def note(self, tries: Sequence[QuestionTry]) -> None:
        """Keep the tries of one answer, in place of what was noted of it before."""
        if not tries:
            return
        rows, columns = [{**asdict(each), "buckets": list(each.buckets)} for each in tries], question_tries.c
        with self._database.write_rows() as connection:
            connection.execute(sa.delete(question_tries).where(columns.trace == tries[0].trace))
            insert_or_ignore(connection, question_tries, rows)
            if int(hashlib.sha256(tries[0].trace.encode()).hexdigest(), 16) % _EVERY == 0:
                old = sa.select(columns.at).order_by(columns.at.desc()).offset(KEPT).limit(1)
                if (last := connection.execute(old).scalar()) is not None:
                    connection.execute(sa.delete(question_tries).where(columns.at <= last))

    def judge(self, trace: str, user: str, status: str, stage: FailureStage | str) -> None:
        """Note what became of the last way of an answer: WRONG at a stage, or as it was."""
        columns = question_tries.c
        last = sa.select(sa.func.max(columns.ordinal)).where(columns.trace == trace).scalar_subquery()
        own = (columns.trace == trace, columns.user == user, columns.ordinal == last)
        self._database.run_rows(sa.update(question_tries).where(*own).values(status=status, stage=stage))

    def of_shape(
        self, shape: str, visible: Visibility, since: datetime, limit: int = 20
    ) -> builtins.list[QuestionTry]:
        """The last ways by which questions of a shape were tried by those who see the same, newest first."""
        columns = question_tries.c
        alike = (columns.shape == shape, columns.sight == sight_key(visible), columns.at >= since)
        return self._list(sa.select(question_tries).where(*alike), limit)

    def of_trace(self, trace: str, user: str) -> QuestionTry | None:
        """The last way by which a user's answer of that trace was tried; None where none was kept."""
        own = (question_tries.c.trace == trace, question_tries.c.user == user)
        return next(iter(self._list(sa.select(question_tries).where(*own), 1)), None)

    def list(self, who: Principal, limit: int = 5_000) -> builtins.list[QuestionTry]:
        """The last tries, newest first: one's own, of an admin everybody's."""
        statement = sa.select(question_tries)
        if not who.is_admin:
            statement = statement.where(question_tries.c.user == who.user)
        return self._list(statement, limit)

    def _list(self, statement: sa.Select[Any], limit: int) -> builtins.list[QuestionTry]:
        columns = question_tries.c
        ordered = statement.order_by(columns.at.desc(), columns.trace, columns.ordinal.desc())
        rows = [row._mapping for row in self._database.rows(ordered.limit(limit))]
        return [QuestionTry(**{**row, "buckets": tuple(row["buckets"])}) for row in rows]

    def changes(
        self,
        shape: str,
        fields: Collection[str],
        questions: Collection[str],
        visible: Visibility,
        since: datetime,
    ) -> builtins.list[LearntChange]:
        """What was learnt of a shape since, the newest first: corrections, words of its questions that became
        a field's, and cells of its fields decided.

        Only of documents that may be seen; what one taught for oneself alone is not told.
        """
        learnt = sa.select(lessons.c.question, lessons.c.corrected_at, lessons.c.corrected_by).where(
            lessons.c.shape == shape,
            lessons.c.corrected_at > since,
            lessons.c.forgotten_at.is_(None),
            lessons.c.is_shared,
        )
        reviews = cell_reviews.c
        decided = (
            sa.select(reviews.field, sa.func.count(), sa.func.max(reviews.at))
            .join(documents, documents.c.id == reviews.document)
            .where(reviews.field.in_(sorted(fields)), reviews.at > since, visible.condition())
            .group_by(reviews.field)
        )
        found = [
            LearntChange("lesson", row.question, row.corrected_at, row.corrected_by)
            for row in self._database.rows(learnt.order_by(lessons.c.corrected_at.desc()).limit(_CHANGES))
        ]
        settled = settled_phrases.c
        added = sa.select(settled_phrases).where(settled.how == "known", settled.at > since)
        texts = [each.casefold() for each in questions]
        found += [
            LearntChange("phrase", row.written, row.at, row.user)
            for row in self._database.rows(added)
            if any(row.phrase in text for text in texts)
        ]
        for field, count, at in self._database.rows(decided) if fields else ():
            found.append(LearntChange("cells", f"{count:,} of {field}", at))
        return sorted(found, key=lambda each: each.at, reverse=True)
