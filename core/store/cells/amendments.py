"""Overrides by amendment: which document states a field in place of the agreement that it amends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.cache import Cache
from core.domain.fields import CellStatus
from core.fields.promise import QuestionPromise
from core.store.cells.status import READY
from core.store.database.db import Database, rows_among
from core.store.database.field_tables import extraction_state, field_cells, field_values
from core.store.database.schema import documents
from core.store.database.sql_log import is_overheard
from core.store.database.visibility import Sight, Snapshot, Visibility
from core.values.canonical import family_key

OF_ITS_OWN = frozenset(
    {
        "document_name",
        "document_kind",
        "amendment_of",
        "agreement_date",
        "effective_date",
        "parties",
        "vendor",
        "customer",
    }
)
"""Fields that an amendment states of itself, not of what it amends."""

_PARTIES = ("parties", "vendor", "customer")
_DATES = ("effective_date", "agreement_date")
_NAME = "document_name"
_NUMBER = re.compile(
    r"\b(?:amendment|addendum|supplement)\s*(?:no\.?|number|#)?\s*(\d{1,3})\b", re.IGNORECASE
)

StandIns = Mapping[str, Mapping[str, str]]
"""By field: for which documents another one says what holds."""

_KEPT_FAMILIES = 4  # visibilities: with 10,000 documents some MB each
_KEPT = 64  # sets of fields
_Seen = tuple[int, Sight, QuestionPromise | None]

Values = tuple[tuple[str, str], ...]
"""The values of a cell: key and unit of each."""


@dataclass(frozen=True, slots=True)
class Amended:
    """A field of `base` that `amendment` states anew; `before` and `after` as they are written."""

    field: str
    base: str
    amendment: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class Amendments:
    """Thread-safe. What a caller may not see amends nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._families: Cache[_Seen, _Families] = Cache(_KEPT_FAMILIES)
        self._kept: Cache[tuple[_Seen, frozenset[str]], StandIns] = Cache(_KEPT)

    def of(self, visible: Visibility, fields: Collection[str]) -> tuple[Amended, ...]:
        """Changes by amendments in these fields, by field and base.

        An amendment belongs to the one document of its bucket whose title or name it gives, of several to the
        one that shares most of its parties. Of several amendments the latest holds, by date, then by number;
        where that decides nothing between different values, none does.
        """
        wanted = sorted(set(fields) - OF_ITS_OWN)
        if not wanted:
            return ()
        with self._database.read() as connection:
            families = self._read_families(connection, visible)
            found, bases = families.amending, families.bases
            if not found:
                return ()
            ids = {*bases, *bases.values()}
            values = _read_values(connection, ids, (*wanted, *_DATES))
            present = _present(connection, ids, wanted)
        return tuple(
            change
            for field in wanted
            for base in sorted(set(bases.values()))
            if (change := _change(field, base, bases, found, values, present)) is not None
        )

    def stand_ins(self, visible: Visibility, fields: Collection[str]) -> StandIns:
        """The same by field and base, as `ConditionEvaluation.judge` takes it; read once for a snapshot."""

        def read() -> StandIns:
            found: dict[str, dict[str, str]] = {}
            for each in self.of(visible, fields):
                found.setdefault(each.field, {})[each.base] = each.amendment
            return found

        wanted = frozenset(fields) - OF_ITS_OWN
        seen = _seen(visible)
        return self._kept.get_or_make((seen, wanted), read) if seen is not None else read()

    def _read_families(self, connection: Connection, visible: Visibility) -> _Families:
        def read() -> _Families:
            found = _amending(connection, visible)
            return _Families(found, _bases(connection, visible, found) if found else {})

        seen = _seen(visible)
        return self._families.get_or_make(seen, read) if seen is not None else read()


@dataclass(frozen=True, slots=True)
class _Families:
    """The documents that say they amend another, and by amendment the document that it amends."""

    amending: Mapping[str, Any]
    bases: Mapping[str, str]


def _seen(visible: Visibility) -> _Seen | None:
    """By what amendments are kept; None where they are read anew, as the statements of a node are told."""
    if not isinstance(visible, Snapshot) or is_overheard():
        return None
    return visible.data_version, visible.sight, visible.promise


@dataclass(frozen=True, slots=True)
class _Value:
    key: str
    unit: str
    text: str
    amount: int | None


_Cells = Mapping[tuple[str, str], tuple[_Value, ...]]


def _amending(connection: Connection, visible: Visibility) -> dict[str, Any]:
    """The documents that say they amend another."""
    state = extraction_state.c
    statement = (
        sa.select(documents.c.id, documents.c.bucket, documents.c.title, state.family)
        .join(extraction_state, state.document == documents.c.id)
        .where(
            state.family != "",
            state.version == documents.c.version,
            documents.c.status == READY,
            visible.condition(),
        )
    )
    return {row.id: row for row in connection.execute(statement)}


def _bases(connection: Connection, visible: Visibility, amending: Mapping[str, Any]) -> dict[str, str]:
    """By amendment the document that it amends."""
    buckets = sorted({row.bucket for row in amending.values()})
    statement = sa.select(documents.c.id, documents.c.bucket, documents.c.title).where(
        documents.c.bucket.in_(buckets), documents.c.status == READY, visible.condition()
    )
    others = [row for row in connection.execute(statement) if row.id not in amending]
    names = _read_values(connection, None, (_NAME,))
    known: dict[tuple[str, str], set[str]] = {}
    for row in others:
        titles = [row.title, *(value.text for value in names.get((row.id, _NAME), ()))]
        for title in titles:
            known.setdefault((row.bucket, family_key(title)), set()).add(row.id)
    candidates = {id: known.get((row.bucket, row.family), set()) for id, row in amending.items()}
    parties = _read_values(connection, {*amending, *set().union(*candidates.values())}, _PARTIES)
    found = {id: _base(id, bases, parties) for id, bases in candidates.items()}
    return {id: base for id, base in found.items() if base is not None}


def _base(id: str, candidates: Iterable[str], parties: _Cells) -> str | None:
    def of(document: str) -> set[str]:
        return {value.key for name in _PARTIES for value in parties.get((document, name), ())}

    own = of(id)
    shared = {base: len(own & of(base)) for base in candidates if not own or not of(base) or own & of(base)}
    best = [base for base, count in shared.items() if count == max(shared.values())]
    return best[0] if len(best) == 1 else None


def _read_values(connection: Connection, ids: Collection[str] | None, fields: Iterable[str]) -> _Cells:
    value = field_values.c
    statement = (
        sa.select(value.document, value.field, value.key, value.unit, value.text, value.amount)
        .where(value.field.in_(sorted(fields)), value.special == "")
        .order_by(value.document, value.field, value.ordinal)
    )
    found: dict[tuple[str, str], tuple[_Value, ...]] = {}
    for row in rows_among(connection, statement, value.document, ids):
        key = (row.document, row.field)
        found[key] = (*found.get(key, ()), _Value(row.key, row.unit, row.text, row.amount))
    return found


def _present(connection: Connection, ids: Collection[str], fields: Collection[str]) -> set[tuple[str, str]]:
    """Cells that state something of the current version."""
    cell = field_cells.c
    statement = (
        sa.select(cell.document, cell.field)
        .join(documents, documents.c.id == cell.document)
        .where(
            cell.field.in_(sorted(fields)),
            cell.status == CellStatus.PRESENT.value,
            cell.check_again.is_(False),
            cell.extracted_version == documents.c.version,
        )
    )
    return {(row.document, row.field) for row in rows_among(connection, statement, cell.document, ids)}


def _change(
    field: str,
    base: str,
    bases: Mapping[str, str],
    amending: Mapping[str, Any],
    values: _Cells,
    present: set[tuple[str, str]],
) -> Amended | None:
    def stated(id: str) -> Values:
        return tuple(sorted((each.key, each.unit) for each in values.get((id, field), ())))

    stating = [id for id, of in bases.items() if of == base and (id, field) in present and stated(id)]
    if not stating:
        return None
    ages = {id: _age(id, amending[id].title, values) for id in stating}
    latest = [id for id in sorted(stating) if ages[id] == max(ages.values())]
    if len({stated(id) for id in latest}) > 1 or stated(latest[0]) == stated(base):
        return None
    before, after = (tuple(each.text for each in values.get((id, field), ())) for id in (base, latest[0]))
    return Amended(field, base, latest[0], before, after)


def _age(id: str, title: str, values: _Cells) -> tuple[int, int]:
    """The later, the greater: by date, then by the number in the title."""
    dates = [each.amount for name in _DATES for each in values.get((id, name), ()) if each.amount is not None]
    numbered = _NUMBER.search(title)
    return (dates[0] if dates else 0, int(numbered[1]) if numbered else 0)
