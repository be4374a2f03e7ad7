"""Names of tables and columns in SQL: of the file's own words, and free to be written without quotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from core.datasets.base import ROW, TOTAL

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LONGEST = 60
_OTHER = re.compile(r"[^0-9a-z]+")


def sql_name(words: str, otherwise: str) -> str:
    """Words as a name: "Amount (EUR)" is amount_eur. otherwise: where no letter or digit of them is left."""
    bare = unicodedata.normalize("NFKD", words.casefold()).encode("ascii", "ignore").decode()
    name = _OTHER.sub("_", bare).strip("_")[:_LONGEST].rstrip("_")
    if not name:
        return otherwise
    return f"_{name}" if name[0].isdigit() else name


def free(name: str, taken: Collection[str]) -> str:
    """The name, or one with the first number behind it that is not taken."""
    if name not in taken:
        return name
    return next(each for number in range(2, len(taken) + 3) if (each := f"{name}_{number}") not in taken)


def sql_names(db: DuckDBPyConnection, heads: Sequence[str]) -> tuple[str, ...]:
    """A name for each column, no two alike, none a word of SQL, none that marks rows as totals."""
    words, taken = set(reserved(db)), {ROW, TOTAL}
    names = []
    for number, head in enumerate(heads, start=1):
        name = sql_name(head, f"column_{number}")
        name = free(f"{name}_" if name in words else name, taken)
        names.append(name)
        taken.add(name)
    return tuple(names)


def reserved(db: DuckDBPyConnection) -> Iterable[str]:
    """The words that SQL keeps for itself."""
    words = (
        "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')"
    )
    return [row[0] for row in db.execute(words).fetchall()]
