"""Currencies in SQL: amounts of several are never put together, compared or ordered; averages stay exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from core.datasets.base import DataTable, DataType, QueryRefusedError

_KEEP_MONEY = (
    exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Median, exp.Mode, exp.AnyValue, exp.First, exp.Last, exp.Abs,
    exp.Round, exp.Coalesce, exp.Greatest, exp.Least, exp.Add, exp.Sub, exp.Neg, exp.Paren, exp.Case, exp.If,
    exp.Window, exp.Filter, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.Nullif, exp.Alias,
    exp.PercentileCont, exp.PercentileDisc, exp.ArgMax, exp.ArgMin, exp.Cast, exp.Floor, exp.Ceil,
    exp.Distinct, exp.IgnoreNulls, exp.NthValue, exp.Mod, exp.Pow, exp.Sqrt,
    exp.Tuple,
)  # fmt: skip
_COUNTS = (exp.Count, exp.CountIf, exp.ApproxDistinct)
_RANKS = (exp.ArgMax, exp.ArgMin)
_SPREADS = (exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop, exp.Corr)
_COMPARED = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)
_FLOATS = frozenset({"DOUBLE", "FLOAT"})


@dataclass(frozen=True, slots=True)
class Money:
    """A column of amounts: its currencies, and what holds that of each row; `holder` is "" for none."""

    name: str
    units: tuple[str, ...]
    holder: str = ""


def money_of(query: exp.Query, tables: Mapping[str, DataTable]) -> tuple[str, ...]:
    """For each column of the result its currency, SEVERAL where rows differ in it, "" where it is no money.

    Averages of money, which DuckDB computes as floats, are replaced by exact ones (of 4 places, as money is).
    Raises QueryRefusedError where amounts of several currencies are put together, compared or ordered, or
    amounts become floats.
    """
    outputs: dict[int, dict[str, Money]] = {}
    averages: list[exp.Expr] = []
    for scope in traverse_scope(query):
        outputs[id(scope)] = _outputs(scope, tables, outputs, averages)
    final = outputs[id(scope)]
    units = tuple(
        "" if (money := final.get(each.alias_or_name)) is None else _unit(money) for each in query.selects
    )
    for average in averages:
        whole = _whole(average)
        whole.replace(_exact(whole))
    return units


SEVERAL = "several"


def _unit(money: Money) -> str:
    return money.units[0] if len(money.units) == 1 else SEVERAL if money.units else ""


def _outputs(
    scope: Scope,
    tables: Mapping[str, DataTable],
    outputs: Mapping[int, dict[str, Money]],
    averages: list[exp.Expr],
) -> dict[str, Money]:
    select = scope.expression
    if isinstance(select, exp.Union):
        return _of_union(scope, outputs)
    if not isinstance(select, exp.Select):
        return {}
    settled: dict[tuple[str, str], Money] = {}
    around: Scope | None = scope
    while around is not None and isinstance(
        within := around.expression, exp.Select
    ):  # a subquery may name columns of what it stands in
        for alias, (_, source) in around.selected_sources.items():
            for money in _of_source(source, tables, outputs):
                settled.setdefault((alias, money.name), _settled(money, alias, within))
        around = around.parent if around.is_subquery else None
    for inner in scope.subquery_scopes:
        held = outputs.get(id(inner), {})
        settled |= {_key(inner.expression): money for money in list(held.values())[:1]}
    made = {
        each.alias_or_name: found
        for each in select.selects
        if (found := _made(each, settled, select)) is not None
    }
    settled |= {("", name): found for name, found in made.items()}  # so an order names them
    for node in scope.walk():
        _refuse_floats(node, settled)
        _refuse_mixed(node, settled, select)
        _refuse_compared(node, settled, select)
        _refuse_ordered(node, settled)
        if isinstance(node, exp.Avg) and _amounts(node, settled):
            averages.append(node)
    return made


def _of_union(scope: Scope, outputs: Mapping[int, dict[str, Money]]) -> dict[str, Money]:
    sides = [(_selects(side), outputs.get(id(side), {})) for side in scope.set_operation_scopes]
    merged: dict[str, Money] = {}
    names = [each.alias_or_name for each in _selects(scope)]
    for at, name in enumerate(names):
        found = [(columns, made) for columns, held in sides if (made := held.get(columns[at].alias_or_name))]
        if found:
            units = tuple(dict.fromkeys(unit for _, each in found for unit in each.units))
            holders = (no for no in range(len(names)) if all(_holds(no, *each) for each in found))
            merged[name] = Money(name, units, next((names[no] for no in holders), ""))
    for node in scope.expression.find_all(exp.Order):
        if node.parent is scope.expression:
            _refuse_ordered(node, {("", name): money for name, money in merged.items()})
    return merged


def _holds(no: int, columns: Sequence[exp.Expr], money: Money) -> bool:
    """True where that column of one side of a union says the currency of its amounts."""
    if money.holder:
        return columns[no].alias_or_name == money.holder
    said = columns[no].unalias()
    return isinstance(said, exp.Literal) and said.is_string and money.units == (said.this,)


def _selects(scope: Scope) -> list[exp.Expr]:
    return scope.expression.selects if isinstance(scope.expression, exp.Query) else []


def _of_source(
    source: object, tables: Mapping[str, DataTable], outputs: Mapping[int, dict[str, Money]]
) -> list[Money]:
    if isinstance(source, Scope):
        return list(outputs.get(id(source), {}).values())
    if not isinstance(source, exp.Table) or source.name not in tables:
        return []
    return [
        Money(each.name, each.units or ("",), each.unit_column)
        for each in tables[source.name].columns
        if each.type is DataType.MONEY
    ]


def _settled(money: Money, alias: str, select: exp.Select) -> Money:
    """With one currency, where the rows are filtered by it."""
    where = select.args.get("where")
    conditions = _conjuncts(where.this) if where is not None else []
    return _settled_by(conditions, {(alias, money.name): money})[alias, money.name]


def _conjuncts(node: exp.Expr) -> list[exp.Expr]:
    return list(node.flatten()) if isinstance(node, exp.And) else [node]


def _equal_text(node: exp.Expr, alias: str, holder: str) -> str | None:
    if isinstance(node, exp.Paren):
        return _equal_text(node.this, alias, holder)
    if isinstance(node, exp.In) and len(node.expressions) == 1 and not node.args.get("query"):
        node = exp.EQ(this=node.this.copy(), expression=node.expressions[0].copy())
    if not isinstance(node, exp.EQ) or not holder:
        return None
    left, right = (node.left, node.right) if isinstance(node.left, exp.Column) else (node.right, node.left)
    is_holder = isinstance(left, exp.Column) and (left.table, left.name) == (alias, holder)
    return str(right.this) if is_holder and isinstance(right, exp.Literal) and right.is_string else None


def _amounts(node: exp.Expr, known: Mapping[tuple[str, str], Money]) -> dict[tuple[str, str], Money]:
    """Columns of money that the value of a node is made of."""
    if isinstance(node, exp.Column):
        key = (node.table, node.name)
        return {key: known[key]} if key in known else {}
    if isinstance(node, exp.Query):
        key = _key(node.unnest())
        return {key: known[key]} if key in known else {}
    if isinstance(node, _RANKS):
        return _amounts(node.this, known)
    if isinstance(node, exp.Mul):
        left, right = _amounts(node.left, known), _amounts(node.right, known)
        return {} if left and right else left or right
    if isinstance(node, (exp.Div, exp.IntDiv)):
        return {} if _amounts(node.right, known) else _amounts(node.left, known)
    if isinstance(node, exp.Case):
        parts = [each.args["true"] for each in node.args["ifs"]] + [node.args.get("default")]
        return {k: v for part in parts if part is not None for k, v in _amounts(part, known).items()}
    if isinstance(node, (exp.Window, exp.Filter)):
        return _amounts(node.this, known)
    if isinstance(node, _KEEP_MONEY):
        return {k: v for part in node.iter_expressions() for k, v in _amounts(part, known).items()}
    return {}


def _key(query: exp.Expr) -> tuple[str, str]:
    return "", f"#{id(query)}"


def _refuse_mixed(node: exp.Expr, known: Mapping[tuple[str, str], Money], select: exp.Select) -> None:
    if isinstance(node, (exp.Add, exp.Sub, exp.Greatest, exp.Least)):
        held = _amounts(node, known)
        is_bare = any(not _amounts(e, known) and not _is_nought(e) for e in node.iter_expressions())
        if not _are_alike(held, select) or (is_bare and any(len(m.units) > 1 for m in held.values())):
            raise _mixed(" and ".join(money.name for money in held.values()), ())
    if not isinstance(node, exp.AggFunc) or isinstance(node, _COUNTS):
        return
    columns = {
        **_amounts(node, known),
        **(_amounts(node.expression, known) if isinstance(node, _RANKS) else {}),
    }
    if isinstance(node, _SPREADS):
        columns = {k: v for part in node.iter_expressions() for k, v in _amounts(part, known).items()}
    elif _differ(_amounts(node, known)):
        raise _mixed(" and ".join(money.name for money in columns.values()), ())
    groups = _groups(node, select)
    for (alias, name), money in columns.items():
        if len(money.units) > 1 and (alias, money.holder) not in groups:
            raise _mixed(name, money.units, money.holder)


def _refuse_compared(node: exp.Expr, known: Mapping[tuple[str, str], Money], select: exp.Select) -> None:
    """Refuse an inequality of amounts of several currencies, but to nought and to those of the same row."""
    if not isinstance(node, _COMPARED):
        return
    sides = [each for each in node.iter_expressions() if not _is_nought(each)]
    around = _around(node)
    amounts = [_settled_by(around, _amounts(each, known)) for each in sides]
    held = {key: money for each in amounts for key, money in each.items()}
    is_of_row = all(amounts)
    if len(sides) < 2 or (is_of_row and _are_alike(held, select)):
        return
    lost = [money for money in held.values() if len(money.units) > 1]
    if lost := lost or (list(held.values()) if is_of_row or any(map(_differ, amounts)) else []):
        units = tuple(dict.fromkeys(unit for money in lost for unit in money.units))
        raise _mixed(lost[0].name, units, lost[0].holder, "which are not compared with one amount")


def _settled_by(
    conditions: Sequence[exp.Expr], held: Mapping[tuple[str, str], Money]
) -> dict[tuple[str, str], Money]:
    """Amounts with one currency, where a condition that holds with them names it."""
    found = dict(held)
    for (key, money), each in product(held.items(), conditions):
        if (value := _equal_text(each, key[0], money.holder)) is not None:
            found[key] = replace(money, units=(value,))
    return found


def _differ(held: Mapping[tuple[str, str], Money]) -> bool:
    """True of amounts that one value is made of, where they are not in the same currencies."""
    return len({money.units for money in held.values()}) > 1


def _is_nought(node: exp.Expr) -> bool:
    while isinstance(node, (exp.Paren, exp.Neg, exp.Cast)):
        node = node.this
    return isinstance(node, exp.Null) or (
        isinstance(node, exp.Literal) and not node.is_string and not float(node.this)
    )


def _around(node: exp.Expr) -> list[exp.Expr]:
    """What has to hold together with a condition."""
    found: list[exp.Expr] = []
    while isinstance(node.parent, (exp.And, exp.Paren)):
        node = node.parent
        found += _conjuncts(node)
    return found


def _refuse_ordered(node: exp.Expr, known: Mapping[tuple[str, str], Money]) -> None:
    """Refuse an order of amounts of several currencies, but within each currency."""
    if not isinstance(node, exp.Order):
        return
    within = list(node.parent.args.get("partition_by") or ()) if isinstance(node.parent, exp.Window) else []
    select = node.parent if isinstance(node.parent, exp.Query) else None
    keys = [each.this for each in node.expressions]
    if select is not None and any(isinstance(each, exp.Var) for each in keys):
        keys = select.selects  # ORDER BY ALL
    for key in keys:
        held = _amounts(by := _selected(key, select).unalias(), known)
        for (alias, _), money in held.items():
            holders = {(each.table, each.name) for each in within if isinstance(each, exp.Column)}
            if _differ(held) or (len(money.units) > 1 and (alias, money.holder) not in holders):
                raise _mixed(money.name, money.units, money.holder, "which have no common order")
        within += [key, by]


def _selected(by: exp.Expr, select: exp.Query | None) -> exp.Expr:
    """The expression of a select that an order names by its place or name; any other as it is."""
    if select is None or isinstance(select, exp.Union):
        return by
    places = {str(at): each for at, each in enumerate(select.selects, 1)}
    names = {each.alias: each for each in select.selects if each.alias}
    found = places.get(by.name) if isinstance(by, exp.Literal) else None
    if isinstance(by, exp.Column) and not by.table:
        found = names.get(by.name)
    return found.unalias() if found is not None else by


def _are_alike(held: Mapping[tuple[str, str], Money], select: exp.Select) -> bool:
    """True where amounts that stand beside each other in a row are in one currency."""
    if len(held) < 2:
        return True
    if _differ(held):
        return False
    holders = {(alias, money.holder) for (alias, _), money in held.items() if len(money.units) > 1}
    if not holders or (len(holders) == 1 and all(name for _, name in holders)):
        return True
    return all(name for _, name in holders) and _are_equal(holders, select)


def _are_equal(columns: set[tuple[str, str]], select: exp.Select) -> bool:
    """True where a select is limited to rows in which these columns are equal."""
    where = select.args.get("where")
    conditions = [where.this] if where is not None else []
    conditions += [on for each in select.args.get("joins") or () if (on := each.args.get("on")) is not None]
    reached = {min(columns)}
    pairs = [
        {(each.left.table, each.left.name), (each.right.table, each.right.name)}
        for condition in conditions
        for part in _conjuncts(condition)
        if isinstance(each := part.unnest(), exp.EQ)
        and isinstance(each.left, exp.Column)
        and isinstance(each.right, exp.Column)
    ]
    for _ in pairs:
        reached = reached.union(*(pair for pair in pairs if pair & reached))
    return columns <= reached


def _groups(node: exp.Expr, select: exp.Select) -> set[tuple[str, str]]:
    """Columns of which each has one value among the rows that an aggregate puts together."""
    window = node.find_ancestor(exp.Window, exp.Select)
    if isinstance(window, exp.Window) and window.this in (node, node.parent):
        parts = list(window.args.get("partition_by") or ())
    else:
        group = select.args.get("group")
        parts = [] if group is None else list(group.expressions)
        if group is not None and group.args.get("all"):
            parts = [each.unalias() for each in select.selects if not each.find(exp.AggFunc)]
    return {(each.table, each.name) for each in parts if isinstance(each, exp.Column)}


def _refuse_floats(node: exp.Expr, known: Mapping[tuple[str, str], Money]) -> None:
    if isinstance(node, exp.Cast) and node.to.this.name in _FLOATS and (held := _amounts(node.this, known)):
        raise QueryRefusedError(
            f"{next(iter(held))[1]!r} is money, which is not computed with floating point.",
            next_step="Leave out the cast, or cast to DECIMAL(38, 4).",
        )


def _made(column: exp.Expr, known: Mapping[tuple[str, str], Money], select: exp.Select) -> Money | None:
    held = list(_amounts(column, known).items())
    if not held:
        return None
    (alias, _), money = held[0]
    units = tuple(dict.fromkeys(unit for _, each in held for unit in each.units))
    if len({(key[0], each.holder, each.units) for key, each in held}) > 1 and len(units) > 1:
        return Money(column.alias_or_name, units)
    holder = next(
        (
            each.alias_or_name
            for each in select.selects
            if isinstance(inner := each.unalias(), exp.Column)
            and (inner.table, inner.name) == (alias, money.holder)
        ),
        "",
    )
    return Money(column.alias_or_name, money.units, holder)


def _mixed(
    name: str, units: tuple[str, ...], holder: str = "", why: str = "which are not put together"
) -> QueryRefusedError:
    said = f" ({', '.join(unit or 'none stated' for unit in units[:6])})" if units else ""
    step = (
        f"Group by {holder}, or keep one currency with WHERE {holder} = '{next(filter(None, units), 'EUR')}'."
    )
    return QueryRefusedError(
        f"{name!r} holds amounts in several currencies{said}, {why}.",
        next_step=step if holder else "Compute each currency by itself, with the column of its currency.",
    )


def _whole(node: exp.Expr) -> exp.Expr:
    """An aggregate with its filter and window."""
    while isinstance(node.parent, (exp.Filter, exp.Window)) and node.arg_key == "this":
        node = node.parent
    return node


def _exact(whole: exp.Expr) -> exp.Expr:
    total, count = _instead(whole, exp.Sum), _instead(whole, exp.Count)
    scaled = exp.cast(exp.Mul(this=total, expression=exp.Literal.number(1_000_000)), "INT128")
    parts = exp.IntDiv(this=scaled, expression=count)
    exact = exp.Mul(this=exp.cast(parts, "DECIMAL(38, 0)"), expression=exp.Literal.number("0.000001"))
    return exp.Round(this=exact, decimals=exp.Literal.number(4))


def _instead(whole: exp.Expr, kind: type[exp.AggFunc]) -> exp.Expr:
    made = whole.copy()
    average = made if isinstance(made, exp.Avg) else made.find(exp.Avg)
    assert average is not None
    new = kind(this=average.this.copy())
    if average is made:
        return new
    average.replace(new)
    return made
