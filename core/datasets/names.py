"""Names of tables and columns in SQL: of the file's own words, and free to be written without quotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

from core.datasets.base import ROW, TOTAL

_LONGEST = 60
_OTHER = re.compile(r"[^0-9a-z]+")
_WORDS = """
    all alter analyse analyze and anti any array as asc asof asymmetric at authorization between binary
    both by case cast check collate collation column columns concurrently constraint create cross cube
    current_catalog current_date current_time current_timestamp current_user default deferrable desc
    describe distinct do drop else end except false fetch for force foreign freeze from full generated
    glob grant group having if ilike in initially inner insert install intersect into is isnull join
    lambda lateral leading left like limit localtime localtimestamp lock map natural not notnull null
    offset on only or order outer overlaps partitioned_by pivot pivot_longer pivot_wider placing
    positional primary qualify references regexp returning revoke right rlike rollback rollup select
    semi session_user show similar some struct summarize symmetric table tablesample then to trailing
    true try_cast tuple uncache union unique unpack unpivot using values variadic verbose when where
    window with xor"""
_RESERVED = frozenset(_WORDS.split())
"""Words that DuckDB keeps for itself, or that the gate's parser does not read as a plain name."""


def sql_name(words: str, otherwise: str) -> str:
    """Words as a name: "Amount (EUR)" is amount_eur. otherwise: where no letter or digit of them is left."""
    bare = unicodedata.normalize("NFKD", words.casefold()).encode("ascii", "ignore").decode()
    name = _OTHER.sub("_", bare).strip("_")[:_LONGEST].rstrip("_")
    if not name:
        return otherwise
    return f"_{name}" if name[0].isdigit() else name


def quoted(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def free(name: str, taken: Collection[str]) -> str:
    """The name, or one with the first number behind it that is not taken."""
    if name not in taken:
        return name
    return next(each for number in range(2, len(taken) + 3) if (each := f"{name}_{number}") not in taken)


def table_name(words: str, otherwise: str, taken: Collection[str] = ()) -> str:
    """Words as the name of a table, none of `taken` and no word of SQL."""
    name = sql_name(words, otherwise)
    return free(f"{name}_rows" if name in _RESERVED else name, taken)


def column_names(labels: Iterable[str]) -> list[str]:
    """A name for each column, no two alike, none a word of SQL, none that marks rows as totals."""
    taken, names = {ROW, TOTAL}, []
    for number, label in enumerate(labels, 1):
        name = sql_name(label, f"column_{number}")
        name = free(f"{name}_" if name in _RESERVED else name, taken)
        taken.add(name)
        names.append(name)
    return names


def first_of(names: Sequence[str], most: int) -> str:
    """The first of some names, with how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
