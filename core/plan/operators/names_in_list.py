"""Documents whose field stands in a column of a table, as one statement of SQL."""

from __future__ import annotations

from core.datasets.base import DataTable
from core.datasets.names import quoted
from core.plan.operators.row_conditions import name_sql


def names_in_list_sql(
    own: DataTable,
    field: str,
    other: DataTable,
    key: str,
    *,
    are_names: bool,
    kinds: tuple[str, ...] = (),
    kinds_in: str = "",
    is_counted: bool = False,
    is_denied: bool = False,
) -> str:
    """Documents with the value of a field and the words of a list where it stands.

    own: the table of fields; other, key: the list, and what its column is called. are_names: names are
    compared without legal form. kinds: of documents, () for any; kinds_in: the table that has them, where it
    is not `own`. is_denied: documents that state a value which is not listed.
    """
    columns = {each.label or each.name: each.name for each in other.columns}
    mark = "name_key({})" if are_names else "lower(trim({}))"
    value, listed = f"own.{name_sql(field)}", f"other.{name_sql(columns[key])}"
    shown = "count(DISTINCT own.document) AS documents" if is_counted else f"DISTINCT own.document, {value}"
    within = f"document_kind) IN ({', '.join(map(quoted, kinds))})"
    said = [f"lower(own.{within}"] if kinds else []
    if said and kinds_in:
        among = f"{name_sql(kinds_in)} AS every WHERE lower(every.{within}"
        said = [f"own.source IN (SELECT every.source FROM {among})"]
    source, names = f"{name_sql(own.name)} AS own", f"{name_sql(other.name)} AS other"
    if is_denied:
        among = f"SELECT {mark.format(listed)} FROM {names} WHERE {listed} IS NOT NULL"
        said += [f"{value} IS NOT NULL", f"{mark.format(value)} NOT IN ({among})"]
    else:
        shown += "" if is_counted else f", {listed}"
        source += f" JOIN {names} ON {mark.format(value)} = {mark.format(listed)}"
    return f"SELECT {shown} FROM {source}{' WHERE ' if said else ''}{' AND '.join(said)}"
