"""Judges documents by conditions on their fields: a condition holds, does not, or it is not known.

S. C. Kleene's strong logic of three values (Introduction to Metamathematics, 1952, section 64): a conjunction
is false where any part is, else unknown where any part is; so a missing value never turns into an answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.cache import Cache
from core.domain.fields import CellStatus, FieldType
from core.domain.matrix import Asking
from core.domain.predicate import Operator, Predicate
from core.domain.results import Documents, Unknown
from core.fields.promise import HEAD, QuestionPromise
from core.store.cells.amendments import StandIns
from core.store.cells.field_rows import CELL_COLUMNS, cell_of
from core.store.cells.status import READY
from core.store.database.among import among
from core.store.database.changes import version_of
from core.store.database.db import Database
from core.store.database.field_tables import extraction_state, field_cells, field_values
from core.store.database.schema import documents
from core.store.database.sql_log import is_overheard
from core.store.database.visibility import Visibility
from core.store.query.conditions import ConditionCompiler, ValueKind, read_states, typed_predicate
from core.store.query.derived import RankedValue as RankedValue
from core.store.query.derived import Verdicts, all_of, any_of, is_derived, judged_derived, stand_in
from core.store.query.sources import (
    CHECK_AGAIN,
    MISSING,
    NOT_ASKED,
    NOT_EXTRACTED,
    PRESENT,
    UNREADABLE,
    CellSubject,
    JudgedScope,
    in_scope,
)

Clause = Predicate | tuple[Predicate, ...]
"""A condition, or several of which one must hold."""

_KNOWN = frozenset({PRESENT, MISSING})
_MOST_KEPT = 16  # scopes
_MOST_LISTED = 200  # documents by name of a scope that is kept
_BETWEEN = "\n"  # ids of documents, in one text


class ConditionEvaluation:
    """Thread-safe. What a caller may not see is not judged and not counted."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: Cache[Hashable, _Kept] = Cache(_MOST_KEPT)

    def judge(
        self,
        visible: Visibility,
        scope: JudgedScope,
        conditions: Sequence[Clause],
        asking: Asking,
        stand_ins: StandIns | None = None,
    ) -> Documents:
        """The documents in scope by whether all conditions hold of them.

        A document that is not asked for any field of a condition (it is of another kind) is out of scope. One
        that cannot be read is unreadable unless a condition is known to fail. `is present` and `is absent`
        are not known of a cell that is neither; other words of `is` are about what is known, and always are.
        Values are read as `core.store.query.conditions` reads them. Raises UsageError, DeadlineError.
        """
        with self._database.read() as connection:
            return self._bench(connection, visible, scope, asking, stand_ins).sorted_out(conditions)

    def states(
        self,
        visible: Visibility,
        scope: JudgedScope,
        fields: Sequence[str],
        asking: Asking,
        stand_ins: StandIns | None = None,
    ) -> dict[str, dict[str, str]]:
        """By field what is known of it in each document in scope: present, missing, or why it is not."""
        with self._database.read() as connection:
            bench = self._bench(connection, visible, scope, asking, stand_ins)
            return {
                field: {id: state for state, ids in bench.states(field).items() for id in ids}
                for field in fields
            }

    def ranked(
        self,
        visible: Visibility,
        scope: JudgedScope,
        field: str,
        asking: Asking,
        stand_ins: StandIns | None = None,
    ) -> list[RankedValue]:
        """The first value that a field has in each document in scope, special ones left out; in no order."""
        with self._database.read() as connection:
            return self._bench(connection, visible, scope, asking, stand_ins).ranked(field)

    def _bench(
        self,
        connection: Connection,
        visible: Visibility,
        scope: JudgedScope,
        asking: Asking,
        stand_ins: StandIns | None,
    ) -> _Bench:
        """With what was found of this scope before, while nothing in the collection changed."""
        if is_overheard() or len(scope.documents) > _MOST_LISTED:
            return _Bench(connection, visible, scope, asking, stand_ins or {}, _Kept())
        standing = tuple((name, tuple(sorted(of.items()))) for name, of in sorted((stand_ins or {}).items()))
        key = (version_of(connection, visible), visible.sight, visible.promise, scope, asking.key, standing)
        kept = self._kept.get_or_make(key, _Kept)
        return _Bench(connection, visible, scope, asking, stand_ins or {}, kept)


@dataclass(frozen=True, slots=True)
class _Class:
    """Documents that stand alike beside their cells. kind: None where it is not known."""

    bucket: str
    kind: str | None
    version: int
    is_ready: bool
    ids: frozenset[str]


@dataclass(slots=True)
class _Kept:
    """Findings of one scope; whoever finds it twice at once finds the same."""

    classes: list[_Class] | None = None
    strange: list[_Class] | None = None
    states: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    promoted: dict[str, frozenset[str]] = field(default_factory=dict)
    kinds: dict[str, list[ValueKind]] = field(default_factory=dict)


class _Bench:
    """Judges within one connection: a few statements for each condition, put together as sets.

    One statement for all looks the cells up document by document: 2,000 documents took 120 ms and more.
    """

    def __init__(
        self,
        connection: Connection,
        visible: Visibility,
        scope: JudgedScope,
        asking: Asking,
        stand_ins: StandIns,
        kept: _Kept,
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._asking = asking
        self._stand_ins = stand_ins
        only = in_scope(scope, asking)
        others = {each for of_field in stand_ins.values() for each in of_field.values()}
        if kept.classes is None:
            kept.classes = self._read(visible, only)
        self._classes = kept.classes
        self._ids = frozenset[str]().union(*(each.ids for each in self._classes))
        self._others = sorted(others - self._ids)
        if self._others:
            of_others = among(documents.c.id, self._others)
            if kept.strange is None:
                kept.strange = self._read(visible, [of_others])
            only = [sa.or_(sa.and_(*only), of_others)]
        self._every = (*self._classes, *(kept.strange or ()))
        subject = CellSubject(visible, None, asking=asking, more=only)
        self._conditions = ConditionCompiler(connection, subject, kept.kinds)
        self._states = kept.states
        self._promise = visible.promise
        self._promoted = kept.promoted

    def sorted_out(self, conditions: Sequence[Clause]) -> Documents:
        """The four parts."""
        clauses = [
            any_of([self._verdicts(each) for each in (clause if isinstance(clause, tuple) else (clause,))])
            for clause in conditions
        ]
        found = all_of(clauses) if clauses else self._unasked()
        unreadable = frozenset(id for id, why in found.unknown.items() if why.reason == UNREADABLE)
        return Documents(
            present=frozenset(found.holds),
            absent=frozenset(found.fails),
            uncertain=frozenset(found.unknown.keys() - unreadable),
            unreadable=unreadable,
            unknown=found.unknown,
        )

    def states(self, field: str) -> dict[str, set[str]]:
        """The documents in scope by what is known of a field, those that are not asked for it too."""
        if field not in self._states:
            cells = self._at_promise(field, self._cells(field))
            found: dict[str, set[str]] = {}
            for each in self._every:
                is_asked = self._asking.asks(field, each.bucket, each.kind if each.is_ready else None)
                for state, ids in _by_state(each, cells if is_asked else None).items():
                    found.setdefault(state, set()).update(ids)
            stand_ins = self._of_present(field, found)
            stood_in = stand_ins.keys() - found.get(NOT_ASKED, set())
            found = {state: (ids - stood_in) & self._ids for state, ids in found.items()}
            found[PRESENT] = found.get(PRESENT, set()) | (stood_in & self._ids)
            self._states[field] = {state: ids for state, ids in found.items() if ids}
        return self._states[field]

    def ranked(self, field: str) -> list[RankedValue]:
        """The first values, of the documents in scope whose cell is present."""
        value = field_values.c
        statement = sa.select(
            value.document, value.type, value.unit, value.amount, value.text, value.key
        ).where(value.field == field, value.ordinal == 0, value.special == "", *self._near(value.document))
        found = {row.document: row for row in self._connection.execute(statement)}
        stand_ins = self._stand_ins.get(field, {})
        return [
            RankedValue(id, FieldType(row.type), row.unit, row.amount, row.text, row.key)
            for id in sorted(self.states(field).get(PRESENT, ()))
            if (row := found.get(stand_ins.get(id, id))) is not None
        ]

    def _read(self, visible: Visibility, only: list[sa.ColumnElement[bool]]) -> list[_Class]:
        state = extraction_state
        by = (documents.c.bucket, state.c.schema, documents.c.version, documents.c.status == READY)
        statement = (
            sa.select(*by, _listed(documents.c.id))
            .select_from(documents.outerjoin(state, state.c.document == documents.c.id))
            .where(visible.condition(), *only)
            .group_by(documents.c.bucket, state.c.schema, documents.c.version, documents.c.status)
        )
        return [
            _Class(bucket, kind, version, bool(is_ready), _ids(ids))
            for bucket, kind, version, is_ready, ids in self._connection.execute(statement)
        ]

    def _cells(self, field: str) -> dict[tuple[str, bool, bool], frozenset[str]]:
        """Documents by status of their cell, whether it was reviewed, and is to be checked again.

        Cells of older versions are left out: only documents of which there was an older one are looked at.
        """
        cell = field_cells.c
        by = (cell.status, cell.is_reviewed, cell.check_again)
        near = [cell.field == field, *self._near(cell.document, cell.bucket)]
        rows = self._connection.execute(
            sa.select(*by, _listed(cell.document)).where(*near).group_by(*by)
        ).all()
        stale: set[str] = set()
        if any(each.version > 1 for each in self._every):
            later = sa.select(documents.c.id, documents.c.version).where(documents.c.version > 1).subquery()
            statement = sa.select(cell.document).join(later, later.c.id == cell.document)
            statement = statement.where(*near, cell.extracted_version != later.c.version)
            stale = set(self._connection.execute(statement).scalars())
        return {(row[0], bool(row[1]), bool(row[2])): _ids(row[3]) - stale for row in rows}

    def _at_promise(
        self, field: str, cells: dict[tuple[str, bool, bool], frozenset[str]]
    ) -> dict[tuple[str, bool, bool], frozenset[str]]:
        """The same as the question's promise level decides the clauses that nobody decided."""
        if self._promise is None or self._promise.range_of(field) is None:
            return cells
        near = self._near(field_cells.c.document, field_cells.c.bucket)
        changed = changed_cells(self._connection, self._promise, field, near)
        moved = frozenset[str]().union(*changed.values())
        found = {key: ids if key[1] or key[2] else ids - moved for key, ids in cells.items()}
        for status, ids in changed.items():
            key = (status.value, False, False)
            current = frozenset(id for own, known in cells.items() if not (own[1] or own[2]) for id in known)
            found[key] = found.get(key, frozenset()) | (ids & current)
        self._promoted[field] = changed.get(CellStatus.PRESENT, frozenset())
        return found

    def _near(
        self, document: sa.ColumnElement[str], bucket: sa.ColumnElement[str] | None = None
    ) -> list[sa.ColumnElement[bool]]:
        """Rows of the documents in scope, and of more where it costs nothing to leave them out later."""
        scope = self._scope
        if scope.documents:
            return [among(document, {*scope.documents, *self._others})]
        if not scope.buckets:
            return []
        near = document.in_(sa.select(documents.c.id).where(documents.c.bucket.in_(sorted(scope.buckets))))
        if bucket is not None:
            near = bucket.in_(sorted(scope.buckets))
        return [sa.or_(near, among(document, self._others)) if self._others else near]

    def _of_present(self, field: str, states: Mapping[str, set[str]]) -> dict[str, str]:
        """The documents for which another one, that states the field, says what holds."""
        stating = states.get(PRESENT, set())
        return {id: other for id, other in self._stand_ins.get(field, {}).items() if other in stating}

    def _unasked(self) -> Verdicts:
        """Nothing asked makes known what cannot be read, or may be of another kind."""
        found = Verdicts()
        for each in self._classes:
            kinds = self._asking.buckets.get(each.bucket, frozenset())
            if not each.is_ready:
                found.unknown |= dict.fromkeys(each.ids, Unknown(field="", reason=UNREADABLE))
            elif self._scope.schema and each.kind is None and len(kinds) > 1:
                found.unknown |= dict.fromkeys(each.ids, Unknown(field="", reason=NOT_EXTRACTED))
            else:
                found.holds |= each.ids
        return found

    def _verdicts(self, predicate: Predicate) -> Verdicts:
        if is_derived(predicate):
            return judged_derived(predicate, self.states, self.ranked)
        name, states = predicate.field, self.states(predicate.field)
        found = Verdicts()
        is_of_state = predicate.operator in (Operator.IS, Operator.MISSING)
        wanted = _wanted_states(predicate) if is_of_state else set()
        for state, ids in states.items():
            if state == NOT_ASKED and state not in wanted:
                continue
            if state in wanted:
                found.holds |= ids
            elif state not in _KNOWN and (not is_of_state or wanted & _KNOWN):
                found.unknown |= dict.fromkeys(ids, Unknown(field=name, reason=state))
            elif state == PRESENT and not is_of_state:
                promoted = ids & self._promoted.get(name, frozenset())
                self._judge_values(predicate, ids - promoted, found)
                (found.holds if is_true_of_clause(predicate) else found.fails).update(promoted)
            else:
                found.fails |= ids
        return found

    def _judge_values(self, predicate: Predicate, of: set[str], found: Verdicts) -> None:
        """A condition holds where a value fulfils it; a negated one where all do, and all compare."""
        kinds = [kind.type for kind in self._conditions.kinds(predicate.field)]
        compiled = self._conditions.compiled(typed_predicate(predicate, list(dict.fromkeys(kinds))))
        value = field_values

        def at_least_one(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
            return sa.func.max(sa.case((condition, 1), else_=0))

        compares, test = compiled.compares(value), compiled.test(value)
        of_document = (
            sa.select(
                value.c.document,
                at_least_one(sa.and_(compares, test)).label("fulfils"),
                at_least_one(sa.and_(compares, sa.not_(test))).label("fails"),
                sa.func.min(sa.case((sa.not_(compares), compiled.reason(value)), else_=sa.null())).label(
                    "why"
                ),
            )
            .where(value.c.field == predicate.field, *self._near(value.c.document))
            .group_by(value.c.document)
            .subquery()
        )
        by = (of_document.c.fulfils, of_document.c.fails, of_document.c.why)
        rows = self._connection.execute(sa.select(*by, _listed(of_document.c.document)).group_by(*by))
        groups = {(bool(row[0]), bool(row[1]), row[2]): set(_ids(row[3])) for row in rows}
        stand_in(groups, self._stand_ins.get(predicate.field, {}), of)
        rest = set(of)
        for (fulfils, fails, why), ids in groups.items():
            ids &= of
            rest -= ids
            if fulfils and not (compiled.is_negated and (fails or why is not None)):
                found.holds |= ids
            elif why is None or (compiled.is_negated and fails):
                found.fails |= ids
            else:
                found.unknown |= dict.fromkeys(ids, Unknown(field=predicate.field, reason=why))
        found.fails |= rest


def _listed(ids: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
    return sa.func.aggregate_strings(ids, _BETWEEN)


def _ids(listed: str | None) -> frozenset[str]:
    return frozenset(listed.split(_BETWEEN)) if listed else frozenset()


def _by_state(
    each: _Class, cells: Mapping[tuple[str, bool, bool], frozenset[str]] | None
) -> dict[str, frozenset[str]]:
    """Documents by what is known by their cells, as `CellSubject.state` says; None: they are not asked."""
    if cells is None:
        return {NOT_ASKED: each.ids}
    found: dict[str, frozenset[str]] = {}
    rest = each.ids
    for (status, is_reviewed, check_again), ids in cells.items():
        own = each.ids & ids
        if not own or not (each.is_ready or is_reviewed):
            continue
        state = CHECK_AGAIN if check_again else MISSING if status == CellStatus.ABSENT.value else status
        found[state] = found.get(state, frozenset()) | own
        rest -= own
    state = NOT_EXTRACTED if each.is_ready else UNREADABLE
    found[state] = found.get(state, frozenset()) | rest
    return found


def _wanted_states(predicate: Predicate) -> set[str]:
    return {MISSING} if predicate.operator is Operator.MISSING else set(read_states(predicate))


_ROUNDING = 1e-4


def changed_cells(
    connection: Connection, promise: QuestionPromise, field: str, near: Sequence[sa.ColumnElement[bool]]
) -> dict[CellStatus, frozenset[str]]:
    """Documents by the status that their clause has then, of those whose cell says another. near: which ones.

    Heads' cells that are surer than every line are left out in the database.
    """
    lines = promise.range_of(field)
    if lines is None:
        return {}
    cell, (lowest, highest) = field_cells.c, lines
    is_open = sa.or_(
        cell.method != HEAD,
        cell.status == CellStatus.UNCERTAIN.value,
        sa.and_(cell.status == CellStatus.ABSENT.value, cell.confidence <= 1 - lowest + _ROUNDING),
        sa.and_(cell.status == CellStatus.PRESENT.value, cell.confidence < highest),
    )
    statement = sa.select(*CELL_COLUMNS, cell.bucket).where(
        cell.field == field, cell.is_reviewed.is_(False), cell.check_again.is_(False), is_open, *near
    )
    found: dict[CellStatus, set[str]] = {}
    for row in connection.execute(statement):
        stored = cell_of(row)
        status = promise.cell(stored, row[-1]).finding.status
        if status is not stored.finding.status:
            found.setdefault(status, set()).add(stored.document)
    return {status: frozenset(ids) for status, ids in found.items()}


def is_true_of_clause(predicate: Predicate) -> bool:
    """True where a condition on values holds of a clause that is there, whose only value is "true"."""
    texts = {(each if isinstance(each, str) else each.text).strip().casefold() for each in predicate.values}
    says_yes = bool(texts & {"true", "yes"})
    if predicate.operator is Operator.NOT_EQUAL:
        return not says_yes
    return says_yes and predicate.operator in (Operator.EQUAL, Operator.IN, Operator.CONTAINS)
