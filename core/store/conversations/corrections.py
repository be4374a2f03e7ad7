"""Questions that were not answered as they should be, what they were corrected to, and words nobody knew."""

from __future__ import annotations

import builtins
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.audit import Lesson, Outcome, UncoveredPhrase
from core.domain.passage import Matrix
from core.domain.principal import Principal, users_among
from core.errors import NotFoundError
from core.store.database.db import Repository, from_row, insert_or_ignore, insert_or_update, to_row
from core.store.database.visibility import Visibility
from core.store.database.work_tables import lessons, settled_phrases, uncovered_phrases
from core.store.documents.rows import vector_bytes, vector_of

KEPT = 20_000
"""Questions; the oldest that were never corrected go first."""

_FORGOTTEN = timedelta(days=30)  # after which a question that was forgotten is gone
_EXAMPLES = 5
_LONGEST_PHRASE = 200


@dataclass(frozen=True, slots=True)
class Failed:
    """A question as it went wrong. trace: of its answer, by which it is known."""

    trace: str
    question: str
    outcome: Outcome
    status: str
    plan: Mapping[str, Any] | None = None
    uncovered: tuple[str, ...] = ()
    shape: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    buckets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """A question with what it was corrected to. plan: what was made of it before, None where nothing was.

    vectors, encoder: as `keep_vectors` got them; None and "" until then.
    """

    id: str
    question: str
    slots: Mapping[str, str]
    plan: Mapping[str, Any] | None
    corrected: Mapping[str, Any]
    at: datetime
    by: str
    vectors: Matrix | None = None
    encoder: str = ""


class Lessons(Repository):
    """Reads and changes what is learned. Thread-safe. Everybody has their own; admins see all of them."""

    def note(self, failed: Failed, user: str, now: datetime | None = None) -> str:
        """Keep a question that went wrong; gives its id. The same answer again replaces what was noted."""
        now = now or datetime.now(UTC)
        id = f"q{hashlib.sha256(failed.trace.encode('utf-8', 'replace')).hexdigest()[:20]}"
        row = to_row(lessons, failed, slots=dict(failed.slots)) | {
            "id": id,
            "user": user,
            "asked_at": now,
            "plan": None if failed.plan is None else json.dumps(failed.plan, ensure_ascii=False),
            "forgotten_at": None,
        }
        new = {"corrected_question": "", "corrected_by": "", "encoder": ""}
        phrases = {phrase.casefold(): phrase for phrase in map(_tidy, failed.uncovered) if phrase}
        with self._database.write_rows() as connection:
            insert_or_ignore(connection, lessons, [row | new])
            connection.execute(sa.update(lessons).where(lessons.c.id == id).values(row))
            connection.execute(sa.delete(uncovered_phrases).where(uncovered_phrases.c.lesson == id))
            insert_or_ignore(
                connection,
                uncovered_phrases,
                [
                    {"lesson": id, "phrase": folded, "written": written, "at": now}
                    for folded, written in sorted(phrases.items())
                ],
            )
            self._make_room(connection, now)
        return id

    def withdraw(self, trace: str, user: str, outcome: Outcome = "rejected") -> None:
        """Forget that an answer was rejected, or that its question was read otherwise then.

        What was noted for another reason stays, and so does a rejection that was corrected since, and what
        was taught.
        """
        own = (
            lessons.c.trace == trace,
            lessons.c.user == user,
            lessons.c.outcome == outcome,
            lessons.c.taught.is_(None),
        )
        is_open = lessons.c.corrected.is_(None) if outcome == "rejected" else sa.true()
        self._database.run_rows(sa.delete(lessons).where(*own, is_open))

    def of_trace(self, trace: str, user: str) -> Lesson | None:
        """The lesson that a user's answer of that trace gave; None where it gave none."""
        own = sa.select(lessons).where(_IS_THERE, lessons.c.trace == trace, lessons.c.user == user)
        with self._database.read() as connection:
            row = connection.execute(own.limit(1)).first()
            return None if row is None else _lesson_of(connection, row)

    def correct(
        self,
        id: str,
        who: Principal,
        plan: Mapping[str, Any],
        question: str = "",
        now: datetime | None = None,
        *,
        is_shared: bool = True,
    ) -> Lesson:
        """Note what a question should have been planned as. Raises NotFoundError for another's question.

        question: as it was asked then, where it was put in other words. is_shared: it is read so for
        everybody; else for `who` alone.
        """
        with self._database.write_rows() as connection:
            row = _own(connection, id, who, to_write=True)
            connection.execute(
                sa.update(lessons)
                .where(lessons.c.id == row.id)
                .values(
                    corrected=json.dumps(plan, ensure_ascii=False),
                    corrected_question=question,
                    taught=None,
                    corrected_at=now or datetime.now(UTC),
                    corrected_by=who.user,
                    is_shared=is_shared,
                )
            )
            return _lesson_of(connection, _own(connection, id, who))

    def get(self, id: str, who: Principal) -> Lesson:
        """One of them. Raises NotFoundError for another's."""
        with self._database.read() as connection:
            return _lesson_of(connection, _own(connection, id, who))

    def forget(self, id: str, who: Principal, now: datetime | None = None) -> None:
        """Put away what was noted of a question, with its correction."""
        with self._database.write_rows() as connection:
            row = _own(connection, id, who, to_write=True)
            values = {"forgotten_at": now or datetime.now(UTC)}
            connection.execute(sa.update(lessons).where(lessons.c.id == row.id).values(values))

    def list(
        self, who: Principal, limit: int = 200, *, only_corrected: bool = False
    ) -> builtins.list[Lesson]:
        """Lessons noted, the newest first: one's own, of an admin everybody's."""
        statement = (
            sa.select(lessons).where(_IS_THERE).order_by(lessons.c.asked_at.desc(), lessons.c.id).limit(limit)
        )
        if only_corrected:
            statement = statement.where(lessons.c.corrected_at.is_not(None))
        if not who.is_admin:
            statement = statement.where(lessons.c.user == who.user)
        with self._database.read() as connection:
            return [_lesson_of(connection, row) for row in connection.execute(statement).all()]

    def latest(self, question: str, user: str) -> Lesson | None:
        """The last time that a user's question of these words went wrong; None where it never did."""
        statement = (
            sa.select(lessons)
            .where(_IS_THERE, lessons.c.user == user, lessons.c.question == question)
            .order_by(lessons.c.asked_at.desc(), lessons.c.id)
        )
        with self._database.read() as connection:
            row = connection.execute(statement.limit(1)).first()
            return None if row is None else _lesson_of(connection, row)

    def corrections_exist(self) -> bool:
        """True where any question was ever corrected."""
        return self._database.first(
            sa.select(lessons.c.id).where(_IS_THERE, lessons.c.corrected.is_not(None)).limit(1)
        ) is not None  # fmt: skip

    def corrections(
        self, shape: str, visible: Visibility, question: str = "", limit: int = 20
    ) -> Sequence[Corrected]:
        """The corrected questions of one shape or of these very words, which come first; then the newest.

        visible: of the one who asks now. Shared ones, whoever corrected them, and their own.
        """
        is_for_them = sa.or_(
            lessons.c.is_shared, lessons.c.corrected_by.in_(users_among(visible.groups or ()))
        )
        is_same = lessons.c.question == question
        statement = (
            sa.select(lessons)
            .where(
                _IS_THERE,
                is_for_them,
                sa.or_(lessons.c.shape == shape, is_same),
                lessons.c.corrected.is_not(None),
            )
            .order_by(sa.case((is_same, 0), else_=1), lessons.c.corrected_at.desc(), lessons.c.id)
            .limit(limit)
        )
        return [_corrected_of(row) for row in self._database.rows(statement)]

    def keep_vectors(self, vectors: Mapping[str, Matrix], encoder: str) -> None:
        """Keep the vectors of questions, (2, d) each, by id. encoder: the hash of what made them."""
        if not vectors:
            return
        with self._database.write_rows() as connection:
            for id, pair in sorted(vectors.items()):
                connection.execute(
                    sa.update(lessons)
                    .where(lessons.c.id == id)
                    .values(vector=vector_bytes(pair), encoder=encoder)
                )

    def uncovered(self, who: Principal, limit: int = 50) -> builtins.list[UncoveredPhrase]:
        """The words that no condition took, the most frequent first: of one's own questions, or of all."""
        own = _IS_THERE if who.is_admin else sa.and_(_IS_THERE, lessons.c.user == who.user)
        count, last = sa.func.count(), sa.func.max(uncovered_phrases.c.at)
        joined = uncovered_phrases.join(lessons, lessons.c.id == uncovered_phrases.c.lesson)
        most = (
            sa.select(uncovered_phrases.c.phrase, count.label("times"), last.label("last"))
            .select_from(joined)
            .where(own, ~_is_settled())
            .group_by(uncovered_phrases.c.phrase)
            .order_by(count.desc(), last.desc(), uncovered_phrases.c.phrase)
            .limit(limit)
        )
        with self._database.read() as connection:
            found = []
            for row in connection.execute(most).all():
                examples = connection.execute(
                    sa.select(uncovered_phrases.c.written, lessons.c.question, uncovered_phrases.c.at)
                    .select_from(joined)
                    .where(own, uncovered_phrases.c.phrase == row.phrase, ~_is_settled())
                    .order_by(uncovered_phrases.c.at.desc(), lessons.c.id)
                    .limit(4 * _EXAMPLES)
                ).all()
                questions = tuple(dict.fromkeys(each.question for each in examples))[:_EXAMPLES]
                found.append(UncoveredPhrase(examples[0].written, row.times, questions, examples[0].at))
        return found

    def settle(
        self, phrase: str, how: Literal["known", "ignored"], user: str, now: datetime | None = None
    ) -> None:
        """Take words off the list of those that nobody knows.

        how: "known": until a later question has them uncovered again; "ignored": for good.
        """
        written = _tidy(phrase)
        row = {
            "phrase": written.casefold(),
            "written": written,
            "how": how,
            "at": now or datetime.now(UTC),
            "user": user,
        }
        with self._database.write_rows() as connection:
            insert_or_update(connection, settled_phrases, row)

    def unsettle(self, phrase: str) -> None:
        """Count words again, with the questions that had them before."""
        self._database.run_rows(
            sa.delete(settled_phrases).where(settled_phrases.c.phrase == _tidy(phrase).casefold())
        )

    def ignored(self) -> builtins.list[str]:
        """The words that are left out of the list for good, by their letters."""
        statement = sa.select(settled_phrases.c.written).where(settled_phrases.c.how == "ignored")
        return [*self._database.scalars(statement.order_by(settled_phrases.c.phrase))]

    def _make_room(self, connection: Connection, now: datetime) -> None:
        connection.execute(sa.delete(lessons).where(lessons.c.forgotten_at < now - _FORGOTTEN))
        open_ones = (
            sa.select(lessons.c.id)
            .where(lessons.c.corrected_at.is_(None))
            .order_by(lessons.c.asked_at.desc(), lessons.c.id)
            .offset(KEPT)
            .limit(500)
        )
        old = connection.execute(open_ones).scalars().all()
        if old:
            connection.execute(sa.delete(lessons).where(lessons.c.id.in_(old)))


def _is_settled() -> sa.ColumnElement[bool]:
    """True where an uncovered phrase, as it stood in one question, is on the list no more."""
    settled = settled_phrases.c
    return sa.exists().where(
        settled.phrase == uncovered_phrases.c.phrase,
        sa.or_(settled.how == "ignored", settled.at >= uncovered_phrases.c.at),
    )


def _tidy(phrase: str) -> str:
    return " ".join(phrase.split())[:_LONGEST_PHRASE]


_IS_THERE = lessons.c.forgotten_at.is_(None)


def _own(connection: Connection, id: str, who: Principal, *, to_write: bool = False) -> sa.Row[Any]:
    statement = sa.select(lessons).where(lessons.c.id == id, _IS_THERE)
    row = connection.execute(statement.with_for_update() if to_write else statement).first()
    if row is None or not (who.is_admin or row.user == who.user):
        raise NotFoundError(
            f"There is no question {id!r} of yours that went wrong.", next_step="Choose one from the list."
        )
    return row


def _corrected_of(row: sa.Row[Any]) -> Corrected:
    is_pair = row.vector is not None and len(row.vector) % 8 == 0
    return Corrected(
        id=row.id,
        question=row.question,
        slots=dict(row.slots),
        plan=None if row.plan is None else json.loads(row.plan),
        corrected=json.loads(row.corrected),
        at=row.corrected_at,
        by=row.corrected_by,
        vectors=vector_of(row.vector).reshape(2, -1) if is_pair else None,
        encoder=row.encoder,
    )


def _lesson_of(connection: Connection, row: sa.Row[Any]) -> Lesson:
    phrases = connection.execute(
        sa.select(uncovered_phrases.c.written)
        .where(uncovered_phrases.c.lesson == row.id)
        .order_by(uncovered_phrases.c.phrase)
    )
    return from_row(
        Lesson,
        row,
        plan=None if row.plan is None else json.loads(row.plan),
        uncovered=tuple(phrases.scalars()),
        corrected=None if row.corrected is None else json.loads(row.corrected),
        slots=dict(row.slots),
    )
