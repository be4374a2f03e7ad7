"""Documents whose field stands in a column of a table, as one statement of SQL."""

from __future__ import annotations

from dataclasses import dataclass

from core.datasets.base import DataTable
from core.datasets.names import quoted
from core.plan.operators.row_conditions import name_sql


@dataclass(frozen=True, slots=True)
class ListedNames:
    """A field of documents, held against a column of a table.

    own: the table of fields; other, key: the list, and what its column is called. are_names: names are
    compared without legal form. kinds: of documents, () for any; kinds_in: the table that has them, where it
    is not `own`.
    """

    own: DataTable
    field: str
    other: DataTable
    key: str
    are_names: bool
    kinds: tuple[str, ...] = ()
    kinds_in: str = ""

    def sql(self, *, is_counted: bool = False, is_denied: bool = False) -> str:
        """Documents with the value and the words of the list. is_denied: those that state one not listed."""
        columns = {each.label or each.name: each.name for each in self.other.columns}
        mark = "name_key({})" if self.are_names else "lower(trim({}))"
        value, listed = f"own.{name_sql(self.field)}", f"other.{name_sql(columns[self.key])}"
        shown = (
            "count(DISTINCT own.document) AS documents" if is_counted else f"DISTINCT own.document, {value}"
        )
        said = [f"lower(own.document_kind) IN ({', '.join(map(quoted, self.kinds))})"] if self.kinds else []
        if said and self.kinds_in:
            among = f"{name_sql(self.kinds_in)} AS every WHERE {said[0].replace('own.', 'every.')}"
            said = [f"own.source IN (SELECT every.source FROM {among})"]
        source, names = f"{name_sql(self.own.name)} AS own", f"{name_sql(self.other.name)} AS other"
        if is_denied:
            among = f"SELECT {mark.format(listed)} FROM {names} WHERE {listed} IS NOT NULL"
            said += [f"{value} IS NOT NULL", f"{mark.format(value)} NOT IN ({among})"]
        else:
            shown += "" if is_counted else f", {listed}"
            source += f" JOIN {names} ON {mark.format(value)} = {mark.format(listed)}"
        return f"SELECT {shown} FROM {source}{' WHERE ' if said else ''}{' AND '.join(said)}"
