"""One statement of SQL that says what nodes over rows say: what they choose, match, group and compute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.datasets.base import TOTAL, DataTable, DataType
from core.datasets.names import quoted
from core.domain.annotation import Calculation
from core.plan.catalogue import column_key
from core.plan.ir.node import ROW_PLACE, Choice, Condition, Reference, clause_parts
from core.plan.ir.nodes import (
    Calculate,
    Combine,
    ComputationNode,
    Hop,
    Join,
    Node,
    SelectionNode,
    without_aspect,
)
from core.plan.operators.row_conditions import (
    RowColumn,
    UnsaidError,
    compared_sql,
    condition_sql,
    name_sql,
    number_sql,
    sign_of,
)

Tables = Mapping[str, DataTable]
"""Tables by the names that nodes have for them, "document|table"."""

_TITLES = {
    Calculation.COUNT: "number of",
    Calculation.DISTINCT: "different",
    Calculation.SUM: "total",
    Calculation.AVG: "average",
    Calculation.MIN: "lowest",
    Calculation.MAX: "highest",
}
_FUNCTIONS = {Calculation.DISTINCT: "count(DISTINCT {})", Calculation.AVG: "avg({})"}
_PARTS = {
    "year": "year({0})",
    "quarter": "year({0}) || '-Q' || quarter({0})",
    "month": "strftime({0}, '%Y-%m')",
}
_JOINED = {
    "intersect": "({} AND {})",
    "union": "({} OR {})",
    "difference": "({} AND NOT coalesce({}, false))",
}
_FIGURES = {
    "difference": "{} - {}",
    "ratio": "{} / nullif({}, 0)",
    "share": "100.0 * {} / nullif({}, 0)",
    "more": "{} > {}",
    "less": "{} < {}",
}
_ENDS = {"greatest": "greatest", "least": "least"}


@dataclass(frozen=True, slots=True)
class RowSet:
    """Rows: of a source those that fulfil a condition ("" for all), in an order, the first of them or all."""

    source: str
    columns: Mapping[str, RowColumn]
    where: str = ""
    fields: tuple[str, ...] = ()
    order: str = ""
    first: str = ""

    def column(self, name: str) -> RowColumn:
        """The column of that name, as people or conditions call it. Raises UnsaidError."""
        found = self.columns.get(column_key(name))
        if found is None:
            raise UnsaidError(name)
        return found


@dataclass(frozen=True, slots=True)
class RowFigures:
    """Figures over a set, each group's behind its keys. measure: the SQL of the figure itself."""

    of: RowSet
    measure: str
    name: str
    keys: tuple[tuple[str, str], ...] = ()
    having: str = ""
    order: str = ""
    first: str = ""


def statement_of(nodes: Iterable[Node], answer: str, tables: Tables, *, is_list: bool = False) -> str:
    """The statement of the node `answer` over the others. Raises UnsaidError.

    is_list: different values are wanted themselves, and not how many there are.
    """
    return _Writer({each.id: each for each in nodes}, tables).statement(answer, is_list=is_list)


class _Writer:
    def __init__(self, nodes: Mapping[str, Node], tables: Tables) -> None:
        self._nodes, self._tables = nodes, tables

    def statement(self, name: str, *, is_list: bool = False) -> str:
        node = self._nodes.get(name)
        if node is None:
            raise UnsaidError(f"what {name!r} gives")
        if isinstance(node, Calculate):
            return self._calculated(node)
        if not isinstance(node, ComputationNode):
            return _rows_sql(self._rows(node))
        figures = self._figures(node)
        return _values_sql(figures, node) if is_list and _is_plain(figures, node) else _figures_sql(figures)

    # -- sets ------------------------------------------------------------------------------------------

    def _rows(self, node: Node) -> RowSet:
        if isinstance(node, SelectionNode) and node.of == "rows":
            return self._selected(node)
        if isinstance(node, Combine) and node.of == "rows":
            return self._combined([self._rows(self._nodes[name]) for name in node.inputs], node.how)
        if isinstance(node, Join):
            return self._joined(node)
        raise UnsaidError(node.type)

    def _selected(self, node: SelectionNode) -> RowSet:
        inputs = [self._nodes[name] for name in node.inputs if name in self._nodes]
        within = [
            each for each in inputs if isinstance(each, (SelectionNode, Combine, Join)) and _is_rows(each)
        ]
        rows = _as_source(self._rows(within[0])) if within else self._table(node.tables)
        said = [rows.where, *(self._clause(clause, rows) for clause in node.conditions)]
        if node.with_totals and not within:
            # True of every row: the gate leaves totals out unless a statement names their column.
            said.append(f"{rows.source}.{TOTAL} IS NOT NULL")
        return _ordered(replace(rows, where=_all(said), fields=node.fields or rows.fields), node)

    def _table(self, names: Sequence[str]) -> RowSet:
        found = {table.name: table for name in names if (table := self._tables.get(name)) is not None}
        if len(found) != 1:
            raise UnsaidError("one table")
        (table,) = found.values()
        source = name_sql(table.name)
        return RowSet(source, _columns(table, source))

    def _combined(self, sets: Sequence[RowSet], how: str) -> RowSet:
        first, *others = sets
        if any(each.first for each in sets) or any(each.source != first.source for each in others):
            raise UnsaidError("sets of several tables")
        where = first.where or "true"
        for each in others:
            where = _JOINED[how].format(where, each.where or "true")
        return replace(first, where=where)

    def _joined(self, node: Join) -> RowSet:
        left, right = (_as_source(self._rows(self._nodes[name])) for name in node.inputs)
        one, other = left.column(node.left).key, right.column(node.right).key
        if node.how != "with":
            inner = f"SELECT {other} FROM {right.source}{_where(_all([right.where, f'{other} IS NOT NULL']))}"
            sign = "NOT IN" if node.how == "without" else "IN"
            return _ordered(replace(left, where=_all([left.where, f"{one} {sign} ({inner})"])), node)
        if left.source == right.source:
            raise UnsaidError("a table beside itself")
        rows = RowSet(
            f"{left.source} JOIN {right.source} ON {one} = {other}",
            {**right.columns, **left.columns},
            _all([left.where, right.where]),
            node.fields,
        )
        said = [rows.where, *(condition_sql(each, rows.column) for each in node.conditions)]
        return _ordered(replace(rows, where=_all(said)), node)

    def _clause(self, clause: Condition | Choice, rows: RowSet) -> str:
        ways = [self._condition(each, rows) for each in clause_parts(clause)]
        return ways[0] if len(ways) == 1 else f"({' OR '.join(ways)})"

    def _condition(self, condition: Condition, rows: RowSet) -> str:
        if not isinstance(condition.value, Reference):
            return condition_sql(condition, rows.column)
        column, hop = rows.column(condition.field), self._nodes.get(condition.value.node)
        if isinstance(hop, Hop):
            return f"{column.key} IN ({self._keys(hop)})"
        return f"{column.sql} {sign_of(condition.op)} ({self.statement(condition.value.node)})"

    def _keys(self, hop: Hop) -> str:
        """What the groups are called whose name is looked up."""
        node = self._nodes[hop.inputs[0]]
        if not isinstance(node, ComputationNode) or hop.field not in node.group_by:
            raise UnsaidError(hop.type)
        figures = self._figures(node)
        key = figures.of.column(hop.field).key
        return _grouped(f"SELECT {key}", replace(figures, order=""))

    # -- figures ---------------------------------------------------------------------------------------

    def _figures(self, node: ComputationNode) -> RowFigures:
        if node.shared or node.rates or node.into or node.as_share or len(node.inputs) != 1:
            raise UnsaidError("shared or converted groups")
        rows = _as_source(self._rows(self._nodes[node.inputs[0]]))
        measure = _measure(node, rows)
        keys = tuple((_group(name, rows), name.replace(".", " ")) for name in node.group_by)
        having = ""
        if node.having is not None:
            having = compared_sql(measure, node.having.op, [number_sql(text) for text in node.having.texts])
        units = [sql for name, (sql, _) in zip(node.group_by, keys, strict=True) if name.endswith(".unit")]
        within = next(iter(units), "")
        order, first = _order(measure, node.descending, node.top, node.skip, within) if node.top else ("", "")
        return RowFigures(rows, measure, _title(node, rows), keys, having, order, first)

    def _calculated(self, node: Calculate) -> str:
        sides = [self._nodes[name] for name in node.inputs]
        if not all(isinstance(each, ComputationNode) and not each.group_by for each in sides):
            raise UnsaidError("figures of other nodes")
        made = [self._figures(each) for each in sides if isinstance(each, ComputationNode)]
        labels = [*node.labels, *(each.name for each in made[len(node.labels) :])]
        are_of_one = len({each.of.source for each in made}) == 1
        figures = [_filtered(each) if are_of_one else f"({_figures_sql(each)})" for each in made]
        shown = [f"{sql} AS {name_sql(label)}" for sql, label in zip(figures, labels, strict=True)]
        if node.how in _FIGURES and len(figures) == 2:
            shown.insert(0, f"{_FIGURES[node.how].format(*figures)} AS {name_sql(node.how)}")
        elif node.how in _ENDS:
            ways = " ".join(
                f"WHEN {sql} THEN {quoted(label)}" for sql, label in zip(figures, labels, strict=True)
            )
            shown.insert(
                0, f"CASE {_ENDS[node.how]}({', '.join(figures)}) {ways} END AS {name_sql(node.how)}"
            )
        elif node.how == "sum":
            shown.insert(0, f"{' + '.join(figures)} AS {name_sql('sum')}")
        elif node.how != "values":
            raise UnsaidError(node.how)
        return f"SELECT {', '.join(shown)}{f' FROM {made[0].of.source}' if are_of_one else ''}"


def _is_rows(node: SelectionNode | Combine | Join) -> bool:
    return isinstance(node, Join) or node.of == "rows"


def _columns(table: DataTable, source: str) -> dict[str, RowColumn]:
    made = {}
    for each in table.columns:
        unit = f"{source}.{name_sql(each.unit_column)}" if each.unit_column else ""
        column = RowColumn(f"{source}.{name_sql(each.name)}", each, unit)
        made[column_key(each.name)] = column
        made[column_key(each.label or each.name)] = column
    return made


def _as_source(rows: RowSet) -> RowSet:
    """The same to go on from: one of which only the first rows are meant is a source of its own."""
    if not rows.first:
        return rows
    named = {each.data.name: each for each in rows.columns.values() if each.data.label}
    inner = _rows_sql(replace(rows, fields=tuple(named)))
    columns = {
        key: RowColumn(
            f"chosen.{name_sql(each.data.name)}",
            each.data,
            each.unit and f"chosen.{each.unit.rpartition('.')[2]}",
        )
        for key, each in rows.columns.items()
        if each.data.label
    }
    return RowSet(f"({inner}) AS chosen", columns)


def _rows_sql(rows: RowSet) -> str:
    every = (each for each in rows.columns.values() if each.data.label)
    shown = dict.fromkeys(rows.column(name) for name in rows.fields) or dict.fromkeys(every)
    units = (each.unit for each in shown if each.unit)
    names = dict.fromkeys((*(each.sql for each in shown), *units))
    return f"SELECT {', '.join(names)} FROM {rows.source}{_where(rows.where)}{rows.first}{rows.order}"


def _is_plain(figures: RowFigures, node: ComputationNode) -> bool:
    """True of a count of different values, or of the rows of each, that nothing orders or narrows."""
    is_count = node.function is Calculation.COUNT and not node.field and bool(figures.keys)
    is_distinct = node.function is Calculation.DISTINCT and not figures.keys
    return (is_count or is_distinct) and not (figures.having or figures.first)


def _values_sql(figures: RowFigures, node: ComputationNode) -> str:
    """The different values themselves."""
    keys = figures.keys or ((figures.of.column(node.field).sql, node.field),)
    shown = ", ".join(f"{sql} AS {name_sql(name)}" for sql, name in keys)
    places = ", ".join(str(at) for at, _ in enumerate(keys, 1))
    there = _all([figures.of.where, " OR ".join(f"{sql} IS NOT NULL" for sql, _ in keys)])
    return f"SELECT DISTINCT {shown} FROM {figures.of.source}{_where(there)} ORDER BY {places}"


def _figures_sql(figures: RowFigures) -> str:
    keys = [f"{sql} AS {name_sql(name)}" for sql, name in figures.keys]
    order = figures.order or (f" ORDER BY {', '.join(sql for sql, _ in figures.keys)}" if keys else "")
    shown = ", ".join((*keys, f"{figures.measure} AS {name_sql(figures.name)}"))
    return _grouped(f"SELECT {shown}", replace(figures, order=order))


def _grouped(select: str, figures: RowFigures) -> str:
    groups = f" GROUP BY {', '.join(sql for sql, _ in figures.keys)}" if figures.keys else ""
    having = f" HAVING {figures.having}" if figures.having else ""
    source = f"{figures.of.source}{_where(figures.of.where)}"
    return f"{select} FROM {source}{groups}{having}{figures.first}{figures.order}"


def _filtered(figures: RowFigures) -> str:
    where = figures.of.where
    return f"{figures.measure} FILTER (WHERE {where})" if where else figures.measure


def _ordered(rows: RowSet, node: SelectionNode | Join) -> RowSet:
    if node.order_by in ("", ROW_PLACE):
        if node.limit is None:
            return rows
        place = f"{rows.source}._row"
        if node.order_by == "" or " " in rows.source:
            raise UnsaidError("the first of no order")
        order, first = _order(place, node.descending, node.limit, node.skip)
        return replace(rows, order=order, first=first)
    column = rows.column(node.order_by)
    within = column.unit if len(column.data.units) > 1 else ""
    order, first = _order(column.sql, node.descending, node.limit, node.skip, within)
    return replace(rows, order=order, first=first)


def _order(by: str, descending: bool, limit: int | None, skip: int, within: str = "") -> tuple[str, str]:
    """ORDER BY, and what keeps the first with all that are equal to the last of them.

    within: the column of currencies, of each of which there is an order; "" for none.
    """
    own = f"{by} {'DESC' if descending else 'ASC'} NULLS LAST"
    order = f"{within}, {own}" if within else own
    if limit is None:
        return f" ORDER BY {order}", ""
    place, over = "dense_rank" if skip else "rank", f"PARTITION BY {within} " if within else ""
    ends = f"{place}() OVER ({over}ORDER BY {own}) <= {limit + skip}"
    begins = f" AND dense_rank() OVER ({over}ORDER BY {own}) > {skip}" if skip else ""
    return f" ORDER BY {order}", f" QUALIFY {by} IS NOT NULL AND {ends}{begins}"


def _measure(node: ComputationNode, rows: RowSet) -> str:
    if not node.field:
        return "count(*)"
    value = rows.column(node.field).sql
    if node.combined:
        other = rows.column(node.other).sql
        if node.combined == "per" and node.function is Calculation.SUM:
            return f"{node.scale} * sum({value}) / nullif(sum({other}), 0)"
        value = _combined(node.combined, value, other, rows.column(node.field).data.type, node.scale)
    return _FUNCTIONS.get(node.function, f"{node.function.value}({{}})").format(value)


def _combined(how: str, one: str, other: str, kind: DataType, scale: int) -> str:
    if kind is DataType.DATE:
        return f"date_diff('day', {other}, {one})"
    if how in ("rest", "plus"):
        return f"(coalesce({one}, 0) {'-' if how == 'rest' else '+'} coalesce({other}, 0))"
    signs = {
        "less": f"({one} - {other})",
        "times": f"({one} * {other})",
        "per": f"({scale} * {one} / nullif({other}, 0))",
    }
    return signs[how]


def _group(name: str, rows: RowSet) -> str:
    stem = without_aspect(name)
    column, part = rows.column(stem), name[len(stem) :].removeprefix(".")
    if part == "unit":
        return column.currency
    return _PARTS[part].format(column.sql) if part else column.sql


def _title(node: ComputationNode, rows: RowSet) -> str:
    if not node.field:
        return "rows"
    data = rows.column(node.field).data
    return f"{_TITLES.get(node.function, node.function.value)} {data.label or data.name}"


def _all(conditions: Sequence[str]) -> str:
    said = [each for each in conditions if each]
    return " AND ".join(f"({each})" if " OR " in each else each for each in said)


def _where(condition: str) -> str:
    return f" WHERE {condition}" if condition else ""
