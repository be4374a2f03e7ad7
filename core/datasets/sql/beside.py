"""Two grouped statements as one, with the figures of both for each group."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

_COLUMNS = 2


def beside(one: str, other: str, *, is_text: bool) -> str:
    """Statements that give a group and a figure each as one; "" where one gives other columns.

    is_text: groups are texts, of which neither case nor space around counts. A group that only one of the
    tables has stays, with nothing for the other.
    """
    sides = [sqlglot.parse_one(each, dialect="duckdb") for each in (one, other)]
    names = [[each.alias_or_name for each in side.selects] for side in sides if isinstance(side, exp.Select)]
    if any(len(each) != _COLUMNS for each in names) or len(names) != len(sides):
        return ""
    for side in sides:
        side.set("order", None)
    (key, figure), (other_key, other_figure) = [
        [exp.to_identifier(n, quoted=True).sql() for n in own] for own in names
    ]
    mark = "lower(trim({}))" if is_text else "{}"
    on = f"{mark.format(f'one.{key}')} = {mark.format(f'other.{other_key}')}"
    again = f"{names[1][1]} (2)" if figure == other_figure else names[1][1]
    shown = f"coalesce(one.{key}, other.{other_key}) AS {key}, one.{figure} AS {figure}"
    shown += f", other.{other_figure} AS {exp.to_identifier(again, quoted=True).sql()}"
    first, second = (side.sql(dialect="duckdb") for side in sides)
    both = f"one FULL JOIN other ON {on}"
    return f"WITH one AS ({first}), other AS ({second}) SELECT {shown} FROM {both} ORDER BY 1"
