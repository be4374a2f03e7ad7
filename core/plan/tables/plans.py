"""Plans of queries over tables: rows are selected, matched with those of another table, and computed with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.domain.annotation import Calculation
from core.domain.answer import Kind, Route
from core.domain.fields import FieldType
from core.plan.ir import verbalise
from core.plan.ir.nodes import (
    Aggregate,
    Beside,
    Calculated,
    Choice,
    Condition,
    Join,
    Note,
    Plan,
    Reference,
    Scope,
    Select,
)
from core.plan.ir.steps import PlanSteps
from core.plan.tables.header import ColumnWords
from core.plan.tables.query import (
    OF_SIDES,
    ChosenOrder,
    Clause,
    ColumnFilter,
    QuerySide,
    TableOperation,
    TableQuery,
    UsedKey,
    said_of_key,
)
from core.plan.tables.vocabulary import UNKNOWN, TableVocabulary

_CALCULATIONS = {
    TableOperation.COUNT: Calculation.COUNT,
    TableOperation.SUM: Calculation.SUM,
    TableOperation.AVG: Calculation.AVG,
    TableOperation.MEDIAN: Calculation.MEDIAN,
    TableOperation.MIN: Calculation.MIN,
    TableOperation.MAX: Calculation.MAX,
    TableOperation.DISTINCT: Calculation.DISTINCT,
}
_CALCULATED: dict[TableOperation, Calculated] = {
    TableOperation.DIFFERENCE: "difference",
    TableOperation.GAP: "gap",
    TableOperation.TOGETHER: "sum",
    TableOperation.RATIO: "ratio",
    TableOperation.SHARE: "share",
    TableOperation.CHANGE: "change",
    TableOperation.MORE: "more",
    TableOperation.LESS: "less",
    TableOperation.EQUAL: "equal",
    TableOperation.GREATEST: "greatest",
    TableOperation.LEAST: "least",
}
_MOST_COLUMNS = 50
_REASON = "the question is about rows of a table"

RowsNode = Select | Join | Beside


class PlanBuilder:
    """Builds the plan of one query."""

    def __init__(self, question: str, query: TableQuery, buckets: tuple[str, ...], today: date) -> None:
        self._question = question
        self._query = query
        self._buckets = buckets
        self._today = today
        self._steps = PlanSteps()
        self._notes: list[Note] = list(query.notes)

    def plan(self) -> Plan:
        """The nodes: the rows, what is computed of them, and what is calculated of that."""
        query = self._query
        if query.operation in OF_SIDES:
            self._sides()
        elif query.steps:
            self._neighbours()
        elif query.operation is TableOperation.ALL:
            self._all()
        elif query.operation is TableOperation.EXISTS:
            self._rows(query.clauses)
        elif query.operation is TableOperation.ROWS:
            self._listed()
        else:
            self._computed()
        nodes = self._steps.nodes
        self._say_source()
        return Plan(
            question=self._question,
            kind=Kind.AGGREGATE,
            route=Route.STRUCTURED,
            nodes=tuple(nodes),
            answer_node=nodes[-1].id,
            uncovered=tuple(dict.fromkeys(query.uncovered)),
            notes=tuple(dict.fromkeys(self._notes)),
            today=self._today.isoformat(),
            decides="any" if query.operation is TableOperation.EXISTS else "",
        )

    # -- rows ------------------------------------------------------------------------------------------

    def _rows(
        self,
        clauses: Sequence[Clause],
        *,
        fields: Sequence[ColumnWords] = (),
        order: ChosenOrder | None = None,
    ) -> RowsNode:
        """Rows that fulfil all clauses, with rows of another table where the query uses one.

        Those are the first of an order that are left when the rows of both tables were matched.
        """
        query = self._query
        own = [c for c in clauses if self._is_of(c, query.words)]
        node: RowsNode = self._select(query.words, own, fields=fields, order=None if query.used else order)
        for used in query.used:
            others = [c for c in clauses if self._is_of(c, used.other)]
            node = self._joined(node, used, others, fields, order if used is query.used[-1] else None)
        return node

    def _is_of(self, clause: Clause, words: TableVocabulary) -> bool:
        return all(each.column.table is words.table for each in clause)

    def _select(
        self,
        words: TableVocabulary,
        clauses: Sequence[Clause],
        *,
        fields: Sequence[ColumnWords] = (),
        order: ChosenOrder | None = None,
    ) -> Select:
        conditions = tuple(self._condition(clause) for clause in clauses)
        said = verbalise.conditions_text(conditions, None)
        names = self._names(words)
        return self._steps.select(
            purpose=f"Find rows of {names}{f': {said}' if said else ''}",
            reason=_REASON,
            scope=Scope(buckets=self._buckets, documents=self._documents(words)),
            of="rows",
            conditions=conditions,
            fields=tuple(column.key for column in fields if column.table is words.table),
            columns=tuple(column.key for column in words.columns)[:_MOST_COLUMNS],
            order_by=order.key if order is not None else "",
            descending=order is not None and order.descending,
            limit=order.limit if order is not None else None,
            skip=order.skip if order is not None else 0,
            tables=self._tables(words),
            with_totals=self._query.with_totals,
        )

    def _joined(
        self,
        node: RowsNode,
        used: UsedKey,
        clauses: Sequence[Clause],
        fields: Sequence[ColumnWords],
        order: ChosenOrder | None,
    ) -> Join:
        other = self._select(used.other, clauses)
        key = used.key
        left, right = (key.left, key.right) if used.is_left else (key.right, key.left)
        return self._steps.join(
            f"Match {left.entry.name} with {right.entry.name} of {self._names(used.other)}",
            (node.id, other.id),
            left.key,
            right.key,
            how=used.how,
            fields=tuple(column.key for column in fields),
            order_by=order.key if order is not None else "",
            descending=order is not None and order.descending,
            limit=order.limit if order is not None else None,
            skip=order.skip if order is not None else 0,
        )

    def _tables(self, words: TableVocabulary) -> tuple[str, ...]:
        parts = self._query.parts if words is self._query.words else ()
        return tuple(part.name for part in parts or words.parts if part.number != UNKNOWN)

    def _documents(self, words: TableVocabulary) -> tuple[str, ...]:
        parts = self._query.parts if words is self._query.words else ()
        if parts:
            return tuple(dict.fromkeys(part.document for part in parts))
        return words.table.documents

    def _names(self, words: TableVocabulary) -> str:
        """The table for a person: its sheet, or its document."""
        parts = (self._query.parts if words is self._query.words else ()) or words.parts
        ids = self._documents(words)
        titles = [each.title for each in words.documents if each.id in ids]
        title = titles[0] if len(titles) == 1 else f"{len(titles):,} documents"
        sheets = list(dict.fromkeys(part.sheet for part in parts if part.sheet))
        return f"{sheets[0]} in {title}" if len(sheets) == 1 and len(titles) == 1 else title

    # -- conditions ------------------------------------------------------------------------------------

    def _condition(self, clause: Clause) -> Condition | Choice:
        parts = [one for each in clause for one in self._conditions(each)]
        is_all = len(clause) == 1 and clause[0].op.value == "!=" and len(parts) > 1
        if len(parts) == 1 or is_all:
            return parts[0]
        return Choice(any_of=tuple(parts[:50]))

    def _conditions(self, found: ColumnFilter) -> list[Condition]:
        field = f"{found.column.key}.{found.aspect}" if found.aspect else found.column.key
        if found.average:
            rows = self._select(self._query.words, [])
            function = Calculation.MEDIAN if found.average == "median" else Calculation.AVG
            over = self._steps.aggregate(
                f"Compute the {function.value} of {found.column.entry.name}",
                (rows.id,),
                function,
                found.column.key,
            )
            return [Condition(field=field, op=found.op, value=Reference(node=over.id))]
        value = found.values[0] if len(found.values) == 1 else found.values
        return [Condition(field=field, op=found.op, value=value)]

    # -- answers ---------------------------------------------------------------------------------------

    def _listed(self) -> None:
        self._rows(self._query.clauses, fields=self._query.shown, order=self._query.order)

    def _computed(self) -> None:
        query = self._query
        rows = self._rows(query.clauses, order=None if query.groups else query.order)
        found = self._aggregate(rows, query.operation, query.measure)
        if query.over_groups:
            how: Calculated = "average" if query.over_groups == "average" else "groups"
            self._steps.calculate("Take them together", how, (found.id,))

    def _aggregate(
        self, rows: RowsNode, operation: TableOperation, measure: ColumnWords | None, *, plain: bool = False
    ) -> Aggregate:
        query = self._query
        function = _CALCULATIONS[operation]
        groups = () if plain else tuple(group.key for group in query.groups)
        is_counted = function in (Calculation.COUNT, Calculation.DISTINCT)
        field = measure.key if measure is not None and function is not Calculation.COUNT else ""
        groups = self._by_currency(groups, measure if not is_counted and not plain else None)
        order = query.order if query.groups and not plain else None
        having = None
        if query.having is not None and not plain:
            value = query.having.values[0] if len(query.having.values) == 1 else query.having.values
            having = Condition(field=field or "rows", op=query.having.op, value=value)
        by = f" for each {' and '.join(map(said_of_key, groups))}" if groups else ""
        what = measure.entry.name if field and measure is not None else "rows"
        combined = query.combined if field else None
        if combined is not None:
            scale = f"{combined.scale:,} " if combined.scale > 1 else ""
            how = "less" if combined.how == "rest" else combined.how
            what = f"{what} {how} {scale}{combined.column.entry.name}"
            self._notes.append(Note(phrase="", reading=f"computed of each row: {what}"))
        return self._steps.aggregate(
            f"Compute the {function.value} of {what}{by}",
            (rows.id,),
            function,
            field,
            reason="computed over all rows that were found",
            group_by=groups,
            top=(order.limit or 0) if order is not None else 0,
            descending=order.descending if order is not None else True,
            skip=order.skip if order is not None else 0,
            having=having,
            combined=combined.how if combined is not None else "",
            other=combined.column.key if combined is not None else "",
            scale=combined.scale if combined is not None else 1,
        )

    def _by_currency(self, groups: tuple[str, ...], measure: ColumnWords | None) -> tuple[str, ...]:
        """Amounts in several currencies are never added: each has a result of its own."""
        query = self._query
        if measure is None or measure.entry.type is not FieldType.MONEY or len(measure.entry.units) < 2:
            return groups
        unit = f"{measure.key}.unit"
        chosen = any(each.aspect == "unit" for clause in query.clauses for each in clause)
        if chosen or unit in groups or len(groups) >= 3:
            return groups
        if query.order is None:
            said = ", ".join(measure.entry.units)
            self._notes.append(Note(phrase="", reading=f"for each currency by itself: {said}"))
            return (*groups, unit)
        return groups

    def _all(self) -> None:
        """ "Are all orders shipped": as many fulfil it as there are."""
        query = self._query
        kept = query.clauses[-1:]
        some = self._aggregate(self._rows(query.clauses), TableOperation.COUNT, None, plain=True)
        rest = [clause for clause in query.clauses if clause not in kept]
        whole = self._aggregate(self._rows(rest), TableOperation.COUNT, None, plain=True)
        self._steps.calculate("See whether all do", "all", (some.id, whole.id), ("those that do", "all"))

    def _neighbours(self) -> None:
        query = self._query
        found = self._rows(query.clauses)
        among = self._rows([])
        direction = "behind" if query.steps > 0 else "before"
        self._steps.beside(
            f"Go to the row {direction}",
            (found.id, among.id),
            query.steps,
            fields=tuple(column.key for column in query.shown),
        )

    def _sides(self) -> None:
        query = self._query
        made = [self._side(side) for side in query.sides]
        labels = tuple(side.label[:100] for side in query.sides)
        how = _CALCULATED[query.operation]
        self._steps.calculate(
            f"Calculate the {how}",
            how,
            tuple(node.id for node in made),
            labels,
            reason="of what both come to",
        )

    def _side(self, side: QuerySide) -> Aggregate:
        rows = self._rows([*self._query.clauses, *side.clauses])
        return self._aggregate(rows, side.operation or TableOperation.COUNT, side.measure, plain=True)

    def _say_source(self) -> None:
        """Note of what is counted once, and where: other documents may state the same again."""
        select = next(node for node in self._steps.nodes if isinstance(node, Select))
        names = self._names(self._query.words)
        reading = f"counted over the rows of {names} alone, so that nothing stated elsewhere counts twice"
        self._notes.append(Note(phrase="", reading=reading, node=select.id))
