"""A column among values: as parameters, or as one JSON list where a statement could not bear so many."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from core.store.database.schema import storable

MOST_PARAMETERS = 500


class _Listed(FunctionElement[str]):
    """The texts of a JSON list, a row each."""

    name = "listed"
    inherit_cache = True


@compiles(_Listed)
def _listed_in_sqlite(element: _Listed, compiler: SQLCompiler, **how: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **how)})"


@compiles(_Listed, "postgresql")
def _listed_in_postgres(element: _Listed, compiler: SQLCompiler, **how: Any) -> str:
    return f"json_array_elements_text({compiler.process(element.clauses, **how)})"


def among(column: sa.ColumnElement[Any], values: Collection[Any] | None) -> sa.ColumnElement[bool]:
    """True where the column has one of the values; None: always. Of others than texts there may be 500."""
    if values is None:
        return sa.true()
    if len(values) <= MOST_PARAMETERS or not isinstance(next(iter(values)), str):
        return column.in_(sorted(values))
    listed = _Listed(sa.literal([storable(text) for text in sorted(values)], sa.JSON)).table_valued("value")
    return column.in_(sa.select(listed.c.value))
