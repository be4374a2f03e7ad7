"""The queue of flagged answers: who works on which, verdicts on claims, and what was corrected."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.trust.review import (
    FLAG_WORDS,
    SETTLED_BY_REVIEW,
    WHOLE,
    AnswerVerdict,
    ClaimVerdict,
    Flag,
    FlaggedAnswer,
    FlagReason,
    ReviewFilter,
    ReviewItem,
    ReviewOutcome,
    ReviewPage,
    ReviewState,
)
from core.errors import ConflictError, NotFoundError
from core.store.database.db import Repository, from_row, insert_or_ignore, rows_among, slices, to_row
from core.store.database.schema import documents
from core.store.database.trust_tables import claim_verdicts, review_flags, review_items
from core.store.database.visibility import Visibility

NOBODY = "-"
"""In a filter: items that nobody works on."""

_ORDER = tuple(FLAG_WORDS)
_SORTS = ("flagged_at", "confidence", "question", "asker", "state", "assignee", "kind", "resolved_at")


@dataclass(frozen=True, slots=True)
class ReviewedItem:
    """Verdict on an item as a person gives it. verdicts: by claim. expected: the revision seen."""

    verdict: AnswerVerdict
    verdicts: Mapping[int, AnswerVerdict]
    note: str
    expected: int


def note_flagged(connection: Connection, answer: FlaggedAnswer, now: datetime) -> tuple[Flag, ...]:
    """Put an answer in the queue, in the transaction that keeps its trace; gives the flags that are new.

    Doubts about an answer that a person found correct before, word for word, are not raised again. A new flag
    opens an item that was resolved.
    """
    if not answer.flags:
        return ()
    flags = list(answer.flags)
    if any(each.reason in SETTLED_BY_REVIEW for each in flags) and _is_settled(
        connection, answer.fingerprint
    ):
        flags = [each for each in flags if each.reason not in SETTLED_BY_REVIEW]
    if not flags:
        return ()
    row = to_row(review_items, answer) | {
        "id": f"r{secrets.token_hex(10)}",
        "state": ReviewState.OPEN.value,
        "assignee": "",
        "verdict": "",
        "reviewer": "",
        "note": "",
        "corrections": [],
        "revision": 1,
        "flagged_at": now,
    }
    insert_or_ignore(connection, review_items, [row])
    item = connection.execute(
        sa.select(review_items.c.id).where(review_items.c.trace == answer.trace).with_for_update()
    ).scalar_one()
    known = set(
        connection.execute(sa.select(review_flags.c.reason).where(review_flags.c.item == item)).scalars()
    )
    new = tuple(each for each in flags if each.reason.value not in known)
    for flag in new:
        connection.execute(
            sa.insert(review_flags).values(item=item, reason=flag.reason.value, note=flag.note, at=now)
        )
    if new and known:
        reopened = {
            "state": ReviewState.OPEN.value,
            "revision": review_items.c.revision + 1,
            "verdict": "",
            "resolved_at": None,
        }
        connection.execute(sa.update(review_items).where(review_items.c.id == item).values(reopened))
    return new


def _is_settled(connection: Connection, fingerprint: str) -> bool:
    """True where a person found the same answer to the same question correct, and nobody else since."""
    last = (
        sa.select(review_items.c.verdict)
        .where(
            review_items.c.fingerprint == fingerprint,
            review_items.c.state == ReviewState.RESOLVED.value,
        )
        .order_by(review_items.c.resolved_at.desc())
        .limit(1)
    )
    return connection.execute(last).scalar() == AnswerVerdict.CORRECT.value


class ReviewQueue(Repository):
    """Flagged answers. What rests on a document that may not be seen is not there. Thread-safe."""

    def add(self, answer: FlaggedAnswer, now: datetime | None = None) -> tuple[Flag, ...]:
        """Flag an answer whose trace is kept already; gives the flags that are new."""
        with self._database.write_rows() as connection:
            return note_flagged(connection, answer, now or datetime.now(UTC))

    def page(self, wanted: ReviewFilter, visible: Visibility) -> ReviewPage:
        """Items that fit, in the order wanted; the newest first where that says nothing."""
        by = review_items.c[wanted.by if wanted.by in _SORTS else "flagged_at"]
        order = by.desc() if wanted.descending else by.asc()
        with self._database.read() as connection:
            found = sa.select(review_items).where(*_conditions(wanted))
            ids = self._seen(connection, found, visible)
            ordered = found.order_by(order.nulls_last(), review_items.c.id)
            if ids is None:
                total = connection.execute(
                    sa.select(sa.func.count()).select_from(found.subquery())
                ).scalar_one()
                rows = connection.execute(ordered.offset(wanted.offset).limit(wanted.limit)).all()
            else:
                every = [row for row in connection.execute(ordered) if row.id in ids]
                total, last = len(every), None if wanted.limit is None else wanted.offset + wanted.limit
                rows = every[wanted.offset : last]
            return ReviewPage(tuple(_items(connection, rows)), int(total))

    def get(self, item: str, visible: Visibility) -> ReviewItem:
        """One item. Raises NotFoundError, also where it rests on what may not be seen."""
        with self._database.read() as connection:
            return _items(connection, [self._row(connection, item, visible)])[0]

    def assign(
        self,
        item: str,
        assignee: str,
        visible: Visibility,
        *,
        by: str,
        take_over: bool = False,
        now: datetime | None = None,
    ) -> ReviewItem:
        """Give an item to somebody; "" to nobody. Raises ConflictError where another one works on it.

        take_over: also then. by: who does so.
        """
        with self._database.write_rows() as connection:
            row = self._row(connection, item, visible, to_write=True)
            if row.assignee not in ("", by, assignee) and not take_over:
                raise ConflictError(
                    f"{row.assignee!r} works on this answer.",
                    user=row.assignee,
                    at=row.assigned_at,
                    next_step="Choose another one, or take it over.",
                )
            values = {
                "assignee": assignee,
                "assigned_at": (now or datetime.now(UTC)) if assignee else None,
                "revision": row.revision + 1,
            }
            return self._changed(connection, item, values)

    def resolve(
        self,
        item: str,
        given: ReviewedItem,
        visible: Visibility,
        *,
        by: str,
        now: datetime | None = None,
    ) -> ReviewItem:
        """Keep a verdict on the answer and its claims; a second reviewer's stands beside the first one's,
        and the last one holds.

        Raises ConflictError where the item changed since it was seen, NotFoundError.
        """
        at = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            row = self._row(connection, item, visible, to_write=True)
            if row.revision != given.expected:
                raise _overtaken(row, at)
            own = sa.and_(claim_verdicts.c.item == item, claim_verdicts.c.reviewer == by)
            connection.execute(sa.delete(claim_verdicts).where(own))
            every = {**given.verdicts, WHOLE: given.verdict}
            connection.execute(
                sa.insert(claim_verdicts),
                [
                    {
                        "item": item,
                        "claim": claim,
                        "reviewer": by,
                        "verdict": verdict.value,
                        "note": given.note if claim == WHOLE else "",
                        "at": at,
                    }
                    for claim, verdict in sorted(every.items())
                ],
            )
            values = {
                "state": ReviewState.RESOLVED.value,
                "verdict": given.verdict.value,
                "reviewer": by,
                "note": given.note,
                "assignee": row.assignee or by,
                "assigned_at": row.assigned_at or at,
                "revision": row.revision + 1,
                "resolved_at": at,
            }
            return self._changed(connection, item, values)

    def reopen(self, item: str, visible: Visibility) -> ReviewItem:
        """Take the verdict on the answer back; what reviewers said of its claims stays."""
        with self._database.write_rows() as connection:
            row = self._row(connection, item, visible, to_write=True)
            values = {
                "state": ReviewState.OPEN.value,
                "verdict": "",
                "reviewer": "",
                "resolved_at": None,
                "revision": row.revision + 1,
            }
            return self._changed(connection, item, values)

    def note_correction(self, item: str, correction: Mapping[str, Any], visible: Visibility) -> ReviewItem:
        """Keep that something was corrected because of an item."""
        with self._database.write_rows() as connection:
            row = self._row(connection, item, visible, to_write=True)
            values = {"corrections": [*row.corrections, dict(correction)]}
            return self._changed(connection, item, values)

    def verdicts(self, items: Collection[str]) -> list[ClaimVerdict]:
        """Every reviewer's verdicts on these items, which the caller may see."""
        column = claim_verdicts.c
        ordered = sa.select(claim_verdicts).order_by(column.item, column.claim, column.at)
        return [
            ClaimVerdict(row.item, row.claim, row.reviewer, AnswerVerdict(row.verdict), row.note, row.at)
            for row in self._database.rows_among(ordered, column.item, items)
        ]

    def outcomes(self, traces: Collection[str], asker: str) -> dict[str, ReviewOutcome]:
        """Verdicts on a user's own answers, by trace; open ones are left out."""
        resolved = sa.select(review_items).where(
            review_items.c.asker == asker, review_items.c.state == ReviewState.RESOLVED.value
        )
        return {
            row.trace: ReviewOutcome(
                AnswerVerdict(row.verdict), row.reviewer, row.note, row.resolved_at, len(row.corrections)
            )
            for row in self._database.rows_among(resolved, review_items.c.trace, traces)
        }

    def counts(self, visible: Visibility) -> dict[FlagReason, int]:
        """Open items by reason, those without one left out; an item with two reasons counts under both."""
        page = self.page(ReviewFilter(limit=None), visible)
        found = dict.fromkeys(_ORDER, 0)
        for item in page.items:
            for flag in item.flags:
                found[flag.reason] += 1
        return {reason: count for reason, count in found.items() if count}

    def _row(
        self, connection: Connection, item: str, visible: Visibility, *, to_write: bool = False
    ) -> sa.Row[Any]:
        wanted = sa.select(review_items).where(review_items.c.id == item)
        row = connection.execute(wanted.with_for_update() if to_write else wanted).first()
        if row is None or not _sees(connection, row.documents, visible):
            raise NotFoundError(
                f"There is no flagged answer {item!r}.", next_step="Choose one of the review queue."
            )
        return row

    def _seen(
        self, connection: Connection, found: sa.Select[Any], visible: Visibility
    ) -> frozenset[str] | None:
        """Ids of the items of which every document may be seen; None for whoever sees everything."""
        if visible.groups is None:
            return None
        wanted = found.with_only_columns(review_items.c.id, review_items.c.documents)
        rows = connection.execute(wanted).all()
        if not rows:
            return frozenset()
        may = frozenset(
            connection.execute(
                sa.select(documents.c.id).where(visible.including_gone().condition())
            ).scalars()
        )
        return frozenset(row.id for row in rows if may.issuperset(row.documents))

    def _changed(self, connection: Connection, item: str, values: Mapping[str, Any]) -> ReviewItem:
        connection.execute(sa.update(review_items).where(review_items.c.id == item).values(dict(values)))
        rows = connection.execute(sa.select(review_items).where(review_items.c.id == item)).all()
        return _items(connection, rows)[0]


def _sees(connection: Connection, ids: Sequence[str], visible: Visibility) -> bool:
    if visible.groups is None:
        return True
    seen = 0
    for some in slices(ids):
        wanted = sa.select(sa.func.count()).where(
            documents.c.id.in_(some), visible.including_gone().condition()
        )
        seen += int(connection.execute(wanted).scalar_one())
    return seen == len(ids)


def _conditions(wanted: ReviewFilter) -> list[sa.ColumnElement[bool]]:
    columns, found = review_items.c, []
    if wanted.state is not None:
        found.append(columns.state == wanted.state.value)
    if wanted.reason is not None:
        flagged = sa.select(review_flags.c.item).where(review_flags.c.reason == wanted.reason.value)
        found.append(columns.id.in_(flagged))
    if wanted.assignee:
        found.append(columns.assignee == ("" if wanted.assignee == NOBODY else wanted.assignee))
    if wanted.asker:
        found.append(columns.asker == wanted.asker)
    if wanted.kind:
        found.append(columns.kind == wanted.kind)
    if wanted.text.strip():
        found.append(sa.func.lower(columns.question).contains(wanted.text.strip().lower(), autoescape=True))
    return found


def _items(connection: Connection, rows: Iterable[sa.Row[Any]]) -> list[ReviewItem]:
    every = list(rows)
    flags: dict[str, list[Flag]] = {}
    for flag in rows_among(
        connection, sa.select(review_flags), review_flags.c.item, [row.id for row in every]
    ):
        flags.setdefault(flag.item, []).append(Flag(FlagReason(flag.reason), flag.note))
    return [_item(row, flags.get(row.id, [])) for row in every]


def _item(row: sa.Row[Any], flags: Iterable[Flag]) -> ReviewItem:
    return from_row(
        ReviewItem,
        row,
        flags=tuple(sorted(flags, key=lambda each: _ORDER.index(each.reason))),
        state=ReviewState(row.state),
        verdict=AnswerVerdict(row.verdict) if row.verdict else None,
        corrections=tuple(row.corrections),
    )


def _overtaken(row: sa.Row[Any], now: datetime) -> ConflictError:
    """The refusal of a verdict on what changed since it was seen: it says who was there first."""
    if row.state == ReviewState.RESOLVED.value:
        said = f"{row.reviewer!r} has found this answer {row.verdict} in the meantime."
        who, at = row.reviewer, row.resolved_at
    elif row.assignee:
        said = f"{row.assignee!r} works on this answer since then."
        who, at = row.assignee, row.assigned_at
    else:
        said, who, at = "This answer was flagged anew or released in the meantime.", "", None
    return ConflictError(
        f"{said} Your verdict was not kept.",
        user=who,
        at=at or now,
        next_step="Look at it again; saved once more, your verdict stands beside theirs.",
    )
