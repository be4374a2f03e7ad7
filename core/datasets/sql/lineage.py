"""Source rows of every row of a result, by rewriting a checked select so that it tells them itself.

Each table's rows get a code, which holds its place among the tables and the row's number. A select without
groups carries the codes of the rows that it joins, one with groups the smallest MOST_SOURCES of each group,
and a window that it shows those of its frame; subqueries give theirs to the rows that ask them. So every row
of the result can be computed again from the rows that it names, unless there are more of them. Of an order
(LIMIT, QUALIFY) the rows are not named that others were held against.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlglot import exp

from core.datasets.base import CODE_BASE, MOST_SOURCES, ROW, QueryRefusedError

E = TypeVar("E", bound=exp.Expr)
SOURCES, COUNT = "_sources", "_source_count"
_CODE, _SET = "_code", "_rows"
_OF_MANY = ("group", "having", "distinct", "limit", "offset", "qualify", "with_")
_MOST_LISTS = 50  # lists of a window over what was grouped before; a list is long, and each row has one
_WITHOUT_FRAME = (exp.Lead, exp.Ntile, exp.PercentRank, exp.CumeDist, exp.LastValue, exp.NthValue)


@dataclass(frozen=True, slots=True)
class _Part:
    """Expressions of a source: its codes in a row, and how many there are. is_list: a list of codes."""

    codes: str
    count: str
    is_list: bool = True


def trace(query: exp.Query, tables: Sequence[str], conditions: Sequence[str]) -> exp.Query:
    """A qualified query with SOURCES (a list of codes) and COUNT as its last columns.

    tables: those that it reads, whose order gives the codes. conditions: for each, rows that it is limited to
    ("" for all); holds in the whole query.
    """
    places = {name: at for at, name in enumerate(tables)}
    return _Tracer(places, dict(zip(tables, conditions, strict=True))).query(query.copy())


class _Tracer:
    def __init__(self, places: dict[str, int], conditions: dict[str, str]) -> None:
        self._places = places
        self._conditions = conditions

    def query(self, query: exp.Expr) -> exp.Query:
        """The query, and all within it, with two columns more."""
        for cte in query.ctes if isinstance(query, exp.Query) else ():
            cte.set("this", self.query(cte.this))
        if isinstance(query, exp.Subquery):
            return self.query(query.this)
        if isinstance(query, exp.Union):
            return self._union(query)
        assert isinstance(query, exp.Select)
        if query.args.get("windows"):
            raise QueryRefusedError("A WINDOW clause is not run.", next_step="Write it behind OVER.")
        distinct = query.args.get("distinct")
        if distinct is not None and not distinct.args.get("on"):
            return self._distinct(query)
        return self._select(query)

    def _union(self, union: exp.Union) -> exp.Query:
        if union.args.get("by_name"):
            raise QueryRefusedError("UNION BY NAME is not run.", next_step="Name the columns in both.")
        names = [each.alias_or_name for each in union.selects]
        is_distinct = union.args.get("distinct")
        union.set("this", self.query(union.this))
        union.set("expression", self.query(union.expression))
        if not is_distinct:
            return union
        union.set("distinct", False)
        return _merged(union, names)

    def _distinct(self, select: exp.Select) -> exp.Query:
        """As groups of equal rows; what it is sorted by must be among its columns."""
        names = [each.alias_or_name for each in select.selects]
        of_name = {each.unalias().sql("duckdb"): each.alias_or_name for each in select.selects}
        for ordered in (select.args.get("order") or exp.Order(expressions=[])).expressions:
            key = ordered.this
            name = of_name.get(key.sql("duckdb")) or (key.name if not key.args.get("table") else "")
            if name not in names:
                raise QueryRefusedError(
                    "A SELECT DISTINCT is sorted by what it does not select.",
                    next_step="Select that column too, or leave out DISTINCT.",
                )
            ordered.set("this", exp.column(name, quoted=True))
        select.set("distinct", None)
        inner = select
        rest = {key: inner.args.pop(key, None) for key in ("order", "limit", "offset", "with_")}
        outer = _merged(self._select(inner), names)
        for key, value in rest.items():
            outer.set(key, value)
        return outer

    def _select(self, select: exp.Select) -> exp.Select:
        is_grouped = _is_grouped(select)
        group: list[_Part] = []
        windows = [each for each in _own(select, exp.Window) if _is_shown(each)]
        inner = list(_subqueries(select))
        row = [self._source(source) for source in _sources(select)]
        for subquery in inner:
            part = self._subquery(subquery)
            is_of_rows = subquery.find_ancestor(exp.Where, exp.Join, exp.Select) is not select
            (row if is_of_rows and is_grouped and _is_correlated(subquery) else group).append(part)
        base = [_in_group(each, len(row) > 1) for each in row] if is_grouped else row
        for window in windows:
            group += [_in_window(each, window) for each in base]
        _append(select, base, group)
        return select

    def _source(self, source: exp.Expr) -> _Part:
        alias = exp.to_identifier(source.alias_or_name, quoted=True).sql("duckdb")
        if isinstance(source, exp.Table) and source.name in self._places:
            source.replace(self._coded(source))
            return _Part(f"{alias}.{_CODE}", f"({alias}.{_CODE} IS NOT NULL)::INT", is_list=False)
        if isinstance(source, exp.Subquery):
            source.set("this", self.query(source.this))
        return _Part(f"{alias}.{SOURCES}", f"COALESCE({alias}.{COUNT}, 0)")

    def _coded(self, table: exp.Table) -> exp.Expr:
        name = exp.to_identifier(table.name, quoted=True).sql("duckdb")
        first = self._places[table.name] * CODE_BASE
        where = f" WHERE {condition}" if (condition := self._conditions[table.name]) else ""
        made = _parsed(f"SELECT *, {first} + {ROW} AS {_CODE} FROM {name}{where}")
        return exp.Subquery(
            this=made, alias=exp.TableAlias(this=exp.to_identifier(table.alias_or_name, quoted=True))
        )

    def _subquery(self, subquery: exp.Expr) -> _Part:
        """Rows of a subquery within an expression, which itself stays as it is, but for totals."""
        inner = subquery.this if isinstance(subquery, (exp.Subquery, exp.Exists)) else subquery
        inner = inner.this if isinstance(inner, exp.Subquery) else inner
        traced = self.query(inner.copy())
        for table in list(inner.find_all(exp.Table)):
            if self._conditions.get(table.name):
                table.replace(self._coded(table))
        if isinstance(traced, exp.Select) and not any(map(traced.args.get, _OF_MANY)):
            return _in_place(traced)
        sql = traced.sql("duckdb", comments=False)
        codes = f"(SELECT {_flat(f'LIST({_SET}.{SOURCES})')} FROM ({sql}) AS {_SET})"
        return _Part(codes, f"(SELECT SUM({_SET}.{COUNT}) FROM ({sql}) AS {_SET})")


def _in_place(traced: exp.Select) -> _Part:
    """Rows of a plain subquery by its own select list: DuckDB fails on some that are wrapped in another."""
    traced.set("order", None)
    found: list[str] = []
    for column, template in zip(traced.selects[-2:], (_flat("LIST({})"), "SUM({})"), strict=True):
        one = traced.copy()
        value = column.unalias().sql("duckdb", comments=False)
        one.set("expressions", [_parsed(value if _is_grouped(traced) else template.format(value))])
        found.append(f"({one.sql('duckdb', comments=False)})")
    return _Part(found[0], found[1])


def _append(select: exp.Select, own: Sequence[_Part], others: Sequence[_Part] = ()) -> None:
    """Add the two columns. others: what it is held against, which comes behind its own rows."""
    codes = _together(own)
    if others:
        rest = f"LIST_FILTER({_together(others)}, each -> NOT LIST_CONTAINS({codes}, each))"
        codes = f"LIST_CONCAT({codes}, {rest})[1:{MOST_SOURCES}]"
    count = " + ".join(f"COALESCE({each.count}, 0)" for each in (*own, *others)) or "0"
    for sql, name in ((codes, SOURCES), (count, COUNT)):
        select.append("expressions", exp.alias_(_parsed(sql), name))


def _together(parts: Sequence[_Part]) -> str:
    lists = [each.codes if each.is_list else f"[{each.codes}]" for each in parts]
    return _flat(f"[{', '.join(lists)}]") if lists else "[]::BIGINT[]"


def _in_group(part: _Part, is_join: bool) -> _Part:
    """Codes of the rows of a group. Of one table a row is there once; of joined ones it may be more often."""
    if part.is_list:
        return _Part(_flat(f"LIST({part.codes})"), f"SUM({part.count})")
    once = "DISTINCT " if is_join else ""
    return _Part(f"MIN({once}{part.codes}, {MOST_SOURCES})", f"COUNT({once}{part.codes})")


def _in_window(part: _Part, window: exp.Window) -> _Part:
    over = window.copy()
    inner = over.this.this if isinstance(over.this, exp.IgnoreNulls) else over.this
    if isinstance(inner, _WITHOUT_FRAME):
        over.set("order", None)
        over.set("spec", None)
    over.set("this", exp.column("_it"))
    template = over.sql("duckdb", comments=False)
    if not part.is_list:
        codes = template.replace("_it", f"MIN({part.codes}, {MOST_SOURCES})", 1)
        return _Part(codes, template.replace("_it", f"COUNT({part.codes})", 1))
    codes = _flat(template.replace("_it", f"MIN({part.codes}, {_MOST_LISTS})", 1))
    return _Part(codes, template.replace("_it", f"SUM({part.count})", 1))


def _merged(query: exp.Query, names: Sequence[str]) -> exp.Select:
    """Equal rows of a traced query as one, sorted and limited as it was."""
    outer = exp.Select()
    inner = [f"_{at}" for at in range(len(names))]  # by place: two columns may have one name
    for name, own in zip(names, inner, strict=True):
        outer.append("expressions", exp.alias_(exp.column(own, _SET, quoted=True), name, quoted=True))
    for key in ("order", "limit", "offset", "with_"):
        outer.set(key, query.args.pop(key, None))
    listed = [exp.to_identifier(own, quoted=True) for own in (*inner, SOURCES, COUNT)]
    alias = exp.TableAlias(this=exp.to_identifier(_SET), columns=listed)
    outer.set("from_", exp.From(this=exp.Subquery(this=query, alias=alias)))
    keys = [exp.Literal.number(at + 1) for at in range(len(names))]
    outer.set("group", exp.Group(expressions=keys))
    part = _in_group(_Part(f"{_SET}.{SOURCES}", f"{_SET}.{COUNT}"), is_join=False)
    _append(outer, [part])
    return outer


def _flat(lists: str) -> str:
    return f"LIST_SORT(LIST_DISTINCT(FLATTEN({lists})))[1:{MOST_SOURCES}]"


def _parsed(sql: str) -> exp.Expr:
    """Ours, not a person's: what is put into a query that was checked."""
    import sqlglot

    return sqlglot.parse_one(sql, dialect="duckdb")


def _sources(select: exp.Select) -> Iterator[exp.Expr]:
    start = select.args.get("from_")
    if start is not None:
        yield start.this
    for join in select.args.get("joins") or ():
        yield join.this


def _own(select: exp.Select, kind: type[E]) -> Iterator[E]:
    return (node for node in select.find_all(kind) if node.find_ancestor(exp.Select) is select)


def _subqueries(select: exp.Select) -> Iterator[exp.Expr]:
    """Queries within expressions of a select, not those that it selects from."""
    for node in list(select.find_all(exp.Select, exp.Union)):
        if node is select or node.find_ancestor(exp.Select) is not select:
            continue
        if isinstance(node.parent, (exp.Union, exp.CTE)):
            continue
        holder = node.parent
        if isinstance(holder, exp.Subquery) and isinstance(holder.parent, (exp.From, exp.Join)):
            continue
        yield node


def _is_grouped(select: exp.Select) -> bool:
    if select.args.get("group") or select.args.get("having"):
        return True
    return any(
        not _is_of_window(node)
        and not isinstance(node, (exp.FirstValue, exp.LastValue, exp.Lag, exp.Lead, exp.NthValue))
        for node in _own(select, exp.AggFunc)
    )


def _is_shown(window: exp.Expr) -> bool:
    """True of what a row says: what it is kept or sorted by holds it against rows that are not its own."""
    return isinstance(window.find_ancestor(exp.Select, exp.Qualify, exp.Order), exp.Select)


def _is_of_window(node: exp.Expr) -> bool:
    """True for a function over a window, whatever stands between it and OVER."""
    while isinstance(node.parent, (exp.IgnoreNulls, exp.Filter)) and node.arg_key == "this":
        node = node.parent
    return isinstance(node.parent, exp.Window) and node.arg_key == "this"


def _is_correlated(query: exp.Expr) -> bool:
    inner = {each.alias_or_name for each in query.find_all(exp.Table, exp.Subquery)}
    return any(column.table and column.table not in inner for column in query.find_all(exp.Column))
