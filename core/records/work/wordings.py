"""Questions that went wrong, grouped where their wording is the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import sqlalchemy as sa

from core.domain.audit import FailedWording, WordingPage, WordingQuery
from core.domain.principal import Principal
from core.records.database.db import Database
from core.records.database.plan_tables import lessons, uncovered_phrases

_ENDS = " ?!.…"


def wording_key(question: str) -> str:
    """By what questions of the same wording are known: capitals, spaces and the last sign do not matter."""
    return " ".join(question.split()).casefold().rstrip(_ENDS)


class Wordings:
    """Reads questions by their wording. Thread-safe. Everybody has their own; admins see all of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(
        self, who: Principal, query: WordingQuery, *, offset: int = 0, limit: int | None = None
    ) -> WordingPage:
        """Some of the wordings that a query chooses, in its order. limit: None for all."""
        known = self.all(who)
        found = _ordered([each for each in known if query.matches(each)], query)
        end = None if limit is None else offset + limit
        outcomes = Counter[str](chain.from_iterable(each.outcomes for each in known))
        return WordingPage(tuple(found[offset:end]), len(found), dict(outcomes))

    def all(self, who: Principal) -> list[FailedWording]:
        """All wordings, the last asked first."""
        is_own = sa.true() if who.is_admin else lessons.c.user == who.user
        own = sa.and_(lessons.c.forgotten_at.is_(None), is_own)
        columns = (
            lessons.c.id,
            lessons.c.question,
            lessons.c.user,
            lessons.c.asked_at,
            lessons.c.outcome,
            lessons.c.corrected_at,
            lessons.c.corrected_by,
            lessons.c.taught.is_not(None).label("is_taught"),
        )
        asked = sa.select(*columns).where(own).order_by(lessons.c.asked_at.desc(), lessons.c.id)
        said = (
            sa.select(uncovered_phrases.c.lesson, uncovered_phrases.c.written)
            .join(lessons, lessons.c.id == uncovered_phrases.c.lesson)
            .where(own)
            .order_by(uncovered_phrases.c.phrase)
        )
        groups: dict[str, list[sa.Row[Any]]] = defaultdict(list)
        uncovered: dict[str, list[str]] = defaultdict(list)
        with self._database.read() as connection:
            for row in connection.execute(asked):
                groups[wording_key(row.question)].append(row)
            for lesson, written in connection.execute(said):
                uncovered[lesson].append(written)
        return [_wording(rows, uncovered) for rows in groups.values()]


def _wording(rows: Sequence[sa.Row[Any]], uncovered: dict[str, list[str]]) -> FailedWording:
    corrected = [row for row in rows if row.corrected_at is not None]
    lead = max(corrected, key=lambda row: row.corrected_at, default=rows[0])
    return FailedWording(
        question=rows[0].question,
        ids=tuple(row.id for row in rows),
        lead=lead.id,
        outcomes=_each(row.outcome for row in rows),
        users=_each(row.user for row in rows),
        last_at=rows[0].asked_at,
        uncovered=_each(chain.from_iterable(uncovered.get(row.id, ()) for row in rows)),
        corrected_at=lead.corrected_at,
        corrected_by=lead.corrected_by,
        is_taught=bool(lead.is_taught),
    )


def _each(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))


def _ordered(found: list[FailedWording], query: WordingQuery) -> list[FailedWording]:
    """In the order of the query; equal ones by the last time."""
    if query.order == "question":
        return sorted(found, key=lambda each: wording_key(each.question), reverse=query.descending)
    recent = sorted(found, key=lambda each: each.last_at, reverse=True)
    if query.order == "count":
        return sorted(recent, key=lambda each: each.count, reverse=query.descending)
    return recent if query.descending else recent[::-1]
