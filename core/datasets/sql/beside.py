"""Two grouped statements as one, with the figures of both for each group."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

_COLUMNS = 2
_ONE, _OTHER, _KEY, _FIGURE = '"one side"', '"other side"', '"the group"', '"its figure"'  # no table's names


def beside(one: str, other: str, *, is_text: bool) -> str:
    """Statements that give a group and a figure each as one; "" where one gives other columns.

    is_text: groups are texts, of which neither case nor space around counts. A group that only one of the
    tables has stays, with nothing for the other.
    """
    parsed = (sqlglot.parse_one(each, dialect="duckdb") for each in (one, other))
    sides = [each for each in parsed if isinstance(each, exp.Select)]
    names = [[each.alias_or_name for each in side.selects] for side in sides]
    if [len(each) for each in names] != [_COLUMNS, _COLUMNS]:
        return ""
    mark = "lower(trim({}))" if is_text else "{}"
    first, second = (_by_mark(side, mark) for side in sides)
    (key, figure), (_, again) = [[exp.to_identifier(n, quoted=True).sql() for n in own] for own in names]
    if figure == again:
        again = exp.to_identifier(f"{names[1][1]} (2)", quoted=True).sql()
    shown = f"coalesce({_ONE}.{_KEY}, {_OTHER}.{_KEY}) AS {key}, {_ONE}.{_FIGURE} AS {figure}"
    shown += f", {_OTHER}.{_FIGURE} AS {again}"
    on = " IS NOT DISTINCT FROM ".join(mark.format(f"{side}.{_KEY}") for side in (_ONE, _OTHER))
    both = f"{_ONE} FULL JOIN {_OTHER} ON {on}"
    return f"WITH {_ONE} AS ({first}), {_OTHER} AS ({second}) SELECT {shown} FROM {both} ORDER BY 1"


def _by_mark(side: exp.Select, mark: str) -> str:
    """A side grouped by what its groups are compared by, each called by the first of its spellings."""
    key, figure = (each.unalias().sql(dialect="duckdb") for each in side.selects)
    side.set("order", None)
    side.set("group", exp.Group(expressions=[sqlglot.parse_one(mark.format(key), dialect="duckdb")]))
    shown = (f"min({key}) AS {_KEY}", f"{figure} AS {_FIGURE}")
    side.set("expressions", [sqlglot.parse_one(each, dialect="duckdb") for each in shown])
    return side.sql(dialect="duckdb")
