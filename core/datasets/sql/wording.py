"""A statement told in words: rows of which tables, under which conditions, and what is shown of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from sqlglot import exp

from core.datasets.base import NAME_KEY
from core.datasets.sql.statements import parsed

_SIGNS: dict[type[exp.Expr], str] = {
    exp.EQ: "is",
    exp.NEQ: "is not",
    exp.GT: "above",
    exp.GTE: "at least",
    exp.LT: "below",
    exp.LTE: "at most",
    exp.Like: "like",
    exp.ILike: "like",
    exp.Add: "plus",
    exp.Sub: "less",
    exp.Mul: "times",
    exp.Div: "divided by",
    exp.And: "and",
    exp.Or: "or",
}
_FIGURES: dict[type[exp.Expr], str] = {
    exp.Sum: "total",
    exp.Avg: "average",
    exp.Min: "lowest",
    exp.Max: "highest",
    exp.Median: "median",
    exp.Count: "number of",
    exp.Distinct: "different",
    exp.Year: "year of",
    exp.Month: "month of",
    exp.Not: "not",
    exp.Neg: "minus",
}
_SETS: dict[type[exp.SetOperation], str] = {
    exp.Union: "together with",
    exp.Except: "but not of",
    exp.Intersect: "that are also of",
}
_PLAIN = (
    exp.Lower,
    exp.Upper,
    exp.Trim,
    exp.Cast,
    exp.TryCast,
    exp.Round,
    exp.Coalesce,
    exp.Nullif,
    exp.Alias,
)
"""What is told as what stands in it."""


def sql_words(sql: str) -> str:
    """The statement as a person would say it; "" of one that cannot be, which stands for itself."""
    with suppress(AttributeError, IndexError, KeyError, RecursionError, TypeError):  # what has no words yet
        return _query(query) if (query := parsed(sql)) is not None else ""
    return ""


def _query(query: exp.Query) -> str:
    before: list[str] = []
    for at, cte in enumerate(query.ctes, 1):
        before.append(f"({at}) {_query(cte.this)}")
        for table in query.find_all(exp.Table):
            if table.name == cte.alias:  # a name that stands in the SQL alone
                table.set("this", exp.to_identifier(f"({at})"))
    if isinstance(query, exp.SetOperation):
        joint = next(words for kind, words in _SETS.items() if isinstance(query, kind))
        said = "; ".join([f"{_words(query.left)}, {joint} {_words(query.right)}", *_cut(query)])
    elif isinstance(query, exp.Select):
        said = "; ".join(_select(query))
    else:
        said = _words(query.this)
    return "; then ".join([*before, said])


def _select(query: exp.Select) -> Iterator[str]:
    if (source := query.args.get("from_")) is not None:
        yield f"rows of {_words(source.this)}{''.join(map(_join, query.args.get('joins') or ()))}"
    if (where := query.args.get("where")) is not None:
        yield f"where {_words(where.this)}"
    group = query.args.get("group")
    keys = group.expressions if group is not None else []
    shown = [each for each in query.selects if each.unalias() not in keys] or query.selects
    is_all = any(isinstance(each, exp.Star) for each in shown)
    different = "different " if query.args.get("distinct") else ""
    each = f" for each {_listed(_place(key, query) for key in keys)}" if keys else ""
    yield f"{different}{'all columns' if is_all else _listed(map(_words, shown))}{each}"
    if (having := query.args.get("having")) is not None:
        yield f"of these where {_words(having.this)}"
    yield from _cut(query)


def _cut(query: exp.Query) -> Iterator[str]:
    """The order of the rows, and which of them are taken."""
    if (order := query.args.get("order")) is not None:
        yield f"by {_listed(_ordered(key, query) for key in order.expressions)}"
    if (limit := query.args.get("limit")) is not None:
        yield f"the first {_words(limit.expression)}"
    if (offset := query.args.get("offset")) is not None:
        yield f"without the first {_words(offset.expression)}"


def _join(join: exp.Join) -> str:
    kind = " where there is one" if join.side else ""
    on = join.args.get("on")
    same = [_words(each) for each in join.args.get("using") or ()]
    if isinstance(on, exp.EQ) and _words(on.left) == _words(on.right):
        same, on = [_words(on.left)], None
    of = f" of the same {_listed(iter(same))}" if same else ""
    return f", each with {_words(join.this)}{of}{kind}{f' where {_words(on)}' if on is not None else ''}"


def _ordered(key: exp.Expr, query: exp.Query) -> str:
    said = _place(key.this, query)
    return f"{said}, the highest first" if key.args.get("desc") else said


def _place(key: exp.Expr, query: exp.Query) -> str:
    """A column that is told by its number among those that are shown, or in words."""
    number = int(key.this) if isinstance(key, exp.Literal) and key.is_int else 0
    return _words(query.selects[number - 1] if 0 < number <= len(query.selects) else key)


def _words(node: exp.Expr) -> str:
    if isinstance(node, (exp.Column, exp.Table, exp.Identifier)):
        return _name(node.name)
    if isinstance(node, exp.Subquery):
        return f"({_query(node.this)})"
    if isinstance(node, exp.Query):
        return _query(node)
    if isinstance(node, exp.Literal):
        return str(node.this)
    if isinstance(node, exp.Star):
        return "rows"
    if isinstance(node, exp.Paren):
        return f"({_words(node.this)})"
    if isinstance(node, exp.Anonymous) and node.name.lower() == NAME_KEY:
        return _words(node.expressions[0])
    if isinstance(node, _PLAIN):
        return _words(node.this)
    if isinstance(node, exp.Binary) and type(node) in _SIGNS:
        return f"{_words(node.left)} {_SIGNS[type(node)]} {_words(node.right)}"
    if isinstance(held := node.this if isinstance(node, exp.Not) else node, exp.Is):
        is_null = isinstance(held.expression, exp.Null)
        said = "known" if is_null else _words(held.expression).lower()
        return f"{_words(held.this)} is {'not ' if is_null == (held is node) else ''}{said}"
    if type(node) in _FIGURES:
        inner = node.expressions if isinstance(node, exp.Distinct) else [node.this]
        return f"{_FIGURES[type(node)]} {_listed(map(_words, inner))}"
    if isinstance(node, exp.Between):
        return f"{_words(node.this)} from {_words(node.args['low'])} to {_words(node.args['high'])}"
    if isinstance(node, exp.In):
        among = node.args.get("query")
        values = _words(among) if among is not None else _listed(map(_words, node.expressions), "or")
        return f"{_words(node.this)} is {'one of ' if among is not None else ''}{values}"
    if isinstance(node, exp.Filter):
        return f"{_words(node.this)} where {_words(node.expression.this)}"
    return node.sql("duckdb", comments=False)


def _name(name: str) -> str:
    return name.strip("_").replace("_", " ")


def _listed(words: Iterator[str], joint: str = "and") -> str:
    *first, last = list(words) or [""]
    return f"{', '.join(first)} {joint} {last}" if first else last
